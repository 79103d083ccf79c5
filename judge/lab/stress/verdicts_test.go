package stress

import (
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestDiffers checks, for every verdict, that two programs differ if their verdicts differ, or if
// both outputs are wrong in different ways and the problem has no checker.
func TestDiffers(t *testing.T) {
	t.Parallel()
	type row struct{ wrong, timed bool }
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.AC: {false, false},
		verdict.PE: {true, false}, verdict.WA: {true, false}, verdict.NO: {true, false},
		verdict.TLE: {false, true}, verdict.ILE: {false, true},
		verdict.MLE: {false, false}, verdict.OLE: {false, false},
		verdict.RTE: {false, false}, verdict.SV: {false, false},
		verdict.CE: {false, false}, verdict.JE: {false, false}, // verdicts that no run gets
	}, func(v verdict.Verdict, want row) {
		one := Answer{Verdict: v, Output: []byte("1\n")}
		two := Answer{Verdict: v, Output: []byte("2\n")}
		right := Answer{Verdict: verdict.AC}
		s, checked := &Search{Task: grade.Task{Problem: &problem.Problem{}}}, &Search{Task: grade.Task{Problem: &problem.Problem{Validator: &problem.Validator{}}}}
		if s.differs(&Fault{A: one}) != (v != verdict.AC) {
			t.Errorf("A alone with %v: differs is wrong", v)
		}
		if s.differs(&Fault{A: one, B: &right}) != (v != verdict.AC) {
			t.Errorf("A with %v and B with AC: differs is wrong", v)
		}
		if s.differs(&Fault{A: one, B: &two}) != want.wrong || checked.differs(&Fault{A: one, B: &two}) {
			t.Errorf("two different outputs with %v: want differs = %v, and false with a checker", v, want.wrong)
		}
		for _, f := range []*Fault{{A: one}, {A: right, B: &one}} {
			if f.timed() != want.timed {
				t.Errorf("%v: timed = %v, want %v", v, f.timed(), want.timed)
			}
		}
	})
}
