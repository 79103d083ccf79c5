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
	drawingtest.Generated(t, draw, "tiny -boards=200", "random -boards=5", "crowd -n=40", "maze -n=12", "mistaken", "last -n=40 -m=20")
}

// TestReplay checks that the moves of the solver win, and no beginning of them.
func TestReplay(t *testing.T) {
	p := programs.Build(t, "..", "../gen")
	won := 0
	for seed := range 20 {
		family := []string{"rollover -boards=50", "mistaken -boards=20", "random", "played -n=8 -m=3 -w=16"}[seed%4]
		input, errs, _ := p.Run(t, nil, "gen", append(strings.Fields(family), "-seed="+strconv.Itoa(seed))...)
		answer, _, _ := p.Run(t, []byte(input), "marble")
		boards, err := read([]byte(input))
		if err != nil {
			t.Fatalf("%q, %s: %v", input, errs, err)
		}
		lines := strings.Split(answer, "\n\n")
		for i, b := range boards {
			c, why := readClaim([]string{lines[i]}, i+1)
			if why != "" {
				t.Fatalf("%q: %s", lines[i], why)
			}
			if c.impossible {
				continue
			}
			won++
			for n := range len(c.moves) + 1 {
				if r := b.play(c.moves[:n]); r.won() != (n == len(c.moves)) {
					t.Fatalf("board %d of %q: %d of the moves %s: %q", i+1, input, n, c.moves, r.fault)
				}
			}
		}
	}
	if won < 100 {
		t.Errorf("only %d boards can be won", won)
	}
}

func TestFaults(t *testing.T) {
	boards, err := read([]byte("4 3 1\n0 1\n1 0\n1 2\n2 3\n2 1\n3 2\n1 1 1 2\n2 1 0\n0 0\n0 0\n2 1 0\n0 0\n0 1\n0 0 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why   string
		board int
		moves string
		fault string
	}{
		{"the shortest moves", 0, "ENSWN", ""},
		{"a wrong hole", 0, "WN", "in move 2 of 2, marble 3 drops into a wrong hole"},
		{"too few", 0, "ENSW", "after all 4 moves marble 1 is not home"},
		{"one too many", 0, "ENSWNE", "all marbles are home after 5 of 6 moves"},
		{"a marble that starts at home", 1, "", ""},
		{"no moves", 2, "", "after all 0 moves marble 1 is not home"},
	} {
		if r := boards[tt.board].play(tt.moves); r.fault != tt.fault {
			t.Errorf("%s: %q, want %q", tt.why, r.fault, tt.fault)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		why, input string
		line       int
		text       string
	}{
		{"no end mark", "", 1, "the input ends where board size, marbles and walls, or 0 0 0 should be"},
		{"a small board", "1 1 0\n", 1, "the board size is 1, not 2 to 40"},
		{"no marbles", "2 0 0\n", 1, "the number of marbles is 0, not 1 to 4"},
		{"too many walls", "2 1 9\n", 1, "the number of walls is 9, not 0 to 8"},
		{"a square outside", "2 1 0\n0 2\n", 2, "the column is 2, not 0 to 1"},
		{"a square twice", "2 2 0\n0 0\n0 0\n", 3, "two marbles on square 0 0"},
		{"a wall nowhere", "2 1 1\n0 0\n0 1\n0 0 1 1\n", 4, "wall 1 stands between squares that share no side"},
		{"more text", "0 0 0\n0\n", 2, "after the end"},
	} {
		t.Run(tt.why, func(t *testing.T) { drawingtest.Refuses(t, draw, tt.input, tt.line, tt.text) })
	}
}

func FuzzDraw(f *testing.F) { drawingtest.Fuzz(f, draw) }
