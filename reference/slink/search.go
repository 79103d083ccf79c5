package main

import "math/bits"

// maxSide is the largest number of rows and of columns.
const maxSide = 20

// A puzzle is one grid of numbers. Diagonals are indexed by t = i+j and hold
// the cell (i, j) in bit i.
type puzzle struct {
	line       int // of the input, on which its size stands
	rows, cols int
	number     [maxSide][maxSide]uint8

	// The numbers again, bit by bit: which are odd, and which are 2 or 3.
	odd, high [2*maxSide - 1]uint32
}

// set writes a number between 0 and 3 into cell (i, j), once.
func (p *puzzle) set(i, j, number int) {
	p.number[i][j] = uint8(number)
	p.odd[i+j] |= uint32(number&1) << i
	p.high[i+j] |= uint32(number>>1) << i
}

// colours holds the inside cells, one word for each diagonal, those of the cells
// right of the grid and below it included.
type colours [2*maxSide + 1]uint32

// at tells whether cell (i, j) is inside; a cell round the grid is not.
func (c *colours) at(i, j int) bool {
	return i >= 0 && j >= 0 && c[i+j]>>i&1 != 0
}

// A search walks the tree of colourings of one puzzle.
type search struct {
	*puzzle
	trial colours // the diagonals coloured so far
	found colours // the first loop
	loops int     // how many loops were found; the search ends at two
}

// loops returns how many loops agree with all numbers of p, where 2 stands for
// more than one, and the inside of the first of them.
func (p *puzzle) loops() (*colours, int) {
	s := search{puzzle: p}
	for corner := range uint32(2) {
		s.trial[0] = corner
		s.extend(0, 0, corner)
	}
	return &s.found, s.loops
}

// extend colours the diagonals after t in every way that agrees with the
// numbers from diagonal t on. Diagonal t-1 is before and diagonal t is here;
// bits of cells that do not exist are 0, which is outside.
func (s *search) extend(t int, before, here uint32) {
	if t == s.rows+s.cols-1 {
		if s.isLoop() {
			if s.loops == 0 {
				s.found = s.trial
			}
			s.loops++
		}
		return
	}

	// Diagonal t has its cells in rows first to last, and their neighbours
	// on diagonal t+1 are in rows first to last+1.
	first, last := max(0, t-s.cols+1), min(t, s.rows-1)
	cells := uint32(1)<<(last+1) - uint32(1)<<first
	above, left := before<<1, before

	// Bits i and i+1 of the next diagonal differ where unequal has bit i, so
	// that bit i+1 is the parity of all bits of unequal up to i.
	unequal := (s.odd[t] ^ above ^ left) & cells
	next := unequal << 1
	for shift := 1; shift <= maxSide; shift *= 2 {
		next ^= next << shift
	}
	all := cells | cells<<1
	next &= all

	for range 2 {
		// Where the diagonal leaves the grid on the right its first bit,
		// and where it leaves below its last bit, are round the grid.
		inside := (t+1 < s.cols || next>>first&1 == 0) &&
			(last+1 < s.rows || next>>s.rows&1 == 0)
		if inside && s.loops < 2 && s.agrees(t, cells, above^here, left^here, next^here, next>>1^here) {
			s.trial[t+1] = next
			s.extend(t+1, here, next)
		}
		next ^= all
	}
}

// agrees tells whether the cells of diagonal t differ from exactly as many
// neighbours as their numbers say, given the neighbours that differ and that
// odd numbers meet odd counts.
func (s *search) agrees(t int, cells, above, left, right, below uint32) bool {
	early, earlyTwo := above^left, above&left
	late, lateTwo := right^below, right&below
	four := earlyTwo & lateTwo
	high := earlyTwo ^ lateTwo ^ early&late
	return (high^s.high[t]|four)&cells == 0
}

// isLoop tells whether the border of the inside cells of the trial, which
// agrees with all numbers, is one closed loop.
func (s *search) isLoop() bool {
	firstRow, firstCol, edges := s.rows, 0, 0
	for t := range s.rows + s.cols - 1 {
		for word := s.trial[t]; word != 0; word &= word - 1 {
			i := bits.TrailingZeros32(word)
			edges += int(s.number[i][t-i])
			if i < firstRow {
				firstRow, firstCol = i, t-i
			}
		}
	}
	if edges == 0 {
		return false
	}

	// Walk along the loop with the inside on the right-hand side. Vertex
	// (y, x) is the upper left corner of cell (y, x); we start at that of
	// the first inside cell, whose upper edge is on the loop.
	y, x, heading := firstRow, firstCol, east
	for {
		y, x = y+step[heading].y, x+step[heading].x
		edges--
		if y == firstRow && x == firstCol {
			return edges == 0
		}
		onLeft, onRight := around[heading], around[(heading+1)%4]
		left := s.trial.at(y+onLeft.y, x+onLeft.x)
		right := s.trial.at(y+onRight.y, x+onRight.x)
		switch {
		case left && right:
			heading = (heading + 3) % 4
		case left:
			return false // the loop would touch itself here
		case !right:
			heading = (heading + 1) % 4
		}
	}
}

// The headings are numbered clockwise. step is where one edge in each of them
// leads; around is the cell that is then ahead of the vertex on the left, and
// the next one clockwise is ahead on the right.
const east = 0

var (
	step   = [4]struct{ y, x int }{east: {0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	around = [4]struct{ y, x int }{east: {-1, 0}, {0, 0}, {0, -1}, {-1, -1}}
)
