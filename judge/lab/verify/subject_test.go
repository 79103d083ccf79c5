package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/packages/pkgformat"
)

// openPackage opens a package with one case, and copies of an executable as its input validator and
// at the given paths. Its judge runs programs on host.
func openPackage(t *testing.T, host runner.Host, programs ...string) *subject {
	t.Helper()
	dir := t.TempDir()
	executable, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skipf("not checked: packages with an executable: %v", err)
	}
	files := map[string]string{"problem.yaml": "name: P\n", "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}
	for _, path := range append(programs, "input_validators/check") {
		files[path] = string(executable)
	}
	for file, text := range files {
		name := filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pkgformat.Open(t.Context(), dir, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	kept := cachetest.Fresh(t)
	b := build.New(build.Options{Cache: kept})
	of, err := p.Problem()
	if err != nil {
		t.Fatal(err)
	}
	pool := run.NewPool(runner.NewLocal(host, 1), 1, run.DefaultGrace)
	t.Cleanup(func() { pool.Close() })
	m := &casedata.Provider{Problem: of, Builder: b, Pool: pool, Cache: kept}
	t.Cleanup(func() { m.Close() })
	set, err := of.Read()
	if err != nil {
		t.Fatal(err)
	}
	return &subject{set: set, cases: set.Cases, submissions: of.Submissions, judge: &grade.Judge{Pool: pool, Builder: b, CaseData: m}, verification: &verification{p: of, report: &Report{}}}
}

// TestBoxDiesUnderValidator checks that an input validator runs once more if its sandbox dies, and
// that a second death is an error of the judge, not a finding about the case.
func TestBoxDiesUnderValidator(t *testing.T) {
	t.Parallel()
	for deaths, want := range []error{nil, nil, sandbox.ErrDied} {
		runs := 0
		s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if runs++; runs <= deaths {
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
		}))
		if err := checkInputs(t.Context(), s); !errors.Is(err, want) || len(s.report.Findings) > 0 {
			t.Errorf("the sandbox dies %d times: %v, %v, want %v", deaths, err, s.report.Findings, want)
		}
	}
}

// TestTooSlowToDerive checks that an accepted submission that is too slow to derive a time limit from
// is found after one run, and that the limit is then derived from the others. Without any other, no
// submission is judged.
func TestTooSlowToDerive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		programs []string
		most     int // runs
		findings []string
		judged   string
	}{
		{"with a faster one, which may run beside the first", []string{"submissions/accepted/a", "submissions/accepted/b"}, 4, []string{
			"submissions/accepted/a: used more CPU time than 1m0s on secret/1, so no time limit can be derived from it",
		}, "submissions/accepted/b"},
		{"alone", []string{"submissions/accepted/a", "submissions/wrong_answer/w"}, 1, []string{
			"submissions/accepted/a: used more CPU time than 1m0s on secret/1, so no time limit can be derived from it",
			".: no submission is judged, because the accepted ones are too slow to derive a time limit from",
		}, ""},
	} {
		runs := 0
		s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if runs++; runs == 1 {
				return sandbox.Result{Stop: sandbox.OverCPU, CPU: calibrate.Longest}, nil
			}
			return r.Print("1\n"), nil
		}), tt.programs...)
		s.env = &Environment{Limits: func(ctx context.Context, j *grade.Judge, task grade.Task) (limits.Limits, string, error) {
			task.Limits = limits.Limits{CPU: calibrate.Longest, Wall: calibrate.Longest}
			slowest, err := calibrate.Slowest(ctx, j, task)
			return limits.Limits{CPU: task.Problem.Time.Derive(slowest), Wall: calibrate.Longest}, "derived", err
		}}
		if err := checkExamples(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		var found []string
		for _, f := range s.report.Findings {
			rel, _ := filepath.Rel(s.p.Root, f.File)
			found = append(found, rel+": "+f.Text)
		}
		judged := ""
		for _, e := range s.results.judged {
			judged += e.path
		}
		if runs > tt.most || !slices.Equal(found, tt.findings) || judged != tt.judged {
			t.Errorf("%s: %d runs, judged %q, found:\n%s", tt.why, runs, judged, strings.Join(found, "\n"))
		}
	}
}

// TestMargins compares what accepted submissions need with the limits of the cases, which may differ.
func TestMargins(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	within := func(name string, cpu, limit time.Duration) grade.Case {
		return grade.Case{Name: name, Verdict: verdict.AC, Result: sandbox.Result{CPU: cpu}, Limits: &limits.Limits{CPU: limit, Wall: 10 * limit}}
	}
	usual := func(name string, cpu time.Duration) grade.Case { return within(name, cpu, 1000*ms) }
	for _, tt := range []struct {
		why        string
		cases      []grade.Case
		on         string
		need, have time.Duration
	}{
		{"the longest time, under one limit", []grade.Case{usual("a", 100*ms), usual("b", 300*ms), usual("c", 200*ms)}, "b", 300 * ms, 1000 * ms},
		{"less time, but more of a smaller limit", []grade.Case{usual("a", 300*ms), within("b", 200*ms, 500*ms), usual("c", 350*ms)}, "b", 200 * ms, 500 * ms},
		{"more time, but less of a larger limit", []grade.Case{usual("a", 300*ms), within("b", 900*ms, 9000*ms)}, "a", 300 * ms, 1000 * ms},
		{"equal shares: the first", []grade.Case{within("a", 40*ms, 100*ms), usual("b", 400*ms)}, "a", 40 * ms, 100 * ms},
	} {
		s := openPackage(t, sandboxtest.New(t, nil))
		s.runs = limits.Limits{CPU: 1000 * ms, Wall: 10000 * ms}
		s.results = &exampleResults{judgeable: true, judged: []example{{
			judged: judged{"a.py", grade.Judged{Cases: tt.cases, Done: grade.Done{Verdict: verdict.AC}}}, want: verdict.AC,
		}}}
		if err := checkLimits(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		want := Margin{Limit: "cpu", Have: int64(tt.have), Need: int64(tt.need), Unit: "ns", By: "a.py", Case: tt.on}
		if got := s.summary.Margins[0]; got != want {
			t.Errorf("%s: %+v, want %+v", tt.why, got, want)
		}
	}
}

// TestSkips checks which checks are skipped because a problem has nothing for them to check.
func TestSkips(t *testing.T) {
	t.Parallel()
	given := openPackage(t, sandboxtest.New(t, nil))
	derived := &subject{set: &cases.Set{Files: []string{"cases/p/edge.yaml"}}, verification: &verification{p: repo.Bare("", "p")}}
	derived.p.Statement = "Add."
	for _, tt := range []struct {
		why  string
		s    *subject
		want string // names of the skipped checks
	}{
		{"a package without a statement", given, "samples statements orphans lock generators bounds reference drawings brute"},
		{"a problem of the repository without a draw program", derived, "outputs drawings"},
	} {
		var skipped []string
		for _, c := range checks {
			if c.skip != nil && c.skip(tt.s) != "" {
				skipped = append(skipped, c.Name)
			}
		}
		if got := strings.Join(skipped, " "); got != tt.want {
			t.Errorf("%s: skipped %s, want %s", tt.why, got, tt.want)
		}
	}
}
