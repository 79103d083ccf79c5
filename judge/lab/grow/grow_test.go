package grow

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/grade/gradetest"
	"tribunal/judge/internal/repo"
)

// TestRun measures played programs of testdata/loops.txtar, each with exact times.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		programs string
		sizes    string // as in a ladder
		by       string
		seeds    int
		beyond   time.Duration
		want     string // a line for each program
		notes    string
	}{
		{"exponents", "linear square", "1 x -n=1,2 x -n=2,4 x -n=4,8 x -n=8,16 x -n=16,32 x -n=32,64 x -n=64,128 x -n=128", BySize, 3, 0, `
loops: size^1.07 of 6 sizes, 10s at size 7163; wrong 0 of 0
linear: size^1.00 of 8 sizes, 10s at size 4999; wrong 0 of 24
square: size^2.02 of 5 sizes, 10s at size 439; wrong 0 of 24`, ""},
		{"a program that exceeds the bound does not run on larger inputs", "square", "8 x -n=8,16 x -n=16,32 x -n=32,64 x -n=64,128 x -n=128", BySize, 1, 100 * time.Millisecond, `
loops: size^1.00 of 4 sizes, 10s at size 9999; wrong 0 of 0; used more CPU time than 100ms at size 128
square: size^2.00 of 3 sizes, 10s at size 447; wrong 0 of 3; used more CPU time than 100ms at size 64`, ""},
		{"by the length of the input", "linear", "20 x -n=20,40 x -n=40,100 x -n=100", ByBytes, 1, 0, `
loops: the sizes that take longer than the noise are too close together; wrong 0 of 0
linear: the sizes that take longer than the noise are too close together; wrong 0 of 3`, ""},
		{"wrong outputs, and a crash", "wrong crash", "1 x -n=1,2 x -n=2,4 x -n=4,8 x -n=8", BySize, 1, 0, `
loops: too few sizes take longer than the noise; wrong 0 of 0
wrong: too few sizes take longer than the noise; wrong 4 of 4
crash: too few sizes take longer than the noise; wrong 0 of 2; exited with status 5 at size 4`, ""},
		{"no input of a size", "linear", "2 none -n=2,4 none -n=4,8 none -n=8,16 none -n=16", BySize, 1, 0, `
loops: size^1.00 of 3 sizes, 10s at size 9999; wrong 0 of 0
linear: size^1.00 of 3 sizes, 10s at size 4999; wrong 0 of 3`, `
no input of size 4 with seed 1: exited with status 1: no such input`},
	} {
		r := newLoops(t)
		var report *Report
		points := 0
		err := runOn(t, r, strings.Fields(tt.programs), tt.sizes, &Experiment{Seeds: tt.seeds, Beyond: tt.beyond, By: tt.by, Emit: func(e event.Event) {
			switch e := e.(type) {
			case *Measured:
				points++
			case *Report:
				report = e
			}
		}})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var lines, notes []string
		measured := 0
		for _, p := range report.Programs {
			lines = append(lines, describeProgram(p))
			measured += len(p.Points)
			for i, pt := range p.Points {
				if last := i == len(p.Points)-1; len(pt.Runs) != tt.seeds && !last || pt.Over != (last && strings.Contains(p.Ended, "CPU time")) {
					t.Errorf("%s: %s: %+v", tt.why, p.Name, pt)
				}
			}
		}
		for _, n := range report.Notes {
			if strings.HasPrefix(n, "no input") { // the others are about this host
				notes = append(notes, n)
			}
		}
		if d := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), strings.Join(lines, "\n")); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
		if got := strings.Join(notes, "\n"); got != strings.TrimPrefix(tt.notes, "\n") {
			t.Errorf("%s: notes: %s", tt.why, got)
		}
		if points != measured {
			t.Errorf("%s: %d events for %d points", tt.why, points, measured)
		}
	}
}

// describeProgram returns the results of a program in one line.
func describeProgram(p Program) string {
	s := strings.TrimSuffix(filepath.Base(p.Name), ".play") + ": " + p.NoFit
	if f := p.Fit; f != nil {
		s += fmt.Sprintf("size^%.2f of %d sizes, 10s at size %.0f", f.Exponent, f.Sizes, f.LimitAt)
	}
	s += fmt.Sprintf("; wrong %d of %d", p.Wrong, p.Judged)
	if p.Ended != "" {
		s += "; " + p.Ended
	}
	return s
}

