package verify

import (
	"testing"

	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/verdict"
)

func TestMayNotCompile(t *testing.T) {
	t.Parallel()
	failed, wrong, anyCase := verdict.CE.Class(), verdict.WA.Class(), verdict.OfCase()
	for _, tt := range []struct {
		why  string
		e    pkgformat.Expect
		want bool
	}{
		{"nothing is promised", pkgformat.Expect{}, true},
		{"just that", pkgformat.Expect{Final: failed}, true},
		{"something else", pkgformat.Expect{Final: wrong}, false},
		{"any verdict of a case", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase | failed, Required: wrong | failed}}}, true},
		{"it is not permitted", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase, Required: anyCase}}}, false},
		{"another verdict is required", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase | failed, Required: wrong}}}, false},
		{"points", pkgformat.Expect{Score: &[2]float64{0, 1}}, false},
	} {
		if got := mayNotCompile(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}

func TestBrieflyKept(t *testing.T) {
	t.Parallel()
	wrong, anyCase := verdict.WA.Class(), verdict.OfCase()
	for _, tt := range []struct {
		why  string
		e    pkgformat.Expect
		want bool
	}{
		{"nothing", pkgformat.Expect{}, true},
		{"the verdict of the whole", pkgformat.Expect{Final: wrong}, true},
		{"some case is wrong", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase, Required: wrong}}}, true},
		{"no case may crash", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase &^ verdict.RTE.Class(), Required: wrong}}}, false},
		{"not even use too much memory", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase &^ verdict.SetOf(verdict.MLE), Required: wrong}}}, false},
		{"one rule of two", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase}, {Cases: "secret", Permitted: wrong}}}, false},
		{"points take all cases", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anyCase, Score: &[2]float64{0, 1}}}}, false},
	} {
		if got := brieflyKept(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
