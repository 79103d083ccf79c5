package pkgexport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
)

// block is a sequence of cases in init.yml. DMOJ ends the judging when a case without points is not
// accepted, so a block without points bars all blocks after it.
type block struct {
	key      string // by which others require it
	dir      string // folder of the cases' files
	cases    []*cases.Case
	points   []float64 // of each case
	all      bool      // no points unless all cases are accepted
	requires []string  // keys of the blocks that must be accepted for this one to count
}

func (b *block) worth() float64 {
	sum := 0.0
	for _, worth := range b.points {
		sum += worth
	}
	return sum
}

// blocks returns the cases in the order of init.yml.
func (p *plan) blocks() ([]*block, error) {
	if !p.Problem.Scoring {
		return p.passFail(), nil
	}
	list, err := p.scored()
	if err != nil {
		return nil, err
	}
	return p.barring(list)
}

// scored returns the cases of a problem with points, in case order.
func (p *plan) scored() (list []*block, err error) {
	root := p.Problem.Groups
	switch root.Rule.(type) {
	case points.Polygon:
		list, err = p.polygonBlocks(root)
	case points.ICPC2023:
		list, err = p.icpcBlocks(root)
	}
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(b *block) bool { return b.worth() > 0 }) {
		return nil, p.Problem.Errorf("scoring", p.exportHint(Polygon), "no case has points, and this format has none that only the checker gives")
	}
	slices.SortStableFunc(list, func(a, b *block) int { return cmp.Compare(p.index(a.cases[0]), p.index(b.cases[0])) })
	return list, nil
}

// passFail returns the blocks of a problem without points: only the last one has points, and the
// others bar it.
func (p *plan) passFail() (list []*block) {
	samples, groups := p.splitSamples()
	if len(samples) > 0 {
		groups = slices.Insert(groups, 0, samples)
	}
	for i, g := range groups {
		b := &block{dir: g[0].Group, cases: g, points: make([]float64, len(g)), all: true}
		if i == 0 && len(samples) > 0 {
			b.dir = "sample"
		}
		list = append(list, b)
	}
	if n := len(list); n > 0 {
		list[n-1].points[0] = 1
	}
	return list
}

// polygonBlocks returns a block for each group of tests with points, and one for the tests without a
// group.
func (p *plan) polygonBlocks(root *points.Group) (list []*block, err error) {
	for _, g := range append([]*points.Group{root}, root.Groups...) {
		r := g.Rule.(points.Polygon)
		switch {
		case g != root && len(g.Groups) > 0:
			return nil, p.Problem.Errorf("scoring", "", "this format has no groups within %s", g.Name)
		case g == root && r.Complete:
			return nil, p.Problem.Errorf("scoring", "", "this format has no problem whose groups all must be accepted")
		case len(g.Cases) == 0:
			continue
		}
		b := p.block(g, r.Requires)
		b.all = r.Complete
		for n, i := range g.Cases {
			b.points[n] = r.Points[i]
		}
		list = append(list, b)
	}
	return list, nil
}

// icpcBlocks returns a block for each group of the formats 2023-07 and 2025-09, and one for the cases
// that are directly in secret.
func (p *plan) icpcBlocks(root *points.Group) (list []*block, err error) {
	for _, top := range root.Groups {
		r := top.Rule.(points.ICPC2023)
		if top.Name == "sample" {
			if len(top.Cases) > 0 {
				list = append(list, p.block(top, r.Requires))
			}
			continue
		}
		if r.Aggregation == points.Min || r.Aggregation == points.PassFail {
			return nil, p.Problem.Errorf("scoring", p.exportHint(Kattis), "this format only adds up the points of groups, but %s has score_aggregation: %s", top.Name, r.Aggregation)
		}
		best := 100.0
		if r.Max != nil {
			best = *r.Max
		}
		rest, sharing := best, len(top.Cases)
		for _, g := range top.Groups {
			if most := g.Rule.(points.ICPC2023).Max; most != nil {
				rest -= *most
			} else {
				sharing++
			}
		}
		each := max(0, rest) / float64(max(1, sharing))
		if len(top.Cases) > 0 {
			b := p.block(top, r.Requires)
			b.share(each * float64(len(b.cases)))
			list = append(list, b)
		}
		for _, g := range top.Groups {
			if len(g.Cases) == 0 {
				continue
			}
			r := g.Rule.(points.ICPC2023)
			b := p.block(g, r.Requires)
			best := each
			if r.Max != nil {
				best = *r.Max
			}
			b.share(best)
			b.all = r.Aggregation != points.Sum
			list = append(list, b)
		}
		for _, b := range list {
			if math.IsInf(b.worth(), 1) {
				return nil, p.Problem.Errorf("scoring", p.exportHint(Kattis), "this format has no unbounded points, which %s has", cmp.Or(b.key, top.Name))
			}
		}
	}
	return list, nil
}

