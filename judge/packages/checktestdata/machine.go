package checktestdata

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// machine runs a program on one input.
type machine struct {
	program *Program
	in      []byte
	pos     int // offset in the input up to which it is matched

	vars map[string]*array
	why  string // why the last test failed, if that was UNIQUE; otherwise ""

	patterns map[string]*matcher // by regular expression
	insts    int                 // approximate number of instructions of all patterns
}

// array holds the values of all variables with the same name. A variable without indices has the
// index "".
type array struct {
	cells map[string]value // by index
	count map[string]int   // number of cells by the key of their value; nil before the first INARRAY
}

// fail stops the machine because the program cannot continue at e.
func (m *machine) fail(e *expr, format string, args ...any) {
	line, column := position(m.program.source, e.at)
	inLine, inColumn := position(m.in, m.pos)
	msg := fmt.Sprintf("%s, at %d:%d of the input", fmt.Sprintf(format, args...), inLine, inColumn)
	panic(stop{&Error{File: m.program.name, Line: line, Column: column, Msg: msg}})
}

// mismatch stops the machine because the input at an offset does not match c.
func (m *machine) mismatch(c *command, at int, format string, args ...any) {
	line, column := position(m.in, at)
	panic(stop{&Mismatch{line, column, c.text + " of " + m.program.where(c.at), fmt.Sprintf(format, args...)}})
}

// eval returns the value of an expression that is not a test.
func (m *machine) eval(e *expr) value {
	switch e.op {
	case opLiteral:
		return e.value
	case opVariable:
		return m.variable(e)
	case opLength:
		return big.NewInt(int64(len(m.str(e.args[0]))))
	}
	op, left := opSubtract, value(new(big.Int))
	if e.op != opNegate {
		op, left = e.op, m.eval(e.args[0])
	}
	v, err := arithmetic(op, left, m.eval(e.args[len(e.args)-1]))
	if err != nil {
		m.fail(e, "%s %v%s", e.text, err, m.valuesIn(e.args))
	}
	return v
}

// variable returns the value of a variable, which must have one.
func (m *machine) variable(e *expr) value {
	if a := m.vars[e.name]; a != nil {
		if v, ok := a.cells[m.index(e)]; ok {
			return v
		}
	}
	m.fail(e, "%s has no value%s", e.text, m.valuesIn(e.args))
	panic("not reached")
}

// str returns the value of an expression, which must be a string.
func (m *machine) str(e *expr) string {
	s, ok := m.eval(e).(string)
	if !ok {
		m.fail(e, "%s is not a string", e.text)
	}
	return s
}

// integer returns the value of an expression, which must be an integer.
func (m *machine) integer(e *expr) *big.Int {
	i, ok := m.eval(e).(*big.Int)
	if !ok {
		m.fail(e, "%s is not an integer", e.text)
	}
	return i
}

// index returns the indices of a variable, joined by commas.
func (m *machine) index(e *expr) string {
	var b []byte
	for i, a := range e.args {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.integer(a).Append(b, 10)
	}
	return string(b)
}

func (m *machine) assign(e *expr, v value) {
	a := m.vars[e.name]
	if a == nil {
		a = &array{cells: map[string]value{}}
		m.vars[e.name] = a
	}
	i := m.index(e)
	old, had := a.cells[i]
	a.cells[i] = v
	if a.count == nil {
		return
	}
	if had {
		k := key(old)
		if a.count[k]--; a.count[k] == 0 {
			delete(a.count, k)
		}
	}
	a.count[key(v)]++
}

// array returns the variables with a name. It fails if there are none.
func (m *machine) array(e *expr, name string) *array {
	a := m.vars[name]
	if a == nil {
		m.fail(e, "%s has no value", name)
	}
	return a
}

