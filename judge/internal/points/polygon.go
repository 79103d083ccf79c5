package points

import (
	"math"

	"tribunal/judge/internal/verdict"
)

// Polygon is the rule of a group of tests in one of Polygon's packages, and of the root, which
// holds the tests without a group.
//
// An accepted case has its Points, unless the checker gives it a Score. The Score counts instead of
// the Points and must not exceed them; it has no maximum if no case of the package has points. If the
// checker gives a part, the case has that part of its Points, and a group has the least part of its
// cases, and of those in the groups that it requires, of its Whole.
type Polygon struct {
	Points   map[int]float64 // of each case of the group, by index
	Complete bool            // no points unless all cases are accepted
	Shared   float64         // if not 0, each case may earn these points, and the group has the least of any; Points has them once
	Refused  bool            // by DMOJ's rules: a case that the checker refuses has the Score that it gives, and there are Multipliers
	Whole    float64         // points of the group if all its cases are accepted, beside theirs; 0 or more
	Requires []string        // groups whose cases must all be accepted for this one to count

	Hundredths bool // of the root: a [Score] has hundredths, because thirds need no ten digits
}

func (p Polygon) requires() []string { return p.Requires }

func (p Polygon) check(n *node) []error {
	var list []error
	for _, i := range n.Cases {
		if worth, has := p.Points[i]; !has || !(worth >= 0) || math.IsInf(worth, 1) {
			list = append(list, n.errorf("case %d must have points of 0 or more", i))
		}
	}
	for _, name := range p.Requires {
		if reason := n.cannotRequire(name); reason != "" {
			list = append(list, n.errorf("it depends on %s, %s", name, reason))
		}
	}
	return list
}

func (p Polygon) reject(n *node, at int) bool {
	if p.Complete {
		n.lastCase = min(n.lastCase, at)
	}
	return true
}

func (p Polygon) share(n *node) {
	n.best = p.Whole
	for _, in := range n.groups {
		in.Rule.share(in)
		n.best += in.best
	}
	for _, i := range n.Cases {
		n.best += p.Points[i]
	}
	if n.up == nil && n.best == 0 {
		n.best = math.Inf(1)
	}
}

func (p Polygon) add(n *node, a *adder) sum {
	all, least := a.items(n, p.addCase)
	skipped := n.lastCase < len(n.items)-1
	switch {
	case p.Shared > 0 && !skipped:
		all.points = least
	case all.verdict == verdict.AC:
		all.points += p.Whole * n.leastPart()
	case p.Complete:
		all.points = 0
	}
	return all
}

func (p Polygon) addCase(n *node, a *adder, i int) sum {
	r := a.result(i)
	s := sum{verdict: r.Verdict}
	switch {
	case r.Verdict != verdict.AC && (!p.Refused || r.Score == nil || r.Verdict == verdict.None):
	case r.Multiplier != nil && p.Refused && *r.Multiplier >= 0 && *r.Multiplier <= 1:
		s.points = *r.Multiplier * max(p.Points[i], p.Shared)
	case r.Multiplier != nil:
		if m := *r.Multiplier; m >= 0 && m <= 1 {
			s.points = m * p.Points[i]
			n.part = min(n.part, m)
		} else {
			a.failCase(n, i, "the checker gives it the part %v of its points, which is not from 0 to 1", m)
		}
	case r.Score == nil && p.Shared > 0:
		s.points = p.Shared
	case r.Score == nil:
		s.points = p.Points[i]
	case *r.Score >= 0 && !math.IsInf(*r.Score, 1) && !over(*r.Score, p.most(n, i)):
		s.points = *r.Score
	default:
		a.failCase(n, i, "the checker gives it %v points, which is not %s", *r.Score, upTo(p.most(n, i)))
	}
	return s
}

// leastPart returns the least part of its points that the checker gave a case of the group or of one
// that it requires. All of them have been added.
func (n *node) leastPart() float64 {
	least := n.ownPart()
	for _, other := range n.requires {
		least = min(least, other.ownPart())
	}
	return least
}

// ownPart is like leastPart, without the groups that n requires.
func (n *node) ownPart() float64 {
	least := n.part
	for _, in := range n.groups {
		least = min(least, in.ownPart())
	}
	return least
}

// most returns the most points that the checker may give a case.
func (p Polygon) most(n *node, i int) float64 {
	for n.up != nil {
		n = n.up
	}
	if math.IsInf(n.best, 1) {
		return n.best // no case has points of its own
	}
	return max(p.Points[i], p.Shared)
}
