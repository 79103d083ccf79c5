package checktestdata

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// int matches an integer. Leading zeros and -0 do not match.
func (m *machine) int(c *command) {
	rest := m.in[m.pos:]
	sign := 0
	if len(rest) > 0 && rest[0] == '-' {
		sign = 1
	}
	n := sign + digitsOf(rest[sign:])
	switch {
	case n == sign:
		m.mismatch(c, m.pos, "expected an integer, found %s", m.found(m.pos))
	case rest[sign] == '0' && n > 1:
		m.mismatch(c, m.pos, "%s has a leading zero or is -0", excerpt(rest[:n]))
	case n > maxDigits:
		m.mismatch(c, m.pos, "the integer is too long: %d characters", n)
	}
	v := new(big.Int)
	if i, err := strconv.ParseInt(string(rest[:n]), 10, 64); err == nil {
		v.SetInt64(i)
	} else {
		v.SetString(string(rest[:n]), 10)
	}
	m.within(c, v, func(e *expr) value { return m.integer(e) }, excerpt(rest[:n]))
	m.store(c, n, v)
}

// store assigns a value to the variable of c, if it has one, and skips the n bytes matched.
func (m *machine) store(c *command, n int, v value) {
	if c.into != nil {
		m.assign(c.into, v)
	}
	m.pos += n
}

// within fails unless v is between the bounds of c, which it evaluates with bound. text is v as
// written in the input.
func (m *machine) within(c *command, v value, bound func(*expr) value, text string) {
	for i, word := range []string{"less", "greater"} {
		e := c.args[i]
		b := bound(e)
		order, ok := compare(v, b)
		if !ok {
			m.fail(e, "%s is not a number", e.text)
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

// float matches a number with or without a decimal point and an exponent. Leading zeros do not match.
func (m *machine) float(c *command) {
	rest := m.in[m.pos:]
	d, why := readDecimal(rest, c.form != "FIXED")
	text := excerpt(rest[:d.length])
	if d.whole == 0 {
		m.mismatch(c, m.pos, "expected a number, found %s", m.found(m.pos))
	}
	if why == "" && c.form == "SCIENTIFIC" && !d.exponent {
		why = "no exponent"
	}
	if why == "" && c.word == "FLOATP" {
		why = m.checkDecimals(c, d)
	}
	if why == "" && d.length > maxDigits {
		why = fmt.Sprintf("too long: %d characters", d.length)
	}
	if why != "" {
		m.mismatch(c, m.pos, "%s: %s", text, why)
	}
	v, ok := fraction(string(rest[:d.length]))
	if !ok {
		m.mismatch(c, m.pos, "%s: the exponent is too large", text)
	}
	m.within(c, v, m.eval, text)
	m.store(c, d.length, v)
}

// checkDecimals returns why a number does not have the form that FLOATP requires; "" if it does.
func (m *machine) checkDecimals(c *command, d decimal) string {
	var n [2]int
	for i, e := range c.args[2:] {
		v := m.integer(e)
		if v.Sign() < 0 || v.BitLen() > 31 {
			m.fail(e, "%s is not a number of decimals", e.text)
		}
		n[i] = int(v.Int64())
	}
	switch {
	case n[0] > n[1]:
		m.fail(c.args[2], "the range of %d to %d decimals is empty", n[0], n[1])
	case d.exponent && (d.whole != 1 || d.zero || !d.point):
		return "an exponent needs one nonzero digit and a point before it"
	case d.decimals < n[0] || d.decimals > n[1]:
		return fmt.Sprintf("%d decimals, not %d to %d", d.decimals, n[0], n[1])
	}
	return ""
}

// decimal is the form of a written number.
type decimal struct {
	length   int  // length of the number in bytes
	whole    int  // digits before the point; 0 if the text is not a number
	zero     bool // whether the first digit is 0
	point    bool // whether there is a decimal point
	decimals int  // digits after the point
	exponent bool // whether there is an exponent
}

// readDecimal reads a number at the beginning of text, with an exponent only if that is allowed.
// why is the mistake in the number, or "" if there is none.
func readDecimal(text []byte, exponent bool) (d decimal, why string) {
	is := func(chars string) bool {
		return d.length < len(text) && strings.IndexByte(chars, text[d.length]) >= 0
	}
	accept := func(chars string) bool {
		ok := is(chars)
		if ok {
			d.length++
		}
		return ok
	}
	number := func() (n int, zero bool) {
		zero = is("0")
		n = digitsOf(text[d.length:])
		d.length += n
		return n, zero
	}
	accept("-")
	if d.whole, d.zero = number(); d.whole > 1 && d.zero {
		return d, "a leading zero"
	}
	if d.whole == 0 {
		return d, ""
	}
	if d.point = accept("."); d.point {
		if d.decimals, _ = number(); d.decimals == 0 {
			return d, "no digit after the point"
		}
	}
	if d.exponent = exponent && accept("eE"); d.exponent {
		accept("+-")
		n, zero := number()
		switch {
		case n == 0:
			return d, "no digit in the exponent"
		case n > 1 && zero:
			return d, "a leading zero in the exponent"
		}
	}
	return d, ""
}

// digitsOf returns the number of digits at the beginning of a text.
func digitsOf(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}
