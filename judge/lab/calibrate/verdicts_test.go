package calibrate

import (
	"strings"
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryPromise checks for each verdict whether examples that promise it are measured.
func TestEveryPromise(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true,
		verdict.PE: false, verdict.WA: false, verdict.NO: false,
		verdict.TLE: true, verdict.ILE: false, // a sleeping program uses no CPU time
		verdict.MLE: true, verdict.OLE: false, // no output limit is proposed
		verdict.RTE: false, verdict.SV: false, verdict.CE: false, verdict.JE: false,
	}, func(v verdict.Verdict, want bool) {
		if got := measured(v); got != want {
			t.Errorf("a promise of %v is measured: %v", v, got)
		}
	})
}

// TestEveryPace checks for each verdict whether a time limit can be derived from a run that gets
// it.
func TestEveryPace(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true, verdict.PE: true, verdict.WA: true, verdict.NO: true,
		verdict.TLE: false, verdict.ILE: false,
		verdict.MLE: true, verdict.OLE: true, verdict.RTE: true, verdict.SV: true, verdict.CE: true, verdict.JE: true,
	}, func(v verdict.Verdict, derived bool) {
		p := pace{paths: []string{"a.c"}, show: strings.Clone, rules: [][]problem.Rule{{{}}}}
		if err := p.add(&grade.Case{Verdict: v}); (err == nil) != derived {
			t.Errorf("%v: %v", v, err)
		}
	})
}
