package cases

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// TestReplaceStopped checks the files after every single step of a Replace, as a kill there would
// leave them.
func TestReplaceStopped(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	lockless := generation("old")
	delete(lockless, "cases/p/lock.yaml")
	for _, tt := range []struct {
		why  string
		from map[string]string
	}{{"all of them", old}, {"a lock that is new", lockless}} {
		root := repository(t, tt.from)
		var left []map[string]string
		j := journal{dir: filepath.Join(root, "cases/p"), step: func() { left = append(left, files(t, root)) }}
		if err := j.replace(edits(root, tt.from, next)); err != nil {
			t.Fatal(err)
		}
		if len(left) != 13 { // the stage, 4 texts, the list, the commit, 4 moves, and 2 to clean up
			t.Errorf("%s: %d steps", tt.why, len(left))
		}
		began := false
		for i, state := range left {
			folders := map[string]string{}
			for name, text := range state {
				if text != "a folder" {
					folders[name] = text
				}
			}
			stopped := repository(t, folders)
			committed := state["cases/p/"+journalFolder] != "" || began
			began = committed
			want := tt.from
			if committed {
				want = next
			}
			wantWhole(t, fmt.Sprintf("%s, killed after step %d", tt.why, i+1), stopped, want)
		}
		wantWhole(t, tt.why, root, next)
		if !began {
			t.Error("no state has a journal")
		}
	}
}

// TestReplaceKilled kills a process that replaces files all the time, at random points. After each
// kill all files must be of the same generation.
func TestReplaceKilled(t *testing.T) {
	t.Parallel()
	a, b := generation("even"), generation("odd")
	if root := os.Getenv("TRIBUNAL_REPLACE"); root != "" {
		replaceForever(root, a, b)
	}
	root := repository(t, a)
	rounds, mixed := 60, 0
	switch {
	case testing.Short():
		rounds = 20
	case tier.All():
		rounds = 200
	}
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
		cmd.Env = append(os.Environ(), "TRIBUNAL_REPLACE="+root)
		steps, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Kill it after some step, wherever it is when the signal arrives.
		r := bufio.NewReader(steps)
		for range 1 + rand.IntN(40) {
			if _, err := r.ReadByte(); err != nil {
				t.Fatalf("the process ended by itself: %v", err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		left := files(t, root)
		if fmt.Sprint(left) != fmt.Sprint(a) && fmt.Sprint(left) != fmt.Sprint(b) {
			mixed++
		}
		wantWhole(t, fmt.Sprintf("kill %d", i+1), root, a, b)
		if t.Failed() {
			return
		}
	}
	if mixed == 0 { // how many there are depends on the host
		t.Errorf("none of %d kills was in the middle of a Replace", rounds)
	}
}

// replaceForever replaces one generation by the other and back until it is killed. It writes a byte
// to standard output for every step.
func replaceForever(root string, a, b map[string]string) {
	for {
		if _, err := Load(root, "p"); err != nil {
			panic(err)
		}
		from, to := a, b
		if text, err := os.ReadFile(filepath.Join(root, "cases/p/lock.yaml")); err != nil {
			panic(err)
		} else if string(text) == b["cases/p/lock.yaml"] {
			from, to = b, a
		}
		j := journal{dir: filepath.Join(root, "cases/p"), step: func() { os.Stdout.Write([]byte{'.'}) }}
		if err := j.replace(edits(root, from, to)); err != nil {
			panic(err)
		}
	}
}

// TestEditedAfterKill edits a file between a kill and the next read. The edit must stay, and be
// reported once.
func TestEditedAfterKill(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	if err := (&journal{dir: dir}).stage(edits(root, old, next)); err != nil {
		t.Fatal(err)
	}
	work := "# mine\n" + old["cases/p/dawn.yaml"]
	if err := os.WriteFile(filepath.Join(dir, "dawn.yaml"), []byte(work), 0o644); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "dawn.yaml") + ": edited after a regeneration was interrupted: it stays as it is, the other files are written (hint: look at it, and run judge regen p)"
	if _, err := Load(root, "p"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	next["cases/p/dawn.yaml"] = work
	if got := files(t, root); fmt.Sprint(got) != fmt.Sprint(next) {
		t.Errorf("left %v", got)
	}
	// Later reads only report that the file does not match the lock.
	if _, err := Load(root, "p"); err == nil || !strings.Contains(err.Error(), "dawn.yaml:6: case a: output does not match lock.yaml") {
		t.Errorf("the second time: %v", err)
	}
}
