package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// force is a set of the outcomes that a condition may be forced to.
type force int

const (
	always force = 1 << iota
	never
)

// view describes the context of an expression, on which its mutants depend. Fields named no…
// suppress mutants that are equal to another mutant.
type view struct {
	force   force
	part    bool   // one of the operands of && or ||
	result  bool   // a result of a return statement
	operand bool   // an operand, so that a longer replacement needs parentheses
	op      string // the operator of mutated constants; "" means constant
	noMore  bool   // no mutant whose value is one higher
	noLess  bool   // no mutant whose value is one lower
	noZero  bool   // no mutant that is 0 or the negated value
	noSign  bool   // no mutant that is the negated value
	noWidth bool   // no mutant cut to fewer bits: the enclosing expression has one
}

var otherOps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

// assigning is the distance from an operator, such as +, to its assignment, such as +=. Package
// token lists both in the same order.
const assigning = token.ADD_ASSIGN - token.ADD

var boundaryOps = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

var oppositeOps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// expr collects the mutants of an expression.
func (g *gatherer) expr(e ast.Expr, v view) {
	if g.cur == nil {
		g.literals(e)
		return
	}
	tv := g.info.Types[e]
	if tv.IsType() {
		return
	}
	if tv.Value != nil {
		g.constant(e, tv, v)
		return
	}
	if _, paren := e.(*ast.ParenExpr); v.force != 0 && !paren {
		g.forced(e, v.force)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		v.operand = false
		g.expr(e.X, v)
	case *ast.BinaryExpr:
		g.binary(e, v)
	case *ast.UnaryExpr:
		g.unary(e, v)
	case *ast.CallExpr:
		g.call(e)
	case *ast.IndexExpr:
		g.index(e)
	case *ast.SliceExpr:
		g.slice(e)
	case *ast.CompositeLit:
		g.composite(e)
	case *ast.FuncLit:
		g.body(e.Type, e.Body)
	case *ast.SelectorExpr:
		g.expr(e.X, view{})
	case *ast.StarExpr:
		g.expr(e.X, view{})
	case *ast.TypeAssertExpr:
		g.expr(e.X, view{})
	case *ast.KeyValueExpr:
		g.expr(e.Value, v)
	}
}

// literals collects the mutants in the bodies of function literals within a node that has no
// mutants itself.
func (g *gatherer) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			g.body(lit.Type, lit.Body)
			return false
		}
		return true
	})
}

// forced drafts mutants in which a condition always or never holds.
func (g *gatherer) forced(e ast.Expr, f force) {
	if f&always != 0 {
		g.add("condition", e.Pos(), e.End(), "true")
	}
	if f&never != 0 {
		g.add("condition", e.Pos(), e.End(), "false")
	}
}

func (g *gatherer) binary(e *ast.BinaryExpr, v view) {
	x, y := view{operand: true, noWidth: v.noWidth}, view{operand: true, noWidth: v.noWidth}
	width := token.Pos(len(e.Op.String()))
	replace := func(op string, tok token.Token) { g.add(op, e.OpPos, e.OpPos+width, tok.String()) }
	switch e.Op {
	case token.LAND, token.LOR:
		other, to := token.LOR, always
		if e.Op == token.LOR {
			other, to = token.LAND, never
		}
		replace("logic", other)
		for _, operand := range []ast.Expr{e.X, e.Y} {
			f := to
			if b, ok := ast.Unparen(operand).(*ast.BinaryExpr); ok && b.Op == e.Op {
				f = 0
			}
			g.expr(operand, view{force: f, operand: true, part: true})
		}
		return
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		g.compare(e, v, &x, &y)
	default:
		g.arithmetic(e, &x, &y)
	}
	g.expr(e.X, x)
	g.expr(e.Y, y)
}

