package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab"
)

// writeLines writes n values as JSON Lines.
func writeLines(t testing.TB, path string, n int, value func(i int) map[string]any) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	for i := range n {
		if err := e.Encode(value(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

// someTests returns n tests of programs that copy their input.
func someTests(n int) (list []map[string]string) {
	for i := range n {
		list = append(list, map[string]string{"input": fmt.Sprintln(i), "output": fmt.Sprintln(i)})
	}
	return list
}

// TestManyPrograms evaluates many programs, of which few differ, and goes on with all results. Then it
// evaluates many tasks. The memory of the judge must not grow with the size of the files; without them
// it has 28 MiB.
func TestManyPrograms(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the memory of the judge beside many programs")
	n, size, most := 800, 40_000, 52*limits.MiB // a file has 32 MB
	if tier.All() {
		n, size, most = 32_000, 4000, 64*limits.MiB // a file has 128 MB
	}
	dir := t.TempDir()
	padding := strings.Repeat("#", size)
	writeLines(t, filepath.Join(dir, "task.jsonl"), 1, func(int) map[string]any {
		return map[string]any{"id": "copy", "tests": someTests(2)}
	})
	writeLines(t, filepath.Join(dir, "programs.jsonl"), n, func(i int) map[string]any {
		return map[string]any{"task": "copy", "language": "bash", "source": fmt.Sprintf("%s %d\ncat\n", padding, i%5)}
	})
	run := func(args, want string, amounts ...any) {
		t.Helper()
		out, peak := peakOf(t, dir, filepath.Join(dir, "cache"), strings.Fields(args))
		if !strings.Contains(out, fmt.Sprintf(want, amounts...)) {
			t.Errorf("judge %s:\n%s", args, out)
		}
		if peak > most {
			t.Errorf("judge %s took %v, want at most %v", args, peak.Human(), most)
		}
	}
	run("eval task.jsonl programs.jsonl -o programs", "%d programs of 1 task: AC %[1]d\n%d the same as another\n", n, n-5)
	run("eval task.jsonl programs.jsonl -o programs --resume", "%d programs of 1 task: AC %[1]d\n%[1]d judged earlier\n", n)
	if err := os.Remove(filepath.Join(dir, "programs.jsonl")); err != nil {
		t.Fatal(err)
	}
	writeLines(t, filepath.Join(dir, "tasks.jsonl"), n, func(i int) map[string]any {
		task := map[string]any{"id": i, "tests": someTests(1), "metadata": padding}
		if i%(n/4) == 0 {
			task["programs"] = []map[string]string{{"language": "bash", "source": "cat\n"}}
		}
		return task
	})
	run("eval tasks.jsonl -o tasks --k 1", "4 programs of %d tasks: AC 4\n", n)
}

// BenchmarkEval measures a whole run of judge eval with 60 programs of 10 tests each: programs of one
// task, and tasks with one program each. The floor, measured right after it, is judge grade of the same
// programs in one run. None comes from the cache. The metrics are those of BenchmarkProcess.
func BenchmarkEval(b *testing.B) {
	if _, err := exec.LookPath("python3"); err != nil {
		b.Skipf("not measured: %v", err)
	}
	judge := filepath.Join(b.TempDir(), "judge")
	if out, err := judgeBuild(judge).CombinedOutput(); err != nil {
		b.Skipf("not measured: %v\n%s", err, out)
	}
	const programs = 60
	for _, tasks := range []int{1, programs} {
		b.Run(fmt.Sprint(tasks), func(b *testing.B) {
			var evaluated, graded, ratios []float64
			for round := 0; b.Loop(); round++ {
				dir := b.TempDir()
				grade := []string{"grade", "-q", "package"}
				write(b, filepath.Join(dir, "package", "problem.yaml"), "name: Copy\nlimits: {time_limit: 10}\n")
				for i, test := range someTests(10) {
					write(b, filepath.Join(dir, "package", "data", "secret", fmt.Sprint(i, ".in")), test["input"])
					write(b, filepath.Join(dir, "package", "data", "secret", fmt.Sprint(i, ".ans")), test["output"])
				}
				source := func(i int) string { return fmt.Sprintf("print(input()) # %d of %d\n", i, round) }
				for i := range programs {
					name := fmt.Sprintf("%d.py", i)
					write(b, filepath.Join(dir, name), source(i))
					grade = append(grade, name)
				}
				writeLines(b, filepath.Join(dir, "tasks.jsonl"), tasks, func(task int) map[string]any {
					var list []map[string]string
					for i := task; i < programs; i += tasks {
						list = append(list, map[string]string{"language": "python3", "source": source(i)})
					}
					return map[string]any{"id": task, "tests": someTests(10), "programs": list}
				})
				run := func(cache, want string, args ...string) float64 {
					cmd := exec.Command(judge, args...)
					cmd.Dir, cmd.Env = dir, append(os.Environ(), config.CacheVariable+"="+filepath.Join(dir, cache))
					start := time.Now()
					out, err := cmd.CombinedOutput()
					if err != nil || strings.Count(string(out), want) == 0 {
						b.Fatalf("%v\n%s", err, out)
					}
					return time.Since(start).Seconds() * 1000
				}
				x := run("cache-eval", fmt.Sprintf("AC %d\n", programs), "eval", "tasks.jsonl", "-o", "results")
				y := run("cache-grade", "AC 10/10", grade...)
				evaluated, graded, ratios = append(evaluated, x), append(graded, y), append(ratios, x/y)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(evaluated), "judge-ms")
			b.ReportMetric(median(graded), "floor-ms")
			b.ReportMetric(median(ratios), "ratio")
		})
	}
}

// TestFaulty checks which errors of opening a task are those of its line, which --keep-going skips.
func TestFaulty(t *testing.T) {
	t.Parallel()
	located := &yamlstrict.Error{File: "cases/p/a.yaml", Line: 3, Msg: "no output"}
	for _, tt := range []struct {
		why  string
		err  error
		want bool
	}{
		{"an unknown problem", fmt.Errorf("problem p: %w", cli.Usage(errors.New("unknown problem"))), true},
		{"a wrong document", fmt.Errorf("problem p: %w", located), true},
		{"a generator that fails", &casedata.ProgramError{}, true},
		{"a document on a disk that is full", &yamlstrict.Error{File: "cases/p/a.yaml", Err: &fs.PathError{Err: syscall.ENOSPC}}, false},
		{"a package that found no room", cli.Usage(&fs.PathError{Err: syscall.ENOSPC}), false},
		{"too many open files", cli.Usage(&fs.PathError{Err: syscall.EMFILE}), false},
		{"the sandbox", errors.New("the box broke"), false},
		{"no compiler on this machine", &build.MissingError{}, false},
	} {
		if got := (&lab.Machine{}).Faulty(tt.err); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
