package main

import (
	"bytes"
	"testing"

	"tribunal/reference/internal/programs"
	"tribunal/reference/internal/spoil"
)

// FuzzDomain makes sure that every input that the solver accepts is valid except for its layout. A
// fuzz test beside the validator checks that the solver accepts every valid input.
func FuzzDomain(f *testing.F) {
	p := programs.Build(f, "./check")
	for _, input := range []string{
		sampleInput, "0\n", "2\n1 1\n1 1\n1 3\n1 2\nL\nR\n", "1\n2 2\n1 1\nF 1\nU\nF 2\nR\nF 1\nF 3\nR\n",
	} {
		f.Add([]byte(input))
		for spoilt := range spoil.Inputs([]byte(input), 100) {
			f.Add(spoilt)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if _, err := solve(bytes.NewReader(input)); err != nil {
			return
		}
		if _, fault, status := p.Run(t, spoil.Strict(input), "check", "-input"); status != 42 {
			t.Errorf("check exits with %d: %s", status, fault)
		}
	})
}
