package diff

import (
	"bytes"
	"slices"
)

// side is the kept part of one output, before and after the first difference.
type side struct {
	before, after []byte
	whole         bool // before starts at the beginning of the output
	ended         bool // after extends to the end of the output
	number        int  // number of the line with the difference, from 1
}

// line is one line of an output. The text after the last newline is a line too, even if it is
// empty, so the last line of an output never has a newline.
type line struct {
	number   int
	text     []byte // without its newline
	headless bool   // the beginning of the line is missing in text
	end      string // the sign to show after text: for a newline, the end of the output, or a cut
}

// final reports whether l is nothing but the end of its output.
func (l line) final() bool { return l.end == signEnd && len(l.text) == 0 }

// counts reports whether a line is compared under o. If white space does not count, lines without
// words are not compared.
func (l line) counts(o Options) bool { return o.strict() || o.Mode == Lines || l.worded() }

func (l line) worded() bool { return len(trimBlanks(l.text)) > 0 }

// sameLine reports whether two lines are equal under o. A line that was not kept in full is equal
// to no other.
func sameLine(want, got line, o Options) bool {
	switch {
	case want.headless || got.headless || want.end == signCut || got.end == signCut:
		return false
	case o.strict() && want.end != got.end:
		return false
	case o.Mode == Exact:
		return bytes.Equal(want.text, got.text)
	}
	return same(want.text, got.text, o)
}

// begun reports whether the line with the difference has a word before the difference.
func (s side) begun() bool {
	return len(trimBlanks(s.before[bytes.LastIndexByte(s.before, '\n')+1:])) > 0
}

// back returns s with the difference moved back to the end of the word before it, if that word was
// kept.
func (s side) back() side {
	word := trimBlanks(s.before)
	if len(word) == 0 {
		return s
	}
	blanks := s.before[len(word):]
	s.before = word
	s.after = bytes.Join([][]byte{blanks, s.after}, nil)
	s.number -= bytes.Count(blanks, newline)
	return s
}

// trimBlanks returns text without the white space at its end.
func trimBlanks(text []byte) []byte { return bytes.TrimRight(text, " \t\n\v\f\r") }

// earlier returns up to n lines before the line with the difference, the nearest first: those that
// were kept in full and count under o.
func (s side) earlier(n int, o Options) []line {
	text := s.before[:bytes.LastIndexByte(s.before, '\n')+1]
	lines := make([]line, 0, n)
	for number := s.number - 1; len(text) > 0 && len(lines) < n; number-- {
		text = text[:len(text)-1]
		begin := bytes.LastIndexByte(text, '\n') + 1
		if begin == 0 && !s.whole {
			break
		}
		if l := (line{number: number, text: text[begin:], end: signNewline}); l.counts(o) {
			lines = append(lines, l)
		}
		text = text[:begin]
	}
	return lines
}

// lines returns up to n lines that count under o, from the line with the difference on. focus is
// the position of the difference in that line; ended reports whether the lines reach the end of the
// output.
func (s side) lines(n int, o Options) (lines []line, focus int, ended bool) {
	begin := bytes.LastIndexByte(s.before, '\n') + 1
	text := bytes.Join([][]byte{s.before[begin:], s.after}, nil)
	l := line{number: s.number, headless: begin == 0 && !s.whole}
	for len(lines) < n {
		var more bool
		l.text, text, more = bytes.Cut(text, newline)
		switch {
		case more:
			l.end = signNewline
		case s.ended:
			l.end = signEnd
		default:
			l.end = signCut
		}
		if l.counts(o) {
			if l.number == s.number {
				focus = len(s.before) - begin
			}
			lines = append(lines, l)
		}
		if !more {
			for n := len(lines) - 1; o.Mode == Lines && s.ended && n >= 0 && !lines[n].worded(); n-- {
				lines = lines[:n] // empty lines at the end are not compared
			}
			return lines, focus, s.ended
		}
		l = line{number: l.number + 1}
	}
	return lines, focus, false
}

const (
	context  = 2   // equal lines shown before and after differing ones
	farthest = 512 // largest number of lines of each output to align
)

