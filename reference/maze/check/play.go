package main

import "slices"

// A cell is a position in the grid, or a difference of two.
type cell struct{ row, column int }

// letters holds the letters of the moves in the order of bytes.
const letters = "DLRU"

var steps = map[byte]cell{'U': {1, 0}, 'D': {-1, 0}, 'L': {0, -1}, 'R': {0, 1}}

func (c cell) step(letter byte) cell {
	s := steps[letter]
	return cell{c.row + s.row, c.column + s.column}
}

// A play is a maze while its commands are executed.
type play struct {
	seen [maxSide + 2][maxSide + 2]bool // visited cells; the border counts as visited
	list []cell
}

func newPlay(size, start cell) *play {
	p := new(play)
	for row := range p.seen {
		for column := range p.seen[row] {
			p.seen[row][column] = row < 1 || row > size.row || column < 1 || column > size.column
		}
	}
	p.visit(start)
	return p
}

func (p *play) visited(c cell) bool { return p.seen[c.row][c.column] }

func (p *play) last() cell { return p.list[len(p.list)-1] }

func (p *play) visit(c cell) {
	p.seen[c.row][c.column] = true
	p.list = append(p.list, c)
}

func (p *play) flip(from int) { slices.Reverse(p.list[from-1:]) }

// unfinished removes dead cells at the end of the list, and reports whether a cell is left, so that
// a command must follow.
func (p *play) unfinished() bool {
	for len(p.list) > 0 && p.move() == 0 {
		p.list = p.list[:len(p.list)-1]
	}
	return len(p.list) > 0
}

// move returns the first legal letter in the order of bytes, or 0.
func (p *play) move() byte {
	for _, letter := range []byte(letters) {
		if !p.visited(p.last().step(letter)) {
			return letter
		}
	}
	return 0
}
