package main

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"

	"tribunal/reference/internal/reduce"
)

// writeSmaller offers inputs smaller than a valid one: with fewer boards, and then with one of the
// boards smaller.
func writeSmaller(out io.Writer, boards []*board) error {
	w := reduce.NewWriter(out)
	texts := make([][]byte, len(boards))
	for i, b := range boards {
		texts[i] = b.text()
	}
	whole := input(texts)
	offer := func(texts [][]byte) bool {
		text := input(texts)
		if len(text) > len(whole) || len(text) == len(whole) && bytes.Compare(text, whole) >= 0 {
			return true
		}
		return w.Offer(text)
	}
	for from, to := range reduce.Cuts(len(boards)) {
		if !offer(reduce.Without(texts, from, to)) {
			return w.Close()
		}
	}
	for i, b := range boards {
		for smaller := range b.smaller() {
			with := slices.Clone(texts)
			with[i] = smaller.text()
			if !offer(with) {
				return w.Close()
			}
		}
	}
	return w.Close()
}

// input joins the texts of boards.
func input(texts [][]byte) []byte {
	return append(bytes.Join(texts, nil), endMarker...)
}

// text returns the lines of a board in an input.
func (b *board) text() []byte {
	text := line(nil, b.n, len(b.marbles), len(b.walls))
	for _, list := range [][]square{b.marbles, b.holes} {
		for _, s := range list {
			text = line(text, s.row, s.col)
		}
	}
	for _, w := range b.walls {
		text = line(text, w[0].row, w[0].col, w[1].row, w[1].col)
	}
	return text
}

// line appends a line of numbers. check -reduce spends most of its time here.
func line(text []byte, numbers ...int) []byte {
	for _, x := range numbers {
		text = append(strconv.AppendInt(text, int64(x), 10), ' ')
	}
	text[len(text)-1] = '\n'
	return text
}

// smaller yields boards to try instead of b. They are valid inputs, but not all have a smaller
// text. A yielded board may be overwritten when the next is yielded. smaller takes turns between
// the kinds of reductions, the boldest of each kind first, so that a kind with many of them leaves
// room for the others.
func (b *board) smaller() iter.Seq[*board] {
	kinds := []iter.Seq[*board]{b.fewerWalls, b.fewerMarbles, b.fewerLines, b.nearerSquares, b.inOrder}
	return func(yield func(*board) bool) {
		var left []func() (*board, bool)
		for _, kind := range kinds {
			next, stop := iter.Pull(kind)
			defer stop()
			left = append(left, next)
		}
		for len(left) > 0 {
			for i := 0; i < len(left); i++ {
				smaller, ok := left[i]()
				if !ok {
					left = slices.Delete(left, i, i+1)
					i--
				} else if !yield(smaller) {
					return
				}
			}
		}
	}
}

func (b *board) fewerWalls(yield func(*board) bool) {
	for from, to := range reduce.Cuts(len(b.walls)) {
		if !yield(&board{n: b.n, marbles: b.marbles, holes: b.holes, walls: reduce.Without(b.walls, from, to)}) {
			return
		}
	}
}

// fewerMarbles removes marbles and their holes, but not all.
func (b *board) fewerMarbles(yield func(*board) bool) {
	for from, to := range reduce.Cuts(len(b.marbles)) {
		if to-from < len(b.marbles) && !yield(&board{
			n: b.n, walls: b.walls,
			marbles: reduce.Without(b.marbles, from, to), holes: reduce.Without(b.holes, from, to),
		}) {
			return
		}
	}
}

// fewerLines removes as many rows as columns: it keeps a corner of the board, or removes one row and
// one column. Marbles, holes and walls in the removed lines are removed, too, or move to the next
// line.
func (b *board) fewerLines(yield func(*board) bool) {
	for _, side := range []int{b.n / 2, b.n - b.n/4} {
		for corner := range 4 {
			row, col := corner/2*(b.n-side), corner%2*(b.n-side)
			smaller := b.moved(side, func(s square) (square, bool) {
				return square{s.row - row, s.col - col}, row <= s.row && s.row < row+side && col <= s.col && s.col < col+side
			})
			if side < b.n && smaller != nil && !yield(smaller) {
				return
			}
		}
	}
	for _, keep := range []bool{false, true} {
		for row := range b.n {
			for _, col := range []int{row, b.n - 1 - row} {
				shift := func(x, gone int) int {
					if x > gone || x == b.n-1 {
						x--
					}
					return x
				}
				smaller := b.moved(b.n-1, func(s square) (square, bool) {
					return square{shift(s.row, row), shift(s.col, col)}, keep || s.row != row && s.col != col
				})
				if smaller != nil && !yield(smaller) {
					return
				}
			}
		}
	}
}

