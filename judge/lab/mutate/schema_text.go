package mutate

import (
	"fmt"
	"slices"
	"strings"
)

// siteKind is the way in which the variants of a site are written beside the original.
type siteKind int

const (
	stmtSite  siteKind = iota // a statement, or an empty position at which a mutant inserts one
	postSite                  // the statement after each round of a loop
	boolSite                  // a condition
	hoistSite                 // expressions that can be evaluated before their statement
	valueSite                 // an expression that can move into a function literal
)

// site is a piece of a file that the schema holds together with all its variants.
type site struct {
	kind       siteKind
	file       *file
	start, end int // offsets of the piece in its file
	fn         string
	drafts     []*draft

	// The outer statement of a hoistSite, and the types of its expressions; also the type of a
	// valueSite.
	outer, outerEnd int
	braces          bool // the outer statement must be put in a block
	types           []string

	number int
	code   uint32 // see codes
}

// draft is a mutant that is not numbered yet: a text that replaces another within a site.
type draft struct {
	op            string
	start, end    int
	text          string
	before, after string // Before and After of the Mutant; if both are "", they are derived from the edit
	dropped       bool   // does not compile
	id, variant   int
}

// with returns the site's source with the edit of d.
func (s *site) with(d *draft) string {
	return s.file.text[s.start:d.start] + d.text + s.file.text[d.end:s.end]
}

// rewrite replaces a stretch of a file by the result of make. The argument of make is the text of
// the stretch after the rewrites within it were applied.
type rewrite struct {
	start, end int
	make       func(inner string) string
	within     []*rewrite
}

// nest arranges rewrites as a tree, and returns its root. The parent of a rewrite is the innermost
// rewrite around it.
func nest(list []*rewrite) *rewrite {
	slices.SortStableFunc(list, func(a, b *rewrite) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case (a.start == a.end) != (b.start == b.end): // insertions come first
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

// inside returns the source from start to end with the rewrites within r applied.
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

// rewrites returns the changes that the site makes to its file. p is the prefix of the schema's own
// names.
func (s *site) rewrites(p string) []*rewrite {
	on := fmt.Sprintf("%sOn(%#x)", p, s.code)
	// choose writes the original, inner, and the variants as branches of an if statement.
	choose := func(inner string, wrap func(string) string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "if !%s { %s }", on, wrap(inner))
		drafts := s.kept()
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
	case stmtSite:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			if s.start == s.end {
				return ";" + choose(inner, own) + ";"
			}
			return choose(inner, own)
		}}}
	case postSite:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			return "func() { " + choose(inner, own) + " }()"
		}}}
	case valueSite:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			return "func() " + s.types[0] + " { " + choose(inner, func(e string) string { return "return " + e }) + " }()"
		}}}
	case boolSite:
		return []*rewrite{{start: s.start, end: s.end, make: func(inner string) string {
			var b strings.Builder
			for i, d := range s.kept() {
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

// kept returns the drafts that were not dropped.
func (s *site) kept() []*draft {
	var list []*draft
	for _, d := range s.drafts {
		if !d.dropped {
			list = append(list, d)
		}
	}
	return list
}

// Comments mark the beginning and the end of each variant, so that an error can be traced to it.
const (
	openMark  = "/*<"
	closeMark = ">*/"
)

func (d *draft) marked(text string) string {
	return fmt.Sprintf("%s%d*/%s/*%d%s", openMark, d.id, text, d.id, closeMark)
}

// codes returns n different words with 16 bits set, so that no word contains all the bits of
// another.
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
