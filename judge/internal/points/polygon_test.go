package points

import (
	"math"
	"strings"
	"testing"

	"tribunal/judge/internal/verdict"
)

// tests returns the root of a Polygon package: case 0 outside of groups, worth 1 point; group a
// with cases 1 and 2, worth 10 each; group b with cases 3 and 4, worth 20 and 0, all or nothing;
// and group c with case 5, worth 30, which depends on a and b.
func tests() *Group {
	return &Group{Cases: []int{0}, Rule: Polygon{Points: map[int]float64{0: 1}}, Groups: []*Group{
		{Name: "a", Cases: []int{1, 2}, Rule: Polygon{Points: map[int]float64{1: 10, 2: 10}}},
		{Name: "b", Cases: []int{3, 4}, Rule: Polygon{Points: map[int]float64{3: 20, 4: 0}, Complete: true}},
		{Name: "c", Cases: []int{5}, Rule: Polygon{Points: map[int]float64{5: 30}, Requires: []string{"a", "b"}}},
	}}
}

func TestPolygon(t *testing.T) {
	t.Parallel()
	none := verdict.None
	for _, tt := range []struct {
		why     string
		results []Result
		points  float64
		out     string // the group that is left out, and the one that it depends on
		verdict verdict.Verdict
		needed  string // which cases count
	}{
		{"all accepted", of(ac, ac, ac, ac, ac, ac), 71, "", ac, "yyyyyy"},
		{"a failed test loses only its own points, but groups that depend on its group lose theirs", of(ac, wa, ac, ac, ac, ac), 31, "c a", wa, "yyyyyn"},
		{"a failed test without points loses the points of its complete group", of(ac, ac, ac, ac, tle, ac), 21, "c b", tle, "yyyyyn"},
		{"after a failure, no test of a complete group counts", of(ac, ac, ac, wa, tle, ac), 21, "c b", wa, "yyyynn"},
		{"a failed test outside of groups affects no other test", of(wa, ac, ac, ac, ac, ac), 70, "", wa, "yyyyyy"},
		{"the checker may give a part of the points", []Result{times(.5), {Verdict: ac}, times(.25), {Verdict: ac}, {Verdict: ac}, {Verdict: ac}}, 63, "", ac, "yyyyyy"},
		{"the checker may give fewer points", []Result{score(.5), score(3), score(8), {Verdict: ac}, {Verdict: ac}, {Verdict: ac}}, 61.5, "", ac, "yyyyyy"},
		{"no points before a case is judged", nil, 0, "", none, "yyyyyy"},
	} {
		all := tests()
		if err := all.Check(); err != nil {
			t.Errorf("%s: Check: %v", tt.why, err)
		}
		got, err := all.Add(tt.results, nil)
		out := ""
		for _, o := range got.Groups {
			if o.LeftOut {
				out += o.Group.Name + " " + o.Required
			}
		}
		if err != nil || got.Points != tt.points || got.Best != 71 || got.Verdict != tt.verdict || out != tt.out {
			t.Errorf("%s: %v of %v points, %v, without %q, error %v; want %v of 71, %v, %q", tt.why, got.Points, got.Best, got.Verdict, out, err, tt.points, tt.verdict, tt.out)
		}
		c, needed := all.Count(), ""
		for i, r := range tt.results {
			c.Set(i, r.Verdict)
		}
		for i := range 6 {
			needed += map[bool]string{true: "y", false: "n"}[c.Needed(i)]
		}
		if needed != tt.needed {
			t.Errorf("%s: cases that count: %s, want %s", tt.why, needed, tt.needed)
		}
	}
	for _, tt := range []struct {
		why     string
		results []Result
		says    string
	}{
		{"a part over 1", []Result{times(1.5)}, "case 0: the checker gives it the part 1.5 of its points, which is not from 0 to 1"},
		{"points below 0", []Result{score(-1)}, "case 0: the checker gives it -1 points, which is not from 0 to 1"},
		{"more than a test has", []Result{score(1), score(10.5)}, "case 1: the checker gives it 10.5 points, which is not from 0 to 10"},
		{"some to a test that has none", append(of(ac, ac, ac, ac), score(1)), "case 4: the checker gives it 1 points, which is not from 0 to 0"},
	} {
		if _, err := tests().Add(tt.results, nil); (err != nil) != (tt.says != "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.says)
		}
	}
	free := &Group{Cases: []int{0}, Rule: Polygon{Points: map[int]float64{0: 0}}, Groups: []*Group{{Name: "a", Cases: []int{1}, Rule: Polygon{Points: map[int]float64{1: 0}}}}}
	if got, err := free.Add([]Result{score(100), score(7)}, nil); err != nil || got.Points != 107 {
		t.Errorf("points of the checker's alone: %v, %v, want 107", got.Points, err)
	}
}

