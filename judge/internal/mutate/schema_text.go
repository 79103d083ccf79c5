package mutate

import (
	"fmt"
	"slices"
	"strings"
)

// slotKind tells in what form the variants of a slot stand beside the original.
type slotKind int

const (
	stmtSlot  slotKind = iota // a statement, or nothing where one may be added
	postSlot                  // the statement after each round of a loop
	boolSlot                  // a condition
	hoistSlot                 // expressions that can be evaluated before their statement
	valueSlot                 // an expression that is in nobody's way
)

// slot is a piece of a file that stands in the schema together with all its variants.
// A slot is what the rest of the package calls a site.
type slot struct {
	kind       slotKind
	file       *file
	start, end int // what the variants are variants of
	fn         string
	drafts     []*draft

	// Of a hoistSlot, the statement, and of each expression, or of the valueSlot, the type.
	outer, outerEnd int
	braces          bool // whether the statement is to be put in a block
	types           []string

	number int
	code   uint32 // see code
}

// draft is a mutant in the making: a text in place of another within a slot.
type draft struct {
	op            string
	start, end    int
	text          string
	before, after string // of the Mutant; where both are "", what the edit says
	refused       bool   // does not compile
	id, variant   int
}

// with returns the slot's text with the edit of d.
func (s *slot) with(d *draft) string {
	return s.file.text[s.start:d.start] + d.text + s.file.text[d.end:s.end]
}

// rewrite replaces a stretch of a file. make is given what the stretch is without it.
type rewrite struct {
	start, end int
	make       func(inner string) string
	within     []*rewrite
}

// nest puts rewrites into those around them.
func nest(list []*rewrite) *rewrite {
	slices.SortStableFunc(list, func(a, b *rewrite) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case (a.start == a.end) != (b.start == b.end): // what is added comes first
			return a.end - b.end
		}
		return b.end - a.end
	})
	top := &rewrite{start: -1, end: 1 << 60}
	open := []*rewrite{top}
	for _, r := range list {
		r.within = nil
		for last := open[len(open)-1]; r.start >= last.end || r.end > last.end || r.start == r.end && r.start == last.start; last = open[len(open)-1] {
			open = open[:len(open)-1]
		}
		last := open[len(open)-1]
		last.within = append(last.within, r)
		open = append(open, r)
	}
	return top
}

// inside returns the text of a stretch of a file with the rewrites within r.
func (r *rewrite) inside(text string, start, end int) string {
	var b strings.Builder
	at := start
	for _, w := range r.within {
		b.WriteString(text[at:w.start])
		b.WriteString(w.make(w.inside(text, w.start, w.end)))
		at = w.end
	}
	b.WriteString(text[at:end])
	return b.String()
}

// rewrites returns what the slot makes of its file. p is the prefix of the schema's
// own names.
func (s *slot) rewrites(p string) []*rewrite {
	on := fmt.Sprintf("%sOn(%#x)", p, s.code)
	// The variants as statements, the original, which is inner, first.
	choose := func(inner string, wrap func(string) string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "if !%s { %s }", on, wrap(inner))
		drafts := s.left()
		for i, d := range drafts {
			cond := fmt.Sprintf(" else if %sVariant == %d", p, d.variant)
			if i == len(drafts)-1 {
				cond = " else"
			}
			fmt.Fprintf(&b, "%s { %s }", cond, d.marked(wrap(s.with(d))))
		}
		return b.String()
	}
	own := func(text string) string { return text }
	switch s.kind {
	case stmtSlot:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			if s.start == s.end {
				return ";" + choose(inner, own) + ";"
			}
			return choose(inner, own)
		}}}
	case postSlot:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			return "func() { " + choose(inner, own) + " }()"
		}}}
	case valueSlot:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			return "func() " + s.types[0] + " { " + choose(inner, func(e string) string { return "return " + e }) + " }()"
		}}}
	case boolSlot:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			var b strings.Builder
			for i, d := range s.left() {
				if i > 0 {
					b.WriteString(" || ")
				}
				fmt.Fprintf(&b, "%sVariant == %d && (%s)", p, d.variant, d.marked(s.with(d)))
			}
			return fmt.Sprintf("(!%s && (%s) || %sOff&%#x == 0 && (%s))", on, inner, p, s.code, &b)
		}}}
	}
	var names []string
	declare := ""
	for i, t := range s.types {
		name := fmt.Sprintf("%sV%d_%d", p, s.number, i)
		names = append(names, name)
		declare += "var " + name + " " + t + "; "
	}
	list := strings.Join(names, ", ")
	var before string
	expr := &rewrite{start: s.start, end: s.end, make: func(inner string) string {
		before = inner
		return list
	}}
	return []*rewrite{{start: s.outer, end: s.outerEnd, make: func(inner string) string {
		text := declare + choose(before, func(e string) string { return list + " = " + e }) + "; " + inner
		if s.braces {
			return "{ " + text + " }"
		}
		return text
	}}, expr}
}

// left returns the drafts that compile.
func (s *slot) left() []*draft {
	var list []*draft
	for _, d := range s.drafts {
		if !d.refused {
			list = append(list, d)
		}
	}
	return list
}

// The text of each variant stands between marks, by which an error is traced to it.
const (
	openMark  = "/*<"
	closeMark = ">*/"
)

func (d *draft) marked(text string) string {
	return fmt.Sprintf("%s%d*/%s/*%d%s", openMark, d.id, text, d.id, closeMark)
}

// codes returns words of which none has all the ones of another.
func codes(n int) []uint32 {
	list := make([]uint32, n)
	word := uint32(1<<16 - 1)
	for i := range list {
		list[i] = word
		low := word & -word
		carry := word + low
		word = carry | (word^carry)/low>>2
	}
	return list
}
