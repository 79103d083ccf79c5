package main

import (
	"strings"
	"testing"

	"tribunal/reference/internal/drawing/drawingtest"
)

func TestPictures(t *testing.T) { drawingtest.Golden(t, draw) }

func TestGenerated(t *testing.T) {
	drawingtest.Generated(t, draw, "random -mazes=20", "revisit", "longest", "names", "empty", "wide -mazes=2")
}

// TestDie checks the die of the statement: with 5 on top and 1 in front, rolling to the left brings
// the 3 to the top.
func TestDie(t *testing.T) {
	d, ok := newDie(5, 1)
	if !ok || d.west().top != 3 {
		t.Errorf("%v, %v, want 3 on the right", d, ok)
	}
	for top := range 8 {
		for front := range 8 {
			possible := 1 <= top && top <= 6 && 1 <= front && front <= 6 && top != front && top+front != 7
			if d, ok := newDie(top, front); ok != possible || ok && (d.west().east() != d || d.north().south() != d) {
				t.Errorf("%d on top, %d in front: %v, %v", top, front, d, ok)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	mazes, err := read([]byte("DICEMAZE1\n3 3 1 2 5 1\n-1 2 4\n5 5 6\n6 -1 -1\nEND\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why, walk string
		good      int
		fault     string
	}{
		{"the solution", "(1,2),(2,2),(2,3),(3,3),(3,2),(3,1),(2,1),(1,1),(1,2)", 9, ""},
		{"the wrong number", "(1,2),(1,3)", 1, "position 2, (1,3), needs 4 on top, but it is 5"},
		{"a jump", "(1,2),(2,2),(3,3)", 2, "position 3, (3,3), is no neighbour of (2,2)"},
		{"outside", "(1,2),(0,2)", 1, "position 2, (0,2), is not a square of the maze"},
		{"another start", "(1,1)", 0, "it begins at (1,1), not at (1,2)"},
		{"no end", "(1,2),(2,2)", 2, "it does not end where it begins"},
		{"no end of it", "(1,2),(2,2),(2,3),(3,3),(3,2),(3,1),(2,1),(1,1),(1,2),(2,2)", 9, "it goes on after coming home at position 9"},
	} {
		w, why := readWalk(strings.Split("DICEMAZE1\n  "+tt.walk, "\n"))
		if good, fault := mazes[0].check(w.squares); why != "" || good != tt.good || fault != tt.fault {
			t.Errorf("%s: %q, %d, %q, want %d, %q", tt.why, why, good, fault, tt.good, tt.fault)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		why, input string
		line       int
		text       string
	}{
		{"no end mark", "", 1, "the input ends where a maze's name or END should be"},
		{"an impossible die", "A\n1 1 1 1 3 4\n1\nEND\n", 2, "no die shows 3 on top and 4 in front"},
		{"a start outside", "A\n1 1 1 2 3 1\n1\nEND\n", 2, "the start (1,2) is outside the maze"},
		{"a large number", "A\n1 1 1 1 3 1\n7\nEND\n", 3, "the number of a square is 7, not -1 to 6"},
		{"not a number", "A\n1 1 1 1 3 1\n--1\nEND\n", 3, "not a plain decimal number"},
		{"a long name", "ABCDEFGHIJKLMNOPQRSTU\n", 1, "at most 20 characters"},
		{"a name with markup", "é\n", 1, "printable ASCII only"},
		{"more text", "END\nEND\n", 2, "after the end"},
	} {
		t.Run(tt.why, func(t *testing.T) { drawingtest.Refuses(t, draw, tt.input, tt.line, tt.text) })
	}
}

func FuzzDraw(f *testing.F) { drawingtest.Fuzz(f, draw) }
