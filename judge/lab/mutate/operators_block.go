package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (g *gatherer) ifStmt(s *ast.IfStmt, p place, outer ast.Stmt) {
	g.init(s.Init, outer)
	g.within(boolSite, s.Cond.Pos(), s.Cond.End(), func(*site) {
		g.expr(s.Cond, view{force: always | never})
	})
	p.label, p.only = nil, s.Else == nil
	if s.Else != nil {
		g.dropBlock(s.Body.List, p)
	}
	g.block(s.Body.List, p)
	p.only = false
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		g.dropBlock(e.List, p)
		g.block(e.List, p)
	case *ast.IfStmt:
		g.stmt(e, p)
	}
}

// dropBlock drafts a mutant that leaves out the body of a branch.
func (g *gatherer) dropBlock(list []ast.Stmt, p place) {
	if len(list) == 0 || p.tail && isTerminating(list[len(list)-1]) {
		return
	}
	if len(list) == 1 && (dropOp(list[0], place{}) != "" || isTerminating(list[0])) {
		return // the statement has such a mutant of its own, or ends the function
	}
	for _, s := range list {
		if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
			return
		}
	}
	first, last := list[0].Pos(), list[len(list)-1].End()
	g.within(stmtSite, first, last, func(*site) {
		d := g.add("branch", first, last, "")
		d.before, d.after = g.file.text[g.offset(first):g.offset(last)], "(nothing)"
	})
}

// isTerminating reports whether no statement after s is reached. It judges by the form of the
// statement alone and errs towards true.
func isTerminating(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return len(s.List) > 0 && isTerminating(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && isTerminating(s.Body) && isTerminating(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true // may be terminating
	case *ast.LabeledStmt:
		return isTerminating(s.Stmt)
	}
	return false
}

func (g *gatherer) forStmt(s *ast.ForStmt, p place, outer ast.Stmt) {
	g.init(s.Init, outer)
	if s.Cond != nil {
		g.within(boolSite, s.Cond.Pos(), s.Cond.End(), func(*site) {
			g.expr(s.Cond, view{force: never})
			g.searched(s.Cond)
		})
	}
	if _, counts := s.Post.(*ast.IncDecStmt); s.Post != nil && !counts {
		g.simple(postSite, s.Post, place{})
	}
	g.loopBody(s, s.Body, p)
}

// loopBody collects the mutants of a loop's body.
func (g *gatherer) loopBody(loop ast.Stmt, body *ast.BlockStmt, p place) {
	if n := len(body.List); n > 0 && !endless(loop) && !isTerminating(body.List[n-1]) && !continues(body, p.label) {
		g.within(stmtSite, body.Rbrace, body.Rbrace, func(*site) {
			indent := g.indent(body.Rbrace)
			text := " ; break; "
			if indent != "-" {
				text = "\tbreak\n" + indent
			}
			d := g.add("loop", body.Rbrace, body.Rbrace, text)
			d.before = g.file.text[g.offset(loop.Pos()):g.offset(body.Lbrace)] + "{…}"
			d.after = strings.TrimSuffix(d.before, "}") + "; break}"
		})
	}
	g.block(body.List, place{loop: loop})
}

// indent returns the white space before a position if nothing else is before it in its line, and
// "-" otherwise.
func (g *gatherer) indent(at token.Pos) string {
	text := g.file.text[:g.offset(at)]
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.TrimSpace(line) != "" {
		return "-"
	}
	return line
}

// continues reports whether the body of a loop has a continue for that loop.
func continues(body *ast.BlockStmt, label *ast.LabeledStmt) bool {
	found := false
	var look func(n ast.Node, nested bool)
	look = func(n ast.Node, nested bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				if !nested {
					look(m.Body, true)
					return false
				}
			case *ast.RangeStmt:
				if !nested {
					look(m.Body, true)
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.CONTINUE && (m.Label == nil && !nested || m.Label != nil && label != nil && m.Label.Name == label.Label.Name) {
					found = true
				}
			}
			return !found
		})
	}
	look(body, false)
	return found
}

func (g *gatherer) rangeStmt(s *ast.RangeStmt, p place, outer ast.Stmt) {
	t := g.info.TypeOf(s.X)
	under := t.Underlying()
	if core, ok := under.(*types.Interface); ok && core != nil {
		under = nil // a type parameter
	}
	text := g.source(s.X)
	key, _ := s.Key.(*ast.Ident)
	named := key != nil && key.Name != "_"
	switch u := under.(type) {
	case *types.Array, *types.Pointer:
		if named && isPlain(s.X) {
			g.cutRange(s, key.Name, text)
		}
	default:
		g.hoist([]ast.Expr{s.X}, []types.Type{t}, outer, true, func() {
			if b, ok := u.(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
				v := view{op: "loop", noZero: true}
				if g.info.Types[s.X].Value == nil {
					x := text
					if !isOperand(s.X) {
						x = "(" + text + ")"
					}
					if !g.isShifted(s.X) {
						g.add("loop", s.X.Pos(), s.X.End(), x+" - 1")
						g.add("loop", s.X.Pos(), s.X.End(), x+" + 1")
					}
				}
				g.expr(s.X, v)
				g.cutShort(s.X)
				return
			}
			_, isSlice := u.(*types.Slice)
			if isString := isStringType(t); (isSlice || isString) && isPlain(s.X) && s.Key != nil {
				if s.Value != nil {
					g.add("loop", s.X.Pos(), s.X.End(), text+"[min(1, len("+text+")):]")
				}
				g.add("loop", s.X.Pos(), s.X.End(), text+"[:max(0, len("+text+")-1)]")
				g.add("search", s.X.Pos(), s.X.End(), text+"[:len("+text+")/2]")
			}
			g.expr(s.X, view{})
		})
	}
	g.loopBody(s, s.Body, p)
}

// cutRange drafts mutants in which a loop over an array skips its first or its last element.
func (g *gatherer) cutRange(s *ast.RangeStmt, key, text string) {
	at := s.Body.Lbrace + 1
	g.within(stmtSite, at, at, func(*site) {
		for _, cut := range []string{"0", "len(" + text + ")-1"} {
			d := g.add("loop", at, at, " if "+key+" == "+cut+" { continue };")
			d.before = "range " + text
			d.after = "range " + text + " but for " + cut
		}
	})
}

// cases collects the mutants of the clauses of a switch. tag is the type of its tag, or nil if it
// has none.
func (g *gatherer) cases(body *ast.BlockStmt, p place, tag types.Type) {
	p.inner, p.label, p.only = true, nil, false
	exhaustive := false
	for _, c := range body.List {
		exhaustive = exhaustive || c.(*ast.CaseClause).List == nil
	}
	for _, c := range body.List {
		clause := c.(*ast.CaseClause)
		for _, e := range clause.List {
			switch {
			case g.info.Types[e].IsType() || g.info.Types[e].IsNil():
			case tag != nil:
				g.within(valueSite, e.Pos(), e.End(), func(s *site) {
					g.recordTypes(s, e.Pos(), []types.Type{g.info.TypeOf(e)})
					g.expr(e, view{noZero: true})
				})
			default:
				g.within(boolSite, e.Pos(), e.End(), func(*site) { g.expr(e, view{force: always | never}) })
			}
		}
		if len(clause.Body) > 0 {
			q := p
			q.tail = p.tail && exhaustive
			g.dropBlock(clause.Body, q)
			g.block(clause.Body, q)
		}
	}
}
