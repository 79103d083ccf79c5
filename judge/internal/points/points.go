// Package points adds up the points of a submission by the groups of its cases.
//
// It knows three ways to do so: that of the legacy problem package format, in which a
// grader makes one verdict and one score of each group's results ([Legacy]), that of
// the formats 2023-07 and 2025-09, in which groups have points to give away ([Later]),
// and that of packages of Polygon's, in which tests have points ([Polygon]). The first
// two come from https://icpc.io/problem-package-format.
//
// Not every case counts: what comes after the first failure of a group that breaks
// there, cannot earn its points any more or is required by another says nothing new.
// Which cases count follows from the results of earlier cases alone, so it is the
// same whatever order they are judged in, and a [Count] tells it while they are
// judged. [Group.Add] ignores the results of those that do not.
package points

import (
	"fmt"
	"math"
	"slices"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/verdict"
)

// A Group is a group of cases and of other groups. The outermost one holds all
// cases; in the formats after legacy it has no settings and holds the groups named
// "sample" and "secret", of which only the latter has points.
//
// A folder that is no group in its format (2025-09 knows none below those of secret)
// is none here either: its cases are those of the group around it.
type Group struct {
	Name   string   // unlike all others in the tree, such as "secret/group1"
	Cases  []int    // its own, by their indices in case order, which begin at 0
	Groups []*Group // those in it; their cases are not in Cases
	Rule   Rule     // all of a tree are of the same type
}

// Size returns how many cases are in the group and in those in it.
func (g *Group) Size() int {
	n := len(g.Cases)
	for _, inner := range g.Groups {
		n += inner.Size()
	}
	return n
}

// Custom reports whether some group has a grader of the package make its points.
func (g *Group) Custom() bool {
	if l, legacy := g.Rule.(Legacy); legacy && l.Custom {
		return true
	}
	return slices.ContainsFunc(g.Groups, (*Group).Custom)
}

// MarshalText writes the name: in a document about a submission it is all there is to tell
// of its groups.
func (g *Group) MarshalText() ([]byte, error) { return []byte(g.Name), nil }

// UnmarshalText reads what MarshalText writes: a group with a name and nothing else.
func (g *Group) UnmarshalText(text []byte) error {
	g.Name = string(text)
	return nil
}

// A Rule is how a group makes points of its results: a Legacy, a Later or a Polygon.
type Rule interface {
	// check tells what in the rule of n contradicts itself or those around it.
	check(n *node) []error
	// reject takes notice that the item n.items[at] is rejected, and reports whether
	// that rejects the group.
	reject(n *node, at int) bool
	// share gives the groups in n, and each of its cases, the best they can get.
	share(n *node)
	// requires names groups that must be accepted, or the group is left out.
	requires() []string
	// add tells what the group came to.
	add(n *node, a *adder) sum
}

// A Result is what judging one case came to.
type Result struct {
	Verdict    verdict.Verdict // None if it has not been judged
	Score      *float64        // what the output validator wrote to score.txt; nil if it did not
	Multiplier *float64        // the same of score_multiplier.txt
}

// A Tally is what a submission came to.
type Tally struct {
	// Points of the submission. In the legacy format only an accepted one has any;
	// the others have 0, whatever their groups have.
	Points float64 `json:"points"`

	// Best is the best there is to get: the most points, or the fewest if the
	// package says that less is better. It is infinite if there is no end to it.
	Best document.Number `json:"best"`

	// Verdict is that of the outermost group. In the formats after legacy it is that
	// of the first case that counts and is not accepted.
	Verdict verdict.Verdict `json:"-"`

	// Groups are all groups, each before those in it, in case order.
	Groups []Outcome `json:"groups"`

	// Open is how many cases count and have not been judged. While there are any,
	// they have no points yet, and the verdicts that depend on them are None.
	Open int `json:"-"`
}

// An Outcome is what one group came to.
type Outcome struct {
	Group    *Group          `json:"name"`
	Points   float64         `json:"points"` // as in Tally, but with the points of rejected groups
	Best     document.Number `json:"best"`
	Verdict  verdict.Verdict `json:"verdict"`  // None if left out by the rejection of what came before
	LeftOut  bool            `json:"left_out"` // none of its cases count
	Required string          `json:"required"` // the group that was not accepted and because of which it is left out
}

// A CaseError says that a case has a result that it must not have: the judge failed,
// most likely the package's output validator.
type CaseError struct {
	Case   int // its index
	Group  string
	Reason string
}

func (e *CaseError) Error() string {
	return fmt.Sprintf("%s: case %d: %s", e.Group, e.Case, e.Reason)
}

// A Grader makes one part of those of the cases and groups of a group that count, none of
// which has the verdict None: what a package's own grader says.
type Grader func(flags []string, of []Part) (Part, error)

// A Part is what a case or a group came to.
type Part struct {
	Verdict verdict.Verdict
	Points  float64
}

// Add tells what a submission with these results, by the indices of cases, came to.
// Results that the slice does not have are those of cases that have not been judged.
// Results of cases that do not count are ignored, errors in them too.
//
// The error is that of the first case whose result breaks the rules of the format (a
// *CaseError), or of the first group whose points do or are infinite, or the first of
// grader, which is asked about custom groups; nil is enough where there are none. All
// Points are finite. The group must have passed Check, and is not changed.
func (g *Group) Add(results []Result, grader Grader) (Tally, error) {
	c := g.Count()
	for i, r := range results {
		c.Set(i, r.Verdict)
	}
	c.root.shareAll()
	a := &adder{results: results, grader: grader}
	total := a.group(c.root, false)
	t := Tally{Points: total.points, Best: document.Number(c.root.best), Verdict: total.verdict, Groups: a.groups, Open: a.open}
	if _, legacy := g.Rule.(Legacy); legacy && total.verdict != verdict.AC {
		t.Points = 0
	}
	return t, a.err
}

// adder walks over a tree whose results are known to its nodes.
type adder struct {
	results []Result
	grader  Grader
	groups  []Outcome
	open    int
	err     error // the first
}

// sum is what a case or a group came to.
type sum struct {
	verdict verdict.Verdict // None if open
	points  float64
}

// group adds the outcomes of a group and of those in it, and returns what it came to.
// skip says that a group around it, or what came before it, leaves it out.
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
			a.fail(n, "its points are %v: more than a number can be", s.points)
			s.points = 0
		}
	}
	a.groups[at].Points, a.groups[at].Verdict = s.points, s.verdict
	return s
}

// items sums up what is in n: its groups, and its cases as far as they count. The verdict
// is the first that is not AC, and least the fewest points that one of them has.
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

// verdictOf returns the verdict of a group that comes earlier.
func (a *adder) verdictOf(n *node) verdict.Verdict {
	for _, o := range a.groups {
		if o.Group == n.Group {
			return o.Verdict
		}
	}
	return verdict.None
}

// result returns that of a case that counts.
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

// slack is what sums of shares may be off by, as a part of what they should be.
const slack = 1e-9

// over reports whether a is more than b by more than rounding can do.
func over(a, b float64) bool { return a > b && a-b > slack*max(1, math.Abs(b)) }

// round returns best for points that only rounding keeps from being that.
func round(points, best float64) float64 {
	if !math.IsInf(best, 0) && !over(points, best) && !over(best, points) {
		return best
	}
	return points
}
