package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
)

// constant drafts mutants with other values of a constant expression.
func (g *gatherer) constant(e ast.Expr, tv types.TypeAndValue, v view) {
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || isTypeParam(tv.Type) {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		v.operand = false
		g.expr(e.X, v)
		return
	case *ast.CallExpr: // a conversion
		if g.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			v.operand = false
			g.expr(e.Args[0], v)
			return
		}
	}
	op := v.op
	if op == "" {
		op = "constant"
	}
	switch {
	case b.Info()&types.IsBoolean != 0:
		if v.result {
			op = "return"
		}
		if id, ok := e.(*ast.Ident); ok && v.force == 0 && (id.Name == "true" || id.Name == "false") {
			g.add(op, e.Pos(), e.End(), strconv.FormatBool(id.Name == "false"))
		}
	case b.Info()&types.IsString != 0:
		if constant.StringVal(tv.Value) != "" {
			g.add("string", e.Pos(), e.End(), `""`)
		}
	case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsComplex == 0:
		if !v.noMore {
			g.number(op, e, tv.Value, token.ADD, v)
		}
		if !v.noLess {
			g.number(op, e, tv.Value, token.SUB, v)
		}
		n, exact := constant.Int64Val(constant.ToInt(tv.Value))
		switch {
		case v.noZero || !exact || n == 0:
		case n != 1 && n != -1:
			g.add(op, e.Pos(), e.End(), "0")
		case b.Info()&types.IsUnsigned == 0 && !v.noSign:
			text := strconv.FormatInt(-n, 10)
			if v.operand && n > 0 {
				text = "(" + text + ")"
			}
			g.add(op, e.Pos(), e.End(), text)
		}
	}
}

// number drafts a mutant with a constant one higher (sign +) or one lower (sign -).
func (g *gatherer) number(op string, e ast.Expr, value constant.Value, sign token.Token, v view) {
	text := ""
	lit, _ := e.(*ast.BasicLit)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		lit, _ = u.X.(*ast.BasicLit)
	}
	n, exact := constant.Int64Val(constant.ToInt(constant.BinaryOp(value, sign, constant.MakeInt64(1))))
	switch {
	case lit != nil && lit.Kind == token.CHAR && exact && n > 0 && unicode.IsPrint(rune(n)):
		text = strconv.QuoteRune(rune(n))
	case lit != nil && lit.Kind == token.INT && exact:
		text = strconv.FormatInt(n, 10)
		if strings.HasPrefix(lit.Value, "0x") && n > 0 {
			text = "0x" + strconv.FormatInt(n, 16)
		}
		if n < 0 && v.operand {
			text = "(" + text + ")"
		}
	default:
		text = g.source(e)
		if !isOperand(e) {
			text = "(" + text + ")"
		}
		text += " " + sign.String() + " 1"
		if v.operand {
			text = "(" + text + ")"
		}
	}
	g.add(op, e.Pos(), e.End(), text)
}

// isConst reports whether an expression is the constant n.
func (g *gatherer) isConst(e ast.Expr, n int64) bool {
	v := g.info.Types[e].Value
	if v == nil {
		return false
	}
	got, exact := constant.Int64Val(constant.ToInt(v))
	return exact && got == n
}

// isShifted reports whether an expression is a sum or difference with a constant.
func (g *gatherer) isShifted(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.ADD || b.Op == token.SUB) && (g.info.Types[b.X].Value != nil || g.info.Types[b.Y].Value != nil)
}

// isNatural reports whether an expression is never negative.
func (g *gatherer) isNatural(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && (g.isBuiltin(call, "len") || g.isBuiltin(call, "cap")) {
		return true
	}
	t := g.info.TypeOf(e)
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

func (g *gatherer) isBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = g.info.Uses[id].(*types.Builtin)
	return ok
}

// callee returns the function that a call calls, or nil if it is not known statically.
func (g *gatherer) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := g.info.Uses[id].(*types.Func)
	if f != nil {
		f = f.Origin()
	}
	return f
}

// isMessage reports whether a call writes to standard error or a log.
func (g *gatherer) isMessage(call *ast.CallExpr) bool {
	if f := g.callee(call); f != nil && f.Pkg() != nil && f.Pkg().Path() == "log" {
		return true
	}
	for _, a := range call.Args {
		switch a := a.(type) {
		case *ast.Ident:
			if a.Name == "stderr" {
				return g.isFprint(call)
			}
		case *ast.SelectorExpr:
			if v, ok := g.info.Uses[a.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "os" && v.Name() == "Stderr" {
				return g.isFprint(call)
			}
		}
	}
	return false
}

func (g *gatherer) isFprint(call *ast.CallExpr) bool {
	f := g.callee(call)
	return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "io")
}

// makesError reports whether a call only constructs an error.
func (g *gatherer) makesError(call *ast.CallExpr) bool {
	f := g.callee(call)
	if f == nil {
		return false
	}
	switch f.FullName() {
	case "fmt.Errorf", "errors.New", "errors.Join":
		return true
	}
	return g.makers[f]
}

// returnsError reports whether the last result of a call is an error.
func (g *gatherer) returnsError(call *ast.CallExpr) bool {
	t := g.info.TypeOf(call)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(tuple.Len() - 1).Type()
	}
	return t != nil && isError(t)
}

// errorMakers returns the functions of the program that only construct an error and return it.
func (d *derivation) errorMakers() map[types.Object]bool {
	makers := map[types.Object]bool{}
	g := &gatherer{derivation: d}
	d.makers = makers
	for more := true; more; {
		more = false
		for _, f := range d.checked.files {
			for _, decl := range f.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil || len(fn.Body.List) != 1 || makers[d.info.Defs[fn.Name]] {
					continue
				}
				ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
				if ok && len(ret.Results) == 1 && g.isErrorMaking(ret.Results[0]) {
					makers[d.info.Defs[fn.Name]], more = true, true
				}
			}
		}
	}
	return makers
}

func (g *gatherer) isErrorMaking(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return g.makesError(e)
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND && isError(g.info.TypeOf(lit))
	case *ast.CompositeLit:
		return isError(g.info.TypeOf(e))
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// isError reports whether t or a pointer to it implements error.
func isError(t types.Type) bool {
	return types.Implements(t, errorType) || types.Implements(types.NewPointer(t), errorType)
}

func isTypeParam(t types.Type) bool { _, ok := types.Unalias(t).(*types.TypeParam); return ok }

func isInfo(t types.Type, info types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

func isInteger(t types.Type) bool    { return isInfo(t, types.IsInteger) }
func isNumeric(t types.Type) bool    { return isInfo(t, types.IsNumeric) || t != nil && isTypeParam(t) }
func isStringType(t types.Type) bool { return isInfo(t, types.IsString) }

// isNot reports whether an expression begins with a !.
func isNot(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.NOT
}

// isOperand reports whether an expression can stand beside an operator without parentheses.
func isOperand(e ast.Expr) bool {
	switch e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
		return false
	}
	return true
}

// isPlain reports whether evaluating an expression twice has the same effect as once.
func isPlain(e ast.Expr) bool { return !hasCall(e) && !hasFuncLit(e) }

func hasCall(n ast.Node) bool {
	return has(n, func(n ast.Node) bool {
		u, receive := n.(*ast.UnaryExpr)
		_, call := n.(*ast.CallExpr)
		return call || receive && u.Op == token.ARROW
	})
}

func hasFuncLit(n ast.Node) bool {
	return has(n, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok })
}

func has(n ast.Node, is func(ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}
