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
		{"nothing is promised", problem.Expect{}, true},
		{"the final verdict", problem.Expect{Final: wrong}, true},
		{"some case gets a wrong answer", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Required: wrong}}}, true},
		{"no case may crash", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase &^ verdict.RTE.Class(), Required: wrong}}}, false},
		{"no case may exceed the memory limit", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase &^ verdict.SetOf(verdict.MLE), Required: wrong}}}, false},
		{"the second rule restricts all cases of a group", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase}, {Cases: "secret", Permitted: wrong}}}, false},
		{"points, which are known only after all cases", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Score: &[2]float64{0, 1}}}}, false},
	} {
		if got := brieflyKept(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
