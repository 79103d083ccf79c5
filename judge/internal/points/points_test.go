package points

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/verdict"
)

const (
	ac  = verdict.AC
	wa  = verdict.WA
	tle = verdict.TLE
)

func num(f float64) *float64 { return &f }

// inf is the maximum of unbounded points.
func inf() *float64 { return num(math.Inf(1)) }

// of returns results without scores.
func of(list ...verdict.Verdict) []Result {
	var results []Result
	for _, v := range list {
		results = append(results, Result{Verdict: v})
	}
	return results
}

func score(f float64) Result { return Result{Verdict: ac, Score: num(f)} }
func times(f float64) Result { return Result{Verdict: ac, Multiplier: num(f)} }

// later returns a root with the groups sample, which holds case 0, and secret.
func later(l ICPC2023, in ...*Group) *Group {
	return &Group{Rule: ICPC2023{}, Groups: []*Group{
		{Name: "sample", Cases: []int{0}, Rule: ICPC2023{}},
		{Name: "secret", Groups: in, Rule: l},
	}}
}

func group(name string, r Rule, cases ...int) *Group {
	return &Group{Name: "secret/" + name, Cases: cases, Rule: r}
}

// flat returns a root whose secret has no groups, but cases from 1 to n.
func flat(l ICPC2023, n int) *Group {
	all := later(l)
	for i := range n {
		all.Groups[1].Cases = append(all.Groups[1].Cases, i+1)
	}
	return all
}

// outcome returns the outcome of the named group.
func (t Score) outcome(name string) Outcome {
	for _, o := range t.Groups {
		if o.Group.Name == name {
			return o
		}
	}
	return Outcome{}
}

func TestLater(t *testing.T) {
	t.Parallel()
	nested := func(outer, inner ICPC2023) *Group {
		g := group("a", outer, 1)
		g.Groups = []*Group{{Name: "secret/a/b", Cases: []int{2}, Rule: inner}}
		return later(ICPC2023{Max: outer.Max}, g)
	}
	for _, tt := range []struct {
		why          string
		all          *Group
		results      []Result
		points, best float64
		verdict      verdict.Verdict
	}{
		{"secret has 100 points, and its cases equal shares", flat(ICPC2023{}, 4), of(ac, ac, wa, ac, ac), 75, 100, wa},
		{"shares that are not binary fractions still sum to 100", flat(ICPC2023{}, 7), of(ac, ac, ac, ac, ac, ac, ac, ac), 100, 100, ac},
		{"sample has no points", flat(ICPC2023{}, 1), of(wa, ac), 100, 100, wa},
		{"no case is judged, so there are no points", flat(ICPC2023{}, 2), nil, 0, 100, verdict.None},
		{"pass-fail is all or nothing", flat(ICPC2023{Aggregation: PassFail}, 2), of(ac, ac, tle), 0, 100, tle},
		{"pass-fail is all or nothing", flat(ICPC2023{Aggregation: PassFail}, 2), of(ac, ac, ac), 100, 100, ac},
		{"each case of a minimum is worth all points of the group", flat(ICPC2023{Aggregation: Min, Max: num(30)}, 2), []Result{score(1), times(.5), score(20)}, 15, 30, ac},
		{"a failed case makes the minimum 0", flat(ICPC2023{Aggregation: Min}, 2), of(ac, ac, wa), 0, 100, wa},
		{"groups are pass-fail and share the points of secret", later(ICPC2023{}, group("a", ICPC2023{}, 1), group("b", ICPC2023{}, 2, 3)), of(ac, ac, wa, ac), 50, 100, wa},
		{"groups with a maximum do not share", later(ICPC2023{}, group("a", ICPC2023{Max: num(40)}, 1), group("b", ICPC2023{}, 2), group("c", ICPC2023{}, 3)), of(ac, wa, ac, wa), 30, 100, wa},
		{"cases and groups have equal shares", nested(ICPC2023{Aggregation: Sum, Max: num(60)}, ICPC2023{}), of(ac, wa, ac), 30, 60, wa},
		{"a group inside a minimum is worth all points of the outer one", nested(ICPC2023{Aggregation: Min, Max: num(60)}, ICPC2023{}), of(ac, ac, ac), 60, 60, ac},
		{"a group inside a pass-fail group fails it", nested(ICPC2023{Max: num(60)}, ICPC2023{}), of(ac, ac, wa), 0, 60, wa},
		{"static validation takes its points from the shares", flat(ICPC2023{Static: num(40)}, 2), of(ac, ac, ac), 60, 100, ac},
		{"a multiplier multiplies the case's share", flat(ICPC2023{}, 2), []Result{{Verdict: ac}, times(.25), times(0)}, 12.5, 100, ac},
		{"a score is the points themselves", flat(ICPC2023{}, 2), []Result{{Verdict: ac}, score(50), score(7)}, 57, 100, ac},
		{"unbounded points are the scores of the validator", flat(ICPC2023{Max: inf()}, 2), []Result{{Verdict: ac}, score(1e6), {Verdict: wa}}, 1e6, math.Inf(1), wa},
		{"groups of an unbounded secret may be bounded", later(ICPC2023{Max: inf()}, group("a", ICPC2023{Max: num(5)}, 1), group("b", ICPC2023{Aggregation: Sum}, 2)), []Result{{Verdict: ac}, {Verdict: ac}, score(200)}, 205, math.Inf(1), ac},
		{"a group without cases has no points, and all are accepted", later(ICPC2023{}, group("a", ICPC2023{}, 1), group("b", ICPC2023{})), of(ac, ac), 50, 100, ac},
		{"a group without cases makes the minimum 0", later(ICPC2023{Aggregation: Min}, group("a", ICPC2023{}, 1), group("b", ICPC2023{})), of(ac, ac), 0, 100, ac},
	} {
		if err := tt.all.Check(); err != nil {
			t.Errorf("%s: Check: %v", tt.why, err)
		}
		got, err := tt.all.Add(tt.results, nil)
		if err != nil || got.Points != tt.points || float64(got.Best) != tt.best || got.Verdict != tt.verdict {
			t.Errorf("%s: %v of %v points, %v, error %v; want %v of %v, %v", tt.why, got.Points, got.Best, got.Verdict, err, tt.points, tt.best, tt.verdict)
		}
	}
}

