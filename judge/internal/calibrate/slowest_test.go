package calibrate

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestPace finds the slowest run that the time limit has to leave room for, and none where
// a run was stopped.
func TestPace(t *testing.T) {
	t.Parallel()
	const s = time.Second
	run := func(submission int, name string, v verdict.Verdict, cpu time.Duration) grade.Case {
		return grade.Case{Submission: submission, Name: name, Verdict: v, Cause: "took longer", Result: sandbox.Result{CPU: cpu}}
	}
	for _, tt := range []struct {
		why  string
		runs []grade.Case
		most time.Duration
		err  string
	}{
		{"the most of all", []grade.Case{run(0, "secret/1", verdict.AC, 2*s), run(0, "secret/2", verdict.AC, 5*s), run(0, "secret/3", verdict.AC, s)}, 5 * s, ""},
		{"of one that is wrong as well", []grade.Case{run(0, "secret/1", verdict.WA, 2*s)}, 2 * s, ""},
		{"where nobody promises", []grade.Case{run(1, "secret/2", verdict.TLE, 60*s), run(1, "secret/1", verdict.AC, s)}, s, ""},
		{"too slow", []grade.Case{run(0, "secret/1", verdict.AC, s), run(0, "secret/2", verdict.TLE, 60*s)}, s, "p/a.c: took longer on secret/2, so that no time limit follows from it (hint: give limits: time_limit in problem.yaml)"},
		{"asleep", []grade.Case{run(1, "secret/1", verdict.ILE, s)}, 0, "p/b.c: took longer on secret/1, so that no time limit follows from it (hint: give limits: time_limit in problem.yaml)"},
	} {
		p := pace{of: []string{"p/a.c", "p/b.c"}, rules: [][]problem.Rule{{{}}, {{Cases: "secret/1"}}}}
		var err error
		for _, c := range tt.runs {
			if err == nil {
				err = p.see(&c)
			}
		}
		if got := fmt.Sprint(err); p.most != tt.most || got != cmp.Or(tt.err, "<nil>") {
			t.Errorf("%s: %v, %s, want %v, %s", tt.why, p.most, got, tt.most, tt.err)
		}
	}
}
