package report

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/tty"
)

// The statements of problems are simple Markdown: headings, lists, fenced code, tables, and
// paragraphs with `code`, *emphasis* and **strong**. Markdown is readable as it is, so rendering
// changes little: it wraps paragraphs, aligns tables, indents code and, on a page with colours,
// replaces the marks of inline code and emphasis by colours.
var (
	headingLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#{1,6} +(.*?)[ #]*$`) })
	itemLine    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^( *)([-*+]|[0-9]+[.)]) +(\S.*)$`) })
	fenceLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^( *)(```+|~~~+)") })
	ruleCell    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^:?-+:?$`) })
)

// addMarkdown adds Markdown text, with paragraphs wrapped at width columns.
func addMarkdown(p *layout.Page, text string, width int) {
	m := &markdown{Page: p, width: width}
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for len(lines) > 0 {
		l := strings.TrimRight(lines[0], " \t\r")
		rest := lines[1:]
		switch {
		case l == "":
			m.flush()
			m.blank = m.began
		case fenceLine().MatchString(l):
			rest = m.fence(l, rest)
		case headingLine().MatchString(l):
			m.flush()
			m.gap()
			heading(p, layout.Word(headingLine().FindStringSubmatch(l)[1]), '~')
		case strings.HasPrefix(strings.TrimLeft(l, " "), "|"):
			rest = m.table(lines)
		case itemLine().MatchString(l):
			m.flush()
			item := itemLine().FindStringSubmatch(l)
			m.first = item[1] + item[2] + " "
			m.next = strings.Repeat(" ", len(m.first))
			m.paragraph = item[3]
		case m.paragraph == "":
			m.first = l[:len(l)-len(strings.TrimLeft(l, " "))]
			m.next = m.first
			m.paragraph = strings.TrimSpace(l)
		default:
			m.paragraph += " " + strings.TrimSpace(l)
		}
		lines = rest
	}
	m.flush()
}

// markdown is the state of rendering one text.
type markdown struct {
	*layout.Page
	width       int
	began       bool   // whether a block has been added
	blank       bool   // whether an empty line is due before the next block
	paragraph   string // the text of the current paragraph so far
	first, next string // the prefixes of the first line of the paragraph and of the others
}

// gap adds an empty line if one is due.
func (m *markdown) gap() {
	if m.blank {
		m.Printf("\n")
	}
	m.began, m.blank = true, false
}

// flush adds the current paragraph and begins a new one.
func (m *markdown) flush() {
	if m.paragraph == "" {
		return
	}
	m.gap()
	prefix := m.first
	for _, l := range wrap(inline(m.Page, m.paragraph, layout.Plain), m.width-len(m.next)) {
		m.Printf("%s%s\n", prefix, painted(m.Page, l))
		prefix = m.next
	}
	m.paragraph = ""
}

// fence adds a block of fenced code that begins with the line open, and returns the lines after the
// block.
func (m *markdown) fence(open string, lines []string) []string {
	m.flush()
	m.gap()
	mark := fenceLine().FindStringSubmatch(open)
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimLeft(l, " "), mark[2]) {
			return lines[i+1:]
		}
		for range mark[1] { // the indentation of the fence does not belong to the code
			l = strings.TrimPrefix(l, " ")
		}
		if l = strings.TrimRight(layout.Line(l), " "); l != "" {
			m.Printf("%s    %s", mark[1], m.Paint(layout.Source, l))
		}
		m.Printf("\n")
	}
	return nil
}

// table adds the table at the beginning of lines, and returns the lines after the table.
func (m *markdown) table(lines []string) []string {
	m.flush()
	m.gap()
	var rows [][]layout.Cell
	for len(lines) > 0 {
		l := strings.TrimSpace(lines[0])
		if !strings.HasPrefix(l, "|") {
			break
		}
		lines = lines[1:]
		var row []layout.Cell
		rule := true
		for text := range strings.SplitSeq(strings.Trim(l, "|"), "|") {
			text = strings.TrimSpace(text)
			rule = rule && ruleCell().MatchString(text)
			row = append(row, layout.Cell{Text: layout.Word(text)})
		}
		if rule && len(rows) == 1 { // this row separates the head from the body
			for i := range rows[0] {
				rows[0][i].Look = layout.Strong
			}
			for i := range min(len(row), len(rows[0])) {
				row[i].Text = strings.Repeat("-", utf8.RuneCountInString(rows[0][i].Text))
			}
		}
		rows = append(rows, row)
	}
	m.Table("  ", rows)
	return lines
}

// heading adds a heading, in its look on a page with colours, otherwise underlined.
func heading(p *layout.Page, text string, underline rune) {
	p.Printf("%s\n", p.Paint(layout.Strong, text))
	if !p.Color {
		p.Printf("%s\n", strings.Repeat(string(underline), utf8.RuneCountInString(text)))
	}
}

// A glyph is one character of a paragraph, with its look.
type glyph struct {
	text string
	look layout.Look
}

// inline returns the characters of text. Those outside of marks get the look outside. On a page
// with colours inline drops the marks.
func inline(p *layout.Page, text string, outside layout.Look) []glyph {
	var list []glyph
	span := func(inner []glyph, mark string, l layout.Look) {
		if p.Color {
			mark = ""
		}
		list = append(list, literal(mark, l)...)
		list = append(list, inner...)
		list = append(list, literal(mark, l)...)
	}
	for text != "" {
		mark := text[:1] // stays part of the text unless it begins a marked span
		switch text[0] {
		case '`':
			mark = text[:len(text)-len(strings.TrimLeft(text, "`"))]
			if end := strings.Index(text[len(mark):], mark); end >= 0 {
				span(literal(text[len(mark):len(mark)+end], layout.Source), mark, layout.Source)
				text = text[end+2*len(mark):]
				continue
			}
		case '*':
			mark = text[:len(text)-len(strings.TrimLeft(text, "*"))]
			if end := emphasis(text, mark); end > 0 {
				span(inline(p, text[len(mark):end], layout.Strong), mark, layout.Strong)
				text = text[end+len(mark):]
				continue
			}
		case '\\':
			if len(text) > 1 && strings.ContainsRune("\\`*_{}[]()#+-.!|<>~", rune(text[1])) {
				list = append(list, literal(text[1:2], outside)...)
				text = text[2:]
				continue
			}
		default:
			_, size := utf8.DecodeRuneInString(text)
			mark = text[:size]
		}
		list = append(list, literal(mark, outside)...)
		text = text[len(mark):]
	}
	return list
}

