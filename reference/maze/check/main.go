// Command check is the input validator of the mazes.
//
//	check -input < input
//	check -reduce < input
//
// With -input it exits with 42 if the input is exactly as the statement describes. Otherwise it
// exits with 43 and writes one line with the place and the reason to standard error. For a valid
// input it prints, one line each, the smallest and the largest value of every quantity that the
// statement bounds.
//
// Unlike the solver it is strict about layout: single spaces, LF, a final newline, numbers without
// leading zeros. Whether a command is legal depends on the maze, so check plays the maze, with a
// list that it simply reverses: fast enough here, and independent of the reference.
//
// With -reduce it writes smaller inputs, as docs/generators.md describes; see reduce.go.
//
// Every input has exactly one right output, so there is no output validator.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"tribunal/reference/internal/extents"
)

const (
	statusValid   = 42
	statusInvalid = 43
	statusUsage   = 2

	maxSide     = 39
	maxMazes    = 1000
	maxCommands = 50_000

	// maxInput exceeds the length of every valid input: 5 bytes for the number of mazes, 12 for the
	// head of each, 7 for each command. A longer input is cut off here. It remains invalid, because
	// even its beginning is too long.
	maxInput = 1 << 20
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 || args[0] != "-input" && args[0] != "-reduce" {
		fmt.Fprintln(stderr, "usage: check -input|-reduce < input (hint: outputs of this problem are compared byte by byte)")
		return statusUsage
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxInput))
	if err != nil {
		fmt.Fprintln(stderr, err)
		return statusUsage
	}
	seen, err := validate(text)
	if args[0] == "-reduce" {
		if err != nil {
			return 0 // nothing is offered for an invalid input
		}
		if err := offer(text, stdout); err != nil {
			fmt.Fprintln(stderr, err)
			return statusUsage
		}
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return statusInvalid
	}
	seen.Write(stdout)
	return statusValid
}

// validate returns the range of each quantity of a valid input. For any other input the error is
// the first fault with its place.
func validate(text []byte) (seen extents.List, err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			seen, err = nil, f
		default:
			panic(f)
		}
	}()
	c := &cursor{rest: text, line: 1, column: 1}
	commands := 0
	mazes := c.number("the number of mazes", 0, maxMazes)
	c.endLine()
	seen.Note("mazes", mazes)
	for range mazes {
		commands = c.maze(commands, &seen)
	}
	seen.Note("commands", commands)
	if len(c.rest) > 0 {
		c.fail("text after the last maze")
	}
	return seen, nil
}

// A fault stops reading the input by a panic, which validate recovers.
type fault struct {
	line, column int
	reason       string
}

func (f fault) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", f.line, f.column, f.reason)
}

// A cursor walks over the input and knows its position.
type cursor struct {
	rest         []byte
	line, column int // of the first byte of rest, counted from 1, columns in bytes
}

func (c *cursor) fail(format string, args ...any) {
	panic(fault{c.line, c.column, fmt.Sprintf(format, args...)})
}

// take steps over the byte b. name describes it in messages.
func (c *cursor) take(b byte, name string) {
	switch {
	case len(c.rest) == 0:
		c.fail("the input ends where %s should stand", name)
	case c.rest[0] != b:
		c.fail("%q where %s should stand", c.rest[:1], name)
	}
	c.rest = c.rest[1:]
	c.column++
}

func (c *cursor) space() { c.take(' ', "a space") }

func (c *cursor) endLine() {
	c.take('\n', "a line end")
	c.line++
	c.column = 1
}

// number steps over a decimal number from low to high, without sign or leading zeros.
func (c *cursor) number(name string, low, high int) int {
	digits, value := 0, 0
	for digits < len(c.rest) && '0' <= c.rest[digits] && c.rest[digits] <= '9' {
		value = min(10*value+int(c.rest[digits]-'0'), 1_000_000) // beyond every limit, however many digits follow
		digits++
	}
	switch {
	case digits == 0:
		c.fail("%s should stand here", name)
	case digits > 1 && c.rest[0] == '0':
		c.fail("%s has a leading zero", name)
	case value < low || value > high:
		c.fail("%s is not in %d to %d", name, low, high)
	}
	c.rest = c.rest[digits:]
	c.column += digits
	return value
}

// maze steps over one maze and notes its quantities in seen. commands is the number of commands
// before this maze; maze returns the number up to its end.
func (c *cursor) maze(commands int, seen *extents.List) int {
	var size, start cell
	size.row = c.number("the number of rows", 1, maxSide)
	c.space()
	size.column = c.number("the number of columns", 1, maxSide)
	c.endLine()
	start.row = c.number("the start row", 1, size.row)
	c.space()
	start.column = c.number("the start column", 1, size.column)
	c.endLine()

	seen.Note("M", size.row)
	seen.Note("N", size.column)
	for p := newPlay(size, start); p.unfinished(); {
		if commands == maxCommands {
			c.fail("more than %d commands", maxCommands)
		}
		commands++
		if bytes.HasPrefix(c.rest, []byte("F")) {
			c.take('F', "F")
			c.space()
			from := c.number("the position of the flip", 1, len(p.list))
			c.endLine()
			p.flip(from)
			continue
		}
		if len(c.rest) == 0 {
			c.fail("the input ends before the maze is finished")
		}
		letter := c.rest[0]
		if _, ok := steps[letter]; !ok {
			c.fail("%q where U, D, L, R or F should stand", c.rest[:1])
		}
		next := p.last().step(letter)
		if p.visited(next) {
			c.fail("%c leads from cell (%d, %d) to a visited cell or out of the grid", letter, p.last().row, p.last().column)
		}
		c.take(letter, "a move")
		c.endLine()
		p.visit(next)
	}
	return commands
}
