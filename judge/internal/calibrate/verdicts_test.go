package calibrate

import (
	"testing"

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
