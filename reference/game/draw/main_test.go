package main

import (
	"strconv"
	"strings"
	"testing"

	"tribunal/reference/internal/drawing/drawingtest"
	"tribunal/reference/internal/programs"
)

func TestPictures(t *testing.T) { drawingtest.Golden(t, draw) }

func TestGenerated(t *testing.T) {
	drawingtest.Generated(t, draw, "random", "deepest", "impossible", "zero")
}

// TestFewest compares shortest plays with the answers of the solver, and plays them.
func TestFewest(t *testing.T) {
	p := programs.Build(t, "..", "../gen")
	for seed := range 60 {
		family := []string{"random", "far", "impossible", "ones"}[seed%4]
		input, errs, _ := p.Run(t, nil, "gen", family, "-seed="+strconv.Itoa(seed))
		answer, _, _ := p.Run(t, []byte(input), "game")
		b, flips, err := read([]byte(input))
		if err != nil {
			t.Fatalf("%q, %s: %v", input, errs, err)
		}
		moves, possible := fewest(b, flips)
		for _, m := range moves {
			b ^= flips.at(m)
		}
		if got := strconv.Itoa(len(moves)); possible && (got != strings.TrimSpace(answer) || b != 0 && b != ^board(0)) || !possible && answer != "Impossible\n" {
			t.Errorf("%q: %v, %v, want %s", input, moves, possible, answer)
		}
	}
}

func TestMalformed(t *testing.T) {
	const rows = "WWWW\nWBBW\nWBWW\nWWWW\n"
	for _, tt := range []struct {
		why, input string
		line       int
		text       string
	}{
		{"nothing at all", "", 1, "the input ends where a row of the board should be"},
		{"a small letter", "WWWw\n", 1, "4 characters W or B"},
		{"a long row", "\nWWWWW\n", 2, `"WWWWW" is not a row of the board`},
		{"a row of two words", rows + "1 01\n", 5, `"1 01" is not a row of the pattern`},
		{"a row too few", rows + "101\n010\n", 7, "the input ends"},
		{"more text", rows + "101\n010\n101\n101\n", 8, "after the end"},
	} {
		t.Run(tt.why, func(t *testing.T) { drawingtest.Refuses(t, draw, tt.input, tt.line, tt.text) })
	}
}

func FuzzDraw(f *testing.F) { drawingtest.Fuzz(f, draw) }
