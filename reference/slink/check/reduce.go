package main

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"tribunal/reference/internal/reduce"
)

// A number cannot be changed alone, because it belongs to a loop. So a reduction solves the puzzle,
// changes which cells are inside, and computes the numbers again. Only puzzles with one solution
// are offered.

// puzzles reads a valid input.
func puzzles(text []byte) (list [][][]int) {
	s := scanner{text: text}
	next := func() int {
		n, err := s.number(maxSide, "")
		if err != nil {
			panic(err) // the input is valid
		}
		s.advance()
		return n
	}
	for {
		rows, cols := next(), next()
		if rows == 0 {
			return list
		}
		grid, err := s.grid(rows, cols)
		if err != nil {
			panic(err)
		}
		list = append(list, grid)
	}
}

// write returns the input with these puzzles.
func write(puzzles [][][]int) []byte {
	var text []byte
	for _, grid := range puzzles {
		text = fmt.Appendf(text, "%d %d\n", len(grid), len(grid[0]))
		for _, row := range grid {
			for _, n := range row {
				text = append(text, byte('0'+n), ' ')
			}
			text[len(text)-1] = '\n'
		}
	}
	return append(text, "0 0\n"...)
}

// maxTries bounds the puzzles that are solved to make offers, so that this takes about a second.
const maxTries = 10_000

// offer writes inputs smaller than text, which must be valid.
func offer(text []byte, w io.Writer) error {
	out := reduce.NewWriter(w)
	for smaller := range offers(puzzles(text)) {
		offer := write(smaller)
		if len(offer) < len(text) || len(offer) == len(text) && bytes.Compare(offer, text) < 0 {
			if !out.Offer(offer) {
				break
			}
		}
	}
	return out.Close()
}

// offers yields inputs to try instead of the puzzles: fewer of them, some replaced by the smallest
// puzzle, and then one of them smaller.
func offers(puzzles [][][]int) iter.Seq[[][][]int] {
	domino := [][]int{{3, 3}}
	return func(yield func([][][]int) bool) {
		for from, to := range reduce.Cuts(len(puzzles)) {
			if !yield(reduce.Without(puzzles, from, to)) {
				return
			}
		}
		for from, to := range reduce.Cuts(len(puzzles)) {
			if !yield(slices.Concat(puzzles[:from], slices.Repeat([][][]int{domino}, to-from), puzzles[to:])) {
				return
			}
		}
		tries := 0
		for i, grid := range puzzles {
			for r := range regionOf(grid).smaller() {
				if tries++; tries > maxTries {
					return
				}
				if smaller, ok := r.puzzle(); ok && !yield(slices.Concat(puzzles[:i], [][][]int{smaller}, puzzles[i+1:])) {
					return
				}
			}
		}
	}
}

// A region holds which cells are inside a loop.
type region [][]bool

func regionOf(grid [][]int) region {
	_, colour := solve(grid)
	r := make(region, len(grid))
	for i := range r {
		r[i] = make([]bool, len(grid[i]))
		for j := range r[i] {
			r[i][j] = colour[i+1][j+1] == inside
		}
	}
	return r
}

// smaller yields the region without some of its rows or columns, and with one cell moved to the
// other side of the loop. A yielded region is valid until the next.
func (r region) smaller() iter.Seq[region] {
	rows, cols := len(r), len(r[0])
	return func(yield func(region) bool) {
		for from, to := range reduce.Cuts(rows) {
			if to-from < rows && !yield(reduce.Without(r, from, to)) {
				return
			}
		}
		for from, to := range reduce.Cuts(cols) {
			narrow := make(region, rows)
			for i := range r {
				narrow[i] = reduce.Without(r[i], from, to)
			}
			if to-from < cols && !yield(narrow) {
				return
			}
		}
		for i := range rows {
			for j := range cols {
				r[i][j] = !r[i][j]
				ok := yield(r)
				r[i][j] = !r[i][j]
				if !ok {
					return
				}
			}
		}
	}
}

// puzzle returns the numbers of the region, and whether they make a valid puzzle.
func (r region) puzzle() ([][]int, bool) {
	at := func(i, j int) bool { return 0 <= i && i < len(r) && 0 <= j && j < len(r[0]) && r[i][j] }
	grid := make([][]int, len(r))
	for i := range r {
		grid[i] = make([]int, len(r[i]))
		for j := range r[i] {
			for _, next := range [...]bool{at(i-1, j), at(i, j-1), at(i, j+1), at(i+1, j)} {
				if next != r[i][j] {
					grid[i][j]++
				}
			}
			if grid[i][j] > maxNumber {
				return nil, false
			}
		}
	}
	return grid, countLoops(grid) == 1
}
