package points

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tribunal/judge/internal/verdict"
)

// randomTrees makes small random trees of groups, and results for their cases.
type randomTrees struct {
	*rand.Rand
	next  int      // index of the next case
	names []string // names of the groups so far
}

// of returns true with this probability.
func (c *randomTrees) of(percent int) bool { return c.IntN(100) < percent }

// fill gives g cases and groups in random order.
func (c *randomTrees) fill(g *Group, depth int, rule func(g *Group) Rule) {
	c.names = append(c.names, g.Name)
	g.Rule = rule(g)
	for range c.IntN(6) {
		if depth > 0 && c.of(40) {
			in := &Group{Name: fmt.Sprintf("%s/%d", g.Name, len(g.Groups))}
			c.fill(in, depth-1, rule)
			g.Groups = append(g.Groups, in)
		} else {
			g.Cases = append(g.Cases, c.next)
			c.next++
		}
	}
}

// verdicts returns random results for the cases made so far, without scores.
func (c *randomTrees) verdicts() []Result {
	reject := []int{5, 20, 50}[c.IntN(3)] // percent
	results := of(slices.Repeat([]verdict.Verdict{ac}, c.next)...)
	for i := range results {
		if c.of(reject) {
			results[i].Verdict = []verdict.Verdict{wa, tle, verdict.RTE}[c.IntN(3)]
		}
	}
	return results
}

// icpc2023 returns a tree that passes Check, and results that Add accepts.
func (c *randomTrees) icpc2023() (*Group, []Result) {
	for {
		c.next, c.names = 0, nil
		all := &Group{Rule: ICPC2023{}}
		depth := map[string]int{"secret": c.IntN(3)}
		for _, name := range []string{"sample", "secret"} {
			g := &Group{Name: name}
			c.fill(g, depth[name], func(g *Group) Rule {
				if name == "sample" {
					return ICPC2023{}
				}
				l := ICPC2023{Aggregation: Aggregation(c.IntN(4))}
				if c.of(40) {
					l.Max = num([]float64{0, 10, 30, math.Inf(1)}[c.IntN(4)])
				}
				for c.of(30) {
					l.Requires = append(l.Requires, c.names[c.IntN(len(c.names))])
				}
				return l
			})
			all.Groups = append(all.Groups, g)
		}
		if all.Check() != nil {
			continue
		}
		results := c.verdicts()
		count := all.Count()
		count.root.shareAll()
		for i := range results {
			n := count.places[i].node
			if n == nil || results[i].Verdict != ac || n.Rule.(ICPC2023).aggregation(n) == PassFail {
				continue
			}
			switch bounded := !math.IsInf(n.caseBest, 1); {
			case !bounded:
				results[i].Score = num(float64(c.IntN(50)))
			case c.of(30):
				results[i].Score = num(n.caseBest / 2)
			case c.of(30):
				results[i].Multiplier = num(.25)
			}
		}
		if _, err := all.Add(results, nil); err == nil { // Add fails if all inner groups of a minimum have more points than its maximum
			return all, results
		}
	}
}

// legacy returns a random tree in the legacy format, and results that Add accepts.
func (c *randomTrees) legacy() (*Group, []Result) {
	c.next, c.names = 0, nil
	all := &Group{}
	scored := c.of(30)
	c.fill(all, 3, func(*Group) Rule {
		l := Legacy{
			Continue: c.of(50), Verdicts: Verdicts(c.IntN(3)), Scores: Scores(c.IntN(4)),
			AnyAccepted: c.of(30), IgnoreSample: c.of(30), Scored: scored,
		}
		if c.of(40) {
			l.AcceptScore, l.RejectScore = num(float64(c.IntN(10))), num(float64(c.IntN(3)))
		}
		return l
	})
	results := c.verdicts()
	for i := range results {
		if scored && results[i].Verdict == ac && c.of(50) {
			results[i].Score = num(float64(c.IntN(20) - 5))
		}
	}
	return all, results
}

// show formats a tree and its results for messages.
func show(g *Group, results []Result) string {
	s := fmt.Sprintf("%q %+v\n", g.Name, g.Rule)
	switch l := g.Rule.(type) {
	case ICPC2023:
		s = fmt.Sprintf("%q %v of %v, requires %v\n", g.Name, l.Aggregation, or(l.Max, -1), l.Requires)
	case Legacy:
		s += fmt.Sprintf("  accepted %v, rejected %v\n", or(l.AcceptScore, 1), or(l.RejectScore, 0))
	}
	for _, i := range g.Cases {
		s += fmt.Sprintf("  case %d %v score %v multiplier %v\n", i, results[i].Verdict, or(results[i].Score, -1), or(results[i].Multiplier, -1))
	}
	for _, in := range g.Groups {
		s += show(in, results)
	}
	return s
}
