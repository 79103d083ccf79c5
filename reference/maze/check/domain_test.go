package main

import (
	"testing"

	"tribunal/reference/internal/programs"
	"tribunal/reference/internal/spoil"
)

// FuzzDomain checks that reference and brute give the same answer to every valid input.
func FuzzDomain(f *testing.F) {
	p := programs.Build(f, "..", "../brute", "../gen")
	for _, input := range p.Ladder(f, 16) {
		f.Add(input)
		for spoilt := range spoil.Inputs(input, 40) {
			f.Add(spoilt)
		}
	}
	valid := func([]byte) error { return nil }
	f.Fuzz(func(t *testing.T, input []byte) {
		if _, err := validate(input); err == nil {
			p.Agree(t, "maze", input, valid, valid)
		}
	})
}
