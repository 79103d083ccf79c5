package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// place describes what surrounds a statement.
type place struct {
	tail  bool             // the last statement of a function with results
	loop  ast.Stmt         // the innermost loop; nil outside of loops
	inner bool             // a break would leave a switch or select within that loop
	only  bool             // the only statement of an if without else: leaving it out equals a condition that never holds
	label *ast.LabeledStmt // the label of the statement
}

func (g *gatherer) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		g.fn = d.Name.Name
		if d.Recv != nil && len(d.Recv.List) > 0 {
			g.fn = receiver(d.Recv.List[0].Type) + "." + d.Name.Name
		}
		if d.Recv != nil && d.Name.Name == "Error" && d.Type.Params.NumFields() == 0 {
			return // the text of an error gets no mutants
		}
		if g.makers[g.info.Defs[d.Name]] {
			return
		}
		g.body(d.Type, d.Body)
		g.fn = ""
	case *ast.GenDecl:
		g.variables(d)
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// variables collects the mutants of the values of a var declaration, each as its own site.
func (g *gatherer) variables(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, value := range v.Values {
			if len(v.Values) != len(v.Names) {
				continue // one call sets all variables
			}
			g.within(valueSite, value.Pos(), value.End(), func(s *site) {
				g.recordTypes(s, value.Pos(), []types.Type{g.info.TypeOf(v.Names[i])})
				if v.Names[i].Name == "_" {
					g.cur = nil
				}
				g.expr(value, view{})
			})
		}
	}
}

func (g *gatherer) body(t *ast.FuncType, b *ast.BlockStmt) {
	outer := g.cur
	g.cur = nil
	g.block(b.List, place{tail: t.Results.NumFields() > 0})
	g.cur = outer
}

func (g *gatherer) block(list []ast.Stmt, p place) {
	p.label = nil
	for i, s := range list {
		q := p
		q.only = p.only && len(list) == 1
		q.tail = p.tail && i == len(list)-1
		g.stmt(s, q)
	}
}

// stmt collects the mutants of a statement of a block.
func (g *gatherer) stmt(s ast.Stmt, p place) {
	var outer ast.Stmt = s
	if p.label != nil {
		outer = p.label
	}
	switch s := s.(type) {
	case *ast.LabeledStmt:
		if p.label == nil {
			p.label = s
		}
		g.stmt(s.Stmt, p)
	case *ast.BlockStmt:
		g.block(s.List, p)
	case *ast.DeclStmt:
		g.variables(s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			g.define(s, outer, false)
			return
		}
		g.simple(stmtSite, s, p)
	case *ast.IfStmt:
		g.ifStmt(s, p, outer)
	case *ast.ForStmt:
		g.forStmt(s, p, outer)
	case *ast.RangeStmt:
		g.rangeStmt(s, p, outer)
	case *ast.SwitchStmt:
		g.init(s.Init, outer)
		var tag types.Type
		if s.Tag != nil {
			tag = g.info.TypeOf(s.Tag)
			g.hoist([]ast.Expr{s.Tag}, []types.Type{tag}, outer, true, func() { g.expr(s.Tag, view{}) })
		}
		g.cases(s.Body, p, tag)
	case *ast.TypeSwitchStmt:
		g.init(s.Init, outer)
		g.cases(s.Body, p, nil)
	case *ast.SelectStmt:
		p.inner, p.label, p.only = true, nil, false
		for _, clause := range s.Body.List {
			g.block(clause.(*ast.CommClause).Body, p)
		}
	default:
		g.simple(stmtSite, s, p)
	}
}

// define collects the mutants of the values of a := statement.
func (g *gatherer) define(s *ast.AssignStmt, outer ast.Stmt, braces bool) {
	var values []types.Type
	for _, left := range s.Lhs {
		t := g.info.TypeOf(left)
		if id, ok := left.(*ast.Ident); ok && id.Name == "_" {
			t = nil
			if len(s.Lhs) == len(s.Rhs) {
				t = g.info.TypeOf(s.Rhs[len(values)])
			} else if tuple, ok := g.info.TypeOf(s.Rhs[0]).(*types.Tuple); ok && len(values) < tuple.Len() {
				t = tuple.At(len(values)).Type()
			}
		}
		values = append(values, t)
	}
	g.hoist(s.Rhs, values, outer, braces, func() { g.assigned(s, false) })
}

// init collects the mutants of the statement before a condition.
func (g *gatherer) init(s, outer ast.Stmt) {
	if s, ok := s.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
		g.define(s, outer, true)
	}
}

// drop drafts a mutant that leaves out a statement.
func (g *gatherer) drop(op string, s ast.Stmt) {
	d := g.add(op, s.Pos(), s.End(), "")
	d.before, d.after = g.source(s), "(nothing)"
}

