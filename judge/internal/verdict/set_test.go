package verdict

import "testing"

func TestSet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		set  Set
		has  Verdict
		not  Verdict
		text string
	}{
		{"nothing is in the empty set", 0, JE + 1, None, ""},
		{"one", SetOf(WA), WA, AC, "WA"},
		{"the order of the arguments does not matter", SetOf(TLE, AC), TLE, WA, "AC, TLE"},
		{"the last one fits", SetOf(JE), JE, CE, "JE"},
		{"a union has both", SetOf(AC) | SetOf(RTE), RTE, WA, "AC, RTE"},
		{"what is shared", SetOf(AC, WA) & SetOf(WA, RTE), WA, AC, "WA"},
	} {
		if tt.set != 0 && !tt.set.Has(tt.has) || tt.set.Has(tt.not) {
			t.Errorf("%s: %v must have %v and not %v", tt.why, tt.set, tt.has, tt.not)
		}
		if got := tt.set.String(); got != tt.text {
			t.Errorf("%s: String() = %q, want %q", tt.why, got, tt.text)
		}
		if got := SetOf(tt.set.List()...); got != tt.set {
			t.Errorf("%s: SetOf(List()) = %v, want %v", tt.why, got, tt.set)
		}
	}
}
