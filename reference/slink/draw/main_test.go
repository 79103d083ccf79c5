package main

import (
	"testing"

	"tribunal/reference/internal/drawing/drawingtest"
)

func TestPictures(t *testing.T) { drawingtest.Golden(t, draw) }

func TestGenerated(t *testing.T) {
	drawingtest.Generated(t, draw, "all -rows=2 -cols=3", "random -n=20 -rows=20 -cols=20", "lines", "spiral -n=3")
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct {
		why, input string
		line       int
		text       string
	}{
		{"nothing at all", "", 1, "the input ends where rows and columns, or 0 0 should be"},
		{"a row too few", "2 2\n2 2\n0 0\n", 4, "the input ends"},
		{"a large number", "1 1\n\n4\n0 0\n", 3, "the number of a cell is 4, not 0 to 3"},
		{"one number too many", "1 2\n1 2 3\n0 0\n", 2, "3 fields instead of 2"},
		{"no cells", "0 2\n", 1, "a puzzle of 0 by 2 cells"},
		{"more text", "0 0\n0 0\n", 2, `"0" after the end`},
	} {
		t.Run(tt.why, func(t *testing.T) { drawingtest.Refuses(t, draw, tt.input, tt.line, tt.text) })
	}
}

func FuzzDraw(f *testing.F) { drawingtest.Fuzz(f, draw) }
