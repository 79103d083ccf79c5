package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A malformedError says which line of the input breaks the format, and how.
type malformedError struct {
	line int
	what string
}

func (e *malformedError) Error() string {
	return fmt.Sprintf("line %d: %s", e.line, e.what)
}

// A rowReader reads the rows of an input of any length in constant memory.
type rowReader struct {
	in   *bufio.Reader
	line int // number of the last line read, from 1
}

// longestRow is how many characters of a row are kept: one more than a valid row can have.
const longestRow = boardSide + 1

// next returns the next row that is not empty. At the end of the input it returns io.EOF, and line
// is the number that the missing line would have.
func (r *rowReader) next() (string, error) {
	for {
		r.line++
		row, err := r.readLine()
		switch {
		case row != "" && (err == nil || errors.Is(err, io.EOF)):
			return row, nil
		case err != nil:
			return "", err
		}
	}
}

// readLine returns the beginning of the next line without the blanks around it; a run of blanks
// within it becomes one space. The last line may come with io.EOF.
func (r *rowReader) readLine() (string, error) {
	var row []byte
	gap := false
	for {
		b, err := r.in.ReadByte()
		switch {
		case err != nil || b == '\n':
			return string(row), err
		case b == ' ' || b == '\t' || b == '\r':
			gap = len(row) > 0
		case len(row) < longestRow:
			if gap {
				row = append(row, ' ')
			}
			row = append(row, b)
			gap = false
		}
	}
}

// expect reads a row of exactly width characters, each from the alphabet of two, and returns for
// each of them whether it is the alphabet's second. part names what the row belongs to, for
// messages.
func (r *rowReader) expect(part string, width int, alphabet string) ([]bool, error) {
	malformed := func(what string, args ...any) error {
		return &malformedError{r.line, fmt.Sprintf(what, args...) +
			fmt.Sprintf(" (hint: a row of the %s is %d characters %c or %c)", part, width, alphabet[0], alphabet[1])}
	}
	row, err := r.next()
	if errors.Is(err, io.EOF) {
		return nil, malformed("the input ends where a row of the %s is due", part)
	}
	if err != nil {
		return nil, &malformedError{r.line, fmt.Sprintf("the input cannot be read: %v", err)}
	}
	seconds := make([]bool, 0, width)
	for i := range min(len(row), width) {
		k := strings.IndexByte(alphabet, row[i])
		if k < 0 {
			return nil, malformed("%q in a row of the %s", row[i:i+1], part)
		}
		seconds = append(seconds, k == 1)
	}
	switch {
	case len(row) < width:
		return nil, malformed("a row of the %s has only %d characters", part, len(row))
	case len(row) > width:
		return nil, malformed("a row of the %s has more than %d characters", part, width)
	}
	return seconds, nil
}

// read returns the board and the pattern of the input.
func read(in io.Reader) (board cellSet, p pattern, err error) {
	rows := rowReader{in: bufio.NewReader(in)}
	for r := range boardSide {
		blacks, err := rows.expect("board", boardSide, "WB")
		if err != nil {
			return 0, p, err
		}
		for c, black := range blacks {
			if black {
				board |= 1 << (boardSide*r + c)
			}
		}
	}
	for i := range p {
		ones, err := rows.expect("pattern", patternSide, "01")
		if err != nil {
			return 0, p, err
		}
		copy(p[i][:], ones)
	}
	switch _, err := rows.next(); {
	case err == nil:
		return 0, p, &malformedError{rows.line, "text after the last row of the pattern (hint: an input holds one game)"}
	case !errors.Is(err, io.EOF):
		return 0, p, &malformedError{rows.line, fmt.Sprintf("the input cannot be read: %v", err)}
	}
	return board, p, nil
}
