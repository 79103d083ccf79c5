// Package reducetest shrinks inputs in tests: it replaces them by smaller ones that an input
// validator offers.
package reducetest

import (
	"bytes"
	"io"
	"testing"

	"tribunal/reference/internal/reduce"
)

// Run is the run function of an input validator: it executes args and returns the exit status.
type Run func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Offers returns the inputs that the validator offers in place of an input.
func (run Run) Offers(t testing.TB, input []byte) [][]byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-reduce"}, bytes.NewReader(input), &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("check -reduce: exit status %d: %s", status, &stderr)
	}
	list, err := reduce.Offers(stdout.Bytes())
	if err != nil {
		t.Fatalf("check -reduce: %v", err)
	}
	return list
}

// Least replaces the input by the first offer for which holds is true, again and again, and returns
// the input for which there is no such offer.
func (run Run) Least(t testing.TB, input string, holds func(string) bool) string {
	t.Helper()
	if !holds(input) {
		t.Fatalf("the condition does not hold for the first input: %.100q", input)
	}
	for again := true; again; {
		again = false
		for _, offer := range run.Offers(t, []byte(input)) {
			if holds(string(offer)) {
				input, again = string(offer), true
				break
			}
		}
	}
	return input
}
