package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// searched drafts mutants of a loop's condition that end the loop half way, and for a loop over all
// subsets, 1<<n of them, one that tries one element at a time. Programs that cut a search short are
// right on most inputs.
func (g *gatherer) searched(cond ast.Expr) {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
	case e.Op == token.LAND:
		g.searched(e.X)
		g.searched(e.Y)
	case (e.Op == token.LSS || e.Op == token.LEQ) && g.info.Types[e.X].Value == nil:
		g.cutShort(e.Y)
	case (e.Op == token.GTR || e.Op == token.GEQ) && g.info.Types[e.Y].Value == nil:
		g.cutShort(e.X)
	}
}

// cutShort drafts mutants with a smaller bound of a loop. The bound of a loop that ends with its 0 or
// its first element has others already.
func (g *gatherer) cutShort(bound ast.Expr) {
	tv := g.info.Types[bound]
	if !isInteger(tv.Type) {
		return
	}
	if tv.Value != nil {
		if n, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact || n < 4 {
			return
		}
	}
	text := g.source(bound)
	if !isOperand(bound) {
		text = "(" + text + ")"
	}
	g.add("search", bound.Pos(), bound.End(), text+" / 2")
	shift, ok := ast.Unparen(bound).(*ast.BinaryExpr)
	if !ok || shift.Op != token.SHL || !g.isConst(shift.X, 1) || tv.Value != nil {
		return
	}
	if name := g.typeName(tv.Type, bound.Pos()); name != "" {
		g.add("search", bound.Pos(), bound.End(), name+"(1 + "+g.source(shift.Y)+")")
	}
}
