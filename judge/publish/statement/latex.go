package statement

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"tribunal/judge/publish/texmath"
)

const (
	maxRuns   = 1 << 16 // arguments, groups and uses of macros
	maxGroups = 40      // inside each other
)

// latexReader reads the LaTeX of statements: what docs/statements.md lists. It is no TeX: a command
// that it does not know is a fault, and the text of its arguments stays.
type latexReader struct {
	*reader
	src     string
	pos     int
	line    int  // of src[at]
	at      int  // offset of which line is known
	shifted bool // src is not from the file, but made by a macro: all of it counts as one line
	depth   int
	shared  *latexShared
}

// latexShared is what the readers of all parts of a document share.
type latexShared struct {
	macros  map[string]texmath.Macro
	folders []string // of \graphicspath
	runs    int
}

func (r *reader) latex(source string) {
	l := &latexReader{reader: r, src: source, line: 1, shared: &latexShared{macros: map[string]texmath.Macro{}}}
	if _, rest, whole := strings.Cut(source, `\begin{document}`); whole {
		l.preamble(source[:len(source)-len(rest)])
		l.pos = len(source) - len(rest)
	}
	l.run()
	r.macros = l.shared.macros
}

// preamble reads the definitions before \begin{document}.
func (l *latexReader) preamble(source string) {
	p := &latexReader{reader: l.reader, src: source, line: 1, shared: l.shared}
	for p.pos < len(p.src) {
		switch t := p.next(); t {
		case "%":
			p.comment()
		case `\newcommand`, `\renewcommand`, `\providecommand`, `\def`, `\DeclareMathOperator`, `\graphicspath`:
			p.command(t)
		}
	}
}

// nested reads a piece of LaTeX that begins in a line. made is whether a macro made it.
func (l *latexReader) nested(source string, line int, made bool) {
	l.shared.runs++
	if l.shared.runs > maxRuns || l.depth >= maxGroups {
		l.fault(line, true, "", "the LaTeX is nested too deeply, or its macros expand to too much")
		return
	}
	n := &latexReader{reader: l.reader, src: source, line: line, shifted: made || l.shifted, depth: l.depth + 1, shared: l.shared}
	n.run()
}

// in reads a piece of LaTeX into an element.
func (l *latexReader) in(tag string, attr map[string]string, source string, line int) {
	if tag == "" {
		l.group()
	} else {
		l.enter(tag, attr)
	}
	l.nested(source, line, false)
	l.leave(tag)
}

// here returns the line of the current position.
func (l *latexReader) here() int {
	if !l.shifted && l.pos > l.at {
		l.line += strings.Count(l.src[l.at:l.pos], "\n")
		l.at = l.pos
	}
	return l.line
}

// next reads a token: a character, a command with its backslash, or a run of blanks.
func (l *latexReader) next() string {
	t := tokenOf(l.src[l.pos:])
	l.pos += len(t)
	return t
}

func tokenOf(s string) string {
	if s == "" {
		return ""
	}
	if s[0] == '\\' && len(s) > 1 {
		end := 1
		for end < len(s) && isLetter(s[end]) {
			end++
		}
		if end == 1 {
			_, size := utf8.DecodeRuneInString(s[1:])
			end += size
		}
		return s[:end]
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// comment reads up to the end of the line, and the blanks that begin the next.
func (l *latexReader) comment() {
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		l.pos = len(l.src)
		return
	}
	l.pos += end
	if rest := strings.TrimLeft(l.src[l.pos+1:], " \t"); !strings.HasPrefix(rest, "\n") {
		l.pos = len(l.src) - len(rest)
	}
}

func (l *latexReader) blanks() {
	for l.pos < len(l.src) {
		switch l.src[l.pos] {
		case ' ', '\t', '\n', '\r':
			l.pos++
		case '%':
			l.comment()
		default:
			return
		}
	}
}

// argument reads the source of an argument: a group without its braces, or a token.
func (l *latexReader) argument() (source string, line int) {
	l.blanks()
	line = l.here()
	t := l.next()
	if t != "{" {
		return t, line
	}
	start, depth := l.pos, 1
	for l.pos < len(l.src) {
		switch t := l.next(); t {
		case "%":
			l.comment()
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return l.src[start : l.pos-1], line
			}
		}
	}
	l.fault(line, true, "", "a { without its }: %s", excerpt(l.src[start:]))
	return l.src[start:], line
}

// optional reads the source of an argument in brackets, if there is one.
func (l *latexReader) optional() (source string, given bool) {
	saved := l.pos
	l.blanks()
	if !strings.HasPrefix(l.src[l.pos:], "[") {
		l.pos = saved
		return "", false
	}
	for at, depth := l.pos+1, 0; at < len(l.src); {
		t := tokenOf(l.src[at:])
		switch {
		case t == "{":
			depth++
		case t == "}":
			depth--
		case t == "]" && depth == 0:
			source, l.pos = l.src[l.pos+1:at], at+1
			return source, true
		}
		at += len(t)
	}
	l.pos = saved
	return "", false
}

func (l *latexReader) star() {
	if strings.HasPrefix(l.src[l.pos:], "*") {
		l.pos++
	}
}

// paragraph begins a paragraph unless text may stand where it is.
func (l *latexReader) paragraph() {
	switch l.top().tag {
	case "", "div", "blockquote", "figure":
		l.open("p", nil)
	}
}

func (l *latexReader) endParagraph() { l.close("p") }

