package diff

import "slices"

// maxNumber is the length in bytes of the longest word that the scanner reads as a number. It
// compares a longer word byte by byte, to keep little of the text.
const maxNumber = 1 << 10

// scanner decides, byte by byte, whether a text has the same words as want and, if white space
// counts, the same white space. A word is a maximal run of bytes that are not white space: space,
// tab, newline, vertical tab, form feed or carriage return. NUL is a byte like any other.
//
// Until it fails, all words of the text before the current one are equal to those of want[:pos],
// and the current one begins like the word around pos. So the scanner keeps nothing of the text but
// a number while it reads one.
type scanner struct {
	want     *text
	float    bool
	abs, rel float64
	fold     bool // ignore the case of letters
	lines    bool // mode Lines: of the white space that counts, that at the end of a line does not
	spaces   bool // white space counts and has not differed yet

	pos int  // next byte of want
	in  bool // the last byte of the text belongs to a word

	// blanks, in mode Lines, means that the text has other blanks than want at pos. They count if a word
	// follows in either line.
	blanks bool

	equal int  // number of bytes that the text and want have in common at their beginning, as far as scanned
	apart bool // the text has another byte after those

	// held is the current word from the byte on at which it differs from want. It is kept only in
	// mode Float, in which the whole word may be a number close to the expected one.
	held []byte

	failed  bool // the words differ, first at want[pos]
	tooMany bool // the text has another word after the last of want
	tooFew  bool // the text ended before another word of want
}

func newScanner(want *text, o Options) scanner {
	return scanner{
		want:   want,
		float:  o.Mode == Float,
		abs:    o.Abs,
		rel:    o.Rel,
		fold:   o.FoldCase && o.Mode != Exact && o.Mode != Lines,
		lines:  o.Mode == Lines,
		spaces: o.strict() || o.Mode == Lines,
	}
}

// feed scans p, the next piece of the text; s must not have failed. It returns the number of bytes
// before the first difference, which is at want[pos]: len(p) if there is none. A difference in
// white space does not fail s. White space no longer counts from then on, and the caller may feed
// the rest of the text to compare the words.
func (s *scanner) feed(p []byte) int {
	for i := 0; i < len(p); {
		b := p[i]
		if len(s.held) == 0 && !s.blanks {
			n := commonPrefix(s.want.from(s.pos), p[i:])
			if n == 0 {
				s.apart = true
				if s.fold {
					n = foldedPrefix(s.want.from(s.pos), p[i:])
				}
			}
			if n > 0 {
				s.pos += n
				i += n
				s.in = !blank(p[i-1])
				if !s.apart {
					s.equal = s.pos
				}
				continue
			}
		}
		switch {
		case blank(b):
			if s.in && !s.endWord() {
				return i
			}
			s.in = false
			if s.spaces && !s.space(b) {
				s.spaces = false
				return i
			}
			i++
		case s.in:
			if !s.hold(b) {
				return i
			}
			i++
		default:
			if s.blanks {
				s.spaces, s.blanks = false, false
				return i
			}
			if !s.skipBlanks() {
				return i
			}
			if s.pos == s.want.size {
				s.failed, s.tooMany = true, true
				return i
			}
			// A word begins in both; the next iteration compares it.
			s.in = true
		}
	}
	return len(p)
}

// finish ends the text. It reports whether the text has the same words as want, and the same white
// space if that still counts. If it finds a difference in white space, a second call compares the
// words alone.
func (s *scanner) finish() bool {
	if s.failed || s.in && !s.endWord() {
		return false
	}
	for s.lines && s.pos < s.want.size && s.skipLine() { // empty lines at the end
	}
	if !s.skipBlanks() {
		return false
	}
	if s.pos < s.want.size {
		s.failed, s.tooFew = true, true
	}
	return !s.failed
}

// space scans b, white space that counts. It reports whether that of want is the same or, in mode
// Lines, may turn out to differ only where it does not count.
func (s *scanner) space(b byte) bool {
	switch {
	case !s.lines:
		// The bytes may be equal here although a number before them is written differently.
		if s.pos == s.want.size || s.want.byte(s.pos) != b {
			return false
		}
		s.pos++
	case b == '\n':
		s.blanks = false
		return s.skipLine()
	default:
		s.blanks = true
	}
	return true
}

// skipLine skips the rest of a line of want and its newline. If there is a word in it, it skips nothing
// and returns false.
func (s *scanner) skipLine() bool {
	at := s.pos
	for at < s.want.size && s.want.byte(at) != '\n' {
		if !blank(s.want.byte(at)) {
			return false
		}
		at++
	}
	s.pos = min(at+1, s.want.size)
	return true
}

// hold keeps b, a byte of the current word that differs from want or follows such a byte, until the
// end of the word. If the word cannot be a number, s fails instead.
func (s *scanner) hold(b byte) bool {
	if !s.float || len(s.held) == maxNumber {
		s.failed = true
		return false
	}
	s.held = append(s.held, b)
	return true
}

// endWord ends the current word of the text. Unless the word is equal to want's or, in mode Float,
// a number close to it, s fails.
func (s *scanner) endWord() bool {
	if len(s.held) == 0 && (s.pos == s.want.size || blank(s.want.byte(s.pos))) {
		return true
	}
	if s.float {
		begin, end := s.pos, s.pos
		for begin > 0 && !blank(s.want.byte(begin-1)) && s.pos-begin <= maxNumber {
			begin--
		}
		for end < s.want.size && !blank(s.want.byte(end)) && end-begin <= maxNumber {
			end++
		}
		want := s.want.slice(begin, end)
		if got := slices.Concat(want[:min(len(want), s.pos-begin)], s.held); s.near(want, got) {
			s.pos = end
			s.held = s.held[:0]
			return true
		}
	}
	s.failed = true
	return false
}

// skipBlanks skips white space of want that the text does not have. If there is some, and white
// space counts, it skips nothing and returns false.
func (s *scanner) skipBlanks() bool {
	for s.pos < s.want.size && blank(s.want.byte(s.pos)) {
		if s.spaces {
			s.spaces = false
			return false
		}
		s.pos++
	}
	return true
}

// same reports whether got equals want under o, whose mode must not be Exact.
func same(want, got []byte, o Options) bool {
	s := newScanner(textOf(want), o)
	return s.feed(got) == len(got) && s.finish()
}

// foldedPrefix is commonPrefix, but ignores the case of letters.
func foldedPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return i
		}
	}
	return n
}

// lower converts the letters A to Z to lower case. Other letters are longer than one byte, or are
// not letters in every encoding.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func blank(b byte) bool {
	return b == ' ' || '\t' <= b && b <= '\r' // \t \n \v \f \r
}