// TestPolygonParts checks that a group has the least part of the points that it has as a whole, of its
// own cases and of those in the groups that it requires, but not in those that these require.
func TestPolygonParts(t *testing.T) {
	t.Parallel()
	none := map[int]float64{0: 0, 1: 0, 2: 0}
	all := &Group{Rule: Polygon{}, Groups: []*Group{
		{Name: "a", Cases: []int{0}, Rule: Polygon{Points: none, Whole: 10}},
		{Name: "b", Cases: []int{1}, Rule: Polygon{Points: none, Whole: 20, Requires: []string{"a"}}},
		{Name: "c", Cases: []int{2}, Rule: Polygon{Points: none, Whole: 40, Requires: []string{"b"}}},
	}}
	for _, tt := range []struct {
		why     string
		results []Result
		points  float64
	}{
		{"all", of(ac, ac, ac), 70},
		{"a part of the first", []Result{times(.5), {Verdict: ac}, {Verdict: ac}}, 5 + 10 + 40},
		{"a part of the second", []Result{times(.5), times(.25), {Verdict: ac}}, 5 + 5 + 10},
		{"a part of one that fails", []Result{times(.5), {Verdict: wa}, {Verdict: ac}}, 5},
	} {
		if got, err := all.Add(tt.results, nil); err != nil || got.Points != tt.points || got.Best != 70 {
			t.Errorf("%s: %v of %v, %v; want %v of 70", tt.why, got.Points, got.Best, err, tt.points)
		}
	}
}

func TestCheckPolygon(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		change func(all *Group)
		says   string
	}{
		{"no such group", func(all *Group) { all.Groups[2].Rule = Polygon{Points: map[int]float64{5: 1}, Requires: []string{"d"}} }, "c: it depends on d, which does not exist (hint: a group that others depend on has tests)"},
		{"a later group", func(all *Group) {
			all.Groups[0].Rule = Polygon{Points: map[int]float64{1: 1, 2: 1}, Requires: []string{"b"}}
		}, "a: it depends on b, which comes later"},
		{"itself", func(all *Group) { all.Groups[2].Rule = Polygon{Points: map[int]float64{5: 1}, Requires: []string{"c"}} }, "c: it depends on c, which holds it or is in it"},
		{"no points", func(all *Group) { all.Rule = Polygon{} }, "all cases: case 0 must have points of 0 or more"},
		{"points without end", func(all *Group) { all.Rule = Polygon{Points: map[int]float64{0: math.Inf(1)}} }, "all cases: case 0 must have points of 0 or more"},
		{"another rule", func(all *Group) { all.Groups[1].Rule = ICPC2023{} }, `"b": its rule belongs to another format than that of the root`},
	} {
		all := tests()
		tt.change(all)
		if err := all.Check(); err == nil || err.Error() != tt.says {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.says)
		}
	}
}

// TestPolygonShared checks batches of DMOJ: every case of a batch may earn all its points.
func TestPolygonShared(t *testing.T) {
	t.Parallel()
	wrong := func(points float64) Result { return Result{Verdict: wa, Score: &points} }
	for _, tt := range []struct {
		why     string
		results []Result
		points  float64
	}{
		{"all accepted", of(ac, ac, ac), 15},
		{"a batch has the fewest points of its cases", []Result{score(5), score(8), score(3)}, 8},
		{"a refused case has the points that the checker gives", []Result{wrong(2), {Verdict: ac}, {Verdict: ac}}, 12},
		{"a batch whose last case is refused, too", []Result{score(0), {Verdict: ac}, wrong(4)}, 4},
		{"after a failure, the rest of a batch is skipped and has no points", []Result{score(0), wrong(4), {Verdict: ac}}, 0},
		{"a refused case without points", of(wa, ac, wa), 0},
		{"a case that fails has none", of(tle, ac, ac), 10},
	} {
		all := &Group{Cases: []int{0}, Rule: Polygon{Points: map[int]float64{0: 5}, Refused: true}, Groups: []*Group{
			{Name: "batch1", Cases: []int{1, 2}, Rule: Polygon{Points: map[int]float64{1: 10, 2: 0}, Complete: true, Shared: 10, Refused: true}},
		}}
		if got, err := all.Add(tt.results, nil); err != nil || got.Points != tt.points || got.Best != 15 {
			t.Errorf("%s: %v of %v points, error %v, want %v", tt.why, got.Points, got.Best, err, tt.points)
		}
	}
}
