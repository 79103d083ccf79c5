package main

import (
	"slices"
	"strings"
)

// A line of the frame and the blanks inside it, as wide as in the largest drawing.
var (
	hashes = strings.Repeat("#", 4*maxSide+5)
	blanks = strings.Repeat(" ", 4*maxSide+3)
)

// draw appends the picture of the loop around the inside cells: a frame of '#', and within it
// vertices on every second line and in every fourth column, with the edges between them and the
// numbers in the middle.
func (p *puzzle) draw(picture []byte, inside *colours) []byte {
	width := 4*p.cols + 5
	if size := (2*p.rows + 5) * (width + 1); cap(picture)-len(picture) < size {
		picture = slices.Grow(picture, len(picture)+size) // at least doubled, so that it is seldom copied
	}
	picture = append(append(picture, hashes[:width]...), '\n')
	picture = appendBlank(picture, width)
	above := uint32(0)
	for i := 0; i <= p.rows; i++ {
		row := inside.row(i, p.cols)
		begin := len(picture) + len("# ")
		picture = appendBlank(picture, width)
		drawVertices(picture[begin:], p.cols, above, row)
		above = row

		// Below the last vertices the line stays blank.
		begin = len(picture) + len("# ")
		picture = appendBlank(picture, width)
		if i < p.rows {
			drawCells(picture[begin:], p.number[i][:p.cols], row)
		}
	}
	return append(append(picture, hashes[:width]...), '\n')
}

// appendBlank appends an empty line of the frame.
func appendBlank(picture []byte, width int) []byte {
	picture = append(picture, '#')
	picture = append(picture, blanks[:width-2]...)
	return append(picture, '#', '\n')
}

// row returns row i as a word whose bit j+1 is set if (i, j) is inside. Bit 0 and the bit after the
// last column are outside, and so is the whole row below the grid.
func (c *colours) row(i, cols int) (word uint32) {
	for j, diagonal := range c[i : i+cols] {
		word |= diagonal >> i & 1 << (j + 1)
	}
	return word
}

// drawVertices draws the vertices between two rows, and the edges that join them, into a line that
// begins at the first vertex.
func drawVertices(line []byte, cols int, above, below uint32) {
	for range cols {
		*(*tile)(line) = tiles[above&3|below&3<<2]
		line = line[len(tile{}):]
		above, below = above>>1, below>>1
	}
	line[0] = tiles[above&3|below&3<<2][0]
}

// drawCells draws the numbers of a row and the edges on both sides of each into a line that begins
// at the first edge.
func drawCells(line []byte, numbers []uint8, row uint32) {
	edges := row ^ row>>1
	for _, n := range numbers {
		*(*tile)(line) = tile{" |"[edges&1], ' ', '0' + n, ' '}
		line = line[len(tile{}):]
		edges >>= 1
	}
	line[0] = " |"[edges&1]
}

// A tile is a vertex and the edge to its right, or an edge and the number to its right.
type tile [4]byte

// tiles holds the tile of a vertex for each colouring of the four cells around it: 1 if the upper
// left one is inside, 2 the upper right, 4 the lower left, and 8 the lower right.
var tiles = makeTiles()

func makeTiles() (set [16]tile) {
	for k := range set {
		northWest, northEast, southWest, southEast := k&1 != 0, k&2 != 0, k&4 != 0, k&8 != 0
		north, south := northWest != northEast, southWest != southEast
		west, east := northWest != southWest, northEast != southEast
		t := tile([]byte("    "))
		switch {
		case north && south:
			t[0] = '|'
		case west && east:
			t[0] = '-'
		case north || south:
			t[0] = '+'
		}
		if east {
			copy(t[1:], "---")
		}
		set[k] = t
	}
	return set
}
