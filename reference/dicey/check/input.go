package main

import (
	"bytes"
	"fmt"
	"strconv"

	"tribunal/reference/internal/extents"
)

// The bounds of the statement.
const (
	maxMazes = 1000
	maxName  = 20
	maxRows  = 10
	maxCols  = 10
)

const endMark = "END"

// A fault is the first place where an input breaks the rules.
type fault struct {
	line, column int
	reason       string
}

func (f *fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.line, f.column, f.reason)
}

// checkInput returns the mazes of a valid input and the range of each quantity. For any other input
// the error is a *fault.
func checkInput(text []byte) ([]*maze, extents.List, error) {
	s := &scanner{rest: text, line: 1, column: 1}
	var mazes []*maze
	for {
		line := s.line
		name, err := s.name()
		if err != nil {
			return nil, nil, err
		}
		if name == endMark {
			if len(s.rest) > 0 {
				return nil, nil, s.fault("text after %s", endMark)
			}
			s.seen.Note("mazes", len(mazes))
			return mazes, s.seen, nil
		}
		if len(mazes) == maxMazes {
			return nil, nil, &fault{line, 1, fmt.Sprintf("more than %d mazes", maxMazes)}
		}
		s.seen.Note("name", len(name))
		m, err := s.maze()
		if err != nil {
			return nil, nil, err
		}
		if m.walks() == several {
			return nil, nil, &fault{line, 1, fmt.Sprintf("maze %s has more than one solution", name)}
		}
		m.name = name
		mazes = append(mazes, m)
	}
}

// A scanner reads an input strictly from start to end.
type scanner struct {
	rest         []byte
	line, column int // where rest begins
	seen         extents.List
}

func (s *scanner) fault(format string, args ...any) error {
	return &fault{s.line, s.column, fmt.Sprintf(format, args...)}
}

// accept steps over n bytes of the current line.
func (s *scanner) accept(n int) {
	s.rest = s.rest[n:]
	s.column += n
}

// expect reads one byte, which must be c.
func (s *scanner) expect(c byte, what string) error {
	if len(s.rest) == 0 {
		return s.fault("%s expected, found the end of the input", what)
	}
	if s.rest[0] != c {
		return s.fault("%s expected, found %q", what, s.rest[:1])
	}
	s.accept(1)
	if c == '\n' {
		s.line, s.column = s.line+1, 1
	}
	return nil
}

// name reads a line with the name of a maze or END.
func (s *scanner) name() (string, error) {
	n := 0
	for n < len(s.rest) && s.rest[n] > ' ' && s.rest[n] <= '~' {
		n++
	}
	switch {
	case n == 0 && len(s.rest) == 0:
		return "", s.fault("a maze's name or %s expected, found the end of the input", endMark)
	case n == 0:
		return "", s.fault("a maze's name or %s expected, found %q", endMark, s.rest[:1])
	case n > maxName:
		s.accept(maxName)
		return "", s.fault("a name longer than %d characters", maxName)
	}
	name := string(s.rest[:n])
	s.accept(n)
	return name, s.expect('\n', "end of line")
}

// maze reads the lines below a maze's name.
func (s *scanner) maze() (*maze, error) {
	m := new(maze)
	var row, col, top, front int
	var err error
	// number reads a number and the byte after it, unless an earlier one failed.
	number := func(what string, low, high int, after byte) (n int) {
		if err == nil {
			n, err = s.number(what, low, high, after)
		}
		return n
	}
	m.rows = number("number of rows", 1, maxRows, ' ')
	m.cols = number("number of columns", 1, maxCols, ' ')
	row = number("start row", 1, m.rows, ' ')
	col = number("start column", 1, m.cols, ' ')
	top = number("number on top", 1, 6, ' ')
	at := *s
	front = number("number in front", 1, 6, '\n')
	if err != nil {
		return nil, err
	}
	if top == front || top+front == 7 {
		return nil, at.fault("no die shows %d on top and %d in front", top, front)
	}
	s.seen.Note("R", m.rows)
	s.seen.Note("C", m.cols)
	s.seen.Note("top", top)
	s.seen.Note("front", front)
	m.start = (row-1)*m.cols + col - 1
	m.die = lying(top, front)
	for i := 1; i <= m.rows*m.cols; i++ {
		after := byte(' ')
		if i%m.cols == 0 {
			after = '\n'
		}
		m.needs = append(m.needs, number("square", wild, 6, after))
	}
	for _, need := range m.needs {
		s.seen.Note("square", need)
	}
	return m, err
}

// number reads a number from low to high in its shortest form, and the byte after it.
func (s *scanner) number(what string, low, high int, after byte) (int, error) {
	// Every valid number has at most two characters; a third is read to detect longer ones.
	digits := 0
	for digits < min(len(s.rest), 3) && bytes.IndexByte([]byte("+-0123456789"), s.rest[digits]) >= 0 {
		digits++
	}
	word := string(s.rest[:digits])
	n, err := strconv.Atoi(word)
	switch {
	case len(s.rest) == 0:
		return 0, s.fault("%s expected (%d to %d), found the end of the input", what, low, high)
	case digits == 0:
		return 0, s.fault("%s expected (%d to %d), found %q", what, low, high, s.rest[:1])
	case err != nil || strconv.Itoa(n) != word || n < low || n > high:
		return 0, s.fault("%s expected (%d to %d), found %q", what, low, high, word)
	}
	s.accept(digits)
	if after == ' ' {
		return n, s.expect(after, "single space")
	}
	return n, s.expect(after, "end of line")
}
