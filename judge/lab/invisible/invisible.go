// Package invisible finds unexpected line ends, encodings and blanks in texts.
package invisible

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Kind is one thing that a text may have.
type Kind int

// The kinds, those that harm most programs first.
const (
	UTF16     Kind = iota // two bytes a character
	Mark                  // a byte order mark of UTF-8 at the beginning
	CRLF                  // "\r\n"
	CR                    // "\r" without "\n"
	NUL                   // a byte that is 0
	Blank                 // a blank or line separator that is not in ASCII, or has no width
	Trailing              // blanks or tabs at the end of a line
	Unended               // a last line that does not end
	kindCount             // number of kinds
)

// Kinds returns all kinds in their order.
func Kinds() []Kind {
	list := make([]Kind, kindCount)
	for i := range list {
		list[i] = Kind(i)
	}
	return list
}

// String returns the kind as words after "has".
func (k Kind) String() string {
	return [kindCount]string{
		"the encoding UTF-16",
		"a byte order mark",
		"CRLF line ends",
		"carriage returns inside of lines",
		"NUL bytes",
		"blanks that are not in ASCII",
		"blanks at the ends of lines",
		"no newline at the end",
	}[k]
}

// Lines holds for each kind the line, from 1, of the first in a text, or 0 if it has none.
type Lines [kindCount]int

// window is how much of a text is in memory at a time, in bytes.
const window = 64 << 10

// overlap is the number of bytes by which windows overlap, so that each holds whole what crosses its
// start: the longest are " \r\n" and the characters of UTF-8.
const overlap = utf8.UTFMax

// Scan reads a text up to its end, or until there is nothing left to find, and returns what it has.
// A text in UTF-16 has no other kind. Binary data, with NUL and other control characters, has none.
func Scan(r io.Reader) (Lines, error) {
	s := scan{line: 1}
	data := make([]byte, overlap+window)
	kept := 0 // bytes of the window before, at the start of data
	for first := true; ; first = false {
		n, err := io.ReadFull(r, data[kept:])
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return Lines{}, err
		}
		text := data[:kept+n]
		if len(text) == 0 {
			return Lines{}, nil
		}
		if first && wide(text) {
			return Lines{UTF16: 1}, nil
		}
		if first && bytes.HasPrefix(text, []byte(mark)) {
			s.found[Mark] = 1
			text = text[len(mark):]
		}
		rest := 0 // bytes that the next window has again
		if !end {
			rest = overlap
		}
		s.window(text, len(text)-rest, end)
		if s.binary {
			return Lines{}, nil
		}
		if end {
			return s.found, nil
		}
		kept = copy(data, text[len(text)-rest:])
	}
}

// mark is the byte order mark in UTF-8.
const mark = "\ufeff"

// wide reports whether a text begins like UTF-16: with its byte order mark, or with characters of
// ASCII in two bytes each.
func wide(text []byte) bool {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return true
	}
	text = text[:min(len(text), 64)&^1]
	zero := [2]int{}
	for i, c := range text {
		if c == 0 {
			zero[i%2]++
		}
	}
	half := len(text) / 2
	return half >= 2 && (zero == [2]int{half, 0} || zero == [2]int{0, half})
}

// scan is a Scan in progress.
type scan struct {
	found  Lines
	line   int // of the start of the window
	binary bool
}

// window examines the bytes of text before limit; those after it only complete what begins before.
// last says that the text ends there.
func (s *scan) window(text []byte, limit int, last bool) {
	find := func(k Kind, at int) {
		if s.found[k] == 0 && at >= 0 && at < limit {
			s.found[k] = s.line + bytes.Count(text[:at], []byte("\n"))
		}
	}
	if s.found[CRLF] == 0 {
		find(CRLF, bytes.Index(text, []byte("\r\n")))
	}
	if s.found[CR] == 0 {
		find(CR, loneCR(text[:limit], text))
	}
	if at := bytes.IndexByte(text, 0); at >= 0 && at < limit {
		s.binary = s.binary || bytes.ContainsFunc(text, control)
		find(NUL, at)
	}
	if s.found[Blank] == 0 {
		find(Blank, blank(text))
	}
	if s.found[Trailing] == 0 {
		find(Trailing, trailing(text, last))
	}
	if last && len(text) > 0 && text[len(text)-1] != '\n' {
		s.found[Unended] = s.line + bytes.Count(text, []byte("\n"))
	}
	s.line += bytes.Count(text[:limit], []byte("\n"))
}

// loneCR returns the index of the first "\r" in part that no "\n" follows in text, or -1. The text
// begins with part, and goes on behind it unless it ends there.
func loneCR(part, text []byte) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(part[at:], '\r')
		if next < 0 {
			return -1
		}
		at += next
		if at+1 == len(text) || text[at+1] != '\n' {
			return at
		}
	}
}

// trailing returns the index of the first blank or tab at the end of a line, or -1. A line may end
// with "\r\n", or with the text if last is true.
func trailing(text []byte, last bool) int {
	for from := 0; from < len(text); {
		end := bytes.IndexByte(text[from:], '\n')
		if end < 0 && !last {
			return -1
		}
		line := text[from:]
		if end >= 0 {
			line = line[:end]
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if bare := bytes.TrimRight(line, " \t"); len(bare) < len(line) {
			return from + len(line) - 1
		}
		if end < 0 {
			return -1
		}
		from += end + 1
	}
	return -1
}

// blank returns the index of the first blank that is not in ASCII, or -1.
func blank(text []byte) int {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == 0x85, r == 0xa0, r == 0x1680, 0x2000 <= r && r <= 0x200b, r == 0x2028, r == 0x2029,
			r == 0x202f, r == 0x205f, r == 0x2060, r == 0x3000, r == 0xfeff:
			return i
		}
		i += size
	}
	return -1
}

// control reports whether texts do not have a character of ASCII, but 0.
func control(r rune) bool {
	return r != 0 && r < ' ' && (r < '\b' || r > '\r') && r != 0x1b
}

// Survey counts the files that have a kind. The zero value is empty.
type Survey [kindCount]Seen

// Seen counts the files of one kind in a Survey.
type Seen struct {
	Files int
	First string // place of the first
}

// Add adds a text. place returns where a line of it is, as messages show it.
func (s *Survey) Add(found Lines, place func(line int) string) {
	for k, line := range found {
		if line == 0 {
			continue
		}
		if s[k].Files++; s[k].Files == 1 {
			s[k].First = place(line)
		}
	}
}

// Line returns one line about a kind, such as "12 files have CRLF line ends, the first a/1.in:1", or
// "" if no file has it.
func (s *Survey) Line(k Kind) string {
	switch seen := s[k]; seen.Files {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 file has %v: %s", k, seen.First)
	default:
		return fmt.Sprintf("%d files have %v, the first %s", seen.Files, k, seen.First)
	}
}
