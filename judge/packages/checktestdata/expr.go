package checktestdata

// expr is an expression: a value, which is a number or string, or a test, which is true or false.
type expr struct {
	op    op
	at    int    // offset in the source
	text  string // source text, shortened
	depth int    // levels of nested expressions within

	args  []*expr  // operands, or the indices of a variable
	value value    // value of a literal
	name  string   // name of a variable or array
	names []string // names of the arrays of UNIQUE
}

type op uint8

const (
	opLiteral op = iota
	opVariable
	opLength
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opModulo
	opPower
	opLess // this and all below are tests
	opMore
	opAtMost
	opAtLeast
	opEqual
	opUnequal
	opNot
	opAnd
	opOr
	opEnd
	opMatch
	opUnique
	opInArray
)

var operators = map[string]op{
	"+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide, "%": opModulo, "^": opPower,
	"<": opLess, ">": opMore, "<=": opAtMost, ">=": opAtLeast, "==": opEqual, "!=": opUnequal,
	"&&": opAnd, "||": opOr,
}

func (e *expr) isTest() bool { return e.op >= opLess }

// finish completes an expression that began at an offset and ends with the last token read.
func (p *parser) finish(at int, e expr) *expr {
	e.at, e.text = at, brief(p.src[at:p.last])
	for _, a := range e.args {
		e.depth = max(e.depth, a.depth+1)
	}
	if e.depth > maxDepth {
		p.fail(at, "", "an expression nested deeper than %d", maxDepth)
	}
	return &e
}

// test reads an expression, which must be a test.
func (p *parser) test() *expr {
	e := p.logic()
	p.require(e, true)
	return e
}

// value reads an expression, which must be a number or string.
func (p *parser) value() *expr {
	e := p.logic()
	p.require(e, false)
	return e
}

// require fails unless e is a test, if test is set, or a value, if it is not.
func (p *parser) require(e *expr, test bool) {
	switch {
	case test && !e.isTest():
		p.fail(e.at, "", "%s is not a test", e.text)
	case !test && e.isTest():
		p.fail(e.at, "", "%s is a test, not a number or string", e.text)
	}
}

// binary reads operands with read, and the operators between them, which associate to the left. The
// operands of an operator must be tests if test is set, and values otherwise.
func (p *parser) binary(test bool, read func() *expr, marks ...string) *expr {
	left := read()
	for {
		op, ok := p.operator(marks)
		if !ok {
			return left
		}
		p.require(left, test)
		right := read()
		p.require(right, test)
		left = p.finish(left.at, expr{op: op, args: []*expr{left, right}})
	}
}

// operator consumes the next token if it is one of the operators in marks, and returns the
// operator.
func (p *parser) operator(marks []string) (op, bool) {
	for _, m := range marks {
		if p.accept(m) {
			return operators[m], true
		}
	}
	return 0, false
}

// logic reads any expression. && and || share the lowest precedence.
func (p *parser) logic() *expr {
	defer p.nest()()
	return p.binary(true, p.comparison, "&&", "||")
}

func (p *parser) comparison() *expr {
	at := p.tok.at
	if p.accept("!") {
		return p.finish(at, expr{op: opNot, args: []*expr{p.test()}})
	}
	left := p.sum()
	op, ok := p.operator([]string{"<=", ">=", "==", "!=", "<", ">"})
	if !ok {
		return left
	}
	right := p.sum()
	p.require(left, false)
	p.require(right, false)
	return p.finish(at, expr{op: op, args: []*expr{left, right}})
}

func (p *parser) sum() *expr  { return p.binary(false, p.term, "+", "-") }
func (p *parser) term() *expr { return p.binary(false, p.power, "*", "/", "%") }

// power reads a power. A sign before it applies to all of it: -2^2 is -4.
func (p *parser) power() *expr { return p.binary(false, p.factor, "^") }

func (p *parser) factor() *expr {
	at := p.tok.at
	if p.is("-") {
		defer p.nest()()
		p.next()
		e := p.power()
		p.require(e, false)
		return p.finish(at, expr{op: opNegate, args: []*expr{e}})
	}
	switch p.tok.kind {
	case tokNumber, tokString:
		t := p.next()
		return p.finish(at, expr{op: opLiteral, value: t.value})
	case tokName:
		return p.variable()
	}
	switch {
	case p.accept("("):
		e := p.logic()
		p.expect(")")
		return e
	case p.accept("ISEOF"):
		return p.finish(at, expr{op: opEnd})
	case p.accept("STRLEN"):
		return p.call(at, opLength, false)
	case p.accept("MATCH"):
		return p.call(at, opMatch, false)
	case p.accept("INARRAY"):
		return p.call(at, opInArray, true)
	case p.accept("UNIQUE"):
		p.expect("(")
		names := p.names()
		p.expect(")")
		return p.finish(at, expr{op: opUnique, names: names})
	}
	p.fail(at, "", "expected an expression, found %s", p.found())
	panic("not reached")
}

// call reads the argument of a function and, if array is set, the name of an array after it.
func (p *parser) call(at int, op op, array bool) *expr {
	p.expect("(")
	e := expr{op: op, args: []*expr{p.value()}}
	if array {
		p.expect(",")
		e.name = p.name()
	}
	p.expect(")")
	return p.finish(at, e)
}

// variable reads a variable and its indices.
func (p *parser) variable() *expr {
	at := p.tok.at
	e := expr{op: opVariable, name: p.name()}
	if p.accept("[") {
		e.args = append(e.args, p.value())
		for p.accept(",") {
			e.args = append(e.args, p.value())
		}
		p.expect("]")
	}
	return p.finish(at, e)
}
