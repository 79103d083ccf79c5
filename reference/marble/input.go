package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The domain of the statement. The statement also promises that no marble starts on a hole, but the
// rulings say what happens then, so the solver accepts it.
const (
	minSize   = 2
	maxSize   = 40
	maxBoards = 10_000
)

// maxWalls is the largest W on a board of side n: every one of the 2n(n-1)
// inner edges named twice.
func maxWalls(n int) int { return 4 * n * (n - 1) }

// board is one board of the input. Squares are numbered row by row: row r and column c is r*n+c.
type board struct {
	n         int
	marbles   []int16  // where each marble starts
	holes     []int16  // where each marble belongs
	wallEast  []uint64 // bit c of row r: a wall between columns c and c+1
	wallSouth []uint64 // bit c of row r: a wall between rows r and r+1
}

// malformed is an error in the input, with its line, counted from 1.
type malformed struct {
	line int
	what string
}

func (e *malformed) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// readBoards reads all boards up to the line 0 0 0, and checks that nothing follows it. It
// tolerates other layouts (CRLF, blanks, empty lines, no final newline), but no other deviation
// from the statement.
func readBoards(in io.Reader) ([]*board, error) {
	s := &scanner{in: bufio.NewReaderSize(in, 1<<16), line: 1}
	var boards []*board
	for {
		var head [3]int
		if err := s.row("board size, marbles and walls, or 0 0 0", head[:]); err != nil {
			return nil, err
		}
		if head == [3]int{} {
			return boards, s.end()
		}
		if len(boards) == maxBoards {
			return nil, s.errorf("more than %d boards", maxBoards)
		}
		b, err := s.board(head[0], head[1], head[2])
		if err != nil {
			return nil, err
		}
		boards = append(boards, b)
	}
}

func (s *scanner) board(n, m, walls int) (*board, error) {
	switch {
	case n < minSize || n > maxSize:
		return nil, s.errorf("board size %d is outside %d..%d", n, minSize, maxSize)
	case m < 1 || m > n*n:
		return nil, s.errorf("%d marbles, outside 1..%d (hint: each marble needs a square of its own)", m, n*n)
	case walls > maxWalls(n):
		return nil, s.errorf("%d walls, outside 0..%d", walls, maxWalls(n))
	}
	b := &board{n: n, wallEast: make([]uint64, n), wallSouth: make([]uint64, n)}
	var err error
	if b.marbles, err = s.squares(n, m, "marble"); err != nil {
		return nil, err
	}
	if b.holes, err = s.squares(n, m, "hole"); err != nil {
		return nil, err
	}
	for i := range walls {
		if err := s.wall(b, i+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// squares reads the m different squares of the marbles or the holes.
func (s *scanner) squares(n, m int, kind string) ([]int16, error) {
	taken := make([]int16, n*n)
	list := make([]int16, m)
	for i := range list {
		var at [2]int
		if err := s.row(fmt.Sprintf("row and column of %s %d", kind, i+1), at[:]); err != nil {
			return nil, err
		}
		if at[0] >= n || at[1] >= n {
			return nil, s.errorf("square %d %d is outside the board (hint: rows and columns are numbered 0..%d)", at[0], at[1], n-1)
		}
		square := at[0]*n + at[1]
		if other := taken[square]; other != 0 {
			return nil, s.errorf("%s %d is on square %d %d, where %s %d is already", kind, i+1, at[0], at[1], kind, other)
		}
		taken[square] = int16(i + 1)
		list[i] = int16(square)
	}
	return list, nil
}

// wall reads a wall and stores it at its northern or western square, in whichever order the squares
// are given.
func (s *scanner) wall(b *board, number int) error {
	var w [4]int
	if err := s.row(fmt.Sprintf("the two squares of wall %d", number), w[:]); err != nil {
		return err
	}
	for _, x := range w {
		if x >= b.n {
			return s.errorf("wall %d has a square outside the board (hint: rows and columns are numbered 0..%d, the edge needs no walls)", number, b.n-1)
		}
	}
	row, col := min(w[0], w[2]), min(w[1], w[3])
	switch rows, cols := max(w[0], w[2])-row, max(w[1], w[3])-col; {
	case rows == 0 && cols == 1:
		b.wallEast[row] |= 1 << col
	case rows == 1 && cols == 0:
		b.wallSouth[row] |= 1 << col
	default:
		return s.errorf("wall %d stands between squares that share no side", number)
	}
	return nil
}

// scanner splits the input into lines of numbers. It holds one byte at a time, so that neither a
// long line nor a long number costs memory.
type scanner struct {
	in   *bufio.Reader
	line int
}

func (s *scanner) errorf(format string, args ...any) error {
	return &malformed{s.line, fmt.Sprintf(format, args...)}
}

// token is an element of a line.
type token int

const (
	number token = iota
	lineEnd
	inputEnd
)

// row reads the next line that is not empty, which must hold exactly len(into) numbers. On return
// the scanner's line is that line, for messages about its values.
func (s *scanner) row(what string, into []int) error {
	for i := range into {
		value, kind, err := s.next()
		for i == 0 && kind == lineEnd && err == nil {
			s.line++
			value, kind, err = s.next()
		}
		switch {
		case err != nil:
			return err
		case kind == inputEnd && i == 0:
			return s.errorf("the input ends where %s should follow (hint: the last line is 0 0 0)", what)
		case kind != number:
			return s.errorf("%d of %d numbers (%s)", i, len(into), what)
		}
		into[i] = value
	}
	switch c, err := s.skipBlanks(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return s.errorf("%v", err)
	case c != '\n':
		return s.errorf("more than %d numbers (%s)", len(into), what)
	}
	// The newline stays unread, because it belongs to this line until the next row begins.
	return s.in.UnreadByte()
}

// end checks that only blanks and empty lines are left.
func (s *scanner) end() error {
	for {
		c, err := s.skipBlanks()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return s.errorf("%v", err)
		case c != '\n':
			return s.errorf("text after the end of the input (hint: 0 0 0 must be the last line)")
		}
		s.line++
	}
}

// skipBlanks returns the next byte that is not a blank. A carriage return is a blank before a
// newline or the end of the input, and nowhere else.
func (s *scanner) skipBlanks() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if c == '\r' {
			if after, err := s.in.Peek(1); err == io.EOF || err == nil && after[0] == '\n' {
				continue
			}
		}
		if c != ' ' && c != '\t' {
			return c, nil
		}
	}
}

// next reads a number or the end of a line. Numbers are plain decimals with any leading zeros.
func (s *scanner) next() (int, token, error) {
	const large, shown = 1_000_000_000, 20
	c, err := s.skipBlanks()
	switch {
	case err == io.EOF:
		return 0, inputEnd, nil
	case err != nil:
		return 0, 0, s.errorf("%v", err)
	case c == '\n':
		return 0, lineEnd, nil
	}
	value, plain := 0, true
	var text strings.Builder
	for {
		if c < '0' || c > '9' {
			plain = false
		} else if value < large {
			value = value*10 + int(c-'0')
		}
		if text.Len() <= shown {
			text.WriteByte(c)
		}
		c, err = s.in.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, s.errorf("%v", err)
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			s.in.UnreadByte()
			break
		}
	}
	word := text.String()
	if len(word) > shown {
		word = word[:shown] + "…"
	}
	switch {
	case !plain:
		return 0, 0, s.errorf("%q is not a plain decimal number", word)
	case value >= large:
		return 0, 0, s.errorf("%s is larger than any number here may be", word)
	}
	return value, number, nil
}
