package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/config"
)

// TestRegenKilled kills judge regen at random points. After the next command either all expected
// outputs must be old or all must be new.
func TestRegenKilled(t *testing.T) {
	t.Parallel()
	tier.T2(t, "regen that is killed while it writes")
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	r := &regenerated{t: t, root: t.TempDir(), program: program, cache: t.TempDir()}
	r.write("runner.yaml", "languages:\n  sh: {match: [.sh], run: [sh, \"{dir}/{main}\"]}\n")
	r.write("problems/p.yaml", "id: p\ntitle: P\nsource: nowhere\nlimits: {cpu: 10s, wall: 1m, memory: 256MiB, output: 1MiB}\nstatement: Say it.\ninput: A word.\noutput: It.\n")
	for _, group := range []string{"a", "b", "c", "d", "sample"} {
		text := "cases:\n"
		for i := range 4 {
			text += fmt.Sprintf("  - name: c%d\n    input: |\n      %s%d\n", i, group, i)
		}
		r.write("cases/p/"+group+".yaml", text+"...\n")
	}
	// Run both references once. Later runs find their outputs in the cache and only write files.
	generations := map[string]string{}
	for _, name := range []string{"even", "odd"} {
		r.reference(name)
		if out, err := r.judge("regen").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		generations[r.files()] = name
	}
	rounds := 6
	if tier.All() {
		rounds = 30
	}
	left := map[string]int{} // the number of kills by the state in which they left the files
	for i := 0; i < rounds || left["something to finish"] == 0 && i < 3*rounds; i++ {
		before := generations[r.files()]
		target := map[string]string{"even": "odd", "odd": "even"}[before]
		r.reference(target)
		r.kill(rand.IntN(12))
		switch state := generations[r.files()]; state {
		case "":
			left["something to finish"]++
		case before:
			left["nothing done"]++
		case target:
			left["everything done"]++
		}
		// The next command that reads the cases finishes an interrupted write.
		check := r.judge("regen", "--check")
		out, _ := check.CombinedOutput()
		state, status := generations[r.files()], check.ProcessState.ExitCode()
		if state == before && status != cli.ExitNot || state == target && status != cli.ExitOK || state == "" {
			t.Fatalf("kill %d: left state %q, --check exited with status %d:\n%s\n%s", i+1, state, status, out, r.files())
		}
	}
	if t.Logf("left: %v", left); left["something to finish"] == 0 {
		t.Skipf("not checked: a kill while regen writes (none of %d hit; TestReplaceKilled in package cases kills after each step)", 3*rounds)
	}
}

// regenerated is a repository with a problem p.
type regenerated struct {
	t                    *testing.T
	root, program, cache string
}

func (r *regenerated) write(name, text string) {
	r.t.Helper()
	if err := writeTestFile(filepath.Join(r.root, name), text); err != nil {
		r.t.Fatal(err)
	}
}

func writeTestFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// reference makes the reference print a word before each input.
func (r *regenerated) reference(word string) {
	r.t.Helper()
	r.write("reference/p/main.sh", "read line; echo "+word+" $line\n")
}

func (r *regenerated) judge(args ...string) *exec.Cmd {
	cmd := exec.Command(r.program, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+r.cache)
	return cmd
}

// kill starts judge regen and kills it at a random moment after the folder of cases has changed the
// given number of times, unless it exits first.
func (r *regenerated) kill(after int) {
	r.t.Helper()
	cmd := r.judge("regen")
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	looks := rand.IntN(100)
	if after == 0 {
		looks = rand.IntN(3000) // most of the time passes before the first change
	}
	for last := r.inodes(); after > 0 || looks > 0; {
		select {
		case <-ended:
			return
		default:
		}
		if now := r.inodes(); now != last {
			after, last = after-1, now
		} else if after <= 0 {
			looks--
		}
	}
	_ = cmd.Process.Kill()
	<-ended
}

// inodes returns the names and inodes of the files in the folder of cases, which change whenever a
// file is replaced.
func (r *regenerated) inodes() string {
	var b strings.Builder
	entries, _ := os.ReadDir(filepath.Join(r.root, "cases/p"))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintln(&b, e.Name(), info.Sys().(*syscall.Stat_t).Ino)
		}
	}
	return b.String()
}

// files returns the names and contents of all files below the folder of cases.
func (r *regenerated) files() string {
	r.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(r.root, "cases/p"), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, strings.TrimPrefix(path, r.root))
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return b.String()
}
