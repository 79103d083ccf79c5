package verify

import (
	"testing"

	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/verdict"
)

func TestMayNotCompile(t *testing.T) {
	t.Parallel()
	failed, wrong := pkgformat.Class(verdict.CE), pkgformat.Class(verdict.WA)
	for _, tt := range []struct {
		why  string
		e    pkgformat.Expect
		want bool
	}{
		{"nothing is promised", pkgformat.Expect{}, true},
		{"just that", pkgformat.Expect{Final: failed}, true},
		{"something else", pkgformat.Expect{Final: wrong}, false},
		{"any verdict of a case", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything | failed, Required: wrong | failed}}}, true},
		{"it is not permitted", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything, Required: anything}}}, false},
		{"another verdict is required", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything | failed, Required: wrong}}}, false},
		{"points", pkgformat.Expect{Score: &[2]float64{0, 1}}, false},
	} {
		if got := mayNotCompile(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}

func TestBrieflyKept(t *testing.T) {
	t.Parallel()
	wrong := pkgformat.Class(verdict.WA)
	for _, tt := range []struct {
		why  string
		e    pkgformat.Expect
		want bool
	}{
		{"nothing", pkgformat.Expect{}, true},
		{"the verdict of the whole", pkgformat.Expect{Final: wrong}, true},
		{"some case is wrong", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything, Required: wrong}}}, true},
		{"no case may crash", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything &^ pkgformat.Class(verdict.RTE), Required: wrong}}}, false},
		{"not even use too much memory", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything &^ verdict.SetOf(verdict.MLE), Required: wrong}}}, false},
		{"one rule of two", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything}, {Cases: "secret", Permitted: wrong}}}, false},
		{"points take all cases", pkgformat.Expect{Rules: []pkgformat.Rule{{Permitted: anything, Score: &[2]float64{0, 1}}}}, false},
	} {
		if got := brieflyKept(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
