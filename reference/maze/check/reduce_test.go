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
		"random -mazes=3 -most=6 -seed=1",
		"tiny -mazes=20 -seed=2",
		"row -mazes=3 -most=12 -seed=3",
		"column -mazes=3 -most=12 -seed=4",
		"bursts -mazes=1 -rows=7 -columns=5 -seed=5",
		"length -mazes=1 -rows=5 -columns=7 -seed=6",
		"dead -mazes=1 -rows=6 -columns=6 -seed=7",
		"first -rows=5 -columns=6 -flips=100 -seed=8",
		"live -rows=6 -columns=5 -flips=100 -seed=9",
	} {
		made, errs, status := p.Run(t, nil, "gen", strings.Fields(args)...)
		if status != 0 {
			t.Fatalf("gen %s: %s", args, errs)
		}
		input := []byte(made)
		offers := reducetest.Run(run).Offers(t, input)
		if len(offers) < 100 {
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

// TestReduceLargest reduces the inputs that take longest to play.
func TestReduceLargest(t *testing.T) {
	const moves = maxSide*maxSide - 1
	var snake strings.Builder // one path through the largest grid, with flips of the whole path before its last cell
	for row := range maxSide {
		across := "R\n"
		if row%2 == 1 {
			across = "L\n"
		}
		snake.WriteString(strings.Repeat(across, maxSide-1) + "U\n")
	}
	path := snake.String()[:2*(moves-1)]
	input := "1\n39 39\n1 1\n" + path + strings.Repeat("F 1\nF 1\n", (maxCommands-moves)/2) + snake.String()[2*(moves-1):2*moves]
	offers := reducetest.Run(run).Offers(t, []byte(input))
	if len(offers) == 0 {
		t.Fatal("no offers")
	}
	if _, err := validate(offers[len(offers)-1]); err != nil {
		t.Errorf("the last of %d offers is not valid: %v", len(offers), err)
	}
}

// TestReduceEnds shrinks as the judge does: it takes the first offer with a property again and
// again, and compares the last input.
func TestReduceEnds(t *testing.T) {
	const input = "3\n2 3\n1 1\nU\nR\nD\nF 2\nR\nF 2\nF 2\nF 2\nF 2\nD\n4 1\n2 1\nF 1\nU\nU\nF 1\nF 1\nF 1\nF 1\nD\n3 2\n2 2\nF 1\nL\nU\nF 2\nF 3\nF 2\nR\nD\nF 2\nR\n"
	for _, test := range []struct {
		why  string
		has  func(mazes []maze) bool
		want string
	}{
		{"anything", func([]maze) bool { return true }, "0\n"},
		{"two mazes", func(m []maze) bool { return len(m) >= 2 }, "2\n1 1\n1 1\n1 1\n1 1\n"},
		{"two rows and three columns", func(m []maze) bool { return len(m) > 0 && m[0].size.row > 1 && m[0].size.column > 2 },
			"1\n2 3\n1 1\nR\nR\nU\nL\nL\n"},
		{"a flip that changes something", func(mazes []maze) bool {
			for _, m := range mazes {
				visited := 1
				for _, c := range m.commands {
					if c.letter != 'F' {
						visited++
					} else if c.position < visited {
						return true
					}
				}
			}
			return false
		}, "1\n2 2\n1 1\nR\nF 1\nU\nR\n"},
		{"a start that is not in the first column", func(mazes []maze) bool {
			return slices.ContainsFunc(mazes, func(m maze) bool { return m.start.column > 1 })
		}, "1\n1 2\n1 2\nL\n"},
	} {
		got := reducetest.Run(run).Least(t, input, func(input string) bool { return test.has(parse([]byte(input))) })
		if got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.why, got, test.want)
		}
	}
}

func TestReduceNothing(t *testing.T) {
	for _, input := range []string{"0\n", "", "1\n1 3\n1 1\nR\n", "0\r\n"} {
		if offers := reducetest.Run(run).Offers(t, []byte(input)); len(offers) > 0 {
			t.Errorf("%q: %d offers", input, len(offers))
		}
	}
}
