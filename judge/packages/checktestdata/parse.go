package checktestdata

import (
	"slices"
	"strings"
)

// command is one command of a program. Which fields are set depends on the keyword.
type command struct {
	word string // the keyword
	at   int    // offset in the source
	text string // source text without blocks, shortened

	args  []*expr  // bounds, counts and strings
	into  *expr    // the variable that stores what was read, or counts the rounds; nil if there is none
	form  string   // FIXED or SCIENTIFIC; "" if both are allowed
	test  *expr    // condition of ASSERT, IF and WHILE
	set   []*expr  // each variable of SET followed by its value
	names []string // names of the variables of UNSET

	between *command  // command matched between two rounds of a loop; nil if there is none
	body    []command // commands of a loop, or of an IF whose test holds
	other   []command // commands of ELSE
}

// parser reads a program by recursive descent. It looks one token ahead.
type parser struct {
	lexer
	tok   token // the next token
	last  int   // offset of the end of the previous token
	depth int   // current level of nesting
}

// next consumes the next token and returns it.
func (p *parser) next() token {
	t := p.tok
	p.last = t.end
	p.tok = p.token()
	return t
}

// is reports whether the next token is this keyword or mark.
func (p *parser) is(text string) bool {
	return (p.tok.kind == tokKeyword || p.tok.kind == tokMark) && p.tok.text == text
}

// accept consumes the next token if it is this keyword or mark, and reports whether it was.
func (p *parser) accept(text string) bool {
	ok := p.is(text)
	if ok {
		p.next()
	}
	return ok
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(p.tok.at, "", "expected %q, found %s", text, p.found())
	}
}

// found describes the next token in messages.
func (p *parser) found() string {
	if p.tok.kind == tokEnd {
		return "end of file"
	}
	return brief(p.src[p.tok.at:p.tok.end])
}

// nest enters one more level of nesting, and returns a function that leaves it again.
func (p *parser) nest() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.at, "", "nested deeper than %d", maxDepth)
	}
	return func() { p.depth-- }
}

// block reads commands up to the END or ELSE that belongs to opener, or up to the end of the file
// if opener is nil.
func (p *parser) block(opener *command) []command {
	defer p.nest()()
	var list []command
	for {
		switch {
		case opener == nil && p.tok.kind == tokEnd:
			return list
		case p.tok.kind == tokEnd:
			p.fail(opener.at, "", "%s has no END", opener.text)
		case p.is("END") || p.is("ELSE"):
			if opener == nil {
				p.fail(p.tok.at, "", "%s without REP, WHILE or IF", p.tok.text)
			}
			return list
		}
		list = append(list, p.command())
	}
}

// command reads a command with its blocks.
func (p *parser) command() command {
	c := p.simple()
	switch c.word {
	case "REP", "REPI", "WHILE", "WHILEI":
		c.body = p.block(&c)
		p.expect("END")
	case "IF":
		c.body = p.block(&c)
		if p.accept("ELSE") {
			c.other = p.block(&c)
		}
		p.expect("END")
	}
	return c
}

// keywords are the words that begin a command.
var keywords = strings.Fields("SPACE NEWLINE EOF INT FLOAT FLOATP STRING REGEX ASSERT SET UNSET REP REPI WHILE WHILEI IF")

// simple reads a command without its blocks.
func (p *parser) simple() command {
	if p.tok.kind != tokKeyword || !slices.Contains(keywords, p.tok.text) {
		p.fail(p.tok.at, "", "expected a command, found %s", p.found())
	}
	c := command{word: p.tok.text, at: p.tok.at}
	p.next()
	if !slices.Contains([]string{"SPACE", "NEWLINE", "EOF"}, c.word) {
		p.expect("(")
		p.arguments(&c)
		p.expect(")")
	}
	c.text = brief(p.src[c.at:p.last])
	return c
}

// arguments reads the arguments between the parentheses of a command.
func (p *parser) arguments(c *command) {
	switch c.word {
	case "INT":
		p.values(c, 2)
		p.target(c)
	case "FLOAT", "FLOATP":
		p.values(c, 2)
		if c.word == "FLOATP" {
			p.expect(",")
			p.values(c, 2)
		}
		if p.target(c); c.into != nil && p.accept(",") {
			if !p.is("FIXED") && !p.is("SCIENTIFIC") {
				p.fail(p.tok.at, "", "expected FIXED or SCIENTIFIC, found %s", p.found())
			}
			c.form = p.next().text
		}
	case "STRING":
		p.values(c, 1)
	case "REGEX":
		p.values(c, 1)
		if pattern, ok := c.args[0].value.(string); ok {
			if _, err := compile(pattern); err != nil {
				p.fail(c.args[0].at, "", "%v", err)
			}
		}
		p.target(c)
	case "ASSERT", "IF":
		c.test = p.test()
	case "SET":
		for ok := true; ok; ok = p.accept(",") {
			v := p.variable()
			p.expect("=")
			c.set = append(c.set, v, p.value())
		}
	case "UNSET":
		c.names = p.names()
	case "REP":
		p.values(c, 1)
		p.separator(c)
	case "REPI":
		c.into = p.variable()
		p.expect(",")
		p.values(c, 1)
		p.separator(c)
	case "WHILE":
		c.test = p.test()
		p.separator(c)
	case "WHILEI":
		c.into = p.variable()
		p.expect(",")
		c.test = p.test()
		p.separator(c)
	}
}

// values reads n arguments.
func (p *parser) values(c *command, n int) {
	for i := range n {
		if i > 0 {
			p.expect(",")
		}
		c.args = append(c.args, p.value())
	}
}

// target reads the variable that stores the match, if one follows.
func (p *parser) target(c *command) {
	if p.accept(",") {
		c.into = p.variable()
	}
}

// separator reads the command that separates the rounds of a loop, if one follows.
func (p *parser) separator(c *command) {
	if !p.accept(",") {
		return
	}
	at := p.tok.at
	s := p.simple()
	if slices.Contains([]string{"REP", "REPI", "WHILE", "WHILEI", "IF"}, s.word) {
		p.fail(at, "", "%s cannot separate the rounds of a loop", s.word)
	}
	c.between = &s
}

// name reads the name of a variable.
func (p *parser) name() string {
	if p.tok.kind != tokName {
		p.fail(p.tok.at, "names of variables have only lower-case letters and digits", "expected a variable, found %s", p.found())
	}
	return p.next().text
}

// names reads the names of one or more variables.
func (p *parser) names() []string {
	list := []string{p.name()}
	for p.accept(",") {
		list = append(list, p.name())
	}
	return list
}
