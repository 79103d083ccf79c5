package account

import (
	"testing"

	casesof "tribunal/judge/internal/cases"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

func TestScoring(t *testing.T) {
	t.Parallel()
	const ac, wa, none = verdict.AC, verdict.WA, verdict.None
	cases := []string{"a/1", "a/2", "b/1", "b/2", "c/1", "c/2"}
	own := func(n, best float64) *points.Score { return &points.Score{Points: n, Best: document.Number(best)} }
	for _, tt := range []struct {
		why          string
		scoring      Scoring
		late         bool
		results      []verdict.Verdict // of the cases; the verdict is the first that is not AC
		own          *points.Score
		points, best float64
	}{
		{"accepted", Scoring{}, false, nil, nil, 1, 1},
		{"not accepted", Scoring{}, false, []verdict.Verdict{ac, ac, ac, ac, ac, wa}, nil, 0, 1},
		{"a number for all cases", Scoring{Share: points.Share{Best: 10}}, false, nil, nil, 10, 10},
		{"a number for one problem", Scoring{Share: points.Share{Best: 10}, Weights: map[string]float64{"p": 4, "q": 5}}, false, nil, nil, 4, 4},
		{"part of the cases", Scoring{Share: points.Share{By: points.OfCases}}, false, []verdict.Verdict{ac, wa, ac, ac, ac, none}, nil, 0.67, 1},
		{"part of the groups", Scoring{Share: points.Share{By: points.OfGroups, Best: 3}}, false, []verdict.Verdict{ac, wa, ac, ac, ac, none}, nil, 1, 3},
		{"no case was judged", Scoring{Share: points.Share{By: points.OfCases}}, false, []verdict.Verdict{none, none, none, none, none, none}, nil, 0, 1},
		{"late", Scoring{Late: 0.2}, true, nil, nil, 0.8, 1},
		{"points of its own", Scoring{Share: points.Share{By: points.OfCases, Best: 7}}, false, []verdict.Verdict{wa, wa, wa, wa, wa, wa}, own(30, 40), 30, 40},
		{"points of its own, and a weight for it", Scoring{Weights: map[string]float64{"p": 10}}, false, nil, own(30, 40), 7.5, 10},
		{"points of its own that are late", Scoring{Late: 0.5}, true, nil, own(30, 40), 15, 40},
	} {
		x := &Execution{}
		x.Apply(&grade.Begin{Problem: "p", Cases: cases, Submissions: []string{"s"}})
		done := grade.Done{Verdict: ac, Points: tt.own}
		results := make([]points.Result, len(cases))
		for i := range cases {
			v := ac
			if tt.results != nil {
				v = tt.results[i]
			}
			if results[i].Verdict = v; v != none {
				x.Apply(&grade.Case{Index: i, Name: cases[i], Verdict: v})
			}
			if v != ac {
				done.Verdict = wa
			}
		}
		task := grade.Task{Problem: &problem.Problem{ID: "p", Scoring: tt.own != nil}}
		for _, name := range cases {
			task.Cases = append(task.Cases, casesof.Case{Name: name})
		}
		if tt.scoring.Apply(&task); task.All != (tt.own == nil && tt.scoring.By != "") {
			t.Errorf("%s: judges all cases: %v", tt.why, task.All)
		}
		if task.Points != nil {
			score, err := task.Points.Add(results, nil)
			if err != nil {
				t.Fatal(err)
			}
			done.Points = &score
		}
		x.Apply(&done)
		share, _ := tt.scoring.Of("p")
		s := NewSheet([]string{"ann"}, []SheetProblem{{ID: "p", Best: share.Best}})
		s.Scoring = tt.scoring
		c := s.Cell("ann", 0)
		c.Late = tt.late
		s.Set(c, 0, x.Submissions[0])
		if s.Sum(true); c.Points != tt.points || s.Problems[0].Best != tt.best || s.Students[0].Points != tt.points || s.Students[0].Best != tt.best {
			t.Errorf("%s: %v of %v, and %v of %v in all; want %v of %v", tt.why, c.Points, s.Problems[0].Best, s.Students[0].Points, s.Students[0].Best, tt.points, tt.best)
		}
	}
}

// TestBest checks that a submission that does not compile leaves the most points of a problem as they are.
func TestBest(t *testing.T) {
	t.Parallel()
	s := NewSheet([]string{"ann"}, []SheetProblem{{ID: "p", Best: 40}})
	of := NewSubmission("s", 1, 1)
	of.Apply(&grade.Done{Verdict: verdict.CE})
	if s.Set(s.Cell("ann", 0), 0, of); s.Problems[0].Best != 40 || s.Students[0].Cells[0].Points != 0 {
		t.Errorf("%+v", s)
	}
}

// TestDrop checks that the problems with the fewest points do not count.
func TestDrop(t *testing.T) {
	t.Parallel()
	s := NewSheet([]string{"ann"}, []SheetProblem{{ID: "p", Best: 10}, {ID: "q", Best: 2}, {ID: "r", Best: 4}})
	s.Scoring.Drop = 1
	for i, n := range []float64{5, 1.5, 3} {
		s.Cell("ann", i).Points = n
	}
	for range 2 { // the second time changes nothing
		s.Sum(true)
	}
	if one := s.Students[0]; one.Points != 8 || one.Best != 14 || one.Cells[0].Dropped || !one.Cells[1].Dropped {
		t.Errorf("%+v", one)
	}
	for i := range 3 { // of equal points, the larger problem
		s.Cell("ann", i).Points = 1
	}
	if s.Sum(true); s.Students[0].Points != 2 || !s.Students[0].Cells[0].Dropped {
		t.Errorf("%+v", s.Students[0])
	}
}