// compare drafts mutants with other comparisons, and suppresses those of the operands' constants
// that would equal them.
func (g *gatherer) compare(e *ast.BinaryExpr, v view, x, y *view) {
	width := token.Pos(len(e.Op.String()))
	replace := func(op string, tok token.Token) { g.add(op, e.OpPos, e.OpPos+width, tok.String()) }
	// For a number that is never negative, x >= 0 always holds.
	natural := func(a, b ast.Expr) bool { return g.isNatural(a) && g.isConst(b, 0) }
	least := natural(e.X, e.Y) || natural(e.Y, e.X)
	if other, ok := boundaryOps[e.Op]; ok && !(least && v.force != 0) {
		replace("boundary", other)
	}
	if v.force != never || v.part { // otherwise the loop hardly ever ends, or never begins
		replace("relation", oppositeOps[e.Op])
	}
	integers := isInteger(g.info.TypeOf(e.X)) && isInteger(g.info.TypeOf(e.Y))
	x.noZero, y.noZero = true, true
	x.noLess, y.noLess = least, least
	if !integers {
		return
	}
	switch e.Op { // x < 5 turned into x < 6 is x <= 5
	case token.LSS, token.GEQ:
		y.noMore, x.noLess = true, true
	case token.LEQ, token.GTR:
		y.noLess, x.noMore = true, true
	}
}

// arithmetic drafts mutants with other operators, and with results cut to fewer bits.
func (g *gatherer) arithmetic(e *ast.BinaryExpr, x, y *view) {
	t := g.info.TypeOf(e)
	if !isNumeric(t) {
		return // a concatenation of strings
	}
	other := otherOps[e.Op]
	switch {
	case e.Op == token.MUL && (g.isConst(e.X, 0) || g.isConst(e.Y, 0)):
	case g.isConst(e.Y, 0) && (e.Op == token.ADD || e.Op == token.SUB):
	default:
		g.add("arithmetic", e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), other.String())
	}
	switch e.Op {
	case token.ADD, token.SUB:
		y.noSign = true
	case token.QUO, token.REM:
		y.noZero = true
	}
	constant := g.info.Types[e.X].Value != nil || g.info.Types[e.Y].Value != nil
	if !x.noWidth && (e.Op == token.ADD && !constant || e.Op == token.MUL || e.Op == token.SHL) {
		x.noWidth, y.noWidth = true, true
		for _, cut := range g.widths(t, e.Pos()) {
			g.add("width", e.Pos(), e.End(), cut(g.source(e)))
		}
	}
}

// widths returns functions that wrap the source of an integer expression so that its value is cut
// to fewer bits.
func (g *gatherer) widths(t types.Type, at token.Pos) []func(string) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || isTypeParam(t) {
		return nil
	}
	narrow := map[types.BasicKind][]string{
		types.Int: {"int8", "int16"}, types.Uint: {"uint8", "uint16"},
		types.Int64: {"int16", "int32"}, types.Uint64: {"uint16", "uint32"},
	}[b.Kind()]
	name := g.typeName(t, at)
	if name == "" {
		return nil
	}
	var list []func(string) string
	for _, to := range narrow {
		list = append(list, func(text string) string { return name + "(" + to + "(" + text + "))" })
	}
	return list
}

func (g *gatherer) unary(e *ast.UnaryExpr, v view) {
	switch e.Op {
	case token.NOT:
		d := g.add("not", e.Pos(), e.X.Pos(), "")
		d.before, d.after = g.source(e), g.source(e.X)
		g.expr(e.X, view{operand: true})
	case token.SUB, token.XOR:
		g.add("arithmetic", e.Pos(), e.End(), g.source(e.X))
		g.expr(e.X, view{operand: true, noZero: true})
	default:
		g.expr(e.X, view{})
	}
}

func (g *gatherer) call(e *ast.CallExpr) {
	if g.info.Types[e.Fun].IsType() { // a conversion
		for _, a := range e.Args {
			g.expr(a, view{})
		}
		return
	}
	switch {
	case g.isBuiltin(e, "make"), g.isBuiltin(e, "new"), g.isBuiltin(e, "panic"), g.isMessage(e), g.makesError(e):
		for _, a := range e.Args {
			g.literals(a)
		}
		return
	case g.isBuiltin(e, "min"):
		g.add("minmax", e.Fun.Pos(), e.Fun.End(), "max")
	case g.isBuiltin(e, "max"):
		g.add("minmax", e.Fun.Pos(), e.Fun.End(), "min")
	case g.isBuiltin(e, "append"):
	default:
		g.swaps("argument", e.Args)
		g.expr(e.Fun, view{})
	}
	for _, a := range e.Args {
		if g.returnsError(e) && isStringType(g.info.TypeOf(a)) && g.info.Types[a].Value != nil {
			continue // the text of an error gets no mutants
		}
		g.expr(a, view{})
	}
}

