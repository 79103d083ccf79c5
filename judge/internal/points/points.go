// Package points computes the points of a submission from the results of its cases.
//
// The cases are in a tree of groups. Each group has a rule, which turns the results of its cases
// and inner groups into points. There are four kinds of rules: in the legacy problem package format
// a grader combines the verdicts and scores of a group ([Legacy]), which DOMjudge reads in its own
// way ([DOMjudge]); in the formats 2023-07 and 2025-09 groups distribute points among their cases
// ([ICPC2023]); and in Polygon's packages each test has points ([Polygon]). The formats are specified
// at https://icpc.io/problem-package-format. A [Share] makes groups for a problem without points.
//
// Some cases do not count: those after the first failure of a group that stops there, and those of
// groups whose points cannot be earned any more or that require a rejected group. Which cases count
// depends only on the results of earlier cases, so it does not depend on the order of judging. A
// [Count] tracks it while cases are judged, and [Group.Add] ignores the results of cases that do
// not count.
package points

import (
	"fmt"
	"math"
	"slices"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/verdict"
)

// Group is a group of cases and of other groups. The root holds all cases; in the formats after
// legacy it has no settings and holds the groups named "sample" and "secret", and only "secret" has
// points.
//
// Only folders that are groups in the format of the package are Groups. The cases of other folders
// belong to the group around them: in 2025-09, for instance, a folder inside a group of secret is
// not a group.
type Group struct {
	Name   string   // unique in the tree, such as "secret/group1"
	Cases  []int    // indices, in case order from 0, of the cases outside of the inner groups
	Groups []*Group // the inner groups
	Rule   Rule     // of the same type in the whole tree
}

// Size returns the number of cases in the group and its inner groups.
func (g *Group) Size() int {
	n := len(g.Cases)
	for _, inner := range g.Groups {
		n += inner.Size()
	}
	return n
}

// Custom reports whether the package's own grader scores the group or an inner one.
func (g *Group) Custom() bool {
	return !g.every(func(l Legacy) bool { return !l.Custom })
}

// Fewer reports whether fewer points are better. The group must be the root.
func (g *Group) Fewer() bool {
	l, legacy := g.Rule.(Legacy)
	return legacy && l.Minimize
}

// FirstFailure reports whether the verdict of the group, which must be the root, is always that of its
// first case that is not accepted, and no case after that one counts.
func (g *Group) FirstFailure() bool {
	return g.NeedsAll() && g.every(func(l Legacy) bool { return !l.Continue })
}

// NeedsAll reports whether the group, which must be the root, is accepted only if all its cases are.
func (g *Group) NeedsAll() bool {
	l, legacy := g.Rule.(Legacy)
	return !(legacy && l.IgnoreSample) && g.every(func(l Legacy) bool {
		return !l.Custom && l.Verdicts != AlwaysAccept && !l.AnyAccepted
	})
}

// every reports whether a condition holds for all groups with the rules of the legacy format. No other
// rule accepts a group with a case that counts and is not accepted.
func (g *Group) every(holds func(Legacy) bool) bool {
	if l, legacy := g.Rule.(Legacy); legacy && !holds(l) {
		return false
	}
	return !slices.ContainsFunc(g.Groups, func(in *Group) bool { return !in.every(holds) })
}

// Best returns the best possible score. The group must be the root, and have passed Check.
func (g *Group) Best() float64 {
	c := g.Count()
	c.root.shareAll()
	return c.root.best
}

// IsBest reports whether a range of points includes the best possible score, or that score is
// infinite. The group must be the root, and have passed Check.
func (g *Group) IsBest(score [2]float64) bool {
	best := g.Best()
	return math.IsInf(best, 0) || !over(score[0], best) && !over(best, score[1])
}

// MarshalText writes the name. Documents about a submission show nothing else of its groups.
func (g *Group) MarshalText() ([]byte, error) { return []byte(g.Name), nil }

// UnmarshalText reads what MarshalText writes, into a group with only a name.
func (g *Group) UnmarshalText(text []byte) error {
	g.Name = string(text)
	return nil
}

// Rule computes the points of a group from its results: a Legacy, a DOMjudge, an ICPC2023 or a
// Polygon.
type Rule interface {
	// check returns the contradictions within the rule of n, and between it and the enclosing
	// groups.
	check(n *node) []error
	// reject records that the item n.items[at] is rejected, and reports whether the group is
	// rejected now.
	reject(n *node, at int) bool
	// share sets the best possible points of the groups and the cases in n.
	share(n *node)
	// requires returns the names of the groups that must be accepted for this one to count.
	requires() []string
	// add computes the verdict and the points of the group.
	add(n *node, a *adder) sum
}

// Result is the result of judging one case.
type Result struct {
	Verdict    verdict.Verdict // None if it has not been judged
	Score      *float64        // from the output validator's score.txt; nil if it wrote none
	Multiplier *float64        // from score_multiplier.txt; nil if it wrote none
}

// Score is the score of a submission.
type Score struct {
	// Points of the submission. In the legacy format a submission that is not accepted has 0
	// points, whatever its groups have.
	Points float64 `json:"points"`

	// Best is the best possible score: the most points, or the fewest if the package says that less
	// is better. It is infinite if scores are unbounded.
	Best document.Number `json:"best"`

	// Verdict is the verdict of the root. In the formats after legacy that is the verdict of the
	// first case that counts and is not accepted.
	Verdict verdict.Verdict `json:"-"`

	// Groups lists all groups in case order, each before its inner groups.
	Groups []Outcome `json:"groups"`

	// Open is how many cases count and have not been judged. They have no points yet, and the
	// verdicts that depend on them are None.
	Open int `json:"-"`
}

