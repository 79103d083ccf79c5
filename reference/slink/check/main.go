// Command check is the input validator of the Slink puzzles.
//
//	check -input < input
//	check -reduce < input
//
// With -input it exits with 42 if the input is valid. Otherwise it exits with 43 and writes one
// line with the place of the first fault and its reason to standard error. The layout must be
// exactly that of the statement: single spaces, one newline after every line, numbers without signs
// or leading zeros. A puzzle must have exactly one solution (unique.go); otherwise the fault is at
// its size.
//
// For a valid input it prints, one line each, the smallest and the largest value of every quantity
// that the statement bounds.
//
// With -reduce it writes smaller inputs, as docs/generators.md describes; see reduce.go.
package main

import (
	"fmt"
	"io"
	"os"

	"tribunal/reference/internal/extents"
)

// Exit statuses; 42 and 43 are those of the ICPC problem package format.
const (
	exitIO      = 1
	exitUsage   = 2
	exitValid   = 42
	exitInvalid = 43
)

// The bounds of the statement. A valid input has at most maxInput bytes: two for each number, six for
// a size, and four for the last line.
const (
	maxSide    = 20
	maxNumber  = 3
	maxPuzzles = 1000
	maxCells   = 40_000
	maxInput   = 2*maxCells + 6*maxPuzzles + 4
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 || args[0] != "-input" && args[0] != "-reduce" {
		fmt.Fprintln(stderr, "usage: check -input|-reduce < input")
		return exitUsage
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err != nil {
		fmt.Fprintln(stderr, "check:", err)
		return exitIO
	}
	seen, err := validate(text)
	if args[0] == "-reduce" {
		if err != nil {
			return 0 // nothing is offered for an invalid input
		}
		if err := offer(text, stdout); err != nil {
			fmt.Fprintln(stderr, "check:", err)
			return exitIO
		}
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitInvalid
	}
	seen.Write(stdout)
	return exitValid
}

// place is a position in the input. Lines and columns count from 1.
type place struct {
	line, column int
}

// fault is the reason why an input is invalid, and the place.
type fault struct {
	place
	reason string
}

func (f *fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.line, f.column, f.reason)
}

// validate returns the range of each quantity of a valid input. For any other input the error is
// its first fault.
func validate(text []byte) (seen extents.List, err error) {
	s := scanner{text: text, place: place{1, 1}}
	for puzzles, cells := 0, 0; ; puzzles++ {
		begin := s.place
		rows, err := s.number(maxSide, "the number of rows")
		if err != nil {
			return nil, err
		}
		if err := s.expect(' ', "one space and the number of columns"); err != nil {
			return nil, err
		}
		second := s.place
		cols, err := s.number(maxSide, "the number of columns")
		if err != nil {
			return nil, err
		}
		switch {
		case (rows == 0) != (cols == 0):
			return nil, &fault{begin, "only the last line, 0 0, has a zero for a size"}
		case puzzles == maxPuzzles && rows > 0:
			return nil, &fault{begin, fmt.Sprintf("more than %d puzzles", maxPuzzles)}
		case cells+rows*cols > maxCells:
			return nil, &fault{second, fmt.Sprintf("more than %d cells in all puzzles together", maxCells)}
		}
		if err := s.expect('\n', "the end of the line after the size"); err != nil {
			return nil, err
		}
		if rows == 0 {
			seen.Note("puzzles", puzzles)
			seen.Note("cells", cells)
			return seen, s.end()
		}
		cells += rows * cols
		seen.Note("r", rows)
		seen.Note("c", cols)
		grid, err := s.grid(rows, cols)
		if err != nil {
			return nil, err
		}
		for _, row := range grid {
			for _, number := range row {
				seen.Note("number", number)
			}
		}
		switch countLoops(grid) {
		case 0:
			return nil, &fault{begin, fmt.Sprintf("puzzle %d has no solution", puzzles+1)}
		case 1:
		default:
			return nil, &fault{begin, fmt.Sprintf("puzzle %d has several solutions", puzzles+1)}
		}
	}
}

// A scanner reads an input that must not differ from the format by one byte.
type scanner struct {
	text  []byte // the part of the input that is not read yet
	place        // the position of its first byte
}

// grid reads the rows of a puzzle.
func (s *scanner) grid(rows, cols int) ([][]int, error) {
	grid := make([][]int, rows)
	for i := range grid {
		grid[i] = make([]int, cols)
		for j := range grid[i] {
			if j > 0 {
				if err := s.expect(' ', fmt.Sprintf("one space and number %d of %d", j+1, cols)); err != nil {
					return nil, err
				}
			}
			n, err := s.number(maxNumber, fmt.Sprintf("number %d of %d", j+1, cols))
			if err != nil {
				return nil, err
			}
			grid[i][j] = n
		}
		if err := s.expect('\n', fmt.Sprintf("the end of the line after number %d", cols)); err != nil {
			return nil, err
		}
	}
	return grid, nil
}

// number reads a number from 0 to limit.
func (s *scanner) number(limit int, what string) (int, error) {
	begin, length, value := s.place, 0, 0
	for len(s.text) > 0 && s.text[0] >= '0' && s.text[0] <= '9' {
		if length > 0 && value == 0 {
			return 0, &fault{begin, what + " has a leading zero"}
		}
		value = 10*value + int(s.text[0]-'0')
		length++
		s.advance()
		if value > limit {
			return 0, &fault{begin, fmt.Sprintf("%s is more than %d", what, limit)}
		}
	}
	if length == 0 {
		return 0, s.unexpected(what)
	}
	return value, nil
}

// expect reads the byte b. If it does not come next, expect returns the fault that `what` is missing.
func (s *scanner) expect(b byte, what string) error {
	if len(s.text) == 0 || s.text[0] != b {
		return s.unexpected(what)
	}
	s.advance()
	return nil
}

// end expects the end of the input.
func (s *scanner) end() error {
	if len(s.text) > 0 {
		return s.unexpected("the end of the input")
	}
	return nil
}

func (s *scanner) advance() {
	s.column++
	if s.text[0] == '\n' {
		s.line, s.column = s.line+1, 1
	}
	s.text = s.text[1:]
}

// unexpected returns the fault that `what` was expected here, with the byte found instead.
func (s *scanner) unexpected(what string) error {
	found := "the end of the input"
	if len(s.text) > 0 {
		found = fmt.Sprintf("%q", s.text[:1])
	}
	return &fault{s.place, fmt.Sprintf("expected %s, found %s", what, found)}
}
