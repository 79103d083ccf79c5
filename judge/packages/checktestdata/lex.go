package checktestdata

import (
	"fmt"
	"math/big"
	"strings"
)

type token struct {
	kind    tokenKind
	at, end int    // offsets in the source
	text    string // token as written, or the content of a string
	value   value  // value of a number or string literal
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokKeyword
	tokName
	tokNumber
	tokString
	tokMark
)

// lexer splits a program into tokens.
type lexer struct {
	name string
	src  string
	pos  int
}

// fail stops the parser with an error at an offset.
func (l *lexer) fail(at int, hint, format string, args ...any) {
	line, column := position(l.src, at)
	panic(stop{&Error{File: l.name, Line: line, Column: column, Msg: fmt.Sprintf(format, args...), Hint: hint}})
}

const digits = "0123456789"

// token reads the next token.
func (l *lexer) token() token {
	l.skip()
	t := token{at: l.pos}
	rest := l.src[l.pos:]
	if rest == "" {
		t.end = t.at
		return t
	}
	switch c := rest[0]; {
	case c == '"':
		return l.str()
	case '0' <= c && c <= '9':
		return l.number()
	case 'A' <= c && c <= 'Z':
		t.kind, l.pos = tokKeyword, l.pos+span(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	case 'a' <= c && c <= 'z':
		t.kind, l.pos = tokName, l.pos+span(rest, "abcdefghijklmnopqrstuvwxyz"+digits)
	default:
		t.kind = tokMark
		l.pos += l.mark(rest)
	}
	t.end, t.text = l.pos, l.src[t.at:l.pos]
	return t
}

// skip skips white space and comments.
func (l *lexer) skip() {
	for l.pos < len(l.src) {
		n := span(l.src[l.pos:], " \t\r\n")
		if strings.HasPrefix(l.src[l.pos+n:], "#") {
			line, _, _ := strings.Cut(l.src[l.pos+n:], "\n")
			n += len(line)
		}
		if n == 0 {
			return
		}
		l.pos += n
	}
}

// mark returns the length of the operator or bracket at the beginning of rest.
func (l *lexer) mark(rest string) int {
	for _, m := range []string{"&&", "||", "<=", ">=", "==", "!="} {
		if strings.HasPrefix(rest, m) {
			return len(m)
		}
	}
	if strings.IndexByte("()[],=<>!+-*/%^", rest[0]) < 0 {
		hint := ""
		switch rest[0] {
		case '{':
			hint = "is it a constant that problem.yaml does not define?"
		case '_':
			hint = "names of variables have only lower-case letters and digits"
		}
		l.fail(l.pos, hint, "unexpected %q", []rune(rest)[0])
	}
	return 1
}

// number reads a number. The number is a fraction if it has a decimal point or an exponent.
func (l *lexer) number() token {
	t := token{kind: tokNumber, at: l.pos}
	rest := l.src[l.pos:]
	n := span(rest, digits)
	whole, first := true, rest[:n]
	if strings.HasPrefix(rest[n:], ".") {
		whole = false
		n += 1 + span(rest[n+1:], digits)
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		e := n + 1
		if e < len(rest) && (rest[e] == '+' || rest[e] == '-') {
			e++
		}
		if d := span(rest[e:], digits); d > 0 {
			whole = false
			n = e + d
		}
	}
	l.pos += n
	t.end, t.text = l.pos, rest[:n]
	switch {
	case n > maxDigits:
		l.fail(t.at, "", "too long: %d characters", n)
	case whole && len(first) > 1 && first[0] == '0':
		l.fail(t.at, "", "%s begins with zero", t.text)
	case whole:
		i, _ := new(big.Int).SetString(t.text, 10)
		t.value = i
	default:
		f, ok := fraction(t.text)
		if !ok {
			l.fail(t.at, "", "the exponent of %s is too large", t.text)
		}
		t.value = f
	}
	return t
}

// str reads a string with its escapes. A backslash that does not begin an escape is an ordinary
// character.
func (l *lexer) str() token {
	at := l.pos
	var b strings.Builder
	for i := at + 1; i < len(l.src); i++ {
		c := l.src[i]
		if c == '"' {
			l.pos = i + 1
			return token{kind: tokString, at: at, end: l.pos, text: b.String(), value: b.String()}
		}
		if c != '\\' || i+1 == len(l.src) {
			b.WriteByte(c)
			continue
		}
		next := l.src[i+1]
		if k := strings.IndexByte(`ntrbf"\`, next); k >= 0 {
			b.WriteByte("\n\t\r\b\f\"\\"[k])
			i++
			continue
		}
		if next == '\n' { // the string continues on the next line
			i++
			continue
		}
		octal := l.src[i+1:]
		octal = octal[:min(3, span(octal, "01234567"))]
		if octal == "" {
			b.WriteByte(c)
			continue
		}
		char := 0
		for _, d := range octal {
			char = 8*char + int(d-'0')
		}
		if char > 255 {
			l.fail(i, "", `\%s is not a byte`, octal)
		}
		b.WriteByte(byte(char))
		i += len(octal)
	}
	l.fail(at, "", "unterminated string")
	panic("not reached")
}

// span returns the length of the longest prefix of s whose bytes are all in set.
func span(s, set string) int {
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}