// TestRunEvents checks the order of the events, and the families that a report names.
func TestRunEvents(t *testing.T) {
	t.Parallel()
	r := newLoops(t)
	var events []string
	e := &Experiment{Seeds: 2, By: BySize, Ladder: ladder("7 single -n=7,1 x -n=1,2 x -n=2,1 few -n=1,3 few -n=3")}
	e.Emit = func(e event.Event) {
		switch e := e.(type) {
		case *event.Stage:
			events = append(events, e.What)
		case *Measured:
			events = append(events, fmt.Sprintf("%s at %d of %d B: %v, median %v", e.Program, e.Size, e.Bytes, e.Runs, e.Median))
		case *Report:
			events = append(events, fmt.Sprintf("family %s, others %v, limit %v, beyond %v", e.Family, e.Others, e.Limit, e.Beyond))
		}
	}
	if err := runOn(t, r, []string{"linear"}, "1 x -n=1,20 x -n=20", e); err != nil {
		t.Fatal(err)
	}
	for i, e := range events {
		events[i] = strings.ReplaceAll(e, r.Root+"/", "")
	}
	want := []string{
		"compiling linear.play",
		"measuring the start of the programs",
		"measuring size 1",
		"reference/loops at 1 of 2 B: [2ms 2ms], median 2ms",
		"linear.play at 1 of 2 B: [3ms 3ms], median 3ms",
		"measuring size 20",
		"reference/loops at 20 of 3 B: [21ms 21ms], median 21ms",
		"linear.play at 20 of 3 B: [41ms 41ms], median 41ms",
		"family x, others [few], limit 10s, beyond 10s",
	}
	if d := cmp.Diff(want, events); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestRunRefuses checks the errors of programs.
func TestRunRefuses(t *testing.T) {
	t.Parallel()
	r := newLoops(t)
	err := runOn(t, r, []string{"typo"}, "1 x -n=1,2 x -n=2", &Experiment{Seeds: 1, By: BySize})
	if compile, ok := errors.AsType[*CompileError](err); !ok || !strings.HasSuffix(compile.Name, "typo.typo") {
		t.Errorf("a program that does not compile: %v", err)
	}
	err = runOn(t, r, []string{"linear"}, "2 bad -n=2,4 bad -n=4", &Experiment{Seeds: 1, By: BySize})
	if _, ok := errors.AsType[*GenerateError](err); !ok || err.Error() != `generator ["bad" "-n=4"]: exited with status 2: no flag -n (hint: judge gen PROBLEM lists families and their flags)` {
		t.Errorf("a flag that the generator does not know: %v", err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("no more"))
	if err := Run(ctx, experiment(t, r, []string{"linear"}, "1 x -n=1", &Experiment{Seeds: 1})); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func newLoops(t *testing.T) *gradetest.Repository {
	t.Helper()
	base, err := txtar.ParseFile("testdata/loops.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return gradetest.New(t, base)
}

// experiment completes e for the problem loops.
func experiment(t *testing.T, r *gradetest.Repository, programs []string, sizes string, e *Experiment) *Experiment {
	t.Helper()
	p, err := repo.Load(r.Root, "loops")
	if err != nil {
		t.Fatal(err)
	}
	e.Judge, e.Sizes = r.Judge(p), ladder(sizes)
	e.Task = grade.Task{Problem: p, Limits: p.Limits}
	for _, name := range programs {
		file := filepath.Join(r.Root, name+".play")
		if name == "typo" {
			file = filepath.Join(r.Root, "typo.typo")
		}
		source, err := build.Open(file, "", r.Builder.Languages())
		if err != nil {
			t.Fatal(err)
		}
		e.Task.Submissions = append(e.Task.Submissions, grade.Submission{Source: source})
	}
	return e
}

func runOn(t *testing.T, r *gradetest.Repository, programs []string, sizes string, e *Experiment) error {
	t.Helper()
	return Run(t.Context(), experiment(t, r, programs, sizes, e))
}
