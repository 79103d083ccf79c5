package grade

import (
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

func TestMayNotCompile(t *testing.T) {
	t.Parallel()
	failed, wrong, anyCase := verdict.CE.Class(), verdict.WA.Class(), verdict.OfCase()
	for _, tt := range []struct {
		why  string
		e    problem.Expect
		want bool
	}{
		{"nothing is promised", problem.Expect{}, true},
		{"CE is expected", problem.Expect{Final: failed}, true},
		{"another verdict is expected", problem.Expect{Final: wrong}, false},
		{"CE is permitted, and one of those that are required", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase | failed, Required: wrong | failed}}}, true},
		{"CE is not permitted", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Required: anyCase}}}, false},
		{"another verdict is required", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase | failed, Required: wrong}}}, false},
		{"points", problem.Expect{Score: &[2]float64{0, 1}}, false},
	} {
		if got := mayNotCompile(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
