package statement

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// htmlReader reads HTML into a builder. It knows the lines of tags, and as much of HTML as
// statements need: what it misreads is shown as text, because the writer escapes all text.
type htmlReader struct {
	*builder
	fault func(line int, unknown bool, hint, format string, args ...any)
	skip  string // the element that is being left out with its content
}

// dropped are the elements that are left out with their content. Nothing is lost with the quiet
// ones.
var (
	dropped = []string{"iframe", "object", "embed", "svg", "math", "form", "video", "audio", "canvas", "applet", "frameset", "select", "textarea", "button", "map", "portal"}
	quiet   = []string{"script", "style", "head", "title", "template", "noscript", "xmp", "noembed", "noframes"}
)

// attribute matches an attribute of a tag.
var attribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)
})

// read adds a piece of HTML that begins in a line.
func (h *htmlReader) read(source string, line int) {
	for source != "" {
		at := strings.IndexByte(source, '<')
		if at < 0 {
			at = len(source)
		}
		if h.skip == "" {
			h.text(html.UnescapeString(source[:at]))
		}
		line += strings.Count(source[:at], "\n")
		source = source[at:]
		end := tagEnd(source)
		switch {
		case source == "":
			return
		case strings.HasPrefix(source, "<!--"):
			if end = strings.Index(source, "-->") + 3; end < 3 {
				end = len(source)
			}
		case len(source) > 1 && strings.ContainsRune("!?", rune(source[1])):
			if end = strings.IndexByte(source, '>') + 1; end == 0 {
				end = len(source)
			}
		case end > 0:
			h.tag(source[1:end-1], line)
		default:
			end = 1
			if h.skip == "" {
				h.text("<")
			}
		}
		line += strings.Count(source[:end], "\n")
		source = source[end:]
	}
}

// tagEnd returns the length of the tag at the beginning of a text; 0 if there is none.
func tagEnd(s string) int {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "<"), "/")
	if name == "" || !('a' <= name[0]|0x20 && name[0]|0x20 <= 'z') {
		return 0
	}
	var quote byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && s[i-1] == '=':
			quote = c
		case c == '>':
			return i + 1
		case c == '<': // another tag begins
			return 0
		}
	}
	return 0
}

// tag adds a tag, given without its brackets.
func (h *htmlReader) tag(s string, line int) {
	closes := strings.HasPrefix(s, "/")
	s = strings.TrimPrefix(s, "/")
	at := strings.IndexFunc(s, func(r rune) bool { return r == '/' || strings.ContainsRune(" \t\r\n\f", r) })
	if at < 0 {
		at = len(s)
	}
	name, rest := strings.ToLower(s[:at]), s[at:]
	switch {
	case h.skip != "":
		if closes && name == h.skip {
			h.skip = ""
		}
		return
	case slices.Contains(dropped, name), slices.Contains(quiet, name):
		if slices.Contains(dropped, name) && !closes {
			h.fault(line, true, "", "<%s> is left out", name)
		}
		if !closes && !strings.HasSuffix(rest, "/") {
			h.skip = name
		}
		return
	}
	original := name
	if other, ok := replaced()[name]; ok {
		name = other
	}
	if _, known := allowed()[name]; !known {
		return
	}
	if closes {
		if !slices.Contains(voids, name) {
			h.close(name)
		}
		return
	}
	attr := map[string]string{}
	for _, m := range attribute().FindAllStringSubmatch(rest, 64) {
		attr[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
	}
	h.element(original, name, attr, line)
}

// element begins an element, or adds one without an end. It ends those that it implies to end, such
// as a paragraph before a list.
func (h *htmlReader) element(original, name string, attr map[string]string, line int) {
	kept := map[string]string{}
	keep := func(key string, value string) {
		if value != "" {
			kept[key] = value
		}
	}
	switch name {
	case "a":
		keep("href", safeLink(attr["href"]))
	case "img":
		keep("src", attr["src"])
		keep("alt", attr["alt"])
		keep("style", imageStyle(attr["width"], attr["style"]))
	case "td", "th":
		keep("colspan", digits(attr["colspan"]))
		keep("rowspan", digits(attr["rowspan"]))
		keep("style", alignment(cmp.Or(attr["align"], attr["style"])))
	case "p", "div":
		keep("style", alignment(cmp.Or(attr["align"], attr["style"])))
	case "ol":
		keep("start", digits(attr["start"]))
	}
	if original == "center" {
		keep("class", "center")
	}
	switch name {
	case "li":
		h.closeIn("li", "ul", "ol")
	case "dt", "dd":
		h.closeIn("dt", "dl")
		h.closeIn("dd", "dl")
	case "tr":
		h.closeIn("tr", "table")
	case "td", "th":
		h.closeIn("td", "tr", "table")
		h.closeIn("th", "tr", "table")
	case "thead", "tbody", "tfoot":
		h.closeIn("thead", "table")
		h.closeIn("tbody", "table")
	}
	if isBlock(name) {
		h.closeIn("p", "td", "th", "li", "div", "blockquote", "dd")
	}
	if slices.Contains(voids, name) {
		h.add(&node{tag: name, attr: kept, line: line})
		return
	}
	h.open(name, kept).line = line
}

// closeIn closes an element if it is open within the innermost of the others.
func (h *htmlReader) closeIn(tag string, within ...string) {
	for i := len(h.stack) - 1; i >= h.bar(); i-- {
		switch {
		case h.stack[i].tag == tag:
			h.stack = h.stack[:i]
			return
		case slices.Contains(within, h.stack[i].tag):
			return
		}
	}
}

// safeLink returns a link to another page, and "" for any other.
func safeLink(href string) string {
	href = strings.TrimSpace(href)
	low := strings.ToLower(href)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(low, scheme) && !strings.ContainsFunc(href, func(r rune) bool { return r < ' ' }) {
			return href
		}
	}
	return ""
}

var (
	wholeNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,3}$`) })
	widthValue  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*([0-9]{1,4}(?:\.[0-9]{1,6})?)\s*(%|px|em|ex|cm|mm|in|pt|rem|vw)?\s*$`)
	})
	widthRule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(?:^|;)\s*(?:max-)?width\s*:([^;]*)`) })
)

func digits(s string) string { return wholeNumber().FindString(s) }

// imageStyle returns the style of an image with a width, from its attributes.
func imageStyle(width, style string) string {
	if m := widthRule().FindStringSubmatch(style); m != nil {
		width = m[1]
	}
	m := widthValue().FindStringSubmatch(width)
	if m == nil {
		return ""
	}
	unit := strings.ToLower(m[2])
	if unit == "" {
		unit = "px"
	}
	return "width:" + m[1] + unit
}

// alignment returns the style of a cell that is aligned left, right or at the centre.
func alignment(s string) string {
	s = strings.ToLower(s)
	if _, rule, ok := strings.Cut(s, "text-align"); ok {
		s, _, _ = strings.Cut(strings.TrimLeft(rule, ": "), ";")
	}
	if s = strings.TrimSpace(s); s == "center" || s == "right" || s == "left" {
		return "text-align:" + s
	}
	return ""
}