func TestRequires(t *testing.T) {
	t.Parallel()
	chain := func() *Group {
		return later(ICPC2023{},
			group("a", ICPC2023{Requires: []string{"sample"}}, 1),
			group("b", ICPC2023{Requires: []string{"secret/a"}}, 2),
			group("c", ICPC2023{Requires: []string{"sample", "secret/b"}}, 3),
			group("d", ICPC2023{}, 4))
	}
	for _, tt := range []struct {
		why     string
		results []Result
		points  float64
		out     string // names of the groups that are left out, and of the groups that they require
		verdict verdict.Verdict
	}{
		{"all accepted", of(ac, ac, ac, ac, ac), 100, "", ac},
		{"a group also requires the groups that its required ones require", of(ac, tle, ac, ac, ac), 25, "secret/b secret/a, secret/c secret/b", tle},
		{"sample can be required", of(wa, ac, ac, ac, ac), 25, "secret/a sample, secret/b secret/a, secret/c sample", wa},
		{"a group that is left out need not be judged", of(ac, ac, wa, verdict.None, ac), 50, "secret/c secret/b", wa},
	} {
		all := chain()
		if err := all.Check(); err != nil {
			t.Errorf("%s: Check: %v", tt.why, err)
		}
		got, err := all.Add(tt.results, nil)
		var out []string
		for _, o := range got.Groups {
			if o.LeftOut {
				out = append(out, o.Group.Name+" "+o.Required)
			}
		}
		if s := strings.Join(out, ", "); err != nil || got.Points != tt.points || s != tt.out || got.Verdict != tt.verdict || got.Open != 0 {
			t.Errorf("%s: %v points, %v, %d open, left out %q, error %v; want %v, %v, left out %q", tt.why, got.Points, got.Verdict, got.Open, s, err, tt.points, tt.verdict, tt.out)
		}
	}
	got, _ := chain().Add(of(ac, ac, tle, ac, ac), nil)
	if c := got.outcome("secret/c"); c.Verdict != tle {
		t.Errorf("a group that is left out has the verdict of the one that it requires: %v, want TLE", c.Verdict)
	}
}

