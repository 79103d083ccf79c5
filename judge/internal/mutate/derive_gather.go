package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// gatherer finds the slots of a file and their drafts.
type gatherer struct {
	*derivation
	file  *file
	tree  *ast.File
	fn    string // the function it is in
	cur   *slot  // what drafts go to; nil where there can be none
	found []*slot
	hosts map[*slot]host
}

// host is what has to be known of a slot to find the types of its values.
type host struct {
	at     token.Pos
	values []types.Type
}

func (g *gatherer) source(n ast.Node) string {
	return g.file.text[g.offset(n.Pos()):g.offset(n.End())]
}

// add drafts a mutant that has text in place of what is from start to end.
func (g *gatherer) add(op string, start, end token.Pos, text string) *draft {
	d := &draft{op: op, start: g.offset(start), end: g.offset(end), text: text}
	if g.cur == nil || g.file.text[d.start:d.end] == text {
		return d
	}
	for _, other := range g.cur.drafts {
		if other.start == d.start && other.end == d.end && other.text == text {
			return d
		}
	}
	g.cur.drafts = append(g.cur.drafts, d)
	return d
}

// within gathers the drafts of one slot from start to end.
func (g *gatherer) within(kind slotKind, start, end token.Pos, gather func(s *slot)) {
	s := &slot{kind: kind, file: g.file, start: g.offset(start), end: g.offset(end), fn: g.fn}
	outer := g.cur
	g.cur = s
	gather(s)
	g.cur = outer
	if len(s.drafts) > 0 {
		g.found = append(g.found, s)
	}
}

// hoist gathers the drafts of expressions that can be evaluated before a statement.
func (g *gatherer) hoist(list []ast.Expr, values []types.Type, outer ast.Stmt, braces bool, gather func()) {
	g.within(hoistSlot, list[0].Pos(), list[len(list)-1].End(), func(s *slot) {
		s.outer, s.outerEnd, s.braces = g.offset(outer.Pos()), g.offset(outer.End()), braces
		g.typed(s, outer.Pos(), values)
		gather()
	})
}

func (g *gatherer) typed(s *slot, at token.Pos, values []types.Type) {
	if g.hosts == nil {
		g.hosts = map[*slot]host{}
	}
	g.hosts[s] = host{at, values}
}

// types writes the types that a slot needs; it returns false if one has no name there.
func (g *gatherer) types(s *slot) bool {
	h, ok := g.hosts[s]
	if !ok {
		return true
	}
	for _, t := range h.values {
		name := g.typeName(t, h.at)
		if name == "" {
			return false
		}
		s.types = append(s.types, name)
	}
	return true
}

// typeName returns how a type is written at a place, or "" if it cannot be.
func (g *gatherer) typeName(t types.Type, at token.Pos) string {
	if t == nil {
		return ""
	}
	name := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p == g.pkg {
			return ""
		}
		for _, i := range g.tree.Imports {
			if n := g.info.PkgNameOf(i); n != nil && n.Imported() == p {
				return n.Name()
			}
		}
		return p.Name()
	})
	tv, err := types.Eval(g.fset, g.pkg, at, name)
	if err != nil || !tv.IsType() || !types.Identical(tv.Type, types.Default(t)) {
		return ""
	}
	return name
}
