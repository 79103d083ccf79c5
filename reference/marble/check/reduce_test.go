package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"tribunal/reference/internal/reduce/reducetest"
)

// isValid reports whether check -input accepts an input.
func isValid(input []byte) bool {
	return run([]string{"-input"}, bytes.NewReader(input), io.Discard, io.Discard) == right
}

// generated returns the smallest, a medium and the largest input of each family of the generator,
// and one with walls in all places.
func generated(t *testing.T) [][]byte {
	t.Helper()
	gen := program(t, "../gen")
	ladder, err := exec.Command(gen, "-ladder").Output()
	if err != nil {
		t.Fatal(err)
	}
	rungs := map[string][][]string{}
	for line := range strings.Lines(string(ladder)) {
		args := strings.Fields(line)[1:]
		rungs[args[0]] = append(rungs[args[0]], args)
	}
	chosen := [][]string{{"twice", "-boards=1", "-n=5", "-m=1", "-w=40"}}
	for _, list := range rungs {
		chosen = append(chosen, list[0], list[len(list)/2], list[len(list)-1])
	}
	var inputs [][]byte
	for _, args := range chosen {
		input, err := exec.Command(gen, args...).Output()
		if err != nil {
			t.Fatalf("gen %v: %v", args, err)
		}
		inputs = append(inputs, input)
	}
	return inputs
}

// TestReduceGenerated checks that every offer is smaller and valid, and that there is one for every
// input except the smallest.
func TestReduceGenerated(t *testing.T) {
	for _, input := range generated(t) {
		list := reducetest.Run(run).Offers(t, input)
		if len(list) == 0 {
			t.Fatalf("nothing is offered of %.100q", input)
		}
		total := 0
		for i, offer := range list {
			total += len(offer)
			if len(offer) > len(input) || len(offer) == len(input) && bytes.Compare(offer, input) >= 0 {
				t.Fatalf("offer %d of %.100q is not smaller: %.100q", i+1, input, offer)
			}
			// Of the offers for a large input, validate only some.
			if some := 1 + len(list)*len(input)/500_000; i%some == 0 && !isValid(offer) {
				t.Fatalf("offer %d of %.100q is not valid: %.1000q", i+1, input, offer)
			}
		}
		if total > 40<<20 {
			t.Errorf("%d offers of %d bytes in all of %.100q", len(list), total, input)
		}
	}
}

// TestReduceKeepsWhatIsNeeded shrinks inputs while a condition holds; only what it needs must remain.
func TestReduceKeepsWhatIsNeeded(t *testing.T) {
	var large bytes.Buffer
	for k := range 20 {
		fmt.Fprint(&large, "12 6 30\n")
		for i := range 12 {
			fmt.Fprintln(&large, i, (i*5+k)%12)
		}
		for i := range 30 {
			r, c := (i*7+k)%12, (i*5+k)%11
			if i%2 == 0 {
				fmt.Fprintln(&large, r, c+1, r, c)
			} else {
				fmt.Fprintln(&large, c, r, c+1, r)
			}
		}
	}
	large.WriteString(endMarker)
	input := large.Bytes()
	boards := func(input []byte) []*board {
		list, err := parseInput(input)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	some := func(holds func(*board) bool) func([]byte) bool {
		return func(input []byte) bool {
			for _, b := range boards(input) {
				if holds(b) {
					return true
				}
			}
			return false
		}
	}
	for _, test := range []struct {
		why   string
		holds func([]byte) bool
		want  string
	}{
		{"nothing", func([]byte) bool { return true }, "0 0 0\n"},
		{"a board", some(func(*board) bool { return true }), "2 1 0\n0 0\n0 1\n0 0 0\n"},
		{"two boards", func(input []byte) bool { return len(boards(input)) > 1 }, "2 1 0\n0 0\n0 1\n2 1 0\n0 0\n0 1\n0 0 0\n"},
		{"three marbles", some(func(b *board) bool { return len(b.marbles) >= 3 }), "3 3 0\n0 0\n0 2\n1 1\n0 1\n1 0\n1 2\n0 0 0\n"},
		{"two walls", some(func(b *board) bool { return len(b.walls) >= 2 }), "2 1 2\n0 0\n0 1\n0 0 0 1\n0 0 1 0\n0 0 0\n"},
		{"side 5", some(func(b *board) bool { return b.n >= 5 }), "5 1 0\n0 0\n0 1\n0 0 0\n"},
		{"a marble six rows above its hole", some(func(b *board) bool {
			for i := range b.marbles {
				if b.holes[i].row-b.marbles[i].row == 6 {
					return true
				}
			}
			return false
		}), "7 1 0\n0 0\n6 0\n0 0 0\n"},
	} {
		if !isValid(input) || !test.holds(input) {
			t.Fatalf("%s: the condition does not hold for the input to shrink", test.why)
		}
		if got := reducetest.Run(run).Least(t, string(input), func(input string) bool {
			return isValid([]byte(input)) && test.holds([]byte(input))
		}); got != test.want {
			t.Errorf("%s: got %q, want %q", test.why, got, test.want)
		}
	}
}

func TestReduceNothing(t *testing.T) {
	for _, test := range []struct{ why, input string }{
		{"the smallest input", "0 0 0\n"},
		{"no input", ""},
		{"not valid", "2 1 0\n0 0\n0 0\n0 0 0\n"},
		{"not the layout", "2 1 0\n0 0\n0 1\n0 0 0"},
	} {
		if list := reducetest.Run(run).Offers(t, []byte(test.input)); len(list) > 0 {
			t.Errorf("%s: offered %q", test.why, list)
		}
	}
}
