package calibrate

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
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
		p := pace{paths: []string{"a.c", "b.c"}, show: func(path string) string { return "p/" + path }, rules: [][]problem.Rule{{{}}, {{Cases: "secret/1"}}}}
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

// TestLowerBounds checks which submissions the time limit is derived from.
func TestLowerBounds(t *testing.T) {
	t.Parallel()
	accepted := verdict.SetOf(verdict.AC)
	scoring := &points.Group{Cases: []int{0, 1}, Rule: points.Legacy{}} // at best 2 points
	for _, tt := range []struct {
		why     string
		expect  problem.Expect
		scoring *points.Group
		want    bool
	}{
		{"an accepted one", problem.Expect{Final: accepted}, nil, true},
		{"one that must be too slow", problem.Expect{Final: verdict.TLE.Class()}, nil, false},
		{"one that may be too slow on no case", problem.Expect{Rules: []problem.Rule{{Permitted: accepted, Required: accepted}}}, nil, true},
		{"a part of the points", problem.Expect{Final: accepted, Partial: true}, scoring, false},
		{"an expected score that is a part of the points", problem.Expect{Final: accepted, Score: &[2]float64{1, 1}}, scoring, false},
		{"an expected score of all points", problem.Expect{Final: accepted, Score: &[2]float64{2, 2}}, scoring, true},
	} {
		if got := len(lowerBounds(tt.expect, &problem.Problem{Groups: tt.scoring, Scoring: tt.scoring != nil})) > 0; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
