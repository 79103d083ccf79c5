package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/reference/internal/reduce/reducetest"
)

// smallest is the first game in the order of bytes: nothing is offered for it.
const smallest = "BBBB\nBBBB\nBBBB\nBBBB\n000\n000\n000\n"

func TestOffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1122, 1))
	for range 300 {
		board, pattern := make([]byte, chips), make([]byte, cells)
		for i := range board {
			board[i] = "WB"[rng.IntN(2)]
		}
		for i := range pattern {
			pattern[i] = "01"[rng.IntN(2)]
		}
		input := string(write(board, pattern))
		list := reducetest.Run(run).Offers(t, []byte(input))
		if len(list) == 0 {
			t.Errorf("%q: nothing is offered", input)
		}
		for _, offer := range list {
			if string(offer) >= input || run([]string{"-input"}, bytes.NewReader(offer), io.Discard, io.Discard) != exitValid {
				t.Errorf("%q: offers %q", input, offer)
			}
		}
	}
	for _, input := range []string{smallest, "", "W", valid + valid, strings.ReplaceAll(valid, "\n", "\r\n")} {
		if list := reducetest.Run(run).Offers(t, []byte(input)); len(list) > 0 {
			t.Errorf("%q: offers %q", input, list)
		}
	}
}

// TestShrinking shrinks as the judge does: it takes the first offer for which a condition still
// holds, until there is none.
func TestShrinking(t *testing.T) {
	const start = "WBWB\nWWBW\nWBBB\nBWBW\n110\n011\n001\n"
	for _, test := range []struct {
		why   string
		holds func(input string) bool
		want  string
	}{
		{"anything", func(string) bool { return true }, smallest},
		{"a white chip", func(s string) bool { return strings.Contains(s, "W") }, "BBBB\nBBBB\nBBBB\nBBBW\n000\n000\n000\n"},
		{"a black chip and another white one", func(s string) bool { return strings.Contains(s, "BW") }, "BBBB\nBBBB\nBBBB\nBBBW\n000\n000\n000\n"},
		{"half of them white", func(s string) bool { return strings.Count(s, "W") >= 8 }, "BBBB\nBBBB\nWWWW\nWWWW\n000\n000\n000\n"},
		{"a pattern of two ones", func(s string) bool { return strings.Count(s, "1") >= 2 }, "BBBB\nBBBB\nBBBB\nBBBB\n000\n000\n011\n"},
	} {
		input := reducetest.Run(run).Least(t, start, test.holds)
		if input != test.want {
			t.Errorf("%s: ends with\n%swant\n%s", test.why, input, test.want)
		}
	}
}
