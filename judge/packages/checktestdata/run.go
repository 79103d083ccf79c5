package checktestdata

import (
	"bytes"
	"math/big"
	"strconv"
)

// run runs commands one after another.
func (m *machine) run(list []command) {
	for i := range list {
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

// loop runs the body of c as long as more returns true for the number of rounds completed, which
// the variable of c counts.
func (m *machine) loop(c *command, more func(round int64) bool) {
	for i := int64(0); ; i++ {
		if c.into != nil {
			m.assign(c.into, big.NewInt(i))
		}
		if !more(i) {
			return
		}
		if i > 0 && c.between != nil {
			m.simple(c.between)
		}
		m.run(c.body)
	}
}

// count returns the number of rounds of REP or REPI.
func (m *machine) count(c *command) int64 {
	if c.into != nil {
		m.assign(c.into, new(big.Int)) // the count may use the variable
	}
	n := m.integer(c.args[0])
	if n.Sign() < 0 || !n.IsInt64() {
		m.fail(c.args[0], "cannot repeat %s times%s", show(n), m.valuesIn(c.args))
	}
	return n.Int64()
}

// simple runs a command that has no blocks.
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
		if !m.holds(c.test) {
			if m.why == "" {
				m.why = "does not hold" + m.valuesIn([]*expr{c.test})
			}
			m.mismatch(c, m.pos, "%s", m.why)
		}
	case "SET":
		for i := 0; i < len(c.set); i += 2 {
			m.assign(c.set[i], m.eval(c.set[i+1]))
		}
	case "UNSET":
		for _, name := range c.names {
			delete(m.vars, name)
		}
	}
}

// literal matches a string.
func (m *machine) literal(c *command, text string) {
	for i := range len(text) {
		if m.pos+i >= len(m.in) || m.in[m.pos+i] != text[i] {
			m.mismatch(c, m.pos+i, "found %s", m.found(m.pos+i))
		}
	}
	m.pos += len(text)
}

// end matches the end of the input.
func (m *machine) end(c *command) {
	if m.pos < len(m.in) {
		m.mismatch(c, m.pos, "found %s", m.found(m.pos))
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
			clear(m.patterns) // the program keeps computing new expressions
			m.insts = cost
		}
		p = newMatcher(compiled)
		m.patterns[text] = p
	}
	n := p.match(m.in[m.pos:])
	if n < 0 {
		m.mismatch(c, m.pos, "found %s", m.found(m.pos))
	}
	if c.into != nil {
		m.assign(c.into, string(m.in[m.pos:m.pos+n]))
	}
	m.pos += n
}

// found describes the input at an offset in messages.
func (m *machine) found(at int) string {
	if at >= len(m.in) {
		return "end of input"
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

// excerpt returns a text, truncated if it is long.
func excerpt[T string | []byte](text T) string {
	if len(text) <= excerptBytes {
		return string(text)
	}
	return string(text[:excerptBytes]) + "…"
}
