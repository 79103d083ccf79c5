package points

import (
	"slices"
	"testing"

	"tribunal/judge/internal/verdict"
)

func TestCount(t *testing.T) {
	t.Parallel()
	none := verdict.None
	needs := func(name string) ICPC2023 { return ICPC2023{Requires: []string{name}} }
	// two returns a legacy tree of two groups, of cases 0, 1 and 2, 3.
	two := func(outer, inner Legacy) *Group {
		return &Group{Rule: outer, Groups: []*Group{group("a", inner, 0, 1), group("b", inner, 2, 3)}}
	}
	for _, tt := range []struct {
		why   string
		all   *Group
		known []verdict.Verdict
		not   []int // the cases that are not needed
	}{
		{"without results, all cases are needed", flat(ICPC2023{}, 3), nil, nil},
		{"a sum needs all cases", flat(ICPC2023{}, 3), known(ac, wa), nil},
		{"no case of a pass-fail group is needed after a failure", flat(ICPC2023{Aggregation: PassFail}, 3), known(ac, ac, wa), []int{3}},
		{"cases before the failure are still needed", flat(ICPC2023{Aggregation: PassFail}, 3), known(none, none, wa), []int{3}},
		{"no case of a minimum is needed after a failure", flat(ICPC2023{Aggregation: Min}, 3), known(ac, wa), []int{2, 3}},
		{"sample is passed or failed", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "sample", Cases: []int{0, 1}, Rule: ICPC2023{}}, {Name: "secret", Cases: []int{2}, Rule: ICPC2023{}}}}, known(wa), []int{1}},
		{"a group that requires a failed one is not needed", flat(needs("sample"), 2), known(wa), []int{1, 2}},
		{"nor a group that requires such a group", later(ICPC2023{}, group("a", needs("sample"), 1), group("b", needs("secret/a"), 2)), known(wa), []int{1, 2}},
		{"nor the groups in it", later(needs("sample"), group("a", ICPC2023{}, 1)), known(wa), []int{1}},
		{"a required group may fail later", later(ICPC2023{}, group("a", ICPC2023{}, 1, 2), group("b", needs("secret/a"), 3)), known(none, none, wa), []int{3}},
		{"other groups are needed", later(ICPC2023{}, group("a", ICPC2023{}, 1, 2), group("b", ICPC2023{}, 3)), known(ac, wa), []int{2}},
		{"other groups are needed even if the outer group is pass-fail, because they have points of their own", later(ICPC2023{Aggregation: PassFail}, group("a", ICPC2023{}, 1, 2), group("b", ICPC2023{}, 3)), known(ac, wa), []int{2}},
		{"legacy: a rejected case stops its group and the groups around it", two(Legacy{}, Legacy{}), known(wa), []int{1, 2, 3}},
		{"legacy: the inner group continues after a rejected case", two(Legacy{}, Legacy{Continue: true}), known(wa), []int{2, 3}},
		{"legacy: the outer group continues after a rejected one", two(Legacy{Continue: true}, Legacy{}), known(wa), []int{1}},
		{"legacy: an accepted group stops nothing", two(Legacy{}, Legacy{Verdicts: AlwaysAccept}), known(wa), []int{1}},
		{"legacy: a case may still be accepted", two(Legacy{}, Legacy{Continue: true, AnyAccepted: true}), known(wa), nil},
		{"legacy: none is accepted", two(Legacy{}, Legacy{Continue: true, AnyAccepted: true}), known(wa, wa), []int{2, 3}},
		{"legacy: no case before the stop is accepted", two(Legacy{}, Legacy{AnyAccepted: true}), known(wa), []int{1, 2, 3}},
		{"legacy: a case before the stop is accepted", two(Legacy{}, Legacy{AnyAccepted: true}), known(ac, wa), nil},
	} {
		c := tt.all.Count()
		for i, v := range tt.known {
			c.Set(i, v)
			c.Set(i, v) // setting the same verdict again changes nothing
		}
		c.Set(len(c.places), wa) // nor does a case that no group has
		var not []int
		for i := range len(c.places) {
			if !c.Needed(i) {
				not = append(not, i)
			}
		}
		if !slices.Equal(not, tt.not) {
			t.Errorf("%s: not needed are %v, want %v", tt.why, not, tt.not)
		}
		if c.Needed(-1) || c.Needed(len(c.places)) {
			t.Errorf("%s: a case that no group has is needed", tt.why)
		}
	}
}

// known holds the verdicts of the first cases.
func known(list ...verdict.Verdict) []verdict.Verdict { return list }