// simple collects the mutants of a statement without a block of its own.
func (g *gatherer) simple(kind siteKind, s ast.Stmt, p place) {
	if a, ok := s.(*ast.AssignStmt); ok && isBlank(a) {
		g.literals(s)
		return
	}
	if e, ok := s.(*ast.ExprStmt); ok {
		if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok && (g.isBuiltin(call, "panic") || g.isMessage(call)) {
			g.literals(s)
			return
		}
	}
	g.within(kind, s.Pos(), s.End(), func(*site) {
		if op := dropOp(s, p); op != "" && kind == stmtSite && !p.only {
			g.drop(op, s)
		}
		switch s := s.(type) {
		case *ast.ExprStmt:
			g.expr(s.X, view{})
		case *ast.SendStmt:
			g.expr(s.Value, view{})
		case *ast.GoStmt:
			g.expr(s.Call, view{})
		case *ast.DeferStmt:
			g.expr(s.Call, view{})
		case *ast.IncDecStmt:
			g.incDec(s)
		case *ast.AssignStmt:
			g.assign(s)
		case *ast.ReturnStmt:
			g.returnStmt(s)
		case *ast.BranchStmt:
			g.branch(s, p)
		}
	})
}

// dropOp returns the operator that leaves out a statement, or "" if the program would not compile
// without it.
func dropOp(s ast.Stmt, p place) string {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.AssignStmt:
		return "statement"
	case *ast.ReturnStmt:
		if !p.tail {
			return "return"
		}
	case *ast.BranchStmt:
		if s.Tok == token.BREAK || s.Tok == token.CONTINUE {
			return "jump"
		}
	}
	return ""
}

// isBlank reports whether an assignment discards all its values.
func isBlank(s *ast.AssignStmt) bool {
	return !slices.ContainsFunc(s.Lhs, func(left ast.Expr) bool {
		id, ok := left.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

func (g *gatherer) incDec(s *ast.IncDecStmt) {
	x := g.source(s.X)
	tok, sign := "--", " + 1"
	if s.Tok == token.DEC {
		tok, sign = "++", " - 1"
	}
	g.add("arithmetic", s.TokPos, s.TokPos+2, tok)
	if isPlain(s.X) {
		for _, cut := range g.widths(g.info.TypeOf(s.X), s.Pos()) {
			g.add("width", s.Pos(), s.End(), x+" = "+cut(x+sign))
		}
	}
	g.expr(s.X, view{})
}

func (g *gatherer) assign(s *ast.AssignStmt) {
	cutAll := false
	op := s.Tok - assigning
	if other, ok := otherOps[op]; ok {
		t := g.info.TypeOf(s.Lhs[0])
		if isNumeric(t) {
			g.add("arithmetic", s.TokPos, s.TokPos+token.Pos(len(s.Tok.String())), (other + assigning).String())
		}
		if (op == token.ADD || op == token.MUL || op == token.SHL) && isPlain(s.Lhs[0]) {
			left, right := g.source(s.Lhs[0]), g.source(s.Rhs[0])
			if !isOperand(s.Rhs[0]) {
				right = "(" + right + ")"
			}
			for _, cut := range g.widths(t, s.Pos()) {
				cutAll = true
				g.add("width", s.Pos(), s.End(), left+" = "+cut(left+" "+op.String()+" "+right))
			}
		}
	}
	for _, left := range s.Lhs {
		g.expr(left, view{})
	}
	g.assigned(s, cutAll)
}

// assigned collects the mutants of the right-hand side of an assignment. cut is true if the result
// has mutants cut to fewer bits.
func (g *gatherer) assigned(s *ast.AssignStmt, cut bool) {
	g.swaps("argument", s.Rhs)
	for _, right := range s.Rhs {
		v := view{noWidth: cut}
		if s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN {
			v.noSign = true
		}
		g.expr(right, v)
	}
}

func (g *gatherer) returnStmt(s *ast.ReturnStmt) {
	failed := false
	if n := len(s.Results); n > 1 {
		last := g.info.Types[s.Results[n-1]]
		failed = last.Type != nil && !last.IsNil() && isError(last.Type)
	}
	for _, value := range s.Results {
		if failed && g.info.Types[value].Value != nil {
			continue // returned with an error, so callers ignore it
		}
		g.result(value)
		g.expr(value, view{result: true})
	}
}

// result drafts mutants that return another value.
func (g *gatherer) result(e ast.Expr) {
	tv := g.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.Type == nil {
		return
	}
	text := g.source(e)
	if !isOperand(e) {
		text = "(" + text + ")"
	}
	_, binary := ast.Unparen(e).(*ast.BinaryExpr)
	switch u := tv.Type.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0 && !binary && !isNot(e):
			g.add("return", e.Pos(), e.End(), "!"+text)
		case u.Info()&types.IsInteger != 0 && !binary && !isTypeParam(tv.Type):
			g.add("return", e.Pos(), e.End(), text+" + 1")
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan:
		g.add("return", e.Pos(), e.End(), "nil")
	case *types.Interface:
		if !isTypeParam(tv.Type) {
			g.add("return", e.Pos(), e.End(), "nil")
		}
	}
}

// branch drafts mutants with a break for a continue, and the other way round.
func (g *gatherer) branch(s *ast.BranchStmt, p place) {
	switch {
	case s.Label != nil || p.loop == nil:
	case s.Tok == token.BREAK:
		g.add("jump", s.Pos(), s.End(), "continue")
	case s.Tok == token.CONTINUE && !p.inner && !endless(p.loop):
		g.add("jump", s.Pos(), s.End(), "break")
	}
}

// endless reports whether a loop has no condition.
func endless(loop ast.Stmt) bool {
	f, ok := loop.(*ast.ForStmt)
	return ok && f.Cond == nil
}
