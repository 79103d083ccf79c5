package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
// testdata/compare/drive.c). judge-s and floor-s are medians over the iterations of the wall time, ratio and cpu-ratio
// are the medians of the judge's wall and CPU time divided by the mean of the two floors'.
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
	run := func(cmd *exec.Cmd, want string) (wall, cpu float64) {
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if n := strings.Count(string(out), want); err != nil || n != programs {
			b.Fatalf("%v: %v, %q %d times\n%.2000s", cmd.Args[:4], err, want, n, out)
		}
		return time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	grade := func() (wall, cpu float64) {
		cmd := judgeGrade(b, t, p, 2)(s)
		cmd.Args = append(cmd.Args[:len(cmd.Args)-1], list...)
		return run(cmd, fmt.Sprintf(": AC %d/%d\n", cases, cases))
	}
	floor := func() (wall, cpu float64) {
		cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`for i; do "$0" 2 %d "$i" && echo done; done`, cases), t.drive}, list...)...)
		cmd.Dir = s.data()
		return run(cmd, "done\n")
	}
	grade() // fills the cache
	var judged, floors, ratios, cpus []float64
	for b.Loop() {
		wall1, cpu1 := floor()
		wall, cpu := grade()
		wall2, cpu2 := floor()
		judged, floors = append(judged, wall), append(floors, (wall1+wall2)/2)
		ratios, cpus = append(ratios, 2*wall/(wall1+wall2)), append(cpus, 2*cpu/(cpu1+cpu2))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(judged), "judge-s")
	b.ReportMetric(median(floors), "floor-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(cpus), "cpu-ratio")
}
