package main

import (
	"bytes"
	"io"
	"testing"

	"tribunal/reference/internal/programs"
	"tribunal/reference/internal/spoil"
)

// FuzzDomain makes sure that every input that the solver accepts is valid except for its layout. A
// fuzz test beside the validator checks that the solver accepts every valid input.
func FuzzDomain(f *testing.F) {
	p := programs.Build(f, "./check")
	for _, input := range []string{
		"0 0\n", "1 2\n3 3\n2 1\n3\n3\n0 0\n", "3 5\n3 3 3 2 3\n1 2 1 3 2\n3 3 2 2 2\n0 0\n", ring(3) + "0 0\n", "4 4\n3 1 1 3\n2 2 2 2\n1 2 2 1\n3 2 2 3\n0 0\n",
	} {
		f.Add([]byte(input))
		for spoilt := range spoil.Inputs([]byte(input), 100) {
			f.Add(spoilt)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if run(bytes.NewReader(input), io.Discard, io.Discard) != exitOK {
			return
		}
		if _, fault, status := p.Run(t, spoil.Strict(input), "check", "-input"); status != 42 {
			t.Errorf("check exits with %d: %s", status, fault)
		}
	})
}
