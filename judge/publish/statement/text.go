package statement

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Markdown returns the page as Markdown. What was written in Markdown stays as it is, unless it has
// HTML, of which only what HTML has too is kept. Images keep their names.
func (p *Page) Markdown() []byte {
	var b strings.Builder
	b.WriteString("# " + escapeMarkdown(p.title()) + "\n\n")
	for _, f := range p.Facts {
		b.WriteString("- " + escapeMarkdown(p.say(f.Name)) + ": " + escapeMarkdown(f.Value) + "\n")
	}
	shown := 0
	samples := func(which string) string {
		var b strings.Builder
		for shown < len(p.Samples) {
			shown++
			p.sampleMarkdown(&b, shown, p.Samples[shown-1])
			if which == "nextsample" {
				break
			}
		}
		return b.String()
	}
	for i, part := range p.Parts {
		b.WriteString("\n")
		if part.Heading != "" {
			b.WriteString("## " + escapeMarkdown(p.say(part.Heading)) + "\n\n")
		}
		if p.verbatim[i] {
			source := strings.TrimSpace(strings.ReplaceAll(part.Text, "\r\n", "\n")) + "\n"
			if first, rest, _ := strings.Cut(source, "\n"); strings.EqualFold(strings.Trim(first, "# "), p.title()) && strings.HasPrefix(first, "#") {
				source = strings.TrimLeft(rest, "\n")
			}
			for line := range strings.Lines(source) {
				switch text := strings.TrimSpace(line); text {
				case "{{nextsample}}", "{{remainingsamples}}":
					b.WriteString(samples(strings.Trim(text, "{}")))
				default:
					b.WriteString(line)
				}
			}
			continue
		}
		w := &markdownWriter{samples}
		b.WriteString(strings.TrimSpace(w.blocks(p.bodies[i])) + "\n")
	}
	b.WriteString(samples(""))
	return []byte(b.String())
}

func (p *Page) sampleMarkdown(b *strings.Builder, number int, s Sample) {
	block := func(title, text string) {
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		fmt.Fprintf(b, "\n## %s %d\n\n%s\n%s\n%s\n", p.say(title), number, fence, strings.TrimSuffix(text, "\n"), fence)
	}
	if len(s.Turns) > 0 {
		var text strings.Builder
		for _, t := range s.Turns {
			mark := map[Side]string{Judge: "< ", Submission: "> ", Pass: "---"}[t.From]
			for line := range strings.Lines(t.Text + "\n") {
				text.WriteString(mark + line)
			}
		}
		block("Sample interaction", text.String())
	} else {
		block("Sample input", s.Input)
		block("Sample output", s.Output)
	}
	if s.Note != "" {
		b.WriteString("\n" + escapeMarkdown(s.Note) + "\n")
	}
}

// markdownWriter writes nodes as Markdown.
type markdownWriter struct {
	samples func(which string) string
}

// blocks writes nodes each of which stands on lines of its own, with text between them as
// paragraphs.
func (w *markdownWriter) blocks(list []*node) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		n := list[i]
		if n.tag == sampleTag {
			b.WriteString(w.samples(n.text) + "\n")
			i++
			continue
		}
		if isBlock(n.tag) || n.tag == mathTag && n.attr["display"] != "" {
			b.WriteString(w.block(n))
			i++
			continue
		}
		end := i
		for end < len(list) && !isBlock(list[end].tag) && list[end].tag != sampleTag && !(list[end].tag == mathTag && list[end].attr["display"] != "") {
			end++
		}
		if text := strings.TrimSpace(w.inline(list[i:end])); text != "" {
			b.WriteString(text + "\n\n")
		}
		i = end
	}
	return b.String()
}

