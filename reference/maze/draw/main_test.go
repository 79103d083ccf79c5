package main

import (
	"testing"

	"tribunal/reference/internal/drawing/drawingtest"
)

func TestPictures(t *testing.T) { drawingtest.Golden(t, draw) }

func TestGenerated(t *testing.T) {
	drawingtest.Generated(t, draw, "tiny -mazes=30", "random -mazes=3", "path", "dead -mazes=2 -flips=5", "tiny -mazes=0")
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		why, input string
		line       int
		text       string
	}{
		{"nothing at all", "", 1, "the input ends"},
		{"a maze too few", "2\n1 1\n1 1\n", 4, "the input ends where rows and columns of a maze should be"},
		{"out of the grid", "1\n1 2\n1 1\nL\n", 4, "L leads from (1, 1) out of the grid or into a visited cell"},
		{"a flip beyond the list", "1\n1 2\n1 1\nF 2\n", 4, "the position of the flip is 2, not 1 to 1"},
		{"no command", "1\n1 2\n1 1\nX\n", 4, `"X" is not a command`},
		{"a command too many", "1\n1 2\n1 1\nR\nL\n", 5, `"L" after the end`},
		{"a start outside", "1\n1 2\n2 1\nR\n", 3, "the start row is 2, not 1 to 1"},
	} {
		t.Run(tt.why, func(t *testing.T) { drawingtest.Refuses(t, draw, tt.input, tt.line, tt.text) })
	}
}

func FuzzDraw(f *testing.F) { drawingtest.Fuzz(f, draw) }
