package checktestdata

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
)

// run runs commands one after the other.
func (m *machine) run(list []command) {
	for i := range list {
		m.check()
		switch c := &list[i]; c.word {
		case "REP", "REPI":
			n := m.count(c)
			m.loop(c, func(i int64) bool { return i < n })
		case "WHILE", "WHILEI":
			m.loop(c, func(int64) bool { return m.holds(c.test) })
		case "IF":
			if m.holds(c.test) {
				m.run(c.body)
			} else {
				m.run(c.other)
			}
		default:
			m.simple(c)
		}
	}
}

// loop runs the body of c as long as there is more to do. The variable of c counts the
// rounds that are over.
func (m *machine) loop(c *command, more func(round int64) bool) {
	for i := int64(0); ; i++ {
		if c.into != nil {
			m.assign(c.into, big.NewInt(i))
		}
		if !more(i) {
			return
		}
		m.check()
		if i > 0 && c.between != nil {
			m.simple(c.between)
		}
		m.run(c.body)
	}
}

// count returns how often to repeat.
func (m *machine) count(c *command) int64 {
	if c.into != nil {
		m.assign(c.into, new(big.Int)) // the count may depend on it
	}
	n := m.integer(c.args[0])
	if n.Sign() < 0 || !n.IsInt64() {
		m.fail(c.args[0], "cannot repeat %s times%s", show(n), m.given(c.args))
	}
	return n.Int64()
}

// simple runs a command without a block.
func (m *machine) simple(c *command) {
	switch c.word {
	case "SPACE":
		m.literal(c, " ")
	case "NEWLINE":
		m.literal(c, "\n")
	case "STRING":
		m.literal(c, m.str(c.args[0]))
	case "EOF":
		m.end(c)
	case "INT":
		m.int(c)
	case "FLOAT", "FLOATP":
		m.float(c)
	case "REGEX":
		m.regex(c)
	case "ASSERT":
		m.why = ""
		if !m.holds(c.test) {
			if m.why == "" {
				m.why = "does not hold" + m.given([]*expr{c.test})
			}
			m.mismatch(c, m.pos, "%s", m.why)
		}
	case "SET":
		for i := 0; i < len(c.set); i += 2 {
			m.assign(c.set[i], m.eval(c.set[i+1]))
		}
	case "UNSET":
		for _, name := range c.names {
			m.unset(name)
		}
	}
}

// literal matches a text.
func (m *machine) literal(c *command, text string) {
	for i := range len(text) {
		if m.pos+i >= len(m.in) || m.in[m.pos+i] != text[i] {
			m.mismatch(c, m.pos+i, "here is %s", m.found(m.pos+i))
		}
	}
	m.pos += len(text)
}

// end matches the end of the input.
func (m *machine) end(c *command) {
	if m.pos < len(m.in) {
		m.mismatch(c, m.pos, "here is %s", m.found(m.pos))
	}
}

// regex matches a regular expression.
func (m *machine) regex(c *command) {
	text := m.str(c.args[0])
	p := m.patterns[text]
	if p == nil {
		compiled, err := compile(text)
		if err != nil {
			m.fail(c.args[0], "%v", err)
		}
		cost := len(compiled.insts) + 4*len(text)
		if m.insts += cost; m.insts > 2*maxInsts {
			clear(m.patterns) // a program that makes up its expressions
			m.insts = cost
		}
		p = newMatcher(compiled)
		m.patterns[text] = p
	}
	n := p.match(m.in[m.pos:], func(insts int) {
		if m.unasked += insts; m.unasked > 1<<12 {
			m.unasked = 0
			m.check()
		}
	})
	if n < 0 {
		m.mismatch(c, m.pos, "here is %s", m.found(m.pos))
	}
	if c.into != nil {
		m.assign(c.into, string(m.in[m.pos:m.pos+n]))
	}
	m.pos += n
}

// int matches an integer without leading zeros or -0.
func (m *machine) int(c *command) {
	rest := m.in[m.pos:]
	n := 0
	if len(rest) > 0 && rest[0] == '-' {
		n = 1
	}
	sign := n
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	switch {
	case n == sign:
		m.mismatch(c, m.pos, "here is %s, and no integer", m.found(m.pos))
	case rest[sign] == '0' && n > 1:
		m.mismatch(c, m.pos, "%s has a needless zero or sign", excerpt(rest[:n]))
	case n > maxDigits:
		m.mismatch(c, m.pos, "an integer of %d characters", n)
	}
	v := new(big.Int)
	if i, err := strconv.ParseInt(string(rest[:n]), 10, 64); err == nil {
		v.SetInt64(i)
	} else {
		v.SetString(string(rest[:n]), 10)
	}
	m.within(c, v, func(e *expr) value { return m.integer(e) }, excerpt(rest[:n]))
	m.take(c, n, v)
}

