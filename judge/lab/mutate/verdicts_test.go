package mutate

import (
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryKill checks, for each verdict, how the tally counts a mutant that it kills.
func TestEveryKill(t *testing.T) {
	t.Parallel()
	wrong, late, over, crashed := Tally{All: 1, Killed: 1, Wrong: 1}, Tally{All: 1, Killed: 1, Late: 1, Slow: 1}, Tally{All: 1, Killed: 1, Over: 1}, Tally{All: 1, Killed: 1, Crashed: 1}
	verdicttest.Each(t, map[verdict.Verdict]Tally{
		verdict.AC: {All: 1, Survived: 1, Unexplained: 1},
		verdict.PE: wrong, verdict.WA: wrong, verdict.NO: wrong,
		verdict.TLE: late, verdict.ILE: late,
		verdict.MLE: over, verdict.OLE: over,
		verdict.RTE: crashed, verdict.SV: crashed,
		verdict.CE: crashed, verdict.JE: crashed, // which no run of a mutant gets
	}, func(v verdict.Verdict, want Tally) {
		r := Result{Fate: Killed, Runs: []Run{{Verdict: verdict.AC}, {Verdict: v}}, Slow: true}
		if v == verdict.AC {
			r.Fate = Survived
		}
		var got Tally
		if got.add(&r); got != want {
			t.Errorf("%v: %+v, want %+v", v, got, want)
		}
	})
}
