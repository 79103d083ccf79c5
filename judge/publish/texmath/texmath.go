// Package texmath converts the mathematics of LaTeX to MathML.
//
// It understands what statements of problems use: sub- and superscripts, fractions, roots, symbols,
// functions, alphabets, accents, delimiters of any size, matrices, cases and aligned lines, text
// with formulas in it, and macros of the document. Begin at [Convert]; symbols.go lists the
// symbols, commands.go the commands that take arguments.
//
// The result is MathML Core, which browsers show without fonts, scripts or style sheets of ours.
package texmath

import (
	"html"
	"strings"
)

// The bounds of a formula. A formula beyond them is an error, not a slow page.
const (
	maxSource     = 64 << 10 // bytes
	maxDepth      = 64       // groups inside groups
	maxExpansions = 1 << 10  // uses of macros
)

// Error says why a formula cannot be converted.
type Error struct {
	// Unknown is the command or environment that texmath does not know, or "" if the formula is
	// broken: a reader of LaTeX would refuse it too.
	Unknown string
	Msg     string // one line
}

func (e *Error) Error() string { return e.Msg }

// Convert converts a formula, without its dollars, to a math element. display is whether it stands
// on a line of its own. Every error is an [*Error]. The result is well-formed whatever the formula:
// its text is escaped, and it has only elements of MathML and attributes that Convert chose.
func Convert(formula string, display bool) (string, error) {
	p := &parser{src: formula}
	if len(formula) > maxSource {
		return "", &Error{Msg: "it is too long"}
	}
	items := p.row()
	if p.err == nil && p.peek() == `\\` { // lines without an environment, as other readers allow them
		p.pos = len(p.src)
		items = []item{{xml: p.table(p.src, "left", ` displaystyle="true"`)}}
	}
	if p.err == nil {
		if t := p.peek(); t != "" {
			p.unexpected(t)
		}
	}
	if p.err != nil {
		return "", p.err
	}
	attribute := ""
	if display {
		attribute = ` display="block"`
	}
	return `<math` + attribute + ` alttext="` + html.EscapeString(strings.Join(strings.Fields(formula), " ")) + `">` + join(items) + `</math>`, nil
}

// A class is the role of an item in its row, which decides the space around it.
type class int

const (
	ordinary class = iota
	operator       // a large operator or the name of a function
	binary
	relation
	opening
	closing
	punctuation
	space
)

// An item is one element of MathML.
type item struct {
	xml    string
	class  class
	limits bool // scripts go above and below, in displayed formulas
}

// element returns an element of MathML with the text, which is escaped.
func element(name, attributes, text string) string {
	return "<" + name + attributes + ">" + html.EscapeString(text) + "</" + name + ">"
}

// join returns the items as one element.
func join(items []item) string {
	if len(items) == 1 {
		return items[0].xml
	}
	var b strings.Builder
	b.WriteString("<mrow>")
	for _, i := range items {
		b.WriteString(i.xml)
	}
	b.WriteString("</mrow>")
	return b.String()
}
