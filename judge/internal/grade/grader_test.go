package grade

import (
	"strings"
	"testing"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

func TestGraded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, said string
		of        []verdict.Verdict
		v         verdict.Verdict // None is an error
		points    float64
	}{
		{"a verdict and points", "AC 12.5\n", []verdict.Verdict{verdict.AC, verdict.WA}, verdict.AC, 12.5},
		{"a verdict that nothing in the group has", "AC 0", []verdict.Verdict{verdict.WA}, verdict.AC, 0},
		{"the finer verdict of that kind", "RTE 0", []verdict.Verdict{verdict.WA, verdict.MLE, verdict.RTE}, verdict.MLE, 0},
		{"a finer verdict is not accepted", "MLE 0", []verdict.Verdict{verdict.MLE}, verdict.None, 0},
		{"its own failure", "JE", []verdict.Verdict{verdict.AC}, verdict.None, 0},
		{"no number", "AC many", []verdict.Verdict{verdict.AC}, verdict.None, 0},
		{"a number that is not finite", "AC inf", []verdict.Verdict{verdict.AC}, verdict.None, 0},
		{"too many words", "AC 1 AC 2", []verdict.Verdict{verdict.AC}, verdict.None, 0},
		{"nothing", "", []verdict.Verdict{verdict.AC}, verdict.None, 0},
	} {
		var of []points.Part
		for _, v := range tt.of {
			of = append(of, points.Part{Verdict: v})
		}
		got, err := graded(tt.said, of)
		if (err != nil) != (tt.v == verdict.None) || err != nil && !strings.Contains(err.Error(), "not a verdict") {
			t.Errorf("%s: error %v", tt.why, err)
		}
		if want := (points.Part{Verdict: tt.v, Points: tt.points}); got != want {
			t.Errorf("%s: %+v, want %+v", tt.why, got, want)
		}
	}
}
