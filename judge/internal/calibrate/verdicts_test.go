package calibrate

import (
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryPromise pins which promises of an example say something of a limit.
func TestEveryPromise(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true,
		verdict.PE: false, verdict.WA: false, verdict.NO: false,
		verdict.TLE: true, verdict.ILE: false, // asleep, whatever the limit of CPU time
		verdict.MLE: true, verdict.OLE: false, // no limit of output is proposed
		verdict.RTE: false, verdict.SV: false, verdict.CE: false, verdict.JE: false,
	}, func(v verdict.Verdict, want bool) {
		if got := measured(v); got != want {
			t.Errorf("a promise of %v is measured: %v", v, got)
		}
	})
}

// TestEveryPace pins the verdicts after which no time limit follows from a run: those that
// are about its time.
func TestEveryPace(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true, verdict.PE: true, verdict.WA: true, verdict.NO: true,
		verdict.TLE: false, verdict.ILE: false,
		verdict.MLE: true, verdict.OLE: true, verdict.RTE: true, verdict.SV: true, verdict.CE: true, verdict.JE: true,
	}, func(v verdict.Verdict, fine bool) {
		p := pace{of: []string{"a.c"}, rules: [][]problem.Rule{{{}}}}
		if err := p.see(&grade.Case{Verdict: v}); (err == nil) != fine {
			t.Errorf("%v: %v", v, err)
		}
	})
}
