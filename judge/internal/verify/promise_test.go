package verify

import (
	"testing"

	"tribunal/judge/internal/kattis"
	"tribunal/judge/internal/verdict"
)

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
