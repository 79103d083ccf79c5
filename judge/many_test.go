package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli/scripttest"
	"tribunal/judge/internal/config"
)

// TestManySubmissions judges 160 submissions at once with a limit of 128 file descriptors.
func TestManySubmissions(t *testing.T) {
	t.Parallel()
	tier.T2(t, "more submissions than file descriptors")
	tier.Needs(t, "file descriptors for many submissions", "gcc")
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := scripttest.CopyMissing(root, filepath.Join("testdata", "repo")); err != nil {
		t.Fatal(err)
	}
	compiled := filepath.Join(root, "program")
	if out, err := exec.Command("gcc", "-o", compiled, filepath.Join(root, "sum.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(compiled)
	if err != nil {
		t.Fatal(err)
	}
	const most, count = 128, 160
	args := []string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, most), "sh", program, "grade", "sum", "-q", "--case", "sample/small"}
	for i := range count { // each program differs, so that none comes from the cache
		name := fmt.Sprint("program-", i)
		if err := os.WriteFile(filepath.Join(root, name), fmt.Append(text, i), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	cmd := exec.Command("sh", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(root, "cache"))
	out, err := cmd.CombinedOutput()
	if n := strings.Count(string(out), ": AC 1/1"); err != nil || n != count {
		t.Errorf("%d of %d are accepted with %d descriptors: %v\n%.2000s", n, count, most, err, out)
	}
}

// BenchmarkMany measures judge grade on 200 programs in C, each on 50 cases of the problem game, two at a time. All are
// in the cache. The floor, measured right before and right after it, runs and compares the same (see
// testdata/compare/drive.c).
func BenchmarkMany(b *testing.B) {
	const programs, cases = 200, 50
	dir := b.TempDir()
	judge := filepath.Join(dir, "judge")
	if out, err := judgeBuild(judge).CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	t := newTools(b, dir, judge)
	one := t.compile(b, "gray", "gcc", filepath.Join(repository, "reference", "game", "submissions", "accepted", "gray.c"))
	text, err := os.ReadFile(one)
	if err != nil {
		b.Fatal(err)
	}
	var list []string
	for i := range programs { // each program differs
		list = append(list, filepath.Join(dir, fmt.Sprint("program-", i)))
		if err := os.WriteFile(list[i], fmt.Append(text, i), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	p := program{one, one}
	s := newSet(b, filepath.Join(dir, "many"), p, cases, 0, someGame)
	grade := func() cost {
		cmd := judgeGrade(b, t, p, 2)(s)
		cmd.Args = append(cmd.Args[:len(cmd.Args)-1], list...)
		return spend(b, cmd, fmt.Sprintf("%s: AC %d/%d\n", list[programs-1], cases, cases))
	}
	floor := func() cost {
		cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`for i; do "$0" 2 %d "$i"; done`, cases), t.drive}, list...)...)
		cmd.Dir = s.data()
		return spend(b, cmd, "")
	}
	grade() // fills the cache
	var measured paired
	for b.Loop() {
		before, judged := floor(), grade()
		measured.add(judged, mean(before, floor()))
	}
	measured.report(b)
}