func (w *markdownWriter) block(n *node) string {
	switch n.tag {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return strings.Repeat("#", max(2, int(n.tag[1]-'0'))) + " " + strings.TrimSpace(w.inline(n.kids)) + "\n\n"
	case "ul", "ol":
		var b strings.Builder
		number, _ := strconv.Atoi(n.attr["start"])
		number = max(number, 1)
		for _, item := range n.kids {
			if item.tag != "li" {
				continue
			}
			mark := "- "
			if n.tag == "ol" {
				mark = strconv.Itoa(number) + ". "
				number++
			}
			b.WriteString(mark + indent(strings.TrimSpace(w.blocks(item.kids)), len(mark)) + "\n")
		}
		return b.String() + "\n"
	case "dt":
		return "**" + strings.TrimSpace(w.inline(n.kids)) + "**\n\n"
	case "blockquote":
		var b strings.Builder
		for line := range strings.Lines(strings.TrimSpace(w.blocks(n.kids)) + "\n") {
			b.WriteString(strings.TrimRight("> "+line, " "))
		}
		return b.String() + "\n"
	case "pre":
		text := strings.TrimSuffix(strings.TrimPrefix(raw(n.kids), "\n"), "\n")
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		return fence + "\n" + text + "\n" + fence + "\n\n"
	case "table":
		return w.table(n)
	case "hr":
		return "---\n\n"
	case mathTag:
		return n.source() + "\n\n"
	case "figcaption", "caption":
		return "*" + strings.TrimSpace(w.inline(n.kids)) + "*\n\n"
	}
	return w.blocks(n.kids)
}

// table writes a table; a row above it stands for its head if it has none.
func (w *markdownWriter) table(n *node) string {
	var rows [][]string
	width := 0
	walk([]*node{n}, func(n *node) {
		if n.tag != "tr" {
			return
		}
		var row []string
		for _, c := range n.kids {
			if c.tag == "td" || c.tag == "th" {
				text := strings.Join(strings.Fields(w.inline(c.kids)), " ")
				row = append(row, strings.ReplaceAll(text, "|", `\|`))
			}
		}
		rows, width = append(rows, row), max(width, len(row))
	})
	if width == 0 {
		return ""
	}
	var b strings.Builder
	for i, row := range rows {
		for len(row) < width {
			row = append(row, "")
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", width) + "|\n")
		}
	}
	return b.String() + "\n"
}

// inline writes nodes within a line.
func (w *markdownWriter) inline(list []*node) string {
	var b strings.Builder
	for _, n := range list {
		inner := func(mark string) {
			text := w.inline(n.kids)
			trimmed := strings.TrimSpace(text)
			if trimmed == "" {
				b.WriteString(text)
				return
			}
			at := strings.Index(text, trimmed)
			b.WriteString(text[:at] + mark + trimmed + mark + text[at+len(trimmed):])
		}
		switch n.tag {
		case "":
			b.WriteString(blankRuns().ReplaceAllString(escapeMarkdown(n.text), " "))
		case mathTag:
			b.WriteString(n.source())
		case "em", "i", "cite", "var":
			inner("*")
		case "strong", "b":
			inner("**")
		case "code", "kbd", "samp":
			text := strings.Join(strings.Fields(raw(n.kids)), " ")
			mark := "`"
			for strings.Contains(text, mark) {
				mark += "`"
			}
			b.WriteString(mark + text + mark)
		case "br":
			b.WriteString("\\\n")
		case "a":
			if n.attr["href"] != "" {
				b.WriteString("[" + w.inline(n.kids) + "](<" + n.attr["href"] + ">)")
			} else {
				b.WriteString(w.inline(n.kids))
			}
		case "img":
			b.WriteString("![" + escapeMarkdown(n.attr["alt"]) + "](<" + n.attr["file"] + ">)")
		default:
			b.WriteString(w.inline(n.kids))
		}
	}
	return b.String()
}

func raw(list []*node) string {
	var b strings.Builder
	walk(list, func(n *node) {
		switch n.tag {
		case "", mathTag:
			b.WriteString(n.text)
		case "br":
			b.WriteByte('\n')
		}
	})
	return b.String()
}

// indent indents all lines but the first, and empty ones.
func indent(text string, by int) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", by) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

var (
	blankRuns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t\r\n]+`) })
	special   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\\\\`*_\\[\\]<>$|]|^[#+-]|^[0-9]+[.)]") })
)

// escapeMarkdown returns a text in which no character is a mark of Markdown.
func escapeMarkdown(s string) string {
	return special().ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + `\` + m[len(m)-1:] })
}