// emphasis returns the index of the mark that closes the one at the beginning of text, or 0 if
// there is none.
func emphasis(text, mark string) int {
	if len(mark) > 2 || len(text) == len(mark) || text[len(mark)] == ' ' {
		return 0
	}
	for at := len(mark) + 1; at < len(text); at++ {
		if strings.HasPrefix(text[at:], mark) && text[at-1] != ' ' && !strings.HasPrefix(text[at+len(mark):], "*") {
			return at
		}
	}
	return 0
}

// literal returns the characters of text, with unprintable characters escaped.
func literal(text string, l layout.Look) []glyph {
	var list []glyph
	for _, r := range layout.Clean(text, len(text)) {
		list = append(list, glyph{string(r), l})
	}
	return list
}

// wrap breaks a paragraph into lines of at most width characters. It breaks at blanks outside of
// code and drops these blanks. A word longer than width gets a line of its own.
func wrap(text []glyph, width int) [][]glyph {
	var lines [][]glyph
	var current []glyph
	for len(text) > 0 {
		end := 0
		for end < len(text) && (text[end].text != " " || text[end].look == layout.Source) {
			end++
		}
		if next := text[:end]; end > 0 {
			if len(current) > 0 && len(current)+1+len(next) > width {
				lines, current = append(lines, current), nil
			}
			if len(current) > 0 {
				current = append(current, glyph{" ", gapLook(current, next)})
			}
			current = append(current, next...)
		}
		text = text[min(end+1, len(text)):]
	}
	if len(current) > 0 {
		lines = append(lines, current)
	}
	return lines
}

// gapLook returns the look of the blank between the words a and b.
func gapLook(a, b []glyph) layout.Look {
	if a[len(a)-1].look == b[0].look && b[0].look != layout.Source {
		return b[0].look
	}
	return layout.Plain
}

// painted returns a line of characters as text, in colours if the page has colours.
func painted(p *layout.Page, l []glyph) tty.Text {
	var list []tty.Text
	for len(l) > 0 {
		n := 0
		var run strings.Builder
		for n < len(l) && l[n].look == l[0].look {
			run.WriteString(l[n].text)
			n++
		}
		list = append(list, p.Paint(l[0].look, run.String()))
		l = l[n:]
	}
	return tty.Join(list, "")
}
