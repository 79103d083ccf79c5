// Package drawing is the frame of draw programs, which draw the cases of a problem as SVG pictures.
//
// Begin with [Main]. A program reads the input with [Lines] and draws its parts, such as the boards
// of an input, with [Picture.Parts], each as a [Part] of several [Panel]s. panel.go has the shapes,
// track.go the animations, compare.go what outputs and answers have in common.
package drawing

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Case is what a draw program draws.
type Case struct {
	Input  []byte
	Answer []byte // the expected output; nil if there is none, not nil if it is empty
	Output []byte // the output of a submission; likewise
}

// mostRead is the number of bytes of an answer or output that are read. An input is read whole.
const mostRead = 16 << 20

// Main runs a draw program: draw INPUT [ANSWER [OUTPUT]]. Each argument is a file; - instead of the
// answer means that there is none. The picture goes to stdout. Main returns the exit status: 0, 3 if
// the input is malformed, 2 for wrong arguments or a file that cannot be read, or 1 if the picture
// could not be written. A malformed answer or output is no error.
func Main(args []string, stdout, stderr io.Writer, draw func(*Case) (*Picture, error)) int {
	c, err := read(args)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	p, err := draw(c)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	if _, err := stdout.Write(p.SVG()); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func read(args []string) (*Case, error) {
	if len(args) < 1 || len(args) > 3 {
		return nil, errors.New("usage: draw INPUT [ANSWER [OUTPUT]] (hint: - instead of ANSWER means that there is none)")
	}
	c := new(Case)
	for i, to := range []*[]byte{&c.Input, &c.Answer, &c.Output}[:len(args)] {
		if i == 1 && args[i] == "-" {
			continue
		}
		f, err := os.Open(args[i])
		if err != nil {
			return nil, err
		}
		var from io.Reader = f
		if i > 0 {
			from = io.LimitReader(f, mostRead)
		}
		*to, err = io.ReadAll(from)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}