// swaps drafts mutants in which two neighbours of the same type change places.
func (g *gatherer) swaps(op string, list []ast.Expr) {
	for i := range max(0, len(list)-1) {
		a, b := list[i], list[i+1]
		ta, tb := g.info.TypeOf(a), g.info.TypeOf(b)
		if ta == nil || tb == nil || !types.Identical(types.Default(ta), types.Default(tb)) || hasFuncLit(a) || hasFuncLit(b) {
			continue
		}
		first, second := g.source(a), g.source(b)
		if first != second {
			between := g.file.text[g.offset(a.End()):g.offset(b.Pos())]
			g.add(op, a.Pos(), b.End(), second+between+first)
		}
	}
}

func (g *gatherer) index(e *ast.IndexExpr) {
	g.expr(e.X, view{})
	if tv := g.info.Types[e.Index]; tv.IsType() || tv.Type == nil {
		return
	}
	under := g.info.TypeOf(e.X).Underlying()
	if _, ok := under.(*types.Map); ok {
		g.expr(e.Index, view{})
		return
	}
	if inner, ok := e.X.(*ast.IndexExpr); ok && isInteger(g.info.TypeOf(inner.Index)) && isInteger(g.info.TypeOf(e.Index)) {
		i, j := g.source(inner.Index), g.source(e.Index)
		if i != j {
			g.add("index", inner.Lbrack, e.End(), "["+j+"]["+i+"]")
		}
	}
	g.offByOne("index", e.Index, true, true)
	g.expr(e.Index, view{op: "index", noZero: true})
}

// offByOne drafts mutants of an integer that are one higher and one lower. It skips a constant, and
// a sum or difference with a constant, because the constant has these mutants itself.
func (g *gatherer) offByOne(op string, e ast.Expr, more, less bool) {
	if g.info.Types[e].Value != nil || g.isShifted(e) || !isInteger(g.info.TypeOf(e)) {
		return
	}
	text := g.source(e)
	if !isOperand(e) {
		text = "(" + text + ")"
	}
	if more {
		g.add(op, e.Pos(), e.End(), text+" + 1")
	}
	if less {
		g.add(op, e.Pos(), e.End(), text+" - 1")
	}
}

func (g *gatherer) slice(e *ast.SliceExpr) {
	g.expr(e.X, view{})
	_, array := g.info.TypeOf(e.X).Underlying().(*types.Array)
	if e.Low != nil {
		g.offByOne("slice", e.Low, true, false)
		g.expr(e.Low, view{op: "slice", noZero: true})
	} else if e.High != nil && !g.isConst(e.High, 0) {
		d := g.add("slice", e.Lbrack+1, e.Lbrack+1, "1")
		d.before, d.after = g.source(e), g.source(e.X)+"[1:"+g.source(e.High)+"]"
	}
	if e.High != nil {
		g.offByOne("slice", e.High, false, true)
		g.expr(e.High, view{op: "slice", noZero: true})
	} else if e.Low != nil && isPlain(e.X) && !array {
		text := g.source(e.X)
		d := g.add("slice", e.Rbrack, e.Rbrack, "len("+text+")-1")
		d.before, d.after = g.source(e), text+"["+g.source(e.Low)+":len("+text+")-1]"
	}
}

// elements is the largest number of elements of a composite literal that have mutants. Without this
// limit, the mutants of a long table would outnumber all others.
const elements = 32

func (g *gatherer) composite(e *ast.CompositeLit) {
	t := g.info.TypeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of a literal that omits the & and the type
		t = p.Elem()
	}
	if isError(t) {
		g.literals(e)
		return
	}
	list := e.Elts[:min(len(e.Elts), elements)]
	var values []ast.Expr
	for _, element := range list {
		if kv, ok := element.(*ast.KeyValueExpr); ok {
			element = kv.Value
		}
		values = append(values, element)
	}
	if _, ok := t.Underlying().(*types.Map); !ok {
		g.swaps("direction", values)
	}
	for _, value := range values {
		g.expr(value, view{})
	}
}
