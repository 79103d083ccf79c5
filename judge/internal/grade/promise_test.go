package grade

import (
	"strings"
	"testing"

	"tribunal/judge/internal/points"
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

// TestPartlyBroken checks that the sentences about a promise of a part of the points do not contradict
// each other, in problems that give no points too.
func TestPartlyBroken(t *testing.T) {
	t.Parallel()
	part := problem.Expect{Partial: true, Final: verdict.AC.Class()}
	of := func(n float64) *points.Score { return &points.Score{Points: n, Best: 100} }
	for _, tt := range []struct {
		why    string
		done   Done
		broken string
	}{
		{"a part", Done{Verdict: verdict.AC, Points: of(40)}, ""},
		{"all", Done{Verdict: verdict.AC, Points: of(100)}, "gets all points, not a part of them"},
		{"accepted without points", Done{Verdict: verdict.AC}, "gets no points, not a part of them"},
		{"wrong without points", Done{Verdict: verdict.WA, First: "sample/2"}, "gets WA on sample/2, not AC; gets no points, not a part of them"},
	} {
		if got := strings.Join((Judged{Done: tt.done}).Broken(part), "; "); got != tt.broken {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.broken)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		points   float64
		want     [2]float64
		decimals int
		in       bool
	}{
		{"the number itself", 60, [2]float64{60, 60}, 0, true},
		{"a sum of thirds", 100.0/3 + 100.0/3 + 100.0/3, [2]float64{100, 100}, 0, true},
		{"a whole number is exact", 60.4, [2]float64{60, 60}, 0, false},
		{"rounded to the decimals given", 74.41860465, [2]float64{74.42, 74.42}, 2, true},
		{"a half is rounded up", 74.425, [2]float64{74.42, 74.42}, 2, true},
		{"another number with these decimals", 74.43, [2]float64{74.42, 74.42}, 2, false},
		{"in a range", 5, [2]float64{0, 10}, 0, true},
		{"above a range", 11, [2]float64{0, 10}, 0, false},
		{"below a range", -1, [2]float64{0, 10}, 0, false},
	} {
		if got := within(tt.points, tt.want, tt.decimals); got != tt.in {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
