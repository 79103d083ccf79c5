package texmath

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parser reads a formula. After the first error it is at the end of the formula.
type parser struct {
	src   string
	pos   int
	depth int
	err   *Error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Msg: fmt.Sprintf(format, args...)}
	}
	p.pos = len(p.src)
}

func (p *parser) unknown(what, name string) {
	if p.err == nil {
		p.err = &Error{Unknown: name, Msg: "unknown " + what + " " + name}
	}
	p.pos = len(p.src)
}

func (p *parser) unexpected(token string) {
	switch token {
	case "}":
		p.fail("a } without its {")
	case `\right`:
		p.fail(`\right without \left`)
	case `\end`:
		p.fail(`\end without \begin`)
	case "&", `\\`:
		p.fail("%s outside of a matrix or of aligned lines", token)
	default:
		p.fail("%s is not expected here", token)
	}
}

// peek returns the next token without reading it: a character, or a command with its backslash; ""
// at the end. It skips white space and comments.
func (p *parser) peek() string {
	p.skipSpace()
	return p.tokenAt(p.pos)
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
		case c == '%':
			end := strings.IndexByte(p.src[p.pos:], '\n')
			if end < 0 {
				end = len(p.src) - p.pos
			}
			p.pos += end
		default:
			return
		}
	}
}

func (p *parser) tokenAt(at int) string {
	if at >= len(p.src) {
		return ""
	}
	if p.src[at] != '\\' || at+1 == len(p.src) {
		_, size := utf8.DecodeRuneInString(p.src[at:])
		return p.src[at : at+size]
	}
	end := at + 1
	for end < len(p.src) && isLetter(p.src[end]) {
		end++
	}
	if end == at+1 {
		_, size := utf8.DecodeRuneInString(p.src[end:])
		end += size
	}
	return p.src[at:end]
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func (p *parser) next() string {
	t := p.peek()
	p.pos += len(t)
	return t
}

// argument reads the source of the argument of a command: a group, without its braces, or a token.
func (p *parser) argument(of string) string {
	p.skipSpace()
	t := p.tokenAt(p.pos)
	p.pos += len(t)
	switch t {
	case "":
		p.fail("%s has too few arguments", of)
		return ""
	case "}", "&", `\\`:
		p.pos -= len(t)
		p.fail("%s has too few arguments", of)
		return ""
	case "{":
	default:
		return t
	}
	start, depth := p.pos, 1
	for p.pos < len(p.src) {
		t := p.tokenAt(p.pos)
		p.pos += len(t)
		switch t {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return p.src[start : p.pos-1]
			}
		}
	}
	p.fail("a { without its }")
	return ""
}

// optional reads the source of an argument in brackets, if there is one.
func (p *parser) optional() (text string, given bool) {
	p.skipSpace()
	if p.tokenAt(p.pos) != "[" {
		return "", false
	}
	for at, depth := p.pos+1, 0; at < len(p.src); {
		t := p.tokenAt(at)
		switch {
		case t == "{":
			depth++
		case t == "}":
			depth--
		case t == "]" && depth == 0:
			text, p.pos = p.src[p.pos+1:at], at+1
			return text, true
		}
		at += len(t)
	}
	p.fail("a [ without its ]")
	return "", false
}

// inner converts the source of an argument to one element.
func (p *parser) inner(source string) string { return join(p.items(source)) }

// items converts the source of an argument.
func (p *parser) items(source string) []item {
	q := &parser{src: source, depth: p.depth + 1}
	if q.depth > maxDepth {
		q.fail("it is nested too deeply")
	}
	list := q.row()
	if t := q.peek(); t != "" {
		q.unexpected(t)
	}
	if q.err != nil && p.err == nil {
		p.err = q.err
		p.pos = len(p.src)
	}
	return list
}

