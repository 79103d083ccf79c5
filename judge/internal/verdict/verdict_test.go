package verdict

import "testing"

func TestFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		cases []Verdict
		want  Verdict
	}{
		{"no verdict if no case is judged", nil, None},
		{"all accepted", []Verdict{AC, AC}, AC},
		{"the first failure decides, not the worst", []Verdict{AC, PE, MLE}, PE},
		{"no verdict if an unjudged case precedes the first failure", []Verdict{AC, None, WA}, None},
		{"a judging error is not hidden by a later verdict", []Verdict{JE, WA}, JE},
	} {
		if got := First(tt.cases); got != tt.want {
			t.Errorf("%s: First(%v) = %v, want %v", tt.why, tt.cases, got, tt.want)
		}
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	order := []Verdict{JE, CE, OLE, MLE, TLE, SV, RTE, WA, PE, AC, None}
	for i, a := range order {
		for _, b := range order[i:] {
			if Worst(a, b) != a || Worst(b, a) != a {
				t.Errorf("Worst(%v, %v) = %v, %v, want %v", a, b, Worst(a, b), Worst(b, a), a)
			}
		}
	}
	if Worst(ILE, TLE) != ILE || Worst(TLE, ILE) != TLE {
		t.Error("TLE and ILE rank alike: the first argument wins")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for v := AC; v <= JE; v++ {
		var back Verdict
		text, _ := v.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != v {
			t.Errorf("%v does not survive its text %q: %v %v", v, text, back, err)
		}
		if f := v.Folder(); f != "" {
			if w, ok := OfFolder(f); !ok || w != v {
				t.Errorf("OfFolder(%q) = %v %v, want %v", f, w, ok, v)
			}
		}
	}
	var v Verdict
	if err := v.UnmarshalText([]byte("RE")); err == nil {
		t.Error("RE means rejected in the registry and must not be read as a verdict")
	}
	if _, ok := OfFolder(""); ok {
		t.Error("OfFolder of the empty name must not match verdicts without a folder")
	}
}
