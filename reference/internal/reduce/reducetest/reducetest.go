// Package reducetest shrinks inputs in tests by what a checker offers.
package reducetest

import (
	"bytes"
	"io"
	"testing"

	"tribunal/reference/internal/reduce"
)

// Run is the run function of a checker: it does what args ask for and returns the exit
// status.
type Run func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Offers returns what a checker offers in place of an input.
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

// Least takes the first offer that holds, again and again, and returns what is left when
// none does.
func (run Run) Least(t testing.TB, input string, holds func(string) bool) string {
	t.Helper()
	if !holds(input) {
		t.Fatalf("does not hold of the input to begin with: %.100q", input)
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
