package statement

import (
	"html"
	"slices"
	"strings"
	"sync"
)

// A node is an element of a statement, or a text. Readers of all formats make nodes, and writers of
// all formats write them. The writers decide what may be in a page, so that a reader need not be
// trusted: an element or an attribute that allowed does not list is not written.
type node struct {
	tag  string // name of an HTML element; "" for a text, or one of the constants
	text string // of a text, or the source of a formula
	attr map[string]string
	made string // MathML of a formula; "" if it cannot be converted
	kids []*node
	line int // in the file of the statement; 0 if unknown
}

const (
	mathTag = "#math" // a formula: text is its source; attr has display if it stands on a line of its own
	// sampleTag stands for samples: text is nextsample, or remainingsamples for all that are left.
	sampleTag = "#sample"
)

// allowed maps the elements of a page to their attributes.
var allowed = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{
		"a": {"href"}, "img": {"src", "alt", "style"}, "ol": {"start", "class"}, "td": {"colspan", "rowspan", "style"}, "th": {"colspan", "rowspan", "style"},
		"div": {"class", "style"}, "p": {"style"}, "span": {"class"}, "figure": {"class", "style"}, "code": {"class"}, "pre": {"class"}, "table": {"class"}, "ul": {"class"},
	}
	for name := range strings.FieldsSeq(`h1 h2 h3 h4 h5 h6 li dl dt dd thead tbody tfoot tr caption blockquote em i b strong u s del ins
		sub sup small kbd samp var br hr figcaption abbr cite q details summary`) {
		all[name] = nil
	}
	return all
})

// replaced maps elements of HTML to those that stand for them in a page.
var replaced = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"center": "div", "font": "span", "big": "span", "tt": "code", "strike": "s", "section": "div", "article": "div", "main": "div",
		"header": "div", "footer": "div", "aside": "div", "nav": "div",
	}
})

// voids are the elements without an end tag.
var voids = []string{"br", "hr", "img"}

// classes are the classes that the style of a page knows.
var classes = []string{"center", "illustration", "wrapped", "source", "small-caps", "note", "plain", "rules"}

// writeHTML writes nodes as HTML. samples writes the samples for a node.
func writeHTML(b *strings.Builder, list []*node, samples func(*strings.Builder, string)) {
	for _, n := range list {
		switch {
		case n.tag == "":
			b.WriteString(html.EscapeString(n.text))
			continue
		case n.tag == mathTag && n.made != "":
			b.WriteString(n.made) // by texmath, whose results are safe
			continue
		case n.tag == mathTag:
			b.WriteString(`<code class="source">` + html.EscapeString(n.source()) + "</code>")
			continue
		case n.tag == sampleTag:
			samples(b, n.text)
			continue
		}
		attributes, known := allowed()[n.tag]
		if !known {
			writeHTML(b, n.kids, samples)
			continue
		}
		b.WriteString("<" + n.tag)
		for _, name := range attributes {
			if value, given := n.attr[name]; given && (name != "class" || slices.Contains(classes, value)) {
				b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
			}
		}
		b.WriteByte('>')
		if !slices.Contains(voids, n.tag) {
			writeHTML(b, n.kids, samples)
			b.WriteString("</" + n.tag + ">")
		}
		if isBlock(n.tag) {
			b.WriteByte('\n')
		}
	}
}

// source returns a formula with its dollars.
func (n *node) source() string {
	if n.attr["display"] != "" {
		return "$$" + n.text + "$$"
	}
	return "$" + n.text + "$"
}

// isBlock reports whether an element begins on a line of its own.
func isBlock(tag string) bool {
	switch tag {
	case "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "blockquote", "pre", "div", "figure", "hr",
		"details", "summary", "figcaption", "caption":
		return true
	}
	return false
}

// walk calls visit for all nodes, parents first.
func walk(list []*node, visit func(*node)) {
	for _, n := range list {
		visit(n)
		walk(n.kids, visit)
	}
}

// plain returns the text of nodes without their elements, with white space collapsed.
func plain(list []*node) string {
	var b strings.Builder
	walk(list, func(n *node) {
		if n.tag == "" || n.tag == mathTag {
			b.WriteString(n.text)
		} else if isBlock(n.tag) || n.tag == "br" {
			b.WriteByte(' ')
		}
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxNodes bounds the nodes of a statement, and maxNesting how deep they are.
const (
	maxNodes   = 1 << 17
	maxNesting = 128
)

// A builder makes a tree of nodes from elements that open and close. Elements opened by enter are
// closed only by their leave; those opened by open may be left open, or closed by a tag that does
// not match, as HTML has it.
type builder struct {
	root  node
	stack []*node
	bars  []int // length of stack at each enter
	nodes int
	full  bool // nodes were left out
}

func (b *builder) top() *node {
	if len(b.stack) == 0 {
		return &b.root
	}
	return b.stack[len(b.stack)-1]
}

// bar is the length of stack below which close does not go.
func (b *builder) bar() int {
	if len(b.bars) == 0 {
		return 0
	}
	return b.bars[len(b.bars)-1]
}

// add adds a node without children.
func (b *builder) add(n *node) *node {
	if b.nodes++; b.nodes > maxNodes || len(b.stack) > maxNesting {
		b.full = true
		return n
	}
	top := b.top()
	top.kids = append(top.kids, n)
	return n
}

func (b *builder) text(s string) {
	if s != "" {
		b.add(&node{text: s})
	}
}

func (b *builder) open(tag string, attr map[string]string) *node {
	n := b.add(&node{tag: tag, attr: attr})
	b.stack = append(b.stack, n)
	return n
}

// close ends the innermost element with that name, and those in it. If there is none, it does nothing.
func (b *builder) close(tag string) {
	for i := len(b.stack) - 1; i >= b.bar(); i-- {
		if b.stack[i].tag == tag {
			b.stack = b.stack[:i]
			return
		}
	}
}

// enter begins an element that ends at the matching leave.
func (b *builder) enter(tag string, attr map[string]string) *node {
	at := len(b.stack)
	n := b.open(tag, attr)
	b.bars = append(b.bars, at+1)
	return n
}

// group begins a part in which elements opened outside are not closed.
func (b *builder) group() { b.bars = append(b.bars, len(b.stack)) }

// leave ends what enter or group began.
func (b *builder) leave(tag string) {
	at := b.bar()
	if tag != "" {
		at--
	}
	b.stack, b.bars = b.stack[:at], b.bars[:len(b.bars)-1]
}
