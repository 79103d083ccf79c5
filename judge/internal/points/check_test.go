package points

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	requires := func(names ...string) ICPC2023 { return ICPC2023{Requires: names} }
	in := func(outer *Group, sub ...*Group) *Group { outer.Groups = sub; return outer }
	nan := num(math.NaN())
	for _, tt := range []struct {
		why string
		all *Group
		err string // lines of the error; "" for none
	}{
		{"no settings", flat(ICPC2023{}, 2), ""},
		{"groups whose maximums use all points", later(ICPC2023{}, group("a", ICPC2023{Max: num(30)}, 1), group("b", ICPC2023{Max: num(70)}, 2)), ""},
		{"maximums that exceed the points only by rounding", later(ICPC2023{Max: num(.3)}, group("a", ICPC2023{Max: num(.1)}, 1), group("b", ICPC2023{Max: num(.2)}, 2)), ""},
		{"maximums that exceed the points", later(ICPC2023{}, group("a", ICPC2023{Max: num(60)}, 1), group("b", ICPC2023{Max: num(50)}, 2)), "secret: it has 100 points, but the groups in it need 110"},
		{"static validation has points too", flat(ICPC2023{Static: num(101)}, 1), "secret: it has 100 points, but the groups in it need 101"},
		{"each group in a minimum may have all points", later(ICPC2023{Aggregation: Min}, group("a", ICPC2023{Max: num(100)}, 1), group("b", ICPC2023{Max: num(100)}, 2)), ""},
		{"negative points", flat(ICPC2023{Max: num(-1)}, 1), "secret: -1 points, want 0 or more"},
		{"points that are not a number", flat(ICPC2023{Static: nan}, 1), "secret: NaN points, want 0 or more"},
		{"an unbounded group in a bounded one", later(ICPC2023{}, group("a", ICPC2023{Aggregation: Sum, Max: inf()}, 1)), "secret/a: its points are unbounded, but those of secret, its outer group, are not"},
		{"an unbounded group in an unbounded one", later(ICPC2023{Max: inf()}, group("a", ICPC2023{Aggregation: Min}, 1)), ""},
		{"a pass-fail group with unbounded points", later(ICPC2023{Max: inf()}, group("a", ICPC2023{}, 1)), "secret/a: it is pass-fail, so its points must be bounded (hint: set max_score)"},
		{"a pass-fail group that holds one with partial points", later(ICPC2023{Aggregation: PassFail}, group("a", ICPC2023{Aggregation: Sum, Max: num(1)}, 1)), "secret: it is pass-fail, but secret/a, which it holds, is not"},
		{"settings in sample", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "sample", Rule: ICPC2023{Max: num(1)}}, {Name: "secret", Rule: ICPC2023{}}}}, "sample: sample has no points, so it cannot have a maximum, an aggregation or requirements"},
		{"requirements of sample", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "sample", Rule: requires("secret")}, {Name: "secret", Rule: ICPC2023{}}}}, "sample: sample has no points, so it cannot have a maximum, an aggregation or requirements"},
		{"settings in the root", &Group{Rule: ICPC2023{Max: num(1)}, Groups: []*Group{{Name: "secret", Rule: ICPC2023{}}}}, "all cases: only secret and its groups can have settings for points (hint: move them there)"},
		{"no secret", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "sample", Rule: ICPC2023{}}}}, "all cases: cases must be in the groups sample and secret, and secret must exist"},
		{"neither sample nor secret", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "secret", Rule: ICPC2023{}}, {Name: "more", Rule: ICPC2023{}}}}, "all cases: more is neither sample nor secret"},
		{"a case in neither sample nor secret", &Group{Rule: ICPC2023{}, Cases: []int{0}, Groups: []*Group{{Name: "secret", Rule: ICPC2023{}}}}, "all cases: cases must be in the groups sample and secret, and secret must exist"},
		{"a group without cases", later(ICPC2023{}, group("a", ICPC2023{})), ""},

		{"requires sample and an earlier group", later(ICPC2023{}, group("a", ICPC2023{}, 1), group("b", requires("sample", "secret/a"), 2)), ""},
		{"requires a sample that does not exist", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "secret", Cases: []int{0}, Rule: requires("sample")}}}, ""},
		{"requires a group that does not exist", later(ICPC2023{}, group("a", requires("a"), 1)), "secret/a: it requires a, which does not exist (hint: groups are named like secret/group1)"},
		{"requires a later group", later(ICPC2023{}, group("a", requires("secret/b"), 1), group("b", ICPC2023{}, 2)), "secret/a: it requires secret/b, which comes later"},
		{"itself", later(ICPC2023{}, group("a", requires("secret/a"), 1)), "secret/a: it requires secret/a, which holds it or is in it"},
		{"requires the group around it", later(ICPC2023{Aggregation: PassFail}, group("a", requires("secret"), 1)), "secret/a: it requires secret, which holds it or is in it"},
		{"requires a group in it", later(requires("secret/a"), group("a", ICPC2023{}, 1)), "secret: it requires secret/a, which holds it or is in it"},
		{"requires a group with partial points", later(ICPC2023{}, group("a", ICPC2023{Aggregation: Min}, 1), group("b", requires("secret/a"), 2)), "secret/b: it requires secret/a, which is not pass-fail"},
		{"several mistakes, in case order", later(ICPC2023{Max: num(-1)}, group("b", requires("x"), 2), group("a", requires("y"), 1)), "secret: -1 points, want 0 or more\nsecret/a: it requires y, which does not exist (hint: groups are named like secret/group1)\nsecret/b: it requires x, which does not exist (hint: groups are named like secret/group1)"},

		{"legacy: no settings", &Group{Rule: Legacy{}, Cases: []int{0}}, ""},
		{"legacy: a range may be infinite", &Group{Rule: Legacy{Range: &[2]float64{math.Inf(-1), math.Inf(1)}}, Cases: []int{0}}, ""},
		{"legacy: an empty range", &Group{Rule: Legacy{Range: &[2]float64{2, 1}}, Cases: []int{0}}, "all cases: the range of points from 2 to 1 is empty"},
		{"legacy: a score that is not a number", &Group{Rule: Legacy{RejectScore: nan}, Cases: []int{0}}, "all cases: a score of NaN is not a finite number"},
		{"legacy: a score that is not finite", &Group{Rule: Legacy{AcceptScore: inf()}, Cases: []int{0}}, "all cases: a score of +Inf is not a finite number"},

		{"two formats", &Group{Rule: ICPC2023{}, Groups: []*Group{{Name: "secret", Rule: Legacy{}}}}, `"secret": its rule belongs to another format than that of the root`},
		{"no rule", &Group{Groups: []*Group{{Name: "secret", Rule: ICPC2023{}}}}, `"": its rule belongs to another format than that of the root`},
		{"a group without a rule", later(ICPC2023{}, group("a", nil, 1)), `"secret/a": its rule belongs to another format than that of the root`},
		{"two groups with the same name", later(ICPC2023{}, group("a", ICPC2023{}, 1), group("a", ICPC2023{}, 2)), `"secret/a": two groups have this name`},
		{"a case in two groups", later(ICPC2023{}, group("a", ICPC2023{}, 1), group("b", ICPC2023{}, 1)), `"secret/b": case 1 is not an index, or is in two groups`},
		{"no index", later(ICPC2023{}, group("a", ICPC2023{}, -1)), `"secret/a": case -1 is not an index, or is in two groups`},
		{"groups with interleaved cases", later(ICPC2023{}, group("a", ICPC2023{}, 1, 3), group("b", ICPC2023{}, 2)), `"secret/b": its cases and those of another group in "secret" are mixed`},
		{"a case between the cases of a group", later(ICPC2023{Max: num(5)}, in(group("a", ICPC2023{}, 2), group("b", ICPC2023{}, 1, 3))), `"secret/b": case 2 of "secret/a" is among its cases`},
	} {
		err := tt.all.Check()
		if got := text(err); got != tt.err {
			t.Errorf("%s: Check says\n%s\nwant\n%s", tt.why, got, tt.err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, flags string
		want       Legacy
	}{
		{"none is the default", "", Legacy{}},
		{"all kinds", "first_error max accept_if_any_accepted ignore_sample", Legacy{Verdicts: FirstError, Scores: ScoreMax, AnyAccepted: true, IgnoreSample: true}},
		{"the last of several flags counts", "always_accept first_error avg min", Legacy{Verdicts: FirstError, Scores: ScoreMin}},
		{"the defaults can be named", "always_accept worst_error avg sum", Legacy{}},
		{"the former name of a default", "always_accept no_errors", Legacy{}},
		{"the others", "always_accept avg", Legacy{Verdicts: AlwaysAccept, Scores: ScoreAvg}},
	} {
		var got Legacy
		if err := got.Flags(strings.Fields(tt.flags)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q: %+v, error %v, want %+v", tt.why, tt.flags, got, err, tt.want)
		}
	}
	var l Legacy
	if err := l.Flags([]string{"sum", "median"}); err == nil || !strings.Contains(err.Error(), `unknown grader flag "median" (hint: `) {
		t.Errorf("an unknown flag must be named: %v", err)
	}
}
