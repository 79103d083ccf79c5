package statement

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newMarkdown returns a parser of Markdown with tables and formulas. Only the parser of goldmark is
// used: its extensions compile regular expressions whenever a program starts that is linked with
// them, and its renderer knows no images or formulas of ours.
func newMarkdown() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(append(parser.DefaultBlockParsers(), util.Prioritized(&formulaBlocks{}, 50))...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(&formulas{}, 50))...),
		parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100), util.Prioritized(&tables{}, 200)),
	)
}

func (r *reader) markdown(source string) {
	for i, line := range strings.Split(source, "\n") {
		if strings.Count(line, ">") > maxQuotes && strings.Trim(line[:strings.LastIndexByte(line, '>')], "> \t") == "" {
			r.fault(i+1, false, "", "quotes are nested too deeply")
			source = strings.ReplaceAll(source, ">", "") // goldmark takes very long for them
			break
		}
	}
	m := &markdownReader{reader: r, src: []byte(source)}
	for i, c := range m.src {
		if c == '\n' {
			m.ends = append(m.ends, i)
		}
	}
	m.html = &htmlReader{builder: &r.builder, fault: r.fault}
	m.block(newMarkdown().Parse(text.NewReader(m.src)))
}

type markdownReader struct {
	*reader
	src  []byte
	ends []int // offsets of the ends of lines
	html *htmlReader
}

// maxQuotes is how deep quotes may be nested.
const maxQuotes = 32

// line returns the line of an offset, from 1.
func (m *markdownReader) line(offset int) int {
	before, _ := slices.BinarySearch(m.ends, offset)
	return 1 + before
}

// lineOf returns the line of a node, or of the block that it is in.
func (m *markdownReader) lineOf(n ast.Node) int {
	for c := n.FirstChild(); c != nil; c = c.FirstChild() {
		if t, ok := c.(*ast.Text); ok {
			return m.line(t.Segment.Start)
		}
	}
	for ; n != nil; n = n.Parent() {
		if n.PreviousSibling() != nil {
			if t, ok := n.PreviousSibling().(*ast.Text); ok {
				return m.line(t.Segment.Stop)
			}
		}
		if n.Type() != ast.TypeInline && n.Lines() != nil && n.Lines().Len() > 0 {
			return m.line(n.Lines().At(0).Start)
		}
	}
	return 0
}

func (m *markdownReader) kids(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c)
	}
}

// within adds the children of a node in an element.
func (m *markdownReader) within(tag string, attr map[string]string, n ast.Node) {
	m.enter(tag, attr).line = m.lineOf(n)
	m.kids(n)
	m.leave(tag)
}

// code adds the lines of a block of code.
func (m *markdownReader) code(n ast.Node) {
	m.enter("pre", nil)
	m.text(string(n.Lines().Value(m.src)))
	m.leave("pre")
}

// block adds a node of any kind, also an inline one.
func (m *markdownReader) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Document, *ast.TextBlock:
		m.kids(n)
	case *ast.Heading:
		m.within("h"+strconv.Itoa(n.Level), nil, n)
	case *ast.Paragraph:
		m.within("p", nil, n)
	case *ast.Blockquote:
		m.within("blockquote", nil, n)
	case *ast.List:
		tag, attr := "ul", map[string]string{}
		if n.IsOrdered() {
			tag = "ol"
			if n.Start != 1 {
				attr["start"] = strconv.Itoa(n.Start)
			}
		}
		m.within(tag, attr, n)
	case *ast.ListItem:
		m.within("li", nil, n)
	case *ast.CodeBlock:
		m.code(n)
	case *ast.FencedCodeBlock:
		m.code(n)
	case *ast.ThematicBreak:
		m.add(&node{tag: "hr"})
	case *ast.HTMLBlock:
		m.altered = true
		raw := string(n.Lines().Value(m.src))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(m.src))
		}
		line := 0
		if n.Lines().Len() > 0 {
			line = m.line(n.Lines().At(0).Start)
		}
		m.html.read(raw, line)
	case *table:
		m.within("table", map[string]string{"class": "rules"}, n)
	case *tableRow:
		m.within("tr", nil, n)
	case *tableCell:
		tag := "td"
		if n.head {
			tag = "th"
		}
		m.within(tag, map[string]string{"style": n.style}, n)
	case *formulaBlock:
		m.formula(n.text, true, m.line(n.start), n.open)
	default:
		m.inline(n)
	}
}