// holds reports whether a test holds. It sets m.why if UNIQUE does not hold.
func (m *machine) holds(e *expr) bool {
	switch e.op {
	case opNot:
		return !m.holds(e.args[0])
	case opAnd:
		return m.holds(e.args[0]) && m.holds(e.args[1])
	case opOr:
		return m.holds(e.args[0]) || m.holds(e.args[1])
	}
	m.why = ""
	switch e.op {
	case opEnd:
		return m.pos >= len(m.in)
	case opMatch:
		chars := m.str(e.args[0])
		return m.pos < len(m.in) && strings.IndexByte(chars, m.in[m.pos]) >= 0
	case opUnique:
		return m.unique(e)
	case opInArray:
		return m.inArray(e)
	}
	c, ok := compare(m.eval(e.args[0]), m.eval(e.args[1]))
	if !ok {
		m.fail(e, "%s compares a string with a number", e.text)
	}
	switch e.op {
	case opLess:
		return c < 0
	case opMore:
		return c > 0
	case opAtMost:
		return c <= 0
	case opAtLeast:
		return c >= 0
	case opEqual:
		return c == 0
	}
	return c != 0
}

// inArray reports whether an array holds a value.
func (m *machine) inArray(e *expr) bool {
	v := m.eval(e.args[0])
	a := m.array(e, e.name)
	if a.count == nil {
		a.count = map[string]int{}
		for _, v := range a.cells {
			a.count[key(v)]++
		}
	}
	return a.count[key(v)] > 0
}

// unique reports whether arrays have the same indices, and different values at any two indices. If
// not, it sets m.why.
func (m *machine) unique(e *expr) bool {
	first := m.array(e, e.names[0])
	for _, name := range e.names[1:] {
		if i, differ := onlyOne(first, m.array(e, name)); differ {
			m.why = fmt.Sprintf("only one of %s and %s has the index [%s]", e.names[0], name, i)
			return false
		}
	}
	seen := make(map[string]bool, len(first.cells))
	for i := range first.cells {
		seen[m.tuple(e.names, i, key)] = true
	}
	if len(seen) == len(first.cells) {
		return true
	}
	firstAt := map[string]string{}
	for _, i := range first.indices() {
		t := m.tuple(e.names, i, key)
		if before, duplicate := firstAt[t]; duplicate {
			m.why = fmt.Sprintf("%s is at both [%s] and [%s]", m.tuple(e.names, i, show), before, i)
			break
		}
		firstAt[t] = i
	}
	return false
}

// tuple returns the values of some arrays at an index, each formatted by text.
func (m *machine) tuple(names []string, index string, text func(value) string) string {
	if len(names) == 1 {
		return text(m.vars[names[0]].cells[index])
	}
	var list []string
	for _, n := range names {
		list = append(list, text(m.vars[n].cells[index]))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// onlyOne returns an index that only one of two arrays has, and false if there is none.
func onlyOne(a, b *array) (string, bool) {
	if len(a.cells) < len(b.cells) {
		a, b = b, a
	}
	for i := range a.cells {
		if _, both := b.cells[i]; !both {
			// Return the first of several, so that the message is always the same.
			list := slices.DeleteFunc(a.indices(), func(i string) bool { _, both := b.cells[i]; return both })
			return list[0], true
		}
	}
	return "", false
}

// indices returns the indices of an array, short ones first.
func (a *array) indices() []string {
	return slices.SortedFunc(maps.Keys(a.cells), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	})
}

// valuesIn formats the values of the variables in some expressions: " with n = 3, a[i] = 5".
func (m *machine) valuesIn(list []*expr) string {
	const most = 6
	var facts []string
	var collect func(*expr)
	collect = func(e *expr) {
		for _, a := range e.args {
			collect(a)
		}
		if v, ok := m.peek(e); ok && e.op == opVariable {
			if fact := e.text + " = " + show(v); !slices.Contains(facts, fact) {
				facts = append(facts, fact)
			}
		}
	}
	for _, e := range list {
		collect(e)
	}
	switch {
	case len(facts) == 0:
		return ""
	case len(facts) > most:
		facts = append(facts[:most], "…")
	}
	return " with " + strings.Join(facts, ", ")
}

// peek returns the value of a literal, or of a variable whose indices are literals or variables.
// Unlike eval, it never fails.
func (m *machine) peek(e *expr) (value, bool) {
	a := m.vars[e.name]
	if e.op != opVariable || a == nil {
		return e.value, e.op == opLiteral
	}
	for _, i := range e.args {
		if v, ok := m.peek(i); !ok {
			return nil, false
		} else if _, ok := v.(*big.Int); !ok {
			return nil, false
		}
	}
	v, ok := a.cells[m.index(e)]
	return v, ok
}
