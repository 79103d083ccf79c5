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
		{"all are needed of what nothing is known of", flat(ICPC2023{}, 3), nil, nil},
		{"a sum needs all", flat(ICPC2023{}, 3), known(ac, wa), nil},
		{"nothing is new after a failure of a pass-fail group", flat(ICPC2023{Aggregation: PassFail}, 3), known(ac, ac, wa), []int{3}},
		{"a failure that was first on the way is not the first", flat(ICPC2023{Aggregation: PassFail}, 3), known(none, none, wa), []int{3}},
		{"nothing is new after a failure in a minimum", flat(ICPC2023{Aggregation: Min}, 3), known(ac, wa), []int{2, 3}},
		{"sample is passed or failed", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "sample", Cases: []int{0, 1}, Rule: ICPC2023{}}, {Name: "secret", Cases: []int{2}, Rule: ICPC2023{}}}}, known(wa), []int{1}},
		{"nothing is needed of what requires a failure", flat(needs("sample"), 2), known(wa), []int{1, 2}},
		{"not of what requires that either", later(ICPC2023{}, group("a", needs("sample"), 1), group("b", needs("secret/a"), 2)), known(wa), []int{1, 2}},
		{"nor of the groups in it", later(needs("sample"), group("a", ICPC2023{}, 1)), known(wa), []int{1}},
		{"a later failure in a required group is one", later(ICPC2023{}, group("a", ICPC2023{}, 1, 2), group("b", needs("secret/a"), 3)), known(none, none, wa), []int{3}},
		{"other groups are needed", later(ICPC2023{}, group("a", ICPC2023{}, 1, 2), group("b", ICPC2023{}, 3)), known(ac, wa), []int{2}},
		{"in a pass-fail group too, as they have points", later(ICPC2023{Aggregation: PassFail}, group("a", ICPC2023{}, 1, 2), group("b", ICPC2023{}, 3)), known(ac, wa), []int{2}},
		{"legacy: breaking off", two(Legacy{}, Legacy{}), known(wa), []int{1, 2, 3}},
		{"legacy: going on inside", two(Legacy{}, Legacy{Continue: true}), known(wa), []int{2, 3}},
		{"legacy: going on outside", two(Legacy{Continue: true}, Legacy{}), known(wa), []int{1}},
		{"legacy: an accepted group breaks nothing off", two(Legacy{}, Legacy{Verdicts: AlwaysAccept}), known(wa), []int{1}},
		{"legacy: one accepted case could come yet", two(Legacy{}, Legacy{Continue: true, AnyAccepted: true}), known(wa), nil},
		{"legacy: none is accepted", two(Legacy{}, Legacy{Continue: true, AnyAccepted: true}), known(wa, wa), []int{2, 3}},
		{"legacy: none before the break is accepted", two(Legacy{}, Legacy{AnyAccepted: true}), known(wa), []int{1, 2, 3}},
		{"legacy: one before the break is accepted", two(Legacy{}, Legacy{AnyAccepted: true}), known(ac, wa), nil},
	} {
		c := tt.all.Count()
		for i, v := range tt.known {
			c.Set(i, v)
			c.Set(i, v) // saying it twice says nothing more
		}
		c.Set(len(c.places), wa) // nor does what no group has
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
