package main

import "math/bits"

// maxSide is the largest number of rows and of columns.
const maxSide = 20

// A puzzle is one grid of numbers. Diagonals are indexed by t = i+j and hold cell (i, j) in bit i.
type puzzle struct {
	line       int // line of the input that holds its size
	rows, cols int
	number     [maxSide][maxSide]uint8

	// By diagonal, the cells with an odd number, and the cells with a 2 or 3.
	odd, high [2*maxSide - 1]uint32
}

// index computes the diagonals of p from its numbers.
func (p *puzzle) index() {
	clear(p.odd[:])
	clear(p.high[:])
	for i := range p.rows {
		odd, high := p.odd[i:], p.high[i:]
		for j, n := range p.number[i][:p.cols] {
			odd[j] |= uint32(n&1) << i
			high[j] |= uint32(n>>1) << i
		}
	}
}

// colours holds the inside cells, one word for each diagonal. Diagonals also include cells right of
// and below the grid, which are outside.
type colours [2*maxSide + 1]uint32

// at returns 1 if cell (i, j) is inside and 0 otherwise. Cells around the grid are outside.
func (c *colours) at(i, j int) uint32 {
	if i < 0 || j < 0 {
		return 0
	}
	return c[i+j] >> i & 1
}

// A search walks the tree of colourings of one puzzle.
type search struct {
	*puzzle
	trial colours // the diagonals coloured so far
	found colours // the last loop found
	loops int     // number of loops found
	steps int     // number of calls of words, each of which colours one diagonal
}

// run counts the loops that agree with all numbers of p, and stores the inside of one in s.found.
func (s *search) run(p *puzzle) (loops int) {
	*s = search{puzzle: p}
	for corner := range uint32(2) {
		s.trial[0] = corner
		s.extend(0, 0, corner)
	}
	return s.loops
}

// extend colours the diagonals after t in every way that agrees with the numbers from diagonal t
// on. Diagonal t-1 is before, and diagonal t is here. Bits of cells that do not exist are 0, which
// is outside.
func (s *search) extend(t int, before, here uint32) {
	for ; t < s.rows+s.cols-1; t++ {
		s.steps++
		next, other, fits, otherFits := s.words(t, before, here)
		switch {
		case fits && otherFits:
			s.trial[t+1] = other
			s.extend(t+1, here, other)
		case otherFits:
			next = other
		case !fits:
			return
		}
		s.trial[t+1] = next
		before, here = here, next
	}
	if s.isLoop() {
		s.found = s.trial
		s.loops++
	}
}

// words returns the two words for diagonal t+1 that agree with the numbers on diagonal t modulo 2,
// and whether each of them agrees with the numbers themselves.
func (p *puzzle) words(t int, before, here uint32) (next, other uint32, fits, otherFits bool) {
	// Diagonal t has its cells in rows first to last; their neighbours on diagonal t+1 are in rows
	// first to last+1.
	first, last := max(0, t-p.cols+1), min(t, p.rows-1)
	cells := uint32(1)<<(last+1) - uint32(1)<<first

	// How many of the neighbours above and left differ from the cell, in two bits, and where right
	// and below must differ from each other.
	above, left := before<<1^here, before^here
	one, two := above^left, above&left
	split := (p.odd[t] ^ one) & cells

	// Where right and below differ, they add one to the count, which is then 2 or 3 unless it was
	// 0. Where they are equal, they add two or none, as the number requires; but two plus two is
	// too many.
	same := cells &^ split
	add := p.high[t] ^ two
	if split&(p.high[t]^(one|two)) != 0 || same&add&two != 0 {
		return 0, 0, false, false
	}

	// Bits i and i+1 of diagonal t+1 differ where split has bit i. So in one word bit i+1 is the
	// parity of all bits of split up to i, and in the other word its complement.
	both := cells | cells<<1
	next = parities(split) << 1 & both
	other = next ^ both

	// Cells around the grid are outside the loop: the first cell of diagonal t+1 if the diagonal
	// begins right of the grid, and its cell in row p.rows if it ends below the grid.
	round := uint32(1) << p.rows
	if t+1 >= p.cols {
		round |= 1 << first
	}

	// Where right and below are equal, exactly one of the two words is correct.
	wrong := (next ^ here ^ add) & same
	return next, other, wrong == 0 && next&round == 0, wrong == same && other&round == 0
}

// parities returns a word whose bit i is the parity of the bits up to i of word.
func parities(word uint32) uint32 {
	word ^= word << 1
	word ^= word << 2
	word ^= word << 4
	word ^= word << 8
	return word ^ word<<16
}

// isLoop reports whether the border of the inside cells of the trial, which agrees with all
// numbers, is one closed loop.
func (s *search) isLoop() bool {
	edges := 0
	firstRow, firstCol := -1, -1
	for t, inside := range s.trial[:s.rows+s.cols-1] {
		edges += bits.OnesCount32(inside&s.odd[t]) + 2*bits.OnesCount32(inside&s.high[t])
		if inside != 0 && firstRow < 0 {
			firstRow = bits.TrailingZeros32(inside)
			firstCol = t - firstRow
		}
	}
	if edges == 0 {
		return false
	}

	// Walk along the loop with the inside on the right. Vertex (y, x) is the upper left corner of
	// cell (y, x). Start at the vertex of the first inside cell, whose upper edge is on the loop.
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
		case left&right != 0:
			heading = (heading + 3) % 4
		case left != 0:
			return false // the loop touches itself here
		case right == 0:
			heading = (heading + 1) % 4
		}
	}
}

// Headings are numbered clockwise. By heading, step holds the offset from a vertex to the next, and
// around the offset to the cell that is ahead on the left. The cell ahead on the right is that of
// the next heading clockwise.
const east = 0

var (
	step   = [4]struct{ y, x int }{east: {0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	around = [4]struct{ y, x int }{east: {-1, 0}, {0, 0}, {0, -1}, {-1, -1}}
)
