package points

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tribunal/judge/internal/verdict"
)

// Count tracks which cases count, given the results so far. It is not safe for concurrent use.
type Count struct {
	root   *node
	nodes  []*node       // each before its inner groups
	places map[int]place // place of each case, by its index
}

type place struct {
	node     *node
	at       int // index in node.items
	rejected bool
}

// Count returns a Count without results. The group must have passed Check.
func (g *Group) Count() *Count {
	c := &Count{places: map[int]place{}}
	c.root = c.grow(g, nil)
	byName := map[string]*node{}
	for _, n := range c.nodes {
		byName[n.Name] = n
	}
	for _, n := range c.nodes {
		for _, name := range n.Rule.requires() {
			if to := byName[name]; to != nil {
				n.requires = append(n.requires, to)
				to.requiredBy = append(to.requiredBy, n)
			}
		}
	}
	return c
}

// Set records the verdict of a case. It ignores None and indices that no group has. A rejected case
// stays rejected.
func (c *Count) Set(i int, v verdict.Verdict) {
	p, has := c.places[i]
	if !has || p.rejected || v == verdict.None || v == verdict.AC {
		return
	}
	p.rejected = true
	c.places[i] = p
	p.node.rejectItem(p.at)
}

// Needed reports whether a case counts if all cases without a result are accepted. Once false it
// stays false, whatever results follow. When all needed cases have results, the needed cases are
// exactly those that count.
func (c *Count) Needed(i int) bool {
	p, has := c.places[i]
	return has && p.at <= p.node.lastCase && p.node.reached()
}

// node is a group in its tree with the results so far.
type node struct {
	*Group
	up     *node
	at     int     // index in up.items; -1 for the root
	items  []item  // its cases and groups, in case order
	groups []*node // the inner groups, in case order

	best     float64 // the best possible points, see Score
	caseBest float64 // the best possible points of each of its cases
	part     float64 // the least part of its points that the checker gave one of the cases; 1 if it gave none

	lastCase, lastGroup int  // the last index in items at which a case or a group counts
	rejections          int  // the number of rejected items
	rejected            bool // rejected even if all cases without a result are accepted
	requires            []*node
	requiredBy          []*node
}

// item is a case or a group.
type item struct {
	index int   // of the case
	node  *node // nil for a case
	first int   // the index of the item's first case
}

func (c *Count) grow(g *Group, up *node) *node {
	n := &node{Group: g, up: up, at: -1, part: 1}
	c.nodes = append(c.nodes, n)
	for _, i := range g.Cases {
		n.items = append(n.items, item{index: i, first: i})
	}
	_, legacy := g.Rule.(Legacy)
	for _, in := range inOrder(g.Groups) {
		sub := c.grow(in, n)
		n.groups = append(n.groups, sub)
		// Legacy graders do not see groups without cases; in later formats these have 0 points.
		if first, has := firstCase(in); has || !legacy {
			n.items = append(n.items, item{node: sub, first: first})
		}
	}
	slices.SortStableFunc(n.items, func(a, b item) int { return cmp.Compare(a.first, b.first) })
	for at, it := range n.items {
		if it.node != nil {
			it.node.at = at
		} else {
			c.places[it.index] = place{node: n, at: at}
		}
	}
	n.lastCase, n.lastGroup = len(n.items)-1, len(n.items)-1
	return n
}

// inOrder sorts groups by their first cases, those without cases last.
func inOrder(groups []*Group) []*Group {
	return slices.SortedStableFunc(slices.Values(groups), func(a, b *Group) int {
		i, _ := firstCase(a)
		j, _ := firstCase(b)
		return cmp.Compare(i, j)
	})
}

// firstCase returns the least index of a case in g, or false if there is none.
func firstCase(g *Group) (int, bool) {
	first := math.MaxInt
	for _, i := range g.Cases {
		first = min(first, i)
	}
	for _, in := range g.Groups {
		i, _ := firstCase(in)
		first = min(first, i)
	}
	return first, first < math.MaxInt
}

// rejectItem records that an item is rejected. It must be called only once for each.
func (n *node) rejectItem(at int) {
	n.rejections++
	if n.Rule.reject(n, at) {
		n.reject()
	}
}

func (n *node) reject() {
	if n.rejected {
		return
	}
	n.rejected = true
	for _, by := range n.requiredBy {
		by.reject()
	}
	if n.up != nil && n.at >= 0 {
		n.up.rejectItem(n.at)
	}
}

// reached reports whether the group counts.
func (n *node) reached() bool {
	for ; n != nil; n = n.up {
		if n.barred() != nil || n.up != nil && n.at > n.up.lastGroup {
			return false
		}
	}
	return true
}

// barred returns the first rejected group that n requires, or nil.
func (n *node) barred() *node {
	for _, to := range n.requires {
		if to.rejected {
			return to
		}
	}
	return nil
}

func (n *node) shareAll() {
	n.Rule.share(n)
	for _, in := range n.groups {
		in.shareAll()
	}
}

func (n *node) title() string {
	if n.up == nil {
		return "all cases"
	}
	return n.Name
}

func (n *node) errorf(format string, args ...any) error {
	return fmt.Errorf(n.title()+": "+format, args...)
}
