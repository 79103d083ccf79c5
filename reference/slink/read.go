package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// The bounds of the statement, together with maxSide.
const (
	maxPuzzles = 1000
	maxCells   = 40_000 // of all puzzles of an input
	maxNumber  = 3
)

// malformed is the error of an invalid input: the line, counted from 1, what is wrong, and a hint.
type malformed struct {
	line       int
	what, hint string
}

func (m *malformed) Error() string {
	return fmt.Sprintf("line %d: %s (hint: %s)", m.line, m.what, m.hint)
}

// A reader parses an input line by line without keeping any line. It tolerates layout: blanks and
// tabs, empty lines, CRLF, leading zeros and a missing final newline do not matter.
type reader struct {
	text    *bufio.Reader
	line    int    // number of the last line read
	word    []byte // the last field read
	puzzles int    // number of puzzles read so far
	cells   int    // number of cells in these puzzles
}

func newReader(text io.Reader) *reader {
	return &reader{text: bufio.NewReader(text)}
}

// next reads the next puzzle into p. It returns false after the last one, once it has checked that
// nothing follows.
func (in *reader) next(p *puzzle) (bool, error) {
	var size [2]uint8
	if err := in.numbers(size[:], maxSide, "size of a puzzle", sizeHint); err != nil {
		return false, err
	}
	p.line, p.rows, p.cols = in.line, int(size[0]), int(size[1])
	if p.rows == 0 && p.cols == 0 {
		return false, in.end()
	}
	if p.rows == 0 || p.cols == 0 {
		return false, in.bad(fmt.Sprintf("a puzzle of %d by %d cells", p.rows, p.cols), "only 0 0, the end of the input, has zeros")
	}
	in.puzzles++
	in.cells += p.rows * p.cols
	if in.puzzles > maxPuzzles {
		return false, in.bad("too many puzzles", fmt.Sprintf("at most %d are allowed", maxPuzzles))
	}
	if in.cells > maxCells {
		return false, in.bad("too many cells", fmt.Sprintf("all puzzles together may have %d", maxCells))
	}
	for i := range p.rows {
		row := p.number[i][:p.cols]
		if in.plainRow(row) {
			continue
		}
		hint := func() string {
			return fmt.Sprintf("row %d of %d needs %d numbers from 0 to %d", i+1, p.rows, p.cols, maxNumber)
		}
		if err := in.numbers(row, maxNumber, "row of a puzzle", hint); err != nil {
			return false, err
		}
	}
	p.index()
	return true, nil
}

func sizeHint() string {
	return "a puzzle begins with its rows and columns; 0 0 ends the input"
}

// plainRow fills row from the next line if that has the layout of the statement, one space between
// the numbers and a newline after them. It leaves any other line unread. Nearly all lines are
// plain, and plainRow takes a tenth of the time of numbers.
func (in *reader) plainRow(row []uint8) bool {
	line, _ := in.text.Peek(2 * len(row))
	if len(line) < 2*len(row) || line[len(line)-1] != '\n' {
		return false
	}
	for j := range row {
		n, after := line[2*j]-'0', line[2*j+1]
		if n > maxNumber || after != ' ' && 2*j+2 < len(line) {
			return false
		}
		row[j] = n
	}
	in.text.Discard(len(line))
	in.line++
	return true
}

// numbers fills into from the next line that is not empty, which must hold exactly len(into)
// numbers, none above limit. what and hint describe the line, for the error.
func (in *reader) numbers(into []uint8, limit int, what string, hint func() string) error {
	filled := 0
	for in.line++; ; {
		b, err := in.text.ReadByte()
		if err != nil && err != io.EOF {
			return err
		}
		switch {
		case err == io.EOF && filled == 0:
			return in.bad("the input ends before the "+what, hint())
		case err == io.EOF || b == '\n':
			if filled == len(into) {
				return nil
			}
			if filled > 0 {
				return in.bad(fmt.Sprintf("%s with %s, not %d", what, count(filled), len(into)), hint())
			}
			in.line++
		case in.isBlank(b):
		case filled == len(into):
			return in.bad(fmt.Sprintf("%s with more than %s", what, count(filled)), hint())
		default:
			n := in.number(b)
			switch {
			case n < 0:
				return in.bad(fmt.Sprintf("%q is not a plain decimal number", in.word), hint())
			case n > limit:
				return in.bad(fmt.Sprintf("%s is more than %d", in.word, limit), hint())
			}
			into[filled] = uint8(n)
			filled++
		}
	}
}

// count returns n with its noun: "1 number", "2 numbers".
func count(n int) string {
	if n == 1 {
		return "1 number"
	}
	return fmt.Sprintf("%d numbers", n)
}

// isBlank reports whether b, which has just been read, separates fields. A carriage return does so
// only before the end of a line.
func (in *reader) isBlank(b byte) bool {
	if b == '\r' {
		next, err := in.text.Peek(1)
		return err != nil || next[0] == '\n'
	}
	return b == ' ' || b == '\t'
}

// number reads the field that begins with b and returns its value, or -1 if it is not all digits.
// It leaves the text of the field in in.word, for messages. It reads a field that cannot be valid
// only as far as messages show it.
func (in *reader) number(b byte) int {
	const tooLarge, longest = 1000, 20
	value := 0
	in.word = in.word[:0]
	for {
		if len(in.word) < longest {
			in.word = append(in.word, b)
		} else if value < 0 || value == tooLarge {
			in.word = append(in.word, "..."...)
			return value
		}
		if value < 0 || b < '0' || b > '9' {
			value = -1
		} else {
			value = min(10*value+int(b-'0'), tooLarge)
		}
		next, err := in.text.Peek(1)
		if err != nil || bytes.IndexByte([]byte(" \t\r\n"), next[0]) >= 0 {
			return value
		}
		b, _ = in.text.ReadByte()
	}
}

// end checks that no text follows.
func (in *reader) end() error {
	for in.line++; ; {
		b, err := in.text.ReadByte()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case b == '\n':
			in.line++
		case !in.isBlank(b):
			return in.bad("text after the end of the input", "0 0 ends the input")
		}
	}
}

// bad returns an error about the last line read.
func (in *reader) bad(what, hint string) error {
	return &malformed{in.line, what, hint}
}
