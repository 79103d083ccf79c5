package points

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Check reports all contradictions in the settings of the tree, in case order, each with the name
// of its group. g must be the root.
func (g *Group) Check() error {
	if err := g.checkTree(); err != nil {
		return err
	}
	c := g.Count()
	c.root.shareAll()
	var list []error
	for _, n := range c.nodes {
		list = append(list, n.Rule.check(n)...)
	}
	return errors.Join(list...)
}

// checkTree checks the shape of the tree. The other checks rely on it.
func (g *Group) checkTree() error {
	names, indices := map[string]bool{}, map[int]bool{}
	var walk func(in *Group) error
	walk = func(in *Group) error {
		if in.Rule == nil || reflect.TypeOf(in.Rule) != reflect.TypeOf(g.Rule) {
			return fmt.Errorf("%q: its rule belongs to another format than that of the root", in.Name)
		}
		if names[in.Name] {
			return fmt.Errorf("%q: two groups have this name", in.Name)
		}
		names[in.Name] = true
		for _, i := range in.Cases {
			if i < 0 || indices[i] {
				return fmt.Errorf("%q: case %d is not an index, or is in two groups", in.Name, i)
			}
			indices[i] = true
		}
		end := -1
		for _, sub := range inOrder(in.Groups) {
			if err := walk(sub); err != nil {
				return err
			}
			if first, has := firstCase(sub); has {
				if first <= end {
					return fmt.Errorf("%q: its cases and those of another group in %q are mixed", sub.Name, in.Name)
				}
				end = lastCase(sub)
				if i := slices.IndexFunc(in.Cases, func(i int) bool { return first < i && i < end }); i >= 0 {
					return fmt.Errorf("%q: case %d of %q is among its cases", sub.Name, in.Cases[i], in.Name)
				}
			}
		}
		return nil
	}
	return walk(g)
}

// lastCase returns the greatest index of a case in g, or -1 if there is none.
func lastCase(g *Group) int {
	last := -1
	for _, i := range g.Cases {
		last = max(last, i)
	}
	for _, in := range g.Groups {
		last = max(last, lastCase(in))
	}
	return last
}

func (l ICPC2023) check(n *node) []error {
	var list []error
	bad := func(format string, args ...any) { list = append(list, n.errorf(format, args...)) }
	silent := l.Aggregation == Default && l.Max == nil && len(l.Requires) == 0 && l.Static == nil
	switch {
	case n.up == nil:
		if !silent {
			bad("only secret and its groups can have settings for points (hint: move them there)")
		}
		if len(n.Cases) > 0 || !slices.ContainsFunc(n.groups, func(in *node) bool { return in.top(secret) }) {
			bad("cases must be in the groups sample and secret, and secret must exist")
		}
		for _, in := range n.groups {
			if !in.top(sample) && !in.top(secret) {
				bad("%s is neither sample nor secret", in.Name)
			}
		}
		return list
	case n.top(sample):
		if l.Aggregation != Default || l.Max != nil || len(l.Requires) > 0 {
			bad("sample has no points, so it cannot have a maximum, an aggregation or requirements")
		}
		return list
	}
	for _, m := range []*float64{l.Max, l.Static} {
		if m != nil && !(*m >= 0) {
			bad("%v points, want 0 or more", *m)
		}
	}
	agg := l.aggregation(n)
	unbounded := math.IsInf(n.best, 1)
	if unbounded && !math.IsInf(n.up.best, 1) {
		bad("its points are unbounded, but those of %s, its outer group, are not", n.up.Name)
	}
	switch given, _ := l.given(n); {
	case agg == PassFail && unbounded:
		bad("it is pass-fail, so its points must be bounded (hint: set max_score)")
	case agg == PassFail:
		for _, in := range n.groups {
			if in.Rule.(ICPC2023).aggregation(in) != PassFail {
				bad("it is pass-fail, but %s, which it holds, is not", in.Name)
			}
		}
	case agg == Sum && !unbounded && !math.IsInf(given, 1) && over(given, max(0, n.best)):
		bad("it has %v points, but the groups in it need %v", n.best, given)
	}
	for _, name := range l.Requires {
		if reason := n.cannotRequire(name); reason != "" {
			bad("it requires %s, %s", name, reason)
		}
	}
	return list
}

// cannotRequire returns why n cannot require the named group, or "" if it can.
func (n *node) cannotRequire(name string) string {
	i := slices.IndexFunc(n.requires, func(to *node) bool { return to.Name == name })
	_, later := n.Rule.(ICPC2023)
	switch {
	case i < 0 && later && name == sample:
		return ""
	case i < 0 && later:
		return "which does not exist (hint: groups are named like secret/group1)"
	case i < 0:
		return "which does not exist (hint: a group that others depend on has tests)"
	}
	to := n.requires[i]
	first, has := firstCase(n.Group)
	switch {
	case to.holds(n) || n.holds(to):
		return "which holds it or is in it"
	case later && to.Rule.(ICPC2023).aggregation(to) != PassFail:
		return "which is not pass-fail"
	case has && lastCase(to.Group) > first:
		return "which comes later"
	}
	return ""
}

// holds reports whether in is n or one of its inner groups.
func (n *node) holds(in *node) bool {
	for ; in != nil; in = in.up {
		if in == n {
			return true
		}
	}
	return false
}

func (l Legacy) check(n *node) []error {
	var list []error
	for _, s := range []*float64{l.AcceptScore, l.RejectScore} {
		if s != nil && (math.IsNaN(*s) || math.IsInf(*s, 0)) {
			list = append(list, n.errorf("a score of %v is not a finite number", *s))
		}
	}
	if r := l.Range; r != nil && !(r[0] <= r[1]) {
		list = append(list, n.errorf("the range of points from %v to %v is empty", r[0], r[1]))
	}
	return list
}