// Outcome is the score of one group.
type Outcome struct {
	Group    *Group          `json:"name"`
	Points   float64         `json:"points"` // as in Score, but rejected groups keep their points
	Best     document.Number `json:"best"`
	Verdict  verdict.Verdict `json:"verdict"`  // None if the rejection of an earlier group leaves it out
	LeftOut  bool            `json:"left_out"` // none of its cases count
	Required string          `json:"required"` // the group that leaves this one out because it was not accepted; "" if there is none
}

// CaseError reports that a case has a result that it must not have. The judge failed, most likely
// the package's output validator.
type CaseError struct {
	Case   int // its index
	Group  string
	Reason string
}

func (e *CaseError) Error() string {
	return fmt.Sprintf("%s: case %d: %s", e.Group, e.Case, e.Reason)
}

// Grader calls the package's own grader: it combines the results of the cases and groups of a group
// that count. None of them has the verdict None.
type Grader func(flags []string, of []Part) (Part, error)

// Part is the result of a case or a group.
type Part struct {
	Verdict verdict.Verdict
	Points  float64
}

// Add returns the score of a submission with these results, indexed by case. Cases beyond the end
// of the slice have not been judged. Results of cases that do not count are ignored, and errors in
// them too.
//
// Add returns an error for the first case whose result breaks the rules of the format (a
// *CaseError), for the first group whose points break them or are infinite, or the first error of
// grader, which may be nil if no group is Custom. All Points are finite. The group must have passed
// Check. Add does not change it.
func (g *Group) Add(results []Result, grader Grader) (Score, error) {
	c := g.Count()
	for i, r := range results {
		c.Set(i, r.Verdict)
	}
	c.root.shareAll()
	a := &adder{results: results, grader: grader}
	total := a.group(c.root, false)
	t := Score{Points: total.points, Best: document.Number(c.root.best), Verdict: total.verdict, Groups: a.groups, Open: a.open}
	if _, legacy := g.Rule.(Legacy); legacy && total.verdict != verdict.AC {
		t.Points = 0
	}
	if p, is := g.Rule.(Polygon); is && p.Hundredths {
		t.hundredths()
	}
	return t, a.err
}

// adder computes the score of a tree whose nodes know which cases count.
type adder struct {
	results []Result
	grader  Grader
	groups  []Outcome
	open    int
	err     error // the first error
}

// sum is the result of a case or a group.
type sum struct {
	verdict verdict.Verdict // None while results are missing
	points  float64
}

// group appends the outcomes of a group and its inner groups, and returns its sum. If skip is true,
// an outer or an earlier group leaves it out.
func (a *adder) group(n *node, skip bool) sum {
	at := len(a.groups)
	a.groups = append(a.groups, Outcome{Group: n.Group, Best: document.Number(n.best)})
	var s sum
	barred := n.barred()
	switch {
	case skip || barred != nil:
		for _, in := range n.groups {
			a.group(in, true)
		}
		a.groups[at].LeftOut = true
		if barred != nil {
			a.groups[at].Required = barred.Name
			s.verdict = a.verdictOf(barred)
		}
	default:
		s = n.Rule.add(n, a)
		s.points = round(s.points, n.best)
		if math.IsNaN(s.points) || math.IsInf(s.points, 0) {
			a.fail(n, "its points are %v, which is not a finite number", s.points)
			s.points = 0
		}
	}
	a.groups[at].Points, a.groups[at].Verdict = s.points, s.verdict
	return s
}

// items adds up the groups in n and those of its cases that count. The verdict is the first one
// that is not AC; least is the fewest points of an item.
func (a *adder) items(n *node, addCase func(n *node, a *adder, i int) sum) (all sum, least float64) {
	all, least = sum{verdict: verdict.AC}, math.Inf(1)
	for at, it := range n.items {
		var s sum
		switch {
		case it.node != nil:
			s = a.group(it.node, false)
		case at <= n.lastCase:
			s = addCase(n, a, it.index)
		default:
			continue
		}
		all.points += s.points
		least = min(least, s.points)
		if all.verdict == verdict.AC {
			all.verdict = s.verdict
		}
	}
	return all, least
}

// verdictOf returns the verdict of an earlier group.
func (a *adder) verdictOf(n *node) verdict.Verdict {
	for _, o := range a.groups {
		if o.Group == n.Group {
			return o.Verdict
		}
	}
	return verdict.None
}

// result returns the result of a case that counts.
func (a *adder) result(i int) Result {
	if i < len(a.results) && a.results[i].Verdict != verdict.None {
		return a.results[i]
	}
	a.open++
	return Result{}
}

func (a *adder) failCase(n *node, i int, format string, args ...any) {
	if a.err == nil {
		a.err = &CaseError{Case: i, Group: n.title(), Reason: fmt.Sprintf(format, args...)}
	}
}

func (a *adder) fail(n *node, format string, args ...any) {
	if a.err == nil {
		a.err = n.errorf(format, args...)
	}
}

// slack is the relative error that sums of shares may have.
const slack = 1e-9

// over reports whether a exceeds b by more than rounding errors.
func over(a, b float64) bool { return a > b && a-b > slack*max(1, math.Abs(b)) }

// round returns best if points differ from it only by rounding errors.
func round(points, best float64) float64 {
	if !math.IsInf(best, 0) && !over(points, best) && !over(best, points) {
		return best
	}
	return points
}
