package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine bounds the memory for one line of input. The longest line of an input in the layout of
// the statement has six characters.
const maxLine = 1 << 20

// A reader splits the input into lines of fields, and counts the lines for messages.
type reader struct {
	lines    *bufio.Scanner
	line     int
	words    [][]byte // the fields of the current line; the next line overwrites them
	commands int      // number of commands read so far, in all mazes
}

func newReader(input io.Reader) *reader {
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, maxLine)
	return &reader{lines: lines}
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// fields returns the fields of the next line that has any, or none at the end of the input. They
// are valid until the next call.
func (r *reader) fields() ([][]byte, error) {
	for r.lines.Scan() {
		r.line++
		r.split(r.lines.Bytes())
		if len(r.words) > 0 {
			return r.words, nil
		}
	}
	r.line++
	if err := r.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, r.errorf("more than %d bytes without a line end", maxLine)
	} else if err != nil {
		return nil, r.errorf("%v", err)
	}
	return nil, nil
}

// split cuts a line at blanks.
func (r *reader) split(line []byte) {
	r.words = r.words[:0]
	from := 0
	for i, c := range line {
		if c == ' ' || c == '\t' {
			if from < i {
				r.words = append(r.words, line[from:i])
			}
			from = i + 1
		}
	}
	if from < len(line) {
		r.words = append(r.words, line[from:])
	}
}

// A limit is the name of a number and its range.
type limit struct {
	name      string
	low, high int
}

// numbers reads a line with one number for each limit. what names the line in messages.
func (r *reader) numbers(what string, limits ...limit) ([]int, error) {
	fields, err := r.fields()
	if err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, r.errorf("the input ends where %s should stand", what)
	}
	if len(fields) != len(limits) {
		return nil, r.errorf("%s stands where %s should stand", quote(bytes.Join(fields, []byte(" "))), what)
	}
	values := make([]int, len(limits))
	for i, l := range limits {
		if values[i], err = r.number(fields[i], l); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// number reads a plain decimal number: digits only.
func (r *reader) number(field []byte, l limit) (int, error) {
	value := 0
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, r.errorf("the %s is %s (hint: write a decimal number without a sign)", l.name, quote(field))
		}
		value = min(10*value+int(c-'0'), 1_000_000) // beyond every limit, however many digits follow
	}
	if value < l.low || value > l.high {
		shown := string(field)
		if len(field) > 20 {
			shown = shown[:20] + "…"
		}
		return 0, r.errorf("the %s is %s, not %d to %d", l.name, shown, l.low, l.high)
	}
	return value, nil
}

// A command is a move by U, D, L or R, or an F with the position of the flip.
type command struct {
	letter   byte
	position int
}

// command reads a command. length is the length of the list, which bounds a flip's position.
func (r *reader) command(length int) (command, error) {
	fields, err := r.fields()
	if err != nil {
		return command{}, err
	}
	if fields == nil {
		return command{}, r.errorf("the input ends before the maze is finished (hint: cells are left to visit)")
	}
	r.commands++
	if r.commands > maxCommands {
		return command{}, r.errorf("more than %d commands", maxCommands)
	}
	switch letter := fields[0]; {
	case len(letter) == 1 && strings.Contains("UDLR", string(letter)) && len(fields) == 1:
		return command{letter: letter[0]}, nil
	case string(letter) == "F" && len(fields) == 2:
		position, err := r.number(fields[1], limit{"position of the flip", 1, length})
		return command{letter: 'F', position: position}, err
	}
	return command{}, r.errorf("%s is not a command (hint: U, D, L, R or F with a position, one a line)", quote(bytes.Join(fields, []byte(" "))))
}

// end checks that only blanks follow the last maze.
func (r *reader) end() error {
	fields, err := r.fields()
	if err == nil && fields != nil {
		err = r.errorf("%s stands after the last maze", quote(fields[0]))
	}
	return err
}

// quote makes the beginning of a text safe to print on one line.
func quote(text []byte) string {
	const most = 20
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