func (m *markdownReader) inline(n ast.Node) {
	if m.html.skip != "" { // inside a <script> or the like
		if raw, ok := n.(*ast.RawHTML); ok {
			m.html.read(string(raw.Segments.Value(m.src)), m.lineOf(n))
		}
		return
	}
	switch n := n.(type) {
	case *ast.Text:
		value := string(n.Segment.Value(m.src))
		if !n.IsRaw() {
			m.dollars(value, n.Segment.Start)
			value = unescape(value)
		}
		m.text(value)
		switch {
		case n.HardLineBreak():
			m.add(&node{tag: "br"})
		case n.SoftLineBreak():
			m.text("\n")
		}
	case *ast.String:
		m.text(string(n.Value))
	case *ast.CodeSpan:
		m.enter("code", nil)
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				m.text(strings.ReplaceAll(string(t.Segment.Value(m.src)), "\n", " "))
			}
		}
		m.leave("code")
	case *ast.Emphasis:
		m.within(map[int]string{1: "em", 2: "strong"}[n.Level], nil, n)
	case *ast.Link:
		m.within("a", m.link(unescape(string(n.Destination))), n)
	case *ast.AutoLink:
		url := string(n.URL(m.src))
		if n.AutoLinkType == ast.AutoLinkEmail {
			url = "mailto:" + strings.TrimPrefix(url, "mailto:")
		}
		m.enter("a", m.link(url))
		m.text(string(n.Label(m.src)))
		m.leave("a")
	case *ast.Image:
		attr := map[string]string{"src": unescape(string(n.Destination)), "alt": unescape(string(nodeText(n, m.src)))}
		if next, ok := n.NextSibling().(*ast.Text); ok { // {width=50%} as pandoc has it
			value := string(next.Segment.Value(m.src))
			if end := strings.IndexByte(value, '}'); end > 0 && value[0] == '{' {
				for _, a := range attribute().FindAllStringSubmatch(value[1:end], 16) {
					if a[1] == "width" {
						attr["style"] = imageStyle(a[2]+a[3]+a[4], "")
					}
				}
				next.Segment = next.Segment.WithStart(next.Segment.Start + end + 1)
			}
		}
		m.add(&node{tag: "img", attr: attr, line: m.lineOf(n)})
	case *ast.RawHTML:
		m.altered = true
		line := 0
		if n.Segments.Len() > 0 {
			line = m.line(n.Segments.At(0).Start)
		}
		m.html.read(string(n.Segments.Value(m.src)), line)
	case *formula:
		m.formula(n.text, n.display, m.line(n.start), false)
	default:
		m.kids(n)
	}
}

// dollars finds a $ that begins no formula, unless it is the sign before an amount.
func (m *markdownReader) dollars(value string, start int) {
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '\\':
			i++
		case '$':
			if i+1 == len(value) || '0' <= value[i+1] && value[i+1] <= '9' {
				continue
			}
			m.fault(m.line(start+i), true, `write \$ for the sign itself`, "a $ that begins no formula: %s", excerpt(value[i:]))
			return
		}
	}
}

func nodeText(n ast.Node, src []byte) (b []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b = append(b, t.Segment.Value(src)...)
		}
		b = append(b, nodeText(c, src)...)
	}
	return b
}

func (m *markdownReader) link(url string) map[string]string {
	attr := hrefOf(url)
	m.altered = m.altered || attr == nil
	return attr
}

func hrefOf(url string) map[string]string {
	if url = safeLink(url); url != "" {
		return map[string]string{"href": url}
	}
	return nil
}

// unescape replaces the entities and escapes of Markdown.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			i++
		} else if s[i] == '&' {
			if end := strings.IndexByte(s[i:], ';'); end > 0 && end < 40 {
				b.WriteString(html.UnescapeString(s[i : i+end+1]))
				i += end
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