// rest reads the items up to the end of the row as one element.
func (p *parser) rest() string {
	if p.depth++; p.depth > maxDepth {
		p.fail("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	return join(p.row())
}

// row reads items up to the end of a group, cell, line or environment, which it does not read.
func (p *parser) row() (list []item) {
	for {
		switch t := p.peek(); t {
		case "", "}", "&", `\\`, `\cr`, `\right`, `\middle`, `\end`:
			return list
		case `\over`, `\choose`, `\atop`: // everything before it in the group is above the line
			p.next()
			below := p.rest()
			xml := "<mfrac>"
			if t != `\over` {
				xml = `<mfrac linethickness="0">`
			}
			xml += join(list) + below + "</mfrac>"
			if t == `\choose` {
				xml = fenced("(", xml, ")")
			}
			return []item{{xml: xml}}
		case `\displaystyle`, `\textstyle`, `\scriptstyle`, `\scriptscriptstyle`:
			p.next()
			return append(list, item{xml: styled(t, p.rest())})
		case `\limits`, `\nolimits`: // scripts handles them where they mean something
			p.next()
		default:
			if i, ok := p.atom(before(list)); ok {
				list = append(list, p.scripts(i))
			}
		}
		if p.err != nil {
			return list
		}
	}
}

// before returns the class of the item before the next one; an empty row is like an opening.
func before(list []item) class {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].class != space {
			return list[i].class
		}
	}
	return opening
}

func styled(command, xml string) string {
	if command == `\displaystyle` {
		return `<mstyle displaystyle="true">` + xml + "</mstyle>"
	}
	level := map[string]string{`\textstyle`: "0", `\scriptstyle`: "1", `\scriptscriptstyle`: "2"}[command]
	return `<mstyle displaystyle="false" scriptlevel="` + level + `">` + xml + "</mstyle>"
}

// scripts reads the sub- and superscripts of an item.
func (p *parser) scripts(base item) item {
	var sub, sup, primes string
	limits := base.limits
	for {
		switch t := p.peek(); t {
		case `\limits`, `\nolimits`:
			p.next()
			limits = t == `\limits`
			continue
		case "'":
			p.next()
			primes += "′"
			continue
		case "^", "_":
			p.next()
			script := &sup
			if t == "_" {
				script = &sub
			}
			if *script != "" || t == "^" && primes != "" && sup != "" {
				p.fail("two scripts at the same place: %s%s", t, t)
				return base
			}
			*script = p.script(t)
			continue
		}
		break
	}
	if primes != "" {
		mark := element("mo", ` lspace="0" rspace="0"`, primes)
		if sup != "" {
			mark = "<mrow>" + mark + sup + "</mrow>"
		}
		sup = mark
	}
	name := "msubsup"
	if limits {
		name = "munderover"
	}
	switch {
	case sub == "" && sup == "":
		return base
	case sup == "":
		name = map[bool]string{false: "msub", true: "munder"}[limits]
	case sub == "":
		name = map[bool]string{false: "msup", true: "mover"}[limits]
	}
	base.xml = "<" + name + ">" + base.xml + sub + sup + "</" + name + ">"
	base.limits = false
	return base
}

// script reads the argument of ^ or _, which may be a command with arguments of its own, as in
// x^\frac12.
func (p *parser) script(of string) string {
	switch t := p.peek(); {
	case t == "{":
		return p.inner(p.argument(of))
	case t == "" || t == "}" || t == "&" || t == "^" || t == "_" || t == `\\` || t == `\right`:
		p.fail("nothing after %s", of)
		return ""
	case len(t) == 1 && t[0] >= '0' && t[0] <= '9': // one digit only
		p.next()
		return element("mn", "", t)
	}
	i, _ := p.atom(opening)
	return i.xml
}

// atom reads one item without its scripts. It returns false for what adds nothing. previous is the
// class of the item before it.
func (p *parser) atom(previous class) (item, bool) {
	t := p.peek()
	r, _ := utf8.DecodeRuneInString(t)
	switch {
	case t == "{":
		list := p.items(p.argument(t))
		if len(list) == 1 && list[0].class != ordinary && list[0].class != space {
			return item{xml: tight(list[0].xml)}, true // {,} and {-} have no space around them
		}
		return item{xml: join(list)}, true
	case t == "^" || t == "_" || t == "'": // scripts of nothing, as in ^{th}
		return item{xml: "<mrow></mrow>"}, true
	case t[0] == '\\' && len(t) > 1:
		p.next()
		return p.command(t, previous)
	case r >= '0' && r <= '9':
		return item{xml: element("mn", "", p.number())}, true
	case t == "#" || t == "$" || t == `\`:
		p.fail("%s is not expected here", t)
		return item{}, false
	case t == "@" && strings.HasPrefix(p.src[p.pos:], "@{"): // of Library Checker, which replaces it
		p.pos++
		p.unknown("value", "@{"+p.argument("@")+"}")
		return item{}, false
	case t == "~":
		p.next()
		return gap("0.3em"), true
	}
	p.next()
	if unicode.IsLetter(r) {
		return item{xml: element("mi", "", t)}, true
	}
	return character(t, previous), true
}