// block returns the block of a group, without points.
func (p *plan) block(g *points.Group, requires []string) *block {
	b := &block{key: g.Name, dir: strings.ReplaceAll(cmp.Or(g.Name, "tests"), "/", "-"), requires: requires, points: make([]float64, len(g.Cases))}
	for _, i := range g.Cases {
		b.cases = append(b.cases, &p.Cases[i])
	}
	return b
}

// share gives all cases the same part of the points.
func (b *block) share(worth float64) {
	for i := range b.points {
		b.points[i] = worth / float64(len(b.points))
	}
}

func (p *plan) index(c *cases.Case) int {
	return slices.IndexFunc(p.Cases, func(o cases.Case) bool { return o.Name == c.Name })
}

// barring puts each block without points before all that require it and after all others.
func (p *plan) barring(list []*block) ([]*block, error) {
	for _, b := range slices.Clone(list) {
		rest := p.worthless(b)
		if rest == nil {
			continue
		}
		if slices.ContainsFunc(list, func(o *block) bool { return slices.Contains(o.requires, b.key) }) {
			return nil, p.Problem.Errorf("scoring", "", "this format cannot say that %s requires cases without points among others", b.key)
		}
		list = append(list, rest)
	}
	for _, b := range slices.Clone(list) {
		if b.worth() > 0 {
			continue
		}
		var before, after []*block
		for _, o := range list {
			switch {
			case o == b:
			case requires(list, o, b):
				after = append(after, o)
			default:
				before = append(before, o)
			}
		}
		ordered := slices.Concat(before, []*block{b}, after)
		if !slices.Equal(ordered, list) {
			p.note("%s comes after cases that do not require it: DMOJ ends the judging when a case without points is not accepted", b.dir)
		}
		list = ordered
	}
	for i, b := range list {
		for _, o := range list[i+1:] {
			if requires(list, b, o) {
				return nil, p.Problem.Errorf("scoring", "", "this format cannot say that %s requires %s, which comes later", b.key, o.key)
			}
			if b.worth() == 0 && o.worth() > 0 && !requires(list, o, b) {
				return nil, p.Problem.Errorf("scoring", "have it require "+b.key, "%s counts even if %s, which has no points, is not accepted; this format has no such groups", o.dir, b.key)
			}
		}
	}
	return list, nil
}

// worthless takes the cases without points out of a block in which each case has points of its own,
// and returns them as a block; nil if there are none.
func (p *plan) worthless(b *block) *block {
	if b.all || b.worth() == 0 || !slices.Contains(b.points, 0) {
		return nil
	}
	rest := &block{key: b.key + "/", dir: b.dir + "-without-points", all: true, requires: b.requires}
	own := *b
	b.cases, b.points = nil, nil
	for i, c := range own.cases {
		if own.points[i] > 0 {
			b.cases, b.points = append(b.cases, c), append(b.points, own.points[i])
			continue
		}
		rest.cases, rest.points = append(rest.cases, c), append(rest.points, 0)
	}
	return rest
}

// requires reports whether a requires b, directly or by way of other blocks.
func requires(list []*block, a, b *block) bool {
	for _, key := range a.requires {
		if key == b.key {
			return true
		}
		for _, o := range list {
			if o.key == key && o != a && requires(list, o, b) {
				return true
			}
		}
	}
	return false
}

// blockLines plans the files of the cases, and returns the list of cases in init.yml.
func (p *plan) blockLines(list []*block) string {
	var b strings.Builder
	batches := map[string][]int{} // numbers of the batches of each block
	count := 0
	for n, of := range list {
		var dependencies []int
		for _, key := range of.requires {
			for _, o := range list[:n] {
				if o.key == key && o.worth() > 0 {
					dependencies = append(dependencies, batches[key]...)
				}
			}
		}
		required := slices.ContainsFunc(list, func(o *block) bool { return of.key != "" && slices.Contains(o.requires, of.key) })
		begin := func(worth float64) {
			count++
			batches[of.key] = append(batches[of.key], count)
			fmt.Fprintf(&b, "- points: %s\n", float(worth))
			if dependencies != nil {
				fmt.Fprintf(&b, "  dependencies: [%s]\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(dependencies), " ", ", "), "[]"))
			}
			b.WriteString("  batched:\n")
		}
		all := of.all || of.worth() == 0
		if all {
			begin(of.worth())
		}
		dir := "data/" + number(n, len(list)) + "-" + of.dir + "/"
		for i, c := range of.cases {
			name := dir + number(i, len(of.cases)) + "-" + c.Short()
			p.addCase(c, name+".in", name+".out")
			switch files := "in: " + name + ".in, out: " + name + ".out"; {
			case all:
				fmt.Fprintf(&b, "  - {%s}\n", files)
			case required || dependencies != nil: // only batches can require each other
				begin(of.points[i])
				fmt.Fprintf(&b, "  - {%s}\n", files)
			default:
				fmt.Fprintf(&b, "- {%s, points: %s}\n", files, float(of.points[i]))
			}
		}
	}
	return b.String()
}