func TestLegacy(t *testing.T) {
	t.Parallel()
	// tree returns a root with sample (case 0) and secret, whose groups have two cases each, from 1
	// on.
	tree := func(root, secret Legacy, rules ...Legacy) *Group {
		all := &Group{Rule: root, Groups: []*Group{
			{Name: "sample", Cases: []int{0}, Rule: Legacy{}},
			{Name: "secret", Rule: secret},
		}}
		for i, r := range rules {
			in := group(string(rune('a'+i)), r, 2*i+1, 2*i+2)
			all.Groups[1].Groups = append(all.Groups[1].Groups, in)
		}
		return all
	}
	on := Legacy{Continue: true}
	skip := Legacy{Continue: true, IgnoreSample: true}
	sums := Legacy{Continue: true, AnyAccepted: true, Verdicts: FirstError}
	task := func(points float64) Legacy { return Legacy{AcceptScore: num(points), Scores: ScoreMin} }
	with := func(l Legacy, change func(*Legacy)) Legacy { change(&l); return l }
	for _, tt := range []struct {
		why          string
		all          *Group
		results      []Result
		points, best float64
		verdict      verdict.Verdict
	}{
		{"an accepted case has 1 point", tree(Legacy{}, Legacy{}, Legacy{}), of(ac, ac, ac), 3, 3, ac},
		{"only an accepted submission has points", tree(on, on, on), of(ac, ac, wa), 0, 3, wa},
		{"tasks that are all or nothing", tree(skip, sums, task(30), task(70)), of(wa, ac, ac, ac, wa), 30, 100, ac},
		{"ignored samples count for neither points nor verdict", tree(skip, on, on), of(wa, ac, ac), 2, 2, ac},
		{"a rejected sample that stops the judging counts, although samples are ignored", tree(Legacy{IgnoreSample: true}, on, on), of(wa, ac, ac), 0, 2, wa},
		{"the worst verdict is the worst by the order of the format", tree(on, on, on), of(ac, tle, verdict.OLE), 0, 3, tle},
		{"the worst of several groups", tree(on, on, on, on), of(ac, wa, ac, ac, verdict.RTE), 0, 5, verdict.RTE},
		{"the first error", tree(on, on, with(on, func(l *Legacy) { l.Verdicts = FirstError })), of(ac, wa, tle), 0, 3, wa},
		{"if the first failure stops the judging, it is the worst", tree(on, on, Legacy{}), of(ac, wa, tle), 0, 3, wa},
		{"always accepted", tree(on, on, with(on, func(l *Legacy) { l.Verdicts = AlwaysAccept })), of(ac, wa, ac), 2, 3, ac},
		{"rejected cases can have points", tree(on, on, Legacy{Continue: true, Verdicts: AlwaysAccept, RejectScore: num(.25)}), of(ac, wa, ac), 2.25, 3, ac},
		{"cases after the one that stops a group have not even the points of rejected cases", tree(on, on, Legacy{Verdicts: AlwaysAccept, RejectScore: num(.25)}), of(ac, wa, ac), 1.25, 3, ac},
		{"a group that stops the judging is not the last group", tree(on, Legacy{Continue: true, Verdicts: AlwaysAccept}, Legacy{}, Legacy{}), of(ac, wa, ac, ac, ac), 3, 5, ac},
		{"a rejected group stops the group around it", tree(on, Legacy{Verdicts: AlwaysAccept}, on, on), of(ac, wa, ac, ac, ac), 2, 5, ac},
		{"an average", tree(skip, Legacy{}, Legacy{Scores: ScoreAvg, Verdicts: AlwaysAccept, Continue: true}), of(ac, ac, wa), .5, 1, ac},
		{"an average of the judged cases", tree(skip, Legacy{}, Legacy{Scores: ScoreAvg, Verdicts: AlwaysAccept, RejectScore: num(.5)}), of(ac, wa, ac), .5, 1, ac},
		{"a maximum", tree(skip, with(sums, func(l *Legacy) { l.Scores = ScoreMax }), task(30), task(70)), of(ac, ac, ac, wa), 30, 70, ac},
		{"scores of the output validator", tree(skip, Legacy{}, Legacy{Scored: true}), []Result{{}, score(-3), {Verdict: ac}}, -2, math.Inf(1), ac},
		{"without bounded scores, the range gives the best points", tree(skip, Legacy{}, Legacy{Scored: true, Range: &[2]float64{0, 50}}), []Result{{Verdict: ac}, score(8), score(9)}, 17, 50, ac},
		{"fewer points are better", tree(with(skip, func(l *Legacy) { l.Minimize = true }), Legacy{}, Legacy{Scored: true, Range: &[2]float64{3, 50}}), []Result{{Verdict: ac}, score(8), score(9)}, 17, 3, ac},
		{"groups without cases have no results", &Group{Rule: Legacy{Scores: ScoreMin}, Groups: []*Group{{Name: "sample", Rule: Legacy{}}, {Name: "secret", Cases: []int{0}, Rule: Legacy{}}}}, of(ac), 1, 1, ac},
		{"ten tenths are one", &Group{Rule: Legacy{AcceptScore: num(.1), Range: &[2]float64{1, 1}}, Cases: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, of(ac, ac, ac, ac, ac, ac, ac, ac, ac, ac), 1, 1, ac},
		{"a rejected group need not be in its range", tree(skip, sums, Legacy{Range: &[2]float64{2, 2}}, Legacy{}), of(ac, wa, ac, ac, ac), 2, 4, ac},
	} {
		if err := tt.all.Check(); err != nil {
			t.Errorf("%s: Check: %v", tt.why, err)
		}
		got, err := tt.all.Add(tt.results, nil)
		if err != nil || got.Points != tt.points || float64(got.Best) != tt.best || got.Verdict != tt.verdict {
			t.Errorf("%s: %v of %v points, %v, error %v; want %v of %v, %v", tt.why, got.Points, got.Best, got.Verdict, err, tt.points, tt.best, tt.verdict)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	legacy := func(l Legacy) *Group { return &Group{Rule: l, Cases: []int{0, 1}} }
	rejected := Result{Verdict: wa, Score: num(0)}
	both := Result{Verdict: ac, Score: num(1), Multiplier: num(1)}
	for _, tt := range []struct {
		why     string
		all     *Group
		results []Result
		err     string // "" for none
	}{
		{"no score without bounds", flat(ICPC2023{Max: inf()}, 1), of(ac, ac), "secret: case 1: the output validator gives it no score"},
		{"a rejected case needs no score", flat(ICPC2023{Max: inf()}, 1), of(ac, wa), ""},
		{"a score of a rejected case", flat(ICPC2023{}, 1), []Result{{}, rejected}, "does not accept it and gives it a score"},
		{"a multiplier of a rejected case", flat(ICPC2023{}, 1), []Result{{}, {Verdict: wa, Multiplier: num(0)}}, "does not accept it and gives it a score"},
		{"a multiplier without bounds", flat(ICPC2023{Max: inf()}, 1), []Result{{}, times(1)}, "no maximum to multiply"},
		{"both", flat(ICPC2023{}, 1), []Result{{}, both}, "both a score and a multiplier"},
		{"both, without bounds", flat(ICPC2023{Max: inf()}, 1), []Result{{}, both}, "both a score and a multiplier"},
		{"a score in a pass-fail group", flat(ICPC2023{Aggregation: PassFail}, 1), []Result{{}, score(1)}, "in a pass-fail group"},
		{"a multiplier in a pass-fail group", flat(ICPC2023{Aggregation: PassFail}, 1), []Result{{}, times(1)}, "in a pass-fail group"},
		{"more than the case has", flat(ICPC2023{}, 2), []Result{{}, score(50.5), {Verdict: ac}}, "score of 50.5, which is not from 0 to 50"},
		{"all points of the case, up to rounding", flat(ICPC2023{Max: num(.3)}, 3), []Result{{}, score(.1), score(.1), score(.1)}, ""},
		{"a negative score", flat(ICPC2023{}, 1), []Result{{}, score(-1)}, "score of -1"},
		{"no number", flat(ICPC2023{Max: inf()}, 1), []Result{{}, score(math.NaN())}, "score of NaN, which is not 0 or more"},
		{"no finite number", flat(ICPC2023{Max: inf()}, 1), []Result{{}, score(math.Inf(1))}, "score of +Inf"},
		{"a multiplier over 1", flat(ICPC2023{}, 1), []Result{{}, times(1.5)}, "multiplier of 1.5"},
		{"a multiplier under 0", flat(ICPC2023{}, 1), []Result{{}, times(-.5)}, "multiplier of -0.5"},
		{"a multiplier that is no number", flat(ICPC2023{}, 1), []Result{{}, times(math.NaN())}, "multiplier of NaN"},
		{"scores of samples are ignored", flat(ICPC2023{}, 1), []Result{both, {Verdict: ac}}, ""},
		{"errors in cases that do not count are ignored", flat(ICPC2023{Aggregation: Min}, 2), []Result{{}, {Verdict: wa}, rejected}, ""},
		{"a group with more points than its maximum", later(ICPC2023{Aggregation: Min, Max: num(10)}, group("a", ICPC2023{Max: num(20)}, 1)), of(ac, ac), "secret: 20 points, but the maximum is 10"},
		{"the first of several errors is returned", flat(ICPC2023{}, 2), []Result{{}, rejected, rejected}, "case 1"},
		{"legacy: a score that the package does not declare", legacy(Legacy{}), []Result{score(1)}, "all cases: case 0: the output validator gives it a score"},
		{"legacy: a multiplier", legacy(Legacy{Scored: true}), []Result{times(1)}, "the legacy format does not have"},
		{"legacy: a score of a rejected case", legacy(Legacy{Scored: true}), []Result{rejected}, "does not accept it"},
		{"legacy: no number", legacy(Legacy{Scored: true}), []Result{score(math.NaN())}, "score of NaN"},
		{"legacy: a case after the stop", legacy(Legacy{}), []Result{{Verdict: wa}, score(1)}, ""},
		{"legacy: above the range", legacy(Legacy{Range: &[2]float64{0, 1.5}}), of(ac, ac), "all cases: 2 points, which is not from 0 to 1.5"},
		{"legacy: below the range", legacy(Legacy{Range: &[2]float64{2.5, 3}}), of(ac, ac), "all cases: 2 points"},
	} {
		_, err := tt.all.Add(tt.results, nil)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: error %v, want %q", tt.why, err, tt.err)
		}
	}
	_, err := flat(ICPC2023{}, 1).Add([]Result{{}, rejected}, nil)
	var of *CaseError
	if !errors.As(err, &of) || of.Case != 1 || of.Group != "secret" {
		t.Errorf("%v must name case 1 of secret", err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	none := verdict.None
	for _, tt := range []struct {
		why     string
		all     *Group
		results []Result
		points  float64
		open    int
		verdict verdict.Verdict
	}{
		{"points so far", flat(ICPC2023{}, 4), of(ac, ac, none, ac), 50, 2, none},
		{"a failure is the verdict if all before it is accepted", flat(ICPC2023{}, 2), of(ac, wa), 0, 1, wa},
		{"a failure is not the verdict if a case before it is open", flat(ICPC2023{}, 2), of(ac, none, wa), 0, 1, none},
		{"a minimum is 0 while a case is open", flat(ICPC2023{Aggregation: Min}, 2), of(ac, ac), 0, 1, none},
		{"a pass-fail group is not passed yet", flat(ICPC2023{Aggregation: PassFail}, 2), of(ac, ac), 0, 1, none},
		{"cases that do not count are not open", flat(ICPC2023{Aggregation: PassFail}, 3), of(ac, wa), 0, 0, wa},
		{"legacy: the worst is not known yet", &Group{Rule: Legacy{Continue: true}, Cases: []int{0, 1}}, of(wa), 0, 1, none},
		{"legacy: one accepted is enough", &Group{Rule: Legacy{Continue: true, AnyAccepted: true}, Cases: []int{0, 1}}, of(none, ac), 1, 1, ac},
		{"legacy: one accepted is not enough if an earlier case could stop the judging", &Group{Rule: Legacy{AnyAccepted: true}, Cases: []int{0, 1}}, of(none, ac), 0, 1, none},
		{"legacy: JE is the verdict at once", &Group{Rule: Legacy{Continue: true, Verdicts: AlwaysAccept}, Cases: []int{0, 1}}, of(none, verdict.JE), 0, 1, verdict.JE},
	} {
		got, err := tt.all.Add(tt.results, nil)
		if err != nil || got.Points != tt.points || got.Open != tt.open || got.Verdict != tt.verdict {
			t.Errorf("%s: %v points, %d open, %v, error %v; want %v, %d, %v", tt.why, got.Points, got.Open, got.Verdict, err, tt.points, tt.open, tt.verdict)
		}
	}
}

// TestLegacyCustom checks that the package's own grader scores a group: it gets the results that
// count, with its flags, once all of them are known.
func TestLegacyCustom(t *testing.T) {
	t.Parallel()
	tree := func(l Legacy) *Group {
		l.Custom, l.CustomFlags, l.Scored = true, []string{"half"}, true
		sum := Legacy{Continue: true, AnyAccepted: true}
		return &Group{Rule: sum, Groups: []*Group{
			{Name: "secret/a", Cases: []int{0, 1}, Rule: l},
			{Name: "secret/b", Cases: []int{2}, Rule: sum},
		}}
	}
	half := func(flags []string, of []Part) (Part, error) {
		if !slices.Equal(flags, []string{"half"}) {
			return Part{}, fmt.Errorf("flags %q", flags)
		}
		sum := Part{Verdict: of[0].Verdict}
		for _, p := range of {
			sum.Points += p.Points / 2
		}
		return sum, nil
	}
	for _, tt := range []struct {
		why          string
		rule         Legacy
		results      []Result
		points, best float64
		verdict      verdict.Verdict
		err          string
	}{
		{"what it says", Legacy{}, []Result{score(8), score(4), {Verdict: ac}}, 7, math.Inf(1), ac, ""},
		{"the range gives the best points", Legacy{Range: &[2]float64{0, 10}}, []Result{score(8), score(4), {Verdict: ac}}, 7, 11, ac, ""},
		{"points outside of the range are an error", Legacy{Range: &[2]float64{0, 5}}, []Result{score(8), score(4), {Verdict: ac}}, 7, 6, ac, "secret/a: 6 points, which is not from 0 to 5"},
		{"the grader does not get cases after a failure", Legacy{}, []Result{{Verdict: wa}, score(4), {Verdict: ac}}, 1, math.Inf(1), ac, ""},
		{"unless the group continues", Legacy{Continue: true}, []Result{{Verdict: wa}, score(4), {Verdict: ac}}, 3, math.Inf(1), ac, ""},
		{"not yet", Legacy{}, []Result{score(8), {}, {Verdict: ac}}, 1, math.Inf(1), ac, ""},
	} {
		got, err := tree(tt.rule).Add(tt.results, half)
		if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: error %v, want %q", tt.why, err, tt.err)
		} else if got.Points != tt.points || float64(got.Best) != tt.best || got.Verdict != tt.verdict {
			t.Errorf("%s: %+v, want %v of %v, %v", tt.why, got, tt.points, tt.best, tt.verdict)
		}
	}
	failed := func([]string, []Part) (Part, error) { return Part{}, errors.New("no") }
	if _, err := tree(Legacy{}).Add([]Result{score(8), score(4), {Verdict: ac}}, failed); err == nil || err.Error() != "secret/a: grader: no" {
		t.Errorf("a grader that fails: %v", err)
	}
	breaking := tree(Legacy{})
	breaking.Rule = Legacy{}
	count := breaking.Count()
	count.Set(0, wa)
	if count.Needed(1) || !count.Needed(2) {
		t.Error("a failure ends its group, and not the one around it")
	}
}

// TestTooManyPoints refuses sums of finite scores that overflow.
func TestTooManyPoints(t *testing.T) {
	t.Parallel()
	for _, scores := range []Scores{ScoreSum, ScoreAvg} {
		all := &Group{Cases: []int{0, 1}, Rule: Legacy{Scored: true, Scores: scores}}
		got, err := all.Add([]Result{score(1e308), score(1e308)}, nil)
		if err == nil || !strings.Contains(err.Error(), "all cases: its points are +Inf, which is not a finite number") || got.Points != 0 {
			t.Errorf("%v: %v points, %v", scores, got.Points, err)
		}
	}
}
