package bundle

import (
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryPace pins the verdicts after which no time limit follows from a run: those that
// are about its time.
func TestEveryPace(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true, verdict.PE: true, verdict.WA: true, verdict.NO: true,
		verdict.TLE: false, verdict.ILE: false,
		verdict.MLE: true, verdict.OLE: true, verdict.RTE: true, verdict.SV: true, verdict.CE: true, verdict.JE: true,
	}, func(v verdict.Verdict, fine bool) {
		p := pace{of: []string{"a.c"}, rules: [][]pkgformat.Rule{{{}}}}
		if err := p.see(&grade.Case{Verdict: v}); (err == nil) != fine {
			t.Errorf("%v: %v", v, err)
		}
	})
}
