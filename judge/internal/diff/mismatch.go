package diff

import (
	"bytes"
	"fmt"
	"strings"
)

// A Mismatch tells how an output differs from the expected one. It depends on
// nothing but the two outputs and the [Options], and shares no memory with them.
type Mismatch struct {
	// Whitespace reports that white space counts and differs while the words
	// agree: a presentation error. It is never set in the modes Tokens and
	// Float without Options.Spaces, where such outputs are equal.
	Whitespace bool `json:"whitespace"`

	// Line, Column and Offset are the place of the first difference in the
	// expected output, which may be its end; in mode Exact it is the same
	// place in both outputs. In the modes Tokens and Float it lies in the
	// first word that differs, at the first byte that does, or with
	// Options.Spaces before it, where the white space differs. Line and Column
	// count from 1, Offset counts bytes from 0. Column counts characters: a
	// character of UTF-8 is one, and so is every byte that belongs to none;
	// outputs that differ within a character differ at its column.
	Line   int   `json:"line"`
	Column int   `json:"column"`
	Offset int64 `json:"offset"`

	// Want and Got are the sizes of the whole outputs in bytes.
	Want int64 `json:"want_bytes"`
	Got  int64 `json:"got_bytes"`

	// Notes says what catches the eye, in the words and the order of [Notes].
	Notes []string `json:"notes"`

	// Lines are lines around the first difference, at most Options.Lines and
	// at least one that differs. What both outputs have is aligned. In the
	// modes Tokens and Float, lines with the same words are the same lines,
	// and lines without words are left out, unless Options.Spaces makes white
	// space count.
	Lines []Line `json:"lines"`

	// More reports that at least one output goes on after Lines, whether or
	// not there are further differences.
	More bool `json:"more"`
}

// A Line is one line of an excerpt.
type Line struct {
	// Op is "-" for a line that was expected, "+" for one that was written
	// instead, and " " for one that was both; then Text is the expected one.
	Op string `json:"op"`

	// Want and Got are the numbers of the line in the outputs it stands in,
	// from 1; 0 in the other.
	Want int `json:"want_line,omitempty"`
	Got  int `json:"got_line,omitempty"`

	// Text is the line with the invisible shown: · is a space, → a tab, ⏎ the
	// newline, ∎ the end of the output. A carriage return is \r; bytes of other
	// invisible characters, of combining marks, of the signs named here, and
	// of no character at all are \x followed by two digits; a backslash that
	// would read as the beginning of one of these is doubled. So texts that
	// differ look different. A … at an end stands for what was cut off there.
	Text string `json:"text"`
}

// These are the notes. What they say about white space they say only where it
// counts; line ends and NUL bytes are looked for near the first difference.
const (
	noteWhitespace = "differs only in whitespace"
	noteEmpty      = "output is empty"
	noteShort      = "output ends early"
	noteLong       = "extra output after the expected end"
	noteNewline    = "missing final newline"
	noteBlankLine  = "missing blank line at end"
	noteExtraLine  = "extra newline at end"
	noteCRLF       = "CRLF line ends"
	noteNUL        = "contains NUL bytes"
)

// Notes returns all notes that a [Mismatch] may have, in the order in which
// they appear there.
func Notes() []string {
	return []string{
		noteWhitespace, noteEmpty, noteShort, noteLong,
		noteNewline, noteBlankLine, noteExtraLine, noteCRLF, noteNUL,
	}
}

// mismatch describes the difference at c.at.
func (c *Comparer) mismatch(whitespace bool) *Mismatch {
	reach, size := c.o.reach(), c.want.size
	line, column := c.want.position(c.at)
	begin := max(0, c.at-reach)
	around := bytes.Clone(c.want.slice(begin, min(size, c.at+reach)))
	if c.want.err != nil {
		return &Mismatch{Line: 1, Column: 1, Want: int64(size), Got: c.got, Notes: []string{}, Lines: []Line{}}
	}
	before := around[: c.at-begin : c.at-begin]
	want := side{
		before: before,
		whole:  begin == 0,
		after:  around[len(before):],
		ended:  size-c.at <= reach,
		number: line,
	}
	got := side{
		after: c.after,
		ended: c.gotAt+int64(len(c.after)) == c.got,
	}
	if c.o.Mode == Exact {
		got.before, got.whole, got.number = want.before, want.whole, want.number
	} else {
		got.before = last(c.before, reach)
		got.whole = c.gotAt <= int64(reach)
		got.number = 1 + c.lines
	}
	// Where the outputs break lines differently, the word that differs may
	// begin a line on one side only. There the end of the word before it says
	// more: the line to compare with is the one that has the same words so far.
	switch w, g := want.begun(), got.begun(); {
	case g && !w:
		want = want.back()
	case w && !g:
		got = got.back()
	}
	m := &Mismatch{
		Whitespace: whitespace,
		Line:       line,
		Column:     column,
		Offset:     int64(c.at),
		Want:       int64(size),
		Got:        c.got,
		Notes:      c.notes(whitespace, want.after),
	}
	m.Lines, m.More = excerpt(want, got, c.o)
	return m
}

// notes collects the notes; want is the expected output from the first
// difference on, as far as it is looked at.
func (c *Comparer) notes(whitespace bool, want []byte) []string {
	strict := c.o.strict()
	empty := c.got == 0
	short, long := c.words.tooFew, c.words.tooMany
	if c.o.Mode == Exact {
		short = !whitespace && c.gotAt == c.got
		long = !whitespace && c.at == c.want.size
	}
	wantEnd := c.want.newlines(c.want.size)
	unended := strict && wantEnd > 0 && c.newlines == 0
	holds := func(text []byte, what string) bool { return bytes.Contains(text, []byte(what)) }

	notes := []string{}
	for _, n := range []struct {
		says  string
		holds bool
	}{
		{noteWhitespace, whitespace},
		{noteEmpty, empty},
		{noteShort, short && !empty},
		{noteLong, long},
		{noteNewline, unended && !short && !empty},
		{noteBlankLine, whitespace && c.newlines > 0 && c.newlines < wantEnd},
		{noteExtraLine, whitespace && c.newlines > wantEnd},
		{noteCRLF, strict && holds(c.after, "\r\n") && !holds(want, "\r\n")},
		{noteNUL, holds(c.after, "\x00") && !holds(want, "\x00")},
	} {
		if n.holds {
			notes = append(notes, n.says)
		}
	}
	return notes
}

// Format returns m as lines of text, each ended by a newline: first the place
// and the notes, after label and a colon unless label is empty, then the
// excerpt, each line after its Op and a space.
//
//	maze/sample/statement: line 2, column 3 (differs only in whitespace)
//	  ·_·_⏎
//	- |···|·|⏎
//	+ |·|·|⏎
func (m *Mismatch) Format(label string) string {
	var b strings.Builder
	if label != "" {
		fmt.Fprintf(&b, "%s: ", label)
	}
	fmt.Fprintf(&b, "line %d, column %d", m.Line, m.Column)
	if len(m.Notes) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(m.Notes, ", "))
	}
	b.WriteByte('\n')
	for _, l := range m.Lines {
		fmt.Fprintf(&b, "%s %s\n", l.Op, l.Text)
	}
	if m.More {
		b.WriteString("  …\n")
	}
	return b.String()
}
