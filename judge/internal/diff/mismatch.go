package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Mismatch describes how an output differs from the expected one. It depends only on the two
// outputs and the [Options], and shares no memory with them.
type Mismatch struct {
	// Whitespace reports that the outputs have equal words and differ only in white space, a
	// presentation error. It is never set in the modes Tokens and Float without Options.Spaces,
	// because white space does not count there.
	Whitespace bool `json:"whitespace"`

	// Line, Column and Offset locate the first difference in the expected output; it may be at the
	// end of that output. In mode Exact both outputs have it at the same place; in mode Lines it is the
	// first differing byte of the first differing line. In the modes Tokens and Float it is the first differing byte of the first differing word or, with Options.Spaces,
	// an earlier place where the white space differs. Line and Column count from 1; Offset counts
	// bytes from 0. Column counts UTF-8 characters; a byte outside of any character counts as one.
	// A difference within a character has the column of that character.
	Line   int   `json:"line"`
	Column int   `json:"column"`
	Offset int64 `json:"offset"`

	// Want and Got are the sizes of the whole outputs in bytes; of one that was cut, that of the part.
	Want int64 `json:"want_bytes"`
	Got  int64 `json:"got_bytes"`

	// Notes point out likely causes. Each is one of those that [Notes] returns, in that order.
	Notes []string `json:"notes"`

	// Lines are lines around the first difference, at most Options.Lines, of which at least one
	// differs. Lines that both outputs have are aligned. In the modes Tokens and Float without
	// Options.Spaces, lines with the same words are equal, and lines without words are left out; in
	// mode Lines those at the end are.
	Lines []Line `json:"lines"`

	// More reports that at least one output has text after Lines, equal or not.
	More bool `json:"more"`
}

// Line is one line of an excerpt.
type Line struct {
	// Op is "-" for an expected line, "+" for a line written instead, and " " for a line in both
	// outputs. If the two are not the same bytes, Text shows the expected one.
	Op string `json:"op"`

	// Want and Got are the line's numbers, from 1, in the expected output and the one compared; 0
	// if the line is not in that output.
	Want int `json:"want_line,omitempty"`
	Got  int `json:"got_line,omitempty"`

	// Text is the line with invisible characters shown: · is a space, → a tab, ⏎ the newline, ∎ the
	// end of the output. A carriage return is \r. The bytes of other invisible characters,
	// combining marks, these signs themselves and invalid UTF-8 are \x with two hexadecimal digits.
	// A backslash that would read as the beginning of such an escape is doubled, so that different
	// lines always look different. A … at either end marks a cut.
	Text string `json:"text"`
}

// The notes of a Mismatch. Those about white space appear only if white space counts; those about
// line ends and NUL bytes only if the output has them near the first difference.
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

// Notes returns all notes that a [Mismatch] may have, in the order in which they appear in it.
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
	gotBefore, gotNumber := c.outputBefore(line)
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
		before: gotBefore,
		whole:  c.gotAt <= int64(reach),
		after:  c.after,
		ended:  c.gotAt+int64(len(c.after)) == c.got && !c.cut,
		number: gotNumber,
	}
	// If the outputs break lines differently, the word that differs may be the first of its line in
	// one output only. That output is then shown from the line before, because that line has the
	// words that the other output's line has before the difference.
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

// outputBefore returns the output before the first difference, at most reach bytes, and the number of
// the output's line with the difference. line is that of the expected output.
func (c *Comparer) outputBefore(line int) (text []byte, number int) {
	equal := c.words.equal
	if equal != c.at {
		line, _ = c.want.position(equal)
	}
	text = slices.Concat(c.want.slice(max(0, equal-c.o.reach()), equal), c.before)
	return last(text, c.o.reach()), line + c.lines
}

// notes returns the notes that apply. want is the expected output from the first difference on, at
// most reach bytes.
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
	contains := func(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

	notes := []string{}
	for _, n := range []struct {
		text    string
		applies bool
	}{
		{noteWhitespace, whitespace},
		{noteEmpty, empty},
		{noteShort, short && !empty && !c.cut},
		{noteLong, long},
		{noteNewline, unended && !short && !empty && !c.cut},
		{noteBlankLine, strict && whitespace && c.newlines > 0 && c.newlines < wantEnd && !c.cut},
		{noteExtraLine, strict && whitespace && c.newlines > wantEnd},
		{noteCRLF, strict && contains(c.after, "\r\n") && !contains(want, "\r\n")},
		{noteNUL, contains(c.after, "\x00") && !contains(want, "\x00")},
	} {
		if n.applies {
			notes = append(notes, n.text)
		}
	}
	return notes
}

// Format returns m as lines of text, each with a newline. The first line has the label and a colon,
// unless the label is empty, then the place and the notes. The lines of the excerpt follow, each
// after its Op and a space.
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