// take assigns what was matched, and goes on after it.
func (m *machine) take(c *command, n int, v value) {
	if c.into != nil {
		m.assign(c.into, v)
	}
	m.pos += n
}

// within holds a value against the bounds of c.
func (m *machine) within(c *command, v value, bound func(*expr) value, text string) {
	for i, word := range []string{"less", "greater"} {
		e := c.args[i]
		b := bound(e)
		order, ok := compare(v, b)
		if !ok {
			m.fail(e, "%s is no number", e.text)
		}
		if i == 0 && order >= 0 || i == 1 && order <= 0 {
			continue
		}
		limit := show(b)
		if e.op != opLiteral && e.text != limit {
			limit = e.text + " = " + limit
		}
		m.mismatch(c, m.pos, "%s is %s than %s", text, word, limit)
	}
}

// float matches a number with or without point and exponent, without leading zeros.
func (m *machine) float(c *command) {
	rest := m.in[m.pos:]
	at := func(i int) byte {
		if i < len(rest) {
			return rest[i]
		}
		return 0
	}
	number := func(i int) int {
		for isDigit(at(i)) {
			i++
		}
		return i
	}
	bad := func(i int, why string) {
		m.mismatch(c, m.pos, "%s: %s", excerpt(rest[:min(i, len(rest))]), why)
	}
	first := 0
	if at(0) == '-' {
		first = 1
	}
	n := number(first)
	whole, decimals := n-first, 0
	switch {
	case whole == 0:
		m.mismatch(c, m.pos, "here is %s, and no number", m.found(m.pos))
	case whole > 1 && rest[first] == '0':
		bad(n, "a needless zero")
	}
	point := at(n) == '.'
	if point {
		decimals = number(n+1) - (n + 1)
		if n += 1 + decimals; decimals == 0 {
			bad(n, "no digit after the point")
		}
	}
	exponent := c.form != "FIXED" && (at(n) == 'e' || at(n) == 'E')
	if exponent {
		e := n + 1
		if at(e) == '+' || at(e) == '-' {
			e++
		}
		if n = number(e); n == e {
			bad(n, "no digit in the exponent")
		}
		if n > e+1 && rest[e] == '0' {
			bad(n, "a needless zero in the exponent")
		}
	} else if c.form == "SCIENTIFIC" {
		bad(n, "no exponent")
	}
	if c.word == "FLOATP" {
		lo, hi := m.places(c)
		if exponent && (whole != 1 || rest[first] == '0' || !point) {
			bad(n, "before the point has to be exactly one digit that is not zero")
		}
		if decimals < lo || decimals > hi {
			bad(n, fmt.Sprintf("%d decimals, and not %d to %d", decimals, lo, hi))
		}
	}
	if n > maxDigits {
		m.mismatch(c, m.pos, "a number of %d characters", n)
	}
	v, ok := fraction(string(rest[:n]))
	if !ok {
		bad(n, "too large an exponent")
	}
	m.within(c, v, m.eval, excerpt(rest[:n]))
	m.take(c, n, v)
}

// places returns how many decimals FLOATP wants.
func (m *machine) places(c *command) (lo, hi int) {
	var n [2]int
	for i, e := range c.args[2:] {
		v := m.integer(e)
		if v.Sign() < 0 || v.BitLen() > 31 {
			m.fail(e, "%s is no number of decimals", e.text)
		}
		n[i] = int(v.Int64())
	}
	if n[0] > n[1] {
		m.fail(c.args[2], "from %d to %d decimals there is none", n[0], n[1])
	}
	return n[0], n[1]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// found names what stands in the input.
func (m *machine) found(at int) string {
	if at >= len(m.in) {
		return "the end"
	}
	switch m.in[at] {
	case ' ':
		return "a space"
	case '\n':
		return "a newline"
	case '\t':
		return "a tab"
	case '\r':
		return "a carriage return"
	}
	text := m.in[at:min(at+excerptBytes+1, len(m.in))]
	if blank := bytes.IndexAny(text[1:], " \n\t\r"); blank >= 0 {
		text = text[:1+blank]
	}
	return strconv.Quote(excerpt(text))
}

const excerptBytes = 30

// excerpt is a text without its end if it is long.
func excerpt[T string | []byte](text T) string {
	if len(text) <= excerptBytes {
		return string(text)
	}
	return string(text[:excerptBytes]) + "…"
}
