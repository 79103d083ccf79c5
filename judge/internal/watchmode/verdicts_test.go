package watchmode

import (
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryVerdictIsExpected checks AsExpected for each verdict, with a brute and with other
// programs.
func TestEveryVerdictIsExpected(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]bool{
		verdict.AC: true,
		verdict.PE: false, verdict.WA: false, verdict.NO: false,
		verdict.TLE: true, verdict.ILE: true, verdict.MLE: true, verdict.OLE: true,
		verdict.RTE: true, verdict.SV: true, // a brute declines a case by its exit status
		verdict.CE: false, verdict.JE: false,
	}, func(v verdict.Verdict, brute bool) {
		if got := AsExpected(BruteForce, &grade.Done{Verdict: v}); got != brute {
			t.Errorf("a brute with %v is as expected: %v", v, got)
		}
		if !AsExpected(Example, &grade.Done{Verdict: v, Expected: v}) || AsExpected(Submission, &grade.Done{Verdict: v}) != (v == verdict.AC) {
			t.Errorf("%v is not compared with the expected verdict", v)
		}
	})
}
