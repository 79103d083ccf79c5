package points

import (
	"math"
	"testing"

	"tribunal/judge/internal/verdict"
)

// TestDOMjudge checks points, verdicts and best points of DOMjudge's rules.
func TestDOMjudge(t *testing.T) {
	t.Parallel()
	ten, twenty := 10.0, 20.0
	leaf := func(name string, accept *float64, cases ...int) *Group {
		return &Group{Name: name, Cases: cases, Rule: DOMjudge{Counts: true, AcceptScore: accept}}
	}
	root := func(d DOMjudge, groups ...*Group) *Group {
		d.Counts = true
		return &Group{Rule: d, Groups: []*Group{
			{Name: "sample", Cases: []int{0}, Rule: DOMjudge{}},
			{Name: "secret", Rule: d, Groups: groups},
		}}
	}
	scored := func(v verdict.Verdict, score float64) Result { return Result{Verdict: v, Score: &score} }
	two := func(d DOMjudge) *Group {
		return root(d, leaf("secret/a", &ten, 1, 2), leaf("secret/b", &twenty, 3))
	}
	byValidator := DOMjudge{Counts: true, Scored: true}
	on := DOMjudge{Continue: true}
	for _, tt := range []struct {
		why     string
		all     *Group
		results []Result
		points  float64
		best    float64
		verdict verdict.Verdict
	}{
		{"a group has its score once", two(on), of(ac, ac, ac, ac), 30, 30, ac},
		{"one rejected case takes all of the group's points", two(on), of(ac, ac, wa, ac), 20, 30, wa},
		{"sample gives neither points nor a verdict", two(on), of(wa, ac, ac, ac), 30, 30, ac},
		{"all is rejected", two(on), of(wa, tle, wa, wa), 0, 30, tle},
		{"the average", two(DOMjudge{Continue: true, Scores: ScoreAvg}), of(ac, ac, ac, wa), 5, 15, wa},
		{"the minimum", two(DOMjudge{Continue: true, Scores: ScoreMin}), of(ac, ac, ac, ac), 10, 10, ac},
		{"the maximum", two(DOMjudge{Continue: true, Scores: ScoreMax}), of(ac, wa, ac, ac), 20, 20, wa},
		{"no score is 0 points", root(on, leaf("secret/a", nil, 1)), of(ac, ac), 0, 0, ac},
		{"the cases beside inner groups do not count", &Group{Cases: []int{0}, Rule: DOMjudge{Counts: true, AcceptScore: &twenty, Continue: true}, Groups: []*Group{leaf("secret", &ten, 1)}},
			of(wa, ac), 10, 10, ac},
		{"sample has settings", &Group{Rule: DOMjudge{Counts: true, Continue: true}, Groups: []*Group{leaf("sample", &ten, 0), leaf("secret", &twenty, 1)}}, of(ac, wa), 10, 30, wa},
		{"sample is ignored", &Group{Rule: DOMjudge{Counts: true, Continue: true, IgnoreSample: true}, Groups: []*Group{leaf("sample", &ten, 0), leaf("secret", &twenty, 1)}}, of(wa, ac), 20, 20, ac},
		{"the validator scores right and wrong outputs", &Group{Rule: byValidator, Cases: []int{0, 1}}, []Result{scored(ac, 3), scored(wa, 4)}, 7, math.Inf(1), wa},
		{"the score of a crash does not count", &Group{Rule: byValidator, Cases: []int{0, 1}}, []Result{scored(ac, 3), scored(verdict.RTE, 4)}, 3, math.Inf(1), verdict.RTE},
		{"the range bounds the best score only", &Group{Rule: DOMjudge{Counts: true, Scored: true, Range: &[2]float64{0, 2}}, Cases: []int{0}}, []Result{scored(ac, 3)}, 3, 2, ac},
		{"without scores, the validator's group has its own", &Group{Rule: DOMjudge{Counts: true, Scored: true, AcceptScore: &ten}, Cases: []int{0}}, of(ac), 10, 10, ac},
	} {
		if err := tt.all.Check(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
		got, err := tt.all.Add(tt.results, nil)
		if err != nil || got.Points != tt.points || float64(got.Best) != tt.best || got.Verdict != tt.verdict || got.Open != 0 {
			t.Errorf("%s: %+v, %v; want %v of %v, %v", tt.why, got, err, tt.points, tt.best, tt.verdict)
		}
	}
	if _, err := (&Group{Rule: byValidator, Cases: []int{0}}).Add([]Result{scored(ac, -1)}, nil); err == nil {
		t.Error("a score below 0 is accepted")
	}
}

// TestDOMjudgeEnds checks that cases after a rejected one are left out only if all groups around it
// end at their first failure.
func TestDOMjudgeEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		outer, leaf bool
		needed      bool
	}{
		{"both continue", true, true, true},
		{"only the root ends", false, true, true},
		{"only the group ends", true, false, true},
		{"both end", false, false, false},
	} {
		all := &Group{Rule: DOMjudge{Counts: true, Continue: tt.outer}, Groups: []*Group{
			{Name: "secret", Cases: []int{0, 1}, Rule: DOMjudge{Counts: true, Continue: tt.leaf}},
		}}
		c := all.Count()
		c.Set(0, wa)
		if got := c.Needed(1); got != tt.needed {
			t.Errorf("%s: needed is %v", tt.why, got)
		}
	}
}