// excerpt returns the lines to show for a difference between want and got, and whether either
// output has more lines after them.
func excerpt(want, got side, o Options) ([]Line, bool) {
	e := excerpter{o: o}
	n := min(4*o.Lines, farthest)
	e.want, e.wantFocus, e.wantEnded = want.lines(n, o)
	e.got, e.gotFocus, e.gotEnded = got.lines(n, o)
	blocks := e.align()

	equal := e.common(want, got)
	if first := blocks[0]; !first.differs() {
		for i := range first.equal {
			equal = append(equal, pair{e.want[i], e.got[i]})
		}
		blocks = blocks[1:]
	}
	// Leave room for at least one line of each side of the difference.
	for _, p := range equal[max(0, len(equal)-max(0, min(context, o.Lines-2))):] {
		e.both(p)
	}

	// Lines after the last equal one may be equal to lines beyond the kept part of the other
	// output, so they are not shown as differing.
	if b := &blocks[len(blocks)-1]; len(blocks) > 1 && b.equal == 0 {
		if !e.gotEnded {
			b.wantEnd = b.want
		}
		if !e.wantEnded {
			b.gotEnd = b.got
		}
	}
	all := e.blocks(blocks)
	return e.lines, !(all && e.wantEnded && e.gotEnded)
}

// excerpter collects the lines to show.
type excerpter struct {
	o                   Options
	want, got           []line // the lines from the one with the first difference on
	wantFocus, gotFocus int    // position of the first difference in want[0] and got[0], in bytes
	wantEnded, gotEnded bool   // whether want and got reach the ends of their outputs
	lines               []Line
}

// pair is a line that both outputs have.
type pair struct{ want, got line }

// common returns the equal lines just before the line with the difference.
func (e *excerpter) common(want, got side) []pair {
	var pairs []pair
	w, g := want.earlier(context, e.o), got.earlier(context, e.o)
	for i := 0; i < len(w) && i < len(g) && sameLine(w[i], g[i], e.o); i++ {
		pairs = append(pairs, pair{w[i], g[i]})
	}
	slices.Reverse(pairs)
	return pairs
}

// align aligns the lines so that at least one differs.
func (e *excerpter) align() []block {
	same := func(i, j int) bool { return sameLine(e.want[i], e.got[j], e.o) }
	blocks := align(len(e.want), len(e.got), same)
	if len(blocks) == 1 && !blocks[0].differs() {
		// In the modes Tokens and Float, all lines may be equal although their first words are at
		// different positions in the outputs. Then the first two lines count as different.
		blocks = align(len(e.want), len(e.got), func(i, j int) bool { return i+j > 0 && same(i, j) })
	}
	return blocks
}

// blocks adds the blocks to e.lines until a long stretch of equal lines, or until e.lines is full.
// It reports whether it has added all lines.
func (e *excerpter) blocks(blocks []block) bool {
	for n, b := range blocks {
		room := e.o.Lines - len(e.lines)
		if room == 0 {
			return false
		}
		minus := bare(e.want[b.want:b.wantEnd])
		plus := bare(e.got[b.got:b.gotEnd])
		all := minus+plus <= room
		if !all {
			minus = min(minus, max((room+1)/2, room-plus))
			plus = min(plus, room-minus)
		}
		e.differing(b, minus, plus)
		if !all {
			return false
		}

		equal := b.equal
		room -= minus + plus
		if n == len(blocks)-1 || equal > 2*context || equal >= room {
			// The next differing lines do not exist, are too far away, or have no room.
			equal = min(equal, context, room)
		}
		for i := range equal {
			e.both(pair{e.want[b.wantEnd+i], e.got[b.gotEnd+i]})
		}
		if equal < b.equal {
			return false
		}
	}
	return true
}

// bare returns the number of lines to show. It does not count a last line that is only the end of
// the output, unless that is the only line.
func bare(lines []line) int {
	if n := len(lines); n > 1 && lines[n-1].final() {
		return n - 1
	}
	return len(lines)
}

// differing adds to e.lines the first differing lines of a block: as many expected lines as minus,
// then as many written ones as plus.
func (e *excerpter) differing(b block, minus, plus int) {
	focus := func(k int) int {
		if k < b.wantEnd-b.want && k < b.gotEnd-b.got {
			return commonPrefix(e.want[b.want+k].text, e.got[b.got+k].text)
		}
		return 0
	}
	for k := range minus {
		at := focus(k)
		if b.want+k == 0 {
			at = e.wantFocus
		}
		l := e.want[b.want+k]
		e.lines = append(e.lines, Line{Op: "-", Want: l.number, Text: visible(l, at, e.o.share())})
	}
	for k := range plus {
		at := focus(k)
		if b.got+k == 0 {
			at = e.gotFocus
		}
		l := e.got[b.got+k]
		e.lines = append(e.lines, Line{Op: "+", Got: l.number, Text: visible(l, at, e.o.share())})
	}
}

// both adds to e.lines a line that is in both outputs.
func (e *excerpter) both(p pair) {
	e.lines = append(e.lines, Line{Op: " ", Want: p.want.number, Got: p.got.number, Text: visible(p.want, 0, e.o.share())})
}
