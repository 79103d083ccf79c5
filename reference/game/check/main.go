// Command check tells whether a text is a valid input of game, to the byte.
//
//	check -input < input
//	check -reduce < input    offers smaller inputs, see docs/generators.md
//
// It exits 42 if it is. If not, it exits 43 and says on standard error where the
// first fault lies: `line L, column C: reason`. Lines and columns count from 1,
// columns in bytes. Called in any other way it exits 2.
//
// Of a valid input it prints the smallest and the largest value of every quantity
// that the statement bounds. Here these are the sides of board and pattern, which
// never vary.
//
// A solver may be lenient about layout; this is not: four lines of four letters
// W or B, three lines of three digits 0 or 1, each ended by one line feed, and
// nothing else. Every such text is one position of the layout below, so that the
// check is a walk along it.
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

// layout has, for each byte of a valid input, the kind of what must stand there:
// b a chip of the board, p a cell of the pattern, and the line feed itself.
const layout = "bbbb\nbbbb\nbbbb\nbbbb\nppp\nppp\nppp\n"

// sizes are the lines `NAME LOW HIGH` of every valid input.
const sizes = "board 4 4\npattern 3 3\n"

// kinds lists the bytes that may stand where the layout has a kind, and their
// description.
var kinds = map[rune]struct{ allowed, description string }{
	'b':  {"WB", "W or B"},
	'p':  {"01", "0 or 1"},
	'\n': {"\n", "the end of the line"},
}

// validate returns nil for a valid input and otherwise an error that names the
// place and the reason.
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
			return exitOffered // nothing of an input that is not valid
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
