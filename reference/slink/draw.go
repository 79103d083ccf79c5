package main

import (
	"slices"
	"strings"
)

// What the frame of the largest drawing is made of.
var (
	hashes = strings.Repeat("#", 4*maxSide+5)
	blanks = strings.Repeat(" ", 4*maxSide+3)
)

// draw appends the picture of the loop round the inside cells: a frame of '#',
// and within it vertices on every second line and in every fourth column, with
// the edges between them and the numbers amid them.
func (p *puzzle) draw(picture []byte, inside *colours) []byte {
	width := 4*p.cols + 5
	if size := (2*p.rows + 5) * (width + 1); cap(picture)-len(picture) < size {
		picture = slices.Grow(picture, len(picture)+size) // at least doubled, to be copied seldom
	}
	picture = append(append(picture, hashes[:width]...), '\n')
	picture = appendBlank(picture, width)
	for i := 0; i <= p.rows; i++ {
		// The vertices above row i, then the row itself, of which there is
		// none below the last vertices.
		begin := len(picture) + len("# ")
		picture = appendBlank(picture, width)
		p.drawVertices(picture[begin:], inside, i)
		begin = len(picture) + len("# ")
		picture = appendBlank(picture, width)
		if i < p.rows {
			p.drawCells(picture[begin:], inside, i)
		}
	}
	return append(append(picture, hashes[:width]...), '\n')
}

// appendBlank appends a line with nothing within the frame.
func appendBlank(picture []byte, width int) []byte {
	picture = append(picture, '#')
	picture = append(picture, blanks[:width-2]...)
	return append(picture, '#', '\n')
}

// drawVertices draws the vertices above row i, and the edges between them, into
// a line that begins at the first of them.
func (p *puzzle) drawVertices(line []byte, inside *colours, i int) {
	var northWest, southWest uint32
	for j := range p.cols {
		northEast, southEast := inside.at(i-1, j), inside.at(i, j)
		*(*tile)(line[4*j:]) = tiles[northWest|northEast<<1|southWest<<2|southEast<<3]
		northWest, southWest = northEast, southEast
	}
	line[4*p.cols] = tiles[northWest|southWest<<2][0]
}

// drawCells draws the numbers of row i and the edges on both sides of each, into
// a line that begins at the first of these.
func (p *puzzle) drawCells(line []byte, inside *colours, i int) {
	var west uint32
	for j, n := range p.number[i][:p.cols] {
		here := inside.at(i, j)
		line[4*j] = " |"[west^here]
		line[4*j+2] = '0' + n
		west = here
	}
	line[4*p.cols] = " |"[west]
}

// A tile is the picture of a vertex and of the edge to its right.
type tile [4]byte

// tiles has a tile for each colouring of the four cells round a vertex: 1 when
// the upper left one is inside, 2 the upper right, 4 the lower left, and 8 the
// lower right.
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
