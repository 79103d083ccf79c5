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

// TestPace checks that pace finds the slowest run on a case on which the submission must not be too
// slow, and reports a run that exceeded Longest.
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
		{"the slowest of several runs", []grade.Case{run(0, "secret/1", verdict.AC, 2*s), run(0, "secret/2", verdict.AC, 5*s), run(0, "secret/3", verdict.AC, s)}, 5 * s, ""},
		{"a run with a wrong answer", []grade.Case{run(0, "secret/1", verdict.WA, 2*s)}, 2 * s, ""},
		{"a slow run on a case that no rule is about", []grade.Case{run(1, "secret/2", verdict.TLE, 60*s), run(1, "secret/1", verdict.AC, s)}, s, ""},
		{"too slow", []grade.Case{run(0, "secret/1", verdict.AC, s), run(0, "secret/2", verdict.TLE, 60*s)}, s, "p/a.c: took longer on secret/2, so no time limit can be derived from it (hint: set limits: time_limit in problem.yaml)"},
		{"a run that sleeps", []grade.Case{run(1, "secret/1", verdict.ILE, s)}, 0, "p/b.c: took longer on secret/1, so no time limit can be derived from it (hint: set limits: time_limit in problem.yaml)"},
	} {
		p := pace{names: []string{"p/a.c", "p/b.c"}, rules: [][]problem.Rule{{{}}, {{Cases: "secret/1"}}}}
		var err error
		for _, c := range tt.runs {
			if err == nil {
				err = p.add(&c)
			}
		}
		if got := fmt.Sprint(err); p.most != tt.most || got != cmp.Or(tt.err, "<nil>") {
			t.Errorf("%s: %v, %s, want %v, %s", tt.why, p.most, got, tt.most, tt.err)
		}
	}
}
