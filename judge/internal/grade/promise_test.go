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
		{"just that", problem.Expect{Final: failed}, true},
		{"something else", problem.Expect{Final: wrong}, false},
		{"any verdict of a case", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase | failed, Required: wrong | failed}}}, true},
		{"it is not permitted", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase, Required: anyCase}}}, false},
		{"another verdict is required", problem.Expect{Rules: []problem.Rule{{Permitted: anyCase | failed, Required: wrong}}}, false},
		{"points", problem.Expect{Score: &[2]float64{0, 1}}, false},
	} {
		if got := mayNotCompile(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