// moved returns a board of side n. to maps a square of b to its new place, or returns false if
// there is none. It keeps a wall if both its squares have new places, and a marble if its square
// and its hole have. A marble or hole whose new place is taken moves to the first free square. It
// returns nil if no marble is left or the side is too small.
func (b *board) moved(n int, to func(square) (square, bool)) *board {
	after := &board{n: n}
	taken := make(map[square]bool)
	put := func(s square) square {
		if taken[s] {
			s = firstFree(n, taken)
		}
		taken[s] = true
		return s
	}
	for i := range b.marbles {
		marble, here := to(b.marbles[i])
		hole, there := to(b.holes[i])
		if here && there && len(taken)+2 <= n*n {
			after.marbles, after.holes = append(after.marbles, put(marble)), append(after.holes, put(hole))
		}
	}
	if n < minSize || len(after.marbles) == 0 {
		return nil
	}
	given := make(map[wall]bool)
	for _, w := range b.walls {
		one, here := to(w[0])
		two, there := to(w[1])
		if moved := (wall{one, two}); here && there && one != two && !given[moved] {
			given[moved] = true
			after.walls = append(after.walls, moved)
		}
	}
	return after
}

// firstFree returns the first square, row by row, that is not taken, or a square below the board if
// all are taken.
func firstFree(n int, taken map[square]bool) square {
	at := 0
	for taken[square{at / n, at % n}] {
		at++
	}
	return square{at / n, at % n}
}

// nearerSquares moves one marble, hole or wall towards the north-west corner.
func (b *board) nearerSquares(yield func(*board) bool) {
	taken := make(map[square]bool)
	for _, s := range slices.Concat(b.marbles, b.holes) {
		taken[s] = true
	}
	free := firstFree(b.n, taken)
	for i := range 2 * len(b.marbles) {
		after := &board{n: b.n, marbles: slices.Clone(b.marbles), holes: slices.Clone(b.holes), walls: b.walls}
		list, k := after.marbles, i
		if i >= len(list) {
			list, k = after.holes, i-len(list)
		}
		s := list[k]
		for _, to := range []square{free, {s.row / 2, s.col / 2}, {s.row / 2, s.col}, {s.row, s.col / 2}, {s.row - 1, s.col}, {s.row, s.col - 1}} {
			if taken[to] || min(to.row, to.col) < 0 || to.row == b.n {
				continue
			}
			list[k] = to
			if !yield(after) {
				return
			}
		}
	}
	for i, w := range b.walls {
		for _, by := range []square{{1, 0}, {0, 1}} {
			after := &board{n: b.n, marbles: b.marbles, holes: b.holes, walls: slices.Clone(b.walls)}
			for k := range w {
				after.walls[i][k] = square{w[k].row - by.row, w[k].col - by.col}
			}
			if min(w[0].row, w[1].row) >= by.row && min(w[0].col, w[1].col) >= by.col && !yield(after) {
				return
			}
		}
	}
}

// inOrder yields b with the northern or western square of each wall first, then with these walls
// sorted too. It then yields b with the marbles numbered in the order of their squares, and with
// two neighbouring numbers exchanged.
func (b *board) inOrder(yield func(*board) bool) {
	less := func(s, t square) int { return (s.row-t.row)*maxSize + s.col - t.col }
	walls := slices.Clone(b.walls)
	for i, w := range walls {
		if less(w[1], w[0]) < 0 {
			walls[i] = wall{w[1], w[0]}
		}
	}
	if !yield(&board{n: b.n, marbles: b.marbles, holes: b.holes, walls: slices.Clone(walls)}) {
		return
	}
	slices.SortFunc(walls, func(v, w wall) int { return less(v[0], w[0])*maxSize*maxSize + less(v[1], w[1]) })
	if !yield(&board{n: b.n, marbles: b.marbles, holes: b.holes, walls: walls}) {
		return
	}
	order := make([]int, len(b.marbles))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return less(b.marbles[i], b.marbles[k]) })
	if !yield(b.numbered(order)) {
		return
	}
	for i := 1; i < len(order); i++ {
		for k := range order {
			order[k] = k
		}
		order[i-1], order[i] = i, i-1
		if !yield(b.numbered(order)) {
			return
		}
	}
}

// numbered returns the board with its marbles renumbered: order holds the old numbers in their new
// order.
func (b *board) numbered(order []int) *board {
	after := &board{n: b.n, walls: b.walls}
	for _, i := range order {
		after.marbles, after.holes = append(after.marbles, b.marbles[i]), append(after.holes, b.holes[i])
	}
	return after
}
