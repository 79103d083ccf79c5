package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// gatherer finds the sites of a file and drafts their mutants.
type gatherer struct {
	*derivation
	file      *file
	tree      *ast.File
	fn        string // the function that holds the current node
	cur       *site  // the site to which drafts are added; nil if there is none
	found     []*site
	siteTypes map[*site]siteTypes
}

// siteTypes holds the types of the values that a site computes, and the position at which the
// schema must be able to name them.
type siteTypes struct {
	at     token.Pos
	values []types.Type
}

func (g *gatherer) source(n ast.Node) string {
	return g.file.text[g.offset(n.Pos()):g.offset(n.End())]
}

// add drafts a mutant that replaces the source from start to end by text, and returns the draft,
// which is never nil. It does not keep the draft if it changes nothing, repeats another, or has no
// site.
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

// within turns the source from start to end into a site, and calls gather to collect its drafts.
func (g *gatherer) within(kind siteKind, start, end token.Pos, gather func(s *site)) {
	s := &site{kind: kind, file: g.file, start: g.offset(start), end: g.offset(end), fn: g.fn}
	outer := g.cur
	g.cur = s
	gather(s)
	g.cur = outer
	if len(s.drafts) > 0 {
		g.found = append(g.found, s)
	}
}

// hoist turns expressions into a site. Their values are computed before the statement outer.
func (g *gatherer) hoist(list []ast.Expr, values []types.Type, outer ast.Stmt, braces bool, gather func()) {
	g.within(hoistSite, list[0].Pos(), list[len(list)-1].End(), func(s *site) {
		s.outer, s.outerEnd, s.braces = g.offset(outer.Pos()), g.offset(outer.End()), braces
		g.recordTypes(s, outer.Pos(), values)
		gather()
	})
}

func (g *gatherer) recordTypes(s *site, at token.Pos, values []types.Type) {
	if g.siteTypes == nil {
		g.siteTypes = map[*site]siteTypes{}
	}
	g.siteTypes[s] = siteTypes{at, values}
}

// nameTypes sets the source forms of the types of a site's values. It returns false if one of the
// types cannot be named at the site.
func (g *gatherer) nameTypes(s *site) bool {
	h, ok := g.siteTypes[s]
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

// typeName returns the source form of a type at a position, or "" if it has none.
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
