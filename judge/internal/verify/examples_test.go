package verify

import (
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

func TestBrieflyKept(t *testing.T) {
	t.Parallel()
	wrong, anyCase := verdict.WA.Class(), verdict.OfCase()
	for _, tt := range []struct {
		why  string
		e    problem.Expect
		want bool
	}{
		{"nothing", problem.Expect{}, true},
		{"the verdict of the whole", problem.Expect{Final: wrong}, true},
		{"some case is wrong", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Required: wrong}}}, true},
		{"no case may crash", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase &^ verdict.RTE.Class(), Required: wrong}}}, false},
		{"not even use too much memory", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase &^ verdict.SetOf(verdict.MLE), Required: wrong}}}, false},
		{"one rule of two", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase}, {Cases: "secret", Permitted: wrong}}}, false},
		{"points take all cases", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Score: &[2]float64{0, 1}}}}, false},
	} {
		if got := brieflyKept(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