// words adds text to the paragraph; blanks begin none.
func (l *latexReader) words(s string) {
	top := l.top()
	switch {
	case strings.TrimSpace(s) != "":
		l.paragraph()
	case top.tag == "" || isBlock(top.tag) && top.tag != "p" && len(top.kids) == 0:
		return
	}
	l.text(s)
}

// run reads the whole source.
func (l *latexReader) run() {
	for l.pos < len(l.src) {
		start := l.pos
		if n := strings.IndexAny(l.src[start:], "\\{}$%\n&#^_"); n != 0 {
			if n < 0 {
				n = len(l.src) - start
			}
			l.pos += n
			l.words(texmath.Ligatures(l.src[start:l.pos]))
			continue
		}
		switch t := l.next(); t {
		case "%":
			l.comment()
		case "\n":
			rest := strings.TrimLeft(l.src[l.pos:], " \t\r")
			l.pos = len(l.src) - len(rest)
			if strings.HasPrefix(rest, "\n") {
				l.blanks()
				l.endParagraph()
			} else {
				l.words("\n")
			}
		case "{":
			l.pos = start
			source, line := l.argument()
			l.in("", nil, source, line)
		case "}":
			l.fault(l.here(), true, "", "a } without its {")
		case "$":
			l.dollar()
		case "&", "#", "^", "_":
			l.fault(l.here(), true, `write \`+t+" for the character itself", "%s outside of a formula or table", t)
			l.words(t)
		default:
			l.command(t)
		}
	}
}

// dollar reads a formula whose first $ has been read.
func (l *latexReader) dollar() {
	line, display := l.here(), strings.HasPrefix(l.src[l.pos:], "$")
	closing := "$"
	if display {
		l.pos++
		closing = "$$"
	}
	start := l.pos
	for depth := 0; l.pos < len(l.src); {
		switch t := l.next(); {
		case t == "%":
			l.comment()
		case t == "{":
			depth++
		case t == "}":
			depth--
		case t == "$" && depth <= 0 && strings.HasPrefix(l.src[l.pos-1:], closing):
			source := l.src[start : l.pos-1]
			l.pos += len(closing) - 1
			l.math(source, display, line)
			return
		case t == "\n" && strings.HasPrefix(strings.TrimLeft(l.src[l.pos:], " \t\r"), "\n"):
			l.fault(line, false, "", "a %s without its %s: %s", closing, closing, excerpt(l.src[start:]))
			l.words(l.src[start:l.pos])
			return
		}
	}
	l.fault(line, false, "", "a %s without its %s: %s", closing, closing, excerpt(l.src[start:]))
	l.words(l.src[start:])
}

func (l *latexReader) math(source string, display bool, line int) {
	if display {
		l.endParagraph()
	} else {
		l.paragraph()
	}
	l.reader.macros = l.shared.macros
	l.formula(source, display, line, false)
}

// until reads the source up to a token that ends it, outside of groups.
func (l *latexReader) until(end string) string {
	start := l.pos
	if n := strings.Index(l.src[start:], end); n >= 0 {
		l.pos += n + len(end)
		return l.src[start : start+n]
	}
	l.fault(l.here(), true, "", "%s is missing", end)
	l.pos = len(l.src)
	return l.src[start:]
}

func (l *latexReader) define(command string) {
	l.star()
	name, _ := l.argument()
	name = strings.TrimPrefix(strings.TrimSpace(name), `\`)
	var m texmath.Macro
	switch command {
	case `\def`:
		for strings.HasPrefix(l.src[l.pos:], "#") {
			l.pos = min(l.pos+2, len(l.src))
			m.Args++
		}
	case `\DeclareMathOperator`:
	default:
		if n, given := l.optional(); given {
			m.Args, _ = strconv.Atoi(strings.TrimSpace(n))
			m.Default, m.Optional = l.optional()
		}
	}
	m.Body, _ = l.argument()
	if command == `\DeclareMathOperator` {
		m.Body = `\operatorname{` + m.Body + `}`
	}
	if name != "" && m.Args >= 0 && m.Args <= 9 && len(l.shared.macros) < 1<<10 {
		l.shared.macros[name] = m
	}
}

// expand reads the arguments of a macro, and then its body with them.
func (l *latexReader) expand(m texmath.Macro) {
	line := l.here()
	args := make([]string, m.Args)
	for i := range args {
		if i == 0 && m.Optional {
			given := false
			if args[0], given = l.optional(); !given {
				args[0] = m.Default
			}
			continue
		}
		args[i], _ = l.argument()
	}
	if body := m.Fill(args); len(body) < maxSource {
		l.nested(body, line, true)
	}
}

var relativeWidth = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`width\s*=\s*([0-9]*\.?[0-9]*)\s*\\(?:textwidth|linewidth|columnwidth|hsize)|width\s*=\s*([0-9.]+)\s*(cm|mm|in|pt|em|ex|px)|scale\s*=\s*([0-9.]+)`)
})

// widthOf returns the style of an image with the options of \includegraphics.
func widthOf(options string) string {
	m := relativeWidth().FindStringSubmatch(options)
	switch {
	case m == nil || m[4] != "":
		return ""
	case m[3] != "":
		return imageStyle(m[2]+m[3], "")
	case m[1] == "":
		return "width:100%"
	}
	return percent(m[1])
}

// percent returns the width of a share of the page, such as 0.4.
func percent(share string) string {
	f, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil || f <= 0 || f > 1 {
		return ""
	}
	return "width:" + strconv.FormatFloat(100*f, 'f', -1, 64) + "%"
}
