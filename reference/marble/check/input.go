package main

import (
	"bytes"
	"fmt"
)

// The bounds of the statement.
const (
	minSize   = 2
	maxSize   = 40
	maxBoards = 10_000
)

// endMarker is the last line.
const endMarker = "0 0 0\n"

type square struct{ row, col int }

// wall stands between two squares that share a side.
type wall [2]square

// board is one board of the input. Its walls are as given; the same wall may be given several
// times. closed holds a byte for each square, row by row, in which bit d is set if there is a wall
// or the edge in direction d.
type board struct {
	n       int
	marbles []square
	holes   []square
	walls   []wall
	closed  []uint8
}

// directions are the directions in which marbles roll when the sides of sideNames are lifted. The
// opposite of direction d is 3-d.
var directions = [4]square{{0, -1}, {1, 0}, {-1, 0}, {0, 1}}

const sideNames = "ENSW"

// newBoard returns an empty board without inner walls.
func newBoard(n int) *board {
	b := &board{n: n, closed: make([]uint8, n*n)}
	for i := range n {
		for d, side := range []square{{i, 0}, {n - 1, i}, {0, i}, {i, n - 1}} {
			b.closed[b.at(side)] |= 1 << d
		}
	}
	return b
}

// at numbers the squares row by row.
func (b *board) at(s square) int { return s.row*b.n + s.col }

// build puts a wall between two squares. It returns false if they share no side.
func (b *board) build(one, two square) bool {
	for d, way := range directions {
		if two == (square{one.row + way.row, one.col + way.col}) {
			b.closed[b.at(one)] |= 1 << d
			b.closed[b.at(two)] |= 1 << (3 - d)
			return true
		}
	}
	return false
}

// cursor walks through a strictly laid out input.
type cursor struct {
	data         []byte
	line, column int // of data[0]
}

// fault is the first place where an input is not as the statement describes, and the reason.
type fault struct {
	line, column int
	reason       string
}

func (f *fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.line, f.column, f.reason)
}

func (c *cursor) fault(format string, args ...any) error {
	return &fault{c.line, c.column, fmt.Sprintf(format, args...)}
}

// take accepts one given byte.
func (c *cursor) take(want byte, name string) error {
	if len(c.data) == 0 {
		return c.fault("the input ends where %s should be", name)
	}
	if c.data[0] != want {
		return c.fault("%q where %s should be", c.data[0], name)
	}
	c.data = c.data[1:]
	c.column++
	if want == '\n' {
		c.line, c.column = c.line+1, 1
	}
	return nil
}

// number accepts a number from low to high without sign or leading zeros.
func (c *cursor) number(what string, low, high int) (int, error) {
	length := 0
	for length < len(c.data) && '0' <= c.data[length] && c.data[length] <= '9' {
		length++
	}
	switch {
	case length == 0 && len(c.data) == 0:
		return 0, c.fault("the input ends where %s should be", what)
	case length == 0:
		return 0, c.fault("%q where %s should be", c.data[0], what)
	case length > 1 && c.data[0] == '0':
		return 0, c.fault("%s has a leading zero", what)
	}
	value := 0
	for _, digit := range c.data[:min(length, 9)] {
		value = value*10 + int(digit-'0')
	}
	if length > 9 || value < low || value > high {
		shown := string(c.data[:length])
		if length > 20 {
			shown = shown[:20] + "…"
		}
		return 0, c.fault("%s is %s, outside %d..%d", what, shown, low, high)
	}
	c.data = c.data[length:]
	c.column += length
	return value, nil
}

// numbers accepts a line of numbers, separated by single spaces.
func (c *cursor) numbers(high int, whats ...string) ([]int, error) {
	var values []int
	for i, what := range whats {
		if i > 0 {
			if err := c.take(' ', "a single space"); err != nil {
				return nil, err
			}
		}
		value, err := c.number(what, 0, high)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, c.take('\n', "the end of the line")
}

// parseInput reads an input in the layout of the statement and nothing else.
func parseInput(data []byte) ([]*board, error) {
	c := &cursor{data, 1, 1}
	var boards []*board
	for !bytes.HasPrefix(c.data, []byte(endMarker)) {
		if len(boards) == maxBoards {
			return nil, c.fault("more than %d boards", maxBoards)
		}
		b, err := c.board()
		if err != nil {
			return nil, err
		}
		boards = append(boards, b)
	}
	c.data = c.data[len(endMarker):]
	c.line++
	if len(c.data) > 0 {
		return nil, c.fault("text after the line 0 0 0")
	}
	return boards, nil
}

func (c *cursor) board() (*board, error) {
	n, err := c.number("N", minSize, maxSize)
	if err != nil {
		return nil, err
	}
	if err := c.take(' ', "a single space"); err != nil {
		return nil, err
	}
	m, err := c.number("M", 1, n*n/2)
	if err != nil {
		return nil, err
	}
	if err := c.take(' ', "a single space"); err != nil {
		return nil, err
	}
	walls, err := c.number("W", 0, 4*n*(n-1))
	if err != nil {
		return nil, err
	}
	if err := c.take('\n', "the end of the line"); err != nil {
		return nil, err
	}
	b := newBoard(n)
	taken := make(map[square]string)
	for i := range 2 * m {
		name := fmt.Sprintf("marble %d", i+1)
		if i >= m {
			name = fmt.Sprintf("hole %d", i-m+1)
		}
		begin := *c
		at, err := c.numbers(n-1, "a row", "a column")
		if err != nil {
			return nil, err
		}
		s := square{at[0], at[1]}
		if other := taken[s]; other != "" {
			return nil, begin.fault("%s is on the square of %s", name, other)
		}
		taken[s] = name
		if i < m {
			b.marbles = append(b.marbles, s)
		} else {
			b.holes = append(b.holes, s)
		}
	}
	for i := range walls {
		begin := *c
		w, err := c.numbers(n-1, "a row", "a column", "a row", "a column")
		if err != nil {
			return nil, err
		}
		given := wall{{w[0], w[1]}, {w[2], w[3]}}
		if !b.build(given[0], given[1]) {
			return nil, begin.fault("wall %d stands between squares that share no side", i+1)
		}
		b.walls = append(b.walls, given)
	}
	return b, nil
}
