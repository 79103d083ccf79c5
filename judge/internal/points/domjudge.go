package points

import (
	"math"
	"slices"

	"tribunal/judge/internal/verdict"
)

// DOMjudge is the rule of a group in a package of DOMjudge, which reads the settings of the legacy
// format in its own way (maybeSetScoringResult of its SubmissionService).
//
// A group has either inner groups or cases that count: a group with inner groups that count adds up
// these and ignores its own cases. A group without them has AcceptScore once, if all its cases are
// accepted. If the output validator gives scores, these are added up instead; it may also give
// scores to wrong outputs. A submission keeps its points whatever its verdict is.
type DOMjudge struct {
	// Counts means that the group has settings of its own. Other groups, such as sample, have
	// neither points nor a verdict. The root always counts.
	Counts       bool
	Continue     bool // on_reject: judge the cases and groups after a rejected one
	Scores       Scores
	IgnoreSample bool // in the root, the group sample does not count

	AcceptScore *float64    // nil means 0, unless the output validator gives scores
	Range       *[2]float64 // only bounds the best possible points
	Scored      bool        // the output validator may give scores
}

func (d DOMjudge) requires() []string { return nil }

// counts reports whether an item of n counts for its points and its verdict.
func (d DOMjudge) counts(n *node, it item) bool {
	if it.node == nil {
		return d.Counts && !slices.ContainsFunc(n.groups, func(in *node) bool { return in.Rule.(DOMjudge).Counts })
	}
	return it.node.Rule.(DOMjudge).Counts && !(d.IgnoreSample && it.node.top(sample))
}

func (d DOMjudge) check(n *node) []error {
	if s := d.AcceptScore; s != nil && (!(*s >= 0) || math.IsInf(*s, 1)) {
		return []error{n.errorf("a score of %v, want 0 or more", *s)}
	}
	return nil
}

// reject ends the judging only if this group and all around it end at their first failure. Until
// the verdict of the root is known, DOMjudge goes on judging, and counts all results.
func (d DOMjudge) reject(n *node, at int) bool {
	if !d.counts(n, n.items[at]) {
		return false
	}
	ends := true
	for up := n; up != nil; up = up.up {
		ends = ends && !up.Rule.(DOMjudge).Continue
	}
	if ends {
		n.lastCase = min(n.lastCase, at)
		n.lastGroup = n.lastCase
	}
	return true
}

// share computes the best scores of the whole tree, bottom-up. It does so only when called for the
// root.
func (d DOMjudge) share(n *node) {
	if n.up == nil {
		d.bound(n)
	}
}

func (d DOMjudge) bound(n *node) float64 {
	var list []float64
	inner, own := false, false
	for _, it := range n.items {
		switch {
		case it.node != nil:
			best := it.node.Rule.(DOMjudge).bound(it.node)
			if d.counts(n, it) {
				inner, list = true, append(list, best)
			}
		case d.counts(n, it):
			own = true
		}
	}
	switch {
	case inner || !own:
		n.best = d.combine(list)
	case d.AcceptScore != nil:
		n.best = *d.AcceptScore
	case d.Scored:
		n.best = math.Inf(1)
	}
	if r := d.Range; r != nil {
		n.best = max(r[0], min(r[1], n.best))
	}
	return n.best
}

func (d DOMjudge) add(n *node, a *adder) sum {
	all := sum{verdict: verdict.AC}
	var list []float64
	cases, scored := 0, false
	for at, it := range n.items {
		counts := d.counts(n, it)
		var s sum
		switch {
		case it.node != nil:
			s = a.group(it.node, at > n.lastGroup)
			if !counts || at > n.lastGroup {
				continue
			}
			list = append(list, s.points)
		case at > n.lastCase:
			continue
		default:
			r := a.result(it.index)
			if !counts {
				continue
			}
			s.verdict = r.Verdict
			cases++
			if r.Score != nil {
				scored, list = true, append(list, d.score(n, a, it.index, r))
			}
		}
		if all.verdict == verdict.AC {
			all.verdict = s.verdict
		}
	}
	if cases > 0 && !scored && d.AcceptScore != nil && all.verdict == verdict.AC {
		list = append(list, *d.AcceptScore)
	}
	all.points = d.combine(list)
	return all
}

// score returns the points of a case to which the output validator gives a score.
func (d DOMjudge) score(n *node, a *adder, i int, r Result) float64 {
	switch {
	case !(*r.Score >= 0) || math.IsInf(*r.Score, 1):
		a.failCase(n, i, "the output validator gives it a score of %v, which is not 0 or more", *r.Score)
	case r.Verdict == verdict.AC || verdict.WA.Class().Has(r.Verdict):
		return *r.Score
	}
	return 0
}

func (d DOMjudge) combine(list []float64) float64 {
	return Legacy{Scores: d.Scores}.score(&node{}, list)
}
