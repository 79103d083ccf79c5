package main

import (
	"fmt"
	"io"

	"tribunal/reference/internal/family"
)

type square struct{ row, col int }

// wall stands between two adjacent squares.
type wall [2]square

// board is one board of an input.
type board struct {
	n       int
	marbles []square
	holes   []square
	walls   []wall
}

func (b *board) write(out io.Writer) {
	fmt.Fprintln(out, b.n, len(b.marbles), len(b.walls))
	for _, s := range append(append([]square(nil), b.marbles...), b.holes...) {
		fmt.Fprintln(out, s.row, s.col)
	}
	for _, w := range b.walls {
		fmt.Fprintln(out, w[0].row, w[0].col, w[1].row, w[1].col)
	}
}

// squares lists all squares of a board.
func squares(n int) []square {
	var all []square
	for row := range n {
		for col := range n {
			all = append(all, square{row, col})
		}
	}
	return all
}

// edges lists all places where a wall can stand.
func edges(n int) []wall {
	var all []wall
	for _, s := range squares(n) {
		if s.col+1 < n {
			all = append(all, wall{s, {s.row, s.col + 1}})
		}
		if s.row+1 < n {
			all = append(all, wall{s, {s.row + 1, s.col}})
		}
	}
	return all
}

// scatter places m marbles and their holes on different squares.
func (g *gen) scatter(b *board, m int) error {
	all := squares(b.n)
	if 2*m > len(all) {
		return family.Misuse("-m=%d is too large: marbles and holes need %d squares, the board has %d", m, 2*m, len(all))
	}
	shuffle(g, all)
	b.marbles, b.holes = all[:m:m], all[m:2*m:2*m]
	return nil
}

// build places w different walls, each with its squares in either order.
func (g *gen) build(b *board, w int) error {
	all := edges(b.n)
	if w > len(all) {
		return family.Misuse("-w=%d is too large: the board has places for %d walls", w, len(all))
	}
	shuffle(g, all)
	b.walls = all[:w:w]
	g.turn(b.walls)
	return nil
}

// turn exchanges the two squares of about every second wall.
func (g *gen) turn(walls []wall) {
	for i, w := range walls {
		if g.below(2) == 1 {
			walls[i] = wall{w[1], w[0]}
		}
	}
}

// except returns walls in all places that are not among the gaps.
func except(n int, gaps map[wall]bool) []wall {
	var walls []wall
	for _, w := range edges(n) {
		if !gaps[w] && !gaps[wall{w[1], w[0]}] {
			walls = append(walls, w)
		}
	}
	return walls
}
