// Command check is the input validator of the flipping game.
//
//	check -input < input
//	check -reduce < input
//
// With -input it exits with 42 if the input is valid. Otherwise it exits with 43 and writes the
// first fault to standard error as `line L, column C: reason`. Lines and columns count from 1,
// columns in bytes.
//
// For a valid input it prints the smallest and the largest value of every quantity that the
// statement bounds. Here these are the sides of board and pattern, which never vary.
//
// With -reduce it writes smaller inputs, as docs/generators.md describes (see reduce.go), and exits
// with 0. Any other command line exits with 2.
//
// A solver may tolerate another layout; check does not: an input is four lines of four letters W or
// B and three lines of three digits 0 or 1, each ended by one line feed, and nothing else. So a
// valid input has a fixed length, and check compares each byte with the layout below.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	exitOffered = 0
	exitFailure = 1 // the offers could not be written
	exitUsage   = 2
	exitValid   = 42
	exitInvalid = 43
)

// layout holds the kind of each byte of a valid input: b for a chip of the board, p for a cell of
// the pattern, or the line feed itself.
const layout = "bbbb\nbbbb\nbbbb\nbbbb\nppp\nppp\nppp\n"

// sizes are the lines `NAME LOW HIGH` for every valid input.
const sizes = "board 4 4\npattern 3 3\n"

// kinds lists the bytes allowed for each kind, and their description.
var kinds = map[rune]struct{ allowed, description string }{
	'b':  {"WB", "W or B"},
	'p':  {"01", "0 or 1"},
	'\n': {"\n", "the end of the line"},
}

// validate returns nil for a valid input, and otherwise an error with the place and the reason.
func validate(input io.ByteReader) error {
	line, column := 1, 1
	fault := func(reason string, args ...any) error {
		return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(reason, args...))
	}
	for _, kind := range layout {
		want := kinds[kind]
		got, err := input.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return fault("the input ends, want %s", want.description)
		case err != nil:
			return fault("the input cannot be read: %v", err)
		case strings.IndexByte(want.allowed, got) < 0:
			return fault("got %q, want %s", string([]byte{got}), want.description)
		}
		column++
		if kind == '\n' {
			line, column = line+1, 1
		}
	}
	switch got, err := input.ReadByte(); {
	case err == nil:
		return fault("got %q, want the end of the input", string([]byte{got}))
	case !errors.Is(err, io.EOF):
		return fault("the input cannot be read: %v", err)
	}
	return nil
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 || args[0] != "-input" && args[0] != "-reduce" {
		fmt.Fprintln(stderr, "usage: check -input < input (exit status 42: valid, 43: invalid) or check -reduce < input (offers smaller ones)")
		return exitUsage
	}
	var input bytes.Buffer
	err := validate(bufio.NewReader(io.TeeReader(stdin, &input)))
	if args[0] == "-reduce" {
		if err != nil {
			return exitOffered // nothing is offered for an invalid input
		}
		if err := offer(input.Bytes(), stdout); err != nil {
			fmt.Fprintln(stderr, err)
			return exitFailure
		}
		return exitOffered
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitInvalid
	}
	fmt.Fprint(stdout, sizes)
	return exitValid
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
