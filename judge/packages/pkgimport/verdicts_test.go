package pkgimport

import (
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryPromise checks the verdict that promised returns for a promise of all verdicts of a
// class.
func TestEveryPromise(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true, verdict.PE: true, verdict.WA: true, verdict.NO: true, verdict.TLE: true, verdict.ILE: true, verdict.MLE: true,
		verdict.OLE: true, verdict.RTE: true, verdict.SV: true, verdict.CE: true, verdict.JE: false, // no submission can promise JE
	}, func(v verdict.Verdict, want bool) {
		for _, e := range []problem.Expect{{Final: v.Class()}, {Rules: []problem.Rule{{Permitted: v.Class()}}}} {
			if got, ok := promised(e); ok != want || ok && got != v {
				t.Errorf("promised(%v) = %v, %v", e, got, ok)
			}
		}
	})
}
