package verify

import (
	"testing"

	"tribunal/judge/internal/kattis"
	"tribunal/judge/internal/verdict"
)

func TestMayNotCompile(t *testing.T) {
	t.Parallel()
	failed, wrong := kattis.Class(verdict.CE), kattis.Class(verdict.WA)
	for _, tt := range []struct {
		why  string
		e    kattis.Expect
		want bool
	}{
		{"nothing is promised", kattis.Expect{}, true},
		{"just that", kattis.Expect{Final: failed}, true},
		{"something else", kattis.Expect{Final: wrong}, false},
		{"any verdict of a case", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything | failed, Required: wrong | failed}}}, true},
		{"it is not permitted", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything, Required: anything}}}, false},
		{"another verdict is required", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything | failed, Required: wrong}}}, false},
		{"points", kattis.Expect{Score: &[2]float64{0, 1}}, false},
	} {
		if got := mayNotCompile(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}

func TestBrieflyKept(t *testing.T) {
	t.Parallel()
	wrong := kattis.Class(verdict.WA)
	for _, tt := range []struct {
		why  string
		e    kattis.Expect
		want bool
	}{
		{"nothing", kattis.Expect{}, true},
		{"the verdict of the whole", kattis.Expect{Final: wrong}, true},
		{"some case is wrong", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything, Required: wrong}}}, true},
		{"no case may crash", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything &^ kattis.Class(verdict.RTE), Required: wrong}}}, false},
		{"not even use too much memory", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything &^ verdict.SetOf(verdict.MLE), Required: wrong}}}, false},
		{"one rule of two", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything}, {Cases: "secret", Permitted: wrong}}}, false},
		{"points take all cases", kattis.Expect{Rules: []kattis.Rule{{Permitted: anything, Score: &[2]float64{0, 1}}}}, false},
	} {
		if got := brieflyKept(tt.e); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}
