package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"tribunal/reference/internal/programs"
	"tribunal/reference/internal/reduce/reducetest"
)

// TestReduce checks that the offers for inputs of all families are smaller and valid.
func TestReduce(t *testing.T) {
	p := programs.Build(t, "../gen")
	for _, args := range []string{
		"all -rows=2 -cols=3",
		"random -n=3 -max=6 -seed=1",
		"random -n=40 -rows=4 -cols=4 -seed=2",
		"lines -max=5",
		"domino -n=3 -max=6 -seed=4",
		"spiral -rows=9 -cols=7 -seed=5",
		"comb -rows=7 -cols=9 -seed=6",
		"images -rows=5 -cols=4 -seed=7",
		"climb -rows=10 -cols=10 -goal=work -steps=1000 -seed=8",
		"twins -rows=5 -cols=5 -seed=9",
	} {
		made, errs, status := p.Run(t, nil, "gen", strings.Fields(args)...)
		if status != 0 {
			t.Fatalf("gen %s: %s", args, errs)
		}
		input := []byte(made)
		offers := reducetest.Run(run).Offers(t, input)
		if len(offers) < 10 {
			t.Errorf("gen %s: only %d offers", args, len(offers))
		}
		for _, o := range offers {
			if len(o) > len(input) || len(o) == len(input) && bytes.Compare(o, input) >= 0 {
				t.Fatalf("gen %s: an offer is not smaller:\n%s", args, o)
			}
			if _, err := validate(o); err != nil {
				t.Fatalf("gen %s: an offer is not valid: %v\n%s", args, err, o)
			}
		}
	}
}

// TestReduceLargest reduces an input with the most cells.
func TestReduceLargest(t *testing.T) {
	offers := reducetest.Run(run).Offers(t, []byte(strings.Repeat(ring(20), 100)+"0 0\n"))
	if len(offers) < 100 || len(offers) > maxTries+1000 {
		t.Errorf("%d offers", len(offers))
	}
}

// TestReduceEnds shrinks as the judge does: it takes the first offer with a property again and
// again, and compares the last input.
func TestReduceEnds(t *testing.T) {
	const input = "3 5\n3 3 3 2 3\n1 2 1 3 2\n3 3 2 2 2\n4 4\n3 1 1 3\n2 2 2 2\n1 2 2 1\n3 2 2 3\n6 6\n0 0 1 1 0 0\n0 2 2 2 2 0\n1 2 0 0 2 1\n1 2 0 0 2 1\n0 2 2 2 2 0\n0 0 1 1 0 0\n0 0\n"
	has := func(wanted func([][]int) bool) func([][][]int) bool {
		return func(p [][][]int) bool { return slices.ContainsFunc(p, wanted) }
	}
	for _, test := range []struct {
		why  string
		has  func([][][]int) bool
		want string
	}{
		{"anything", func([][][]int) bool { return true }, "0 0\n"},
		{"two puzzles", func(p [][][]int) bool { return len(p) >= 2 }, "1 2\n3 3\n1 2\n3 3\n0 0\n"},
		{"two rows and three columns", has(func(g [][]int) bool { return len(g) > 1 && len(g[0]) > 2 }), "2 3\n0 1 1\n1 3 3\n0 0\n"},
		{"a 2 in the lower right corner", has(func(g [][]int) bool { return g[len(g)-1][len(g[0])-1] == 2 }), "2 2\n2 2\n2 2\n0 0\n"},
		{"a 0 inside the loop", has(func(g [][]int) bool {
			for i, row := range regionOf(g) {
				for j, inside := range row {
					if inside && g[i][j] == 0 {
						return true
					}
				}
			}
			return false
		}), "3 3\n2 1 2\n1 0 1\n2 1 2\n0 0\n"},
	} {
		got := reducetest.Run(run).Least(t, input, func(input string) bool { return test.has(puzzles([]byte(input))) })
		if got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.why, got, test.want)
		}
	}
}

func TestReduceNothing(t *testing.T) {
	for _, input := range []string{"0 0\n", "", "1 2\n3 2\n0 0\n", "0 0\r\n"} {
		if offers := reducetest.Run(run).Offers(t, []byte(input)); len(offers) > 0 {
			t.Errorf("%q: %d offers", input, len(offers))
		}
	}
}
