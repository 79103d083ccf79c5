package points

import (
	"fmt"
	"math"

	"tribunal/judge/internal/verdict"
)

// ICPC2023 is the rule of a group in the formats 2023-07 and 2025-09. The zero value is the rule of
// a group without settings.
//
// A rejected case has 0 points. An accepted case has its Score or, without one, its best points
// times its Multiplier, which is 1 by default. No group may have more points than its best. Score
// and Multiplier are ignored in sample.
//
// 2025-09 requires max_score in every group of a bounded secret. If it is missing, the points are
// shared as in 2023-07.
type ICPC2023 struct {
	Aggregation Aggregation

	// Max is the most points that the group can have, or +Inf if they are unbounded. If it is nil,
	// the maximum is
	//   - 100 for secret,
	//   - +Inf in an unbounded group,
	//   - the maximum of the outer group if that takes the minimum of its items,
	//   - 0 if the outer group is pass-fail,
	//   - otherwise a share of the points of the outer group: those of Static and of groups with a
	//     Max are subtracted, and the other cases and groups share the rest equally.
	Max *float64

	// Requires names groups that must be accepted for this one to count. A group "sample" need not
	// exist.
	Requires []string

	// RoundUp means that the points of the group are rounded up to a whole number. The formats after
	// legacy do not have it; sinol packages do.
	RoundUp bool

	// Places is the number of decimals to which the points of the group are rounded, halves to an even
	// digit; nil means that they are not. Only pisek's packages have it.
	Places *int

	// Static is the most points that static validation gives, or nil if there is none. Static
	// validation is not implemented: no submission gets these points.
	Static *float64
}

// Aggregation is the way in which a group combines the points of its cases and groups.
type Aggregation uint8

// The aggregations of the formats after legacy.
const (
	Default  Aggregation = iota // Sum for secret, PassFail for all others
	PassFail                    // the group's best points if all its items are accepted, otherwise 0; cases have no points
	Sum
	Min
)

var aggregations = [...]string{Default: "default", PassFail: "pass-fail", Sum: "sum", Min: "min"}

func (a Aggregation) String() string { return aggregations[a] }

const (
	sample = "sample"
	secret = "secret"
)

// top reports whether n is the group with this name directly in the root.
func (n *node) top(name string) bool { return n.up != nil && n.up.up == nil && n.Name == name }

func (l ICPC2023) requires() []string { return l.Requires }

func (l ICPC2023) aggregation(n *node) Aggregation {
	switch {
	case l.Aggregation != Default:
		return l.Aggregation
	case n.up == nil || n.top(secret):
		return Sum
	}
	return PassFail
}

func (l ICPC2023) reject(n *node, at int) bool {
	// The group has no points after the first failure, so later cases do not matter. A later inner
	// group has points of its own, and other groups may require it.
	if n.items[at].node == nil && l.aggregation(n) != Sum {
		n.lastCase = min(n.lastCase, at)
	}
	return true
}

func (l ICPC2023) share(n *node) {
	if n.up == nil {
		for _, in := range n.groups {
			if in.top(secret) {
				in.best = in.Rule.(ICPC2023).max(100)
				n.best = in.best
			}
		}
		return
	}
	var each float64
	switch l.aggregation(n) {
	case Min:
		each = n.best
	case Sum:
		given, sharing := l.given(n)
		each = n.best
		if !math.IsInf(n.best, 1) && sharing > 0 {
			each = max(0, (n.best-given)/float64(sharing))
		}
	}
	n.caseBest = each
	for _, in := range n.groups {
		in.best = in.Rule.(ICPC2023).max(each)
	}
}

// given returns the points of Static and of groups with a Max, and the number of cases and groups
// that share the rest.
func (l ICPC2023) given(n *node) (points float64, sharing int) {
	if l.Static != nil {
		points = *l.Static
	}
	sharing = len(n.Cases)
	for _, in := range n.groups {
		if m := in.Rule.(ICPC2023).Max; m != nil {
			points += *m
		} else {
			sharing++
		}
	}
	return points, sharing
}

func (l ICPC2023) max(or float64) float64 {
	if l.Max != nil {
		return *l.Max
	}
	return or
}

func (l ICPC2023) add(n *node, a *adder) sum {
	all, least := a.items(n, l.addCase)
	switch agg := l.aggregation(n); {
	case len(n.items) == 0, agg == PassFail && all.verdict != verdict.AC:
		all.points = 0
	case agg == PassFail:
		all.points = n.best
	case agg == Min:
		all.points = least
	}
	if l.RoundUp {
		all.points = max(0, math.Ceil(all.points-1e-9))
	}
	if l.Places != nil {
		unit := math.Pow10(*l.Places)
		all.points = math.RoundToEven(all.points*unit) / unit
	}
	if over(all.points, n.best) {
		a.fail(n, "%v points, but the maximum is %v", all.points, n.best)
	}
	return all
}

// addCase returns the result of a case that counts.
func (l ICPC2023) addCase(n *node, a *adder, i int) sum {
	r := a.result(i)
	s := sum{verdict: r.Verdict}
	passFail, bounded := l.aggregation(n) == PassFail, !math.IsInf(n.caseBest, 1)
	switch {
	case r.Verdict == verdict.None || n.top(sample):
	case r.Verdict != verdict.AC:
		if r.Score != nil || r.Multiplier != nil {
			a.failCase(n, i, "the output validator does not accept it and gives it a score")
		}
	case passFail:
		if r.Score != nil || r.Multiplier != nil {
			a.failCase(n, i, "the output validator gives it a score, in a pass-fail group")
		}
	case r.Score != nil && r.Multiplier != nil:
		a.failCase(n, i, "the output validator gives it both a score and a multiplier")
	case r.Score != nil:
		s.points = *r.Score
		if !(s.points >= 0) || math.IsInf(s.points, 1) || over(s.points, n.caseBest) {
			a.failCase(n, i, "the output validator gives it a score of %v, which is not %s", s.points, upTo(n.caseBest))
			s.points = 0
		}
	case !bounded && r.Multiplier != nil:
		a.failCase(n, i, "the output validator gives it a multiplier, but there is no maximum to multiply")
	case !bounded:
		a.failCase(n, i, "the output validator gives it no score, but its points are unbounded")
	case r.Multiplier != nil:
		if m := *r.Multiplier; m >= 0 && m <= 1 {
			s.points = m * n.caseBest
		} else {
			a.failCase(n, i, "the output validator gives it a multiplier of %v, which is not from 0 to 1", m)
		}
	default:
		s.points = n.caseBest
	}
	return s
}

func upTo(most float64) string {
	if math.IsInf(most, 1) {
		return "0 or more"
	}
	return fmt.Sprintf("from 0 to %v", most)
}
