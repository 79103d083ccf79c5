package diff

import (
	"bytes"
	"slices"
)

// side is the kept part of one output, before and after the first difference.
type side struct {
	before, after []byte
	whole         bool // before begins where the output does
	ended         bool // after ends where the output does
	number        int  // of the line with the difference, from 1
}

// line is one line of an output. The text after the last newline is a line too, even if it is
// empty; so every output ends with a line that has no newline.
type line struct {
	number   int
	text     []byte // without its newline
	headless bool   // the beginning of the line is missing in text
	end      string // the sign for what follows text: newline, end of output, or a cut
}

// final reports whether l is nothing but the end of its output.
func (l line) final() bool { return l.end == signEnd && len(l.text) == 0 }

// counts reports whether l matters under o: if white space does not count, lines without words do
// not either.
func (l line) counts(o Options) bool { return o.strict() || len(trimBlanks(l.text)) > 0 }

// sameLine reports whether two lines are equal under o. A line that is not known in full equals
// none.
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

// begun reports whether the line of the difference has a word before the difference.
func (s side) begun() bool {
	return len(trimBlanks(s.before[bytes.LastIndexByte(s.before, '\n')+1:])) > 0
}

// back returns s with the difference moved back to the end of the word before it, if that is known.
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

// earlier returns up to n whole lines that count before the line of the difference, the nearest
// first.
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

// lines returns up to n lines that count, beginning with the line of the difference; focus is the
// position of the difference in the first. ended reports whether they reach the end of the output.
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
			return lines, focus, s.ended
		}
		l = line{number: l.number + 1}
	}
	return lines, focus, false
}

const (
	context  = 2   // equal lines shown before and after differing ones
	farthest = 512 // lines aligned at most
)

// excerpt returns the lines to show for a difference between want and got, and whether either
// output goes on after them.
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

	// Lines that differ after the last equal one may have their equals beyond the kept part of the
	// other output, so they are left out.
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
	want, got           []line // from the line with the first difference on
	wantFocus, gotFocus int    // position of the difference in that line
	wantEnded, gotEnded bool   // want and got reach the end of the output
	lines               []Line
}

// pair is a line that both outputs have.
type pair struct{ want, got line }

// common returns the lines before that of the difference that both sides share.
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
		// In the modes Tokens and Float, the lines may happen to be the same
		// although they do not begin at the same word.
		blocks = align(len(e.want), len(e.got), func(i, j int) bool { return i+j > 0 && same(i, j) })
	}
	return blocks
}

// blocks shows the first differing lines and those near them until there is no room for more. It
// reports whether all were shown.
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
			// Nothing else to show, too far away, or no room for it.
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

// bare returns the number of lines, without a last one that is only the end of the output, if there
// are others. Such an end is worth a line only if the other output does not have it.
func bare(lines []line) int {
	if n := len(lines); n > 1 && lines[n-1].final() {
		return n - 1
	}
	return len(lines)
}

// differing shows the first differing lines of a block.
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

// both shows a line that the outputs share.
func (e *excerpter) both(p pair) {
	e.lines = append(e.lines, Line{Op: " ", Want: p.want.number, Got: p.got.number, Text: visible(p.want, 0, e.o.share())})
}
