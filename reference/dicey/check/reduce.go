package main

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"

	"tribunal/reference/internal/reduce"
)

// smallest is a maze for which nothing smaller can be offered.
var smallest = (&maze{name: "A", rows: 1, cols: 1, die: lying(1, 2), needs: []int{empty}}).text()

// empty is the number of a square that may never be entered.
const empty = 0

// offer writes inputs to try instead of one with these mazes.
func offer(mazes []*maze, out io.Writer) error {
	w := reduce.NewWriter(out)
	texts := make([][]byte, len(mazes))
	for i, m := range mazes {
		texts[i] = m.text()
	}
	try := func(texts [][]byte) bool {
		return w.Offer(append(bytes.Join(texts, nil), endMark+"\n"...))
	}
	for from, to := range reduce.Cuts(len(texts)) {
		if !try(reduce.Without(texts, from, to)) {
			return w.Close()
		}
		// Also offer as many mazes as before, in case a fault needs their number.
		plain := slices.Clone(texts)
		for i := from; i < to; i++ {
			if less(smallest, plain[i]) {
				plain[i] = smallest
			}
		}
		if !slices.EqualFunc(plain, texts, bytes.Equal) && !try(plain) {
			return w.Close()
		}
	}
	for i, m := range mazes {
		for reduced := range m.reductions() {
			with := slices.Clone(texts)
			with[i] = reduced.text()
			if less(with[i], texts[i]) && !try(with) {
				return w.Close()
			}
		}
	}
	return w.Close()
}

// less reports whether a comes before b in the order of offers: by length, then by bytes.
func less(a, b []byte) bool {
	return len(a) < len(b) || len(a) == len(b) && bytes.Compare(a, b) < 0
}

// text returns the lines of a maze.
func (m *maze) text() []byte {
	text := append([]byte(m.name), '\n')
	text = appendNumbers(text, m.rows, m.cols, m.start/m.cols+1, m.start%m.cols+1, m.die.top, m.die.front)
	for row := range slices.Chunk(m.needs, m.cols) {
		text = appendNumbers(text, row...)
	}
	return text
}

func appendNumbers(text []byte, numbers ...int) []byte {
	for _, n := range numbers {
		text = append(strconv.AppendInt(text, int64(n), 10), ' ')
	}
	text[len(text)-1] = '\n'
	return text
}

// reductions yields variants of the maze that may be smaller, the boldest first.
func (m *maze) reductions() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for _, family := range []iter.Seq[*maze]{m.onlyWalk(), m.fewerLines(), m.emptied(), m.turned(), m.turnedDie(), m.renamed(), m.movedStart(), m.lowered()} {
			for reduced := range family {
				if !yield(reduced) {
					return
				}
			}
		}
	}
}

// onlyWalk empties every square that a shortest solution does not enter. The answer stays the same,
// and there is still one solution.
func (m *maze) onlyWalk() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		path := m.path()
		if path == nil {
			return
		}
		r := *m
		r.needs = make([]int, len(m.needs))
		for _, v := range path[1:] {
			r.needs[v.square] = m.needs[v.square]
		}
		yield(&r)
	}
}

// fewerLines drops rows, then columns. A start in a dropped line moves to the next remaining line,
// or to the last.
func (m *maze) fewerLines() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for from, to := range reduce.Cuts(m.rows) {
			if to-from < m.rows && !yield(m.withoutRows(from, to)) {
				return
			}
		}
		turned := m.transposed()
		for from, to := range reduce.Cuts(m.cols) {
			if to-from < m.cols && !yield(turned.withoutRows(from, to).transposed()) {
				return
			}
		}
	}
}

func (m *maze) withoutRows(from, to int) *maze {
	r := *m
	r.rows -= to - from
	r.needs = reduce.Without(m.needs, from*m.cols, to*m.cols)
	row, col := m.start/m.cols, m.start%m.cols
	if row >= from {
		row = max(from, row-(to-from))
	}
	r.start = min(row, r.rows-1)*m.cols + col
	return &r
}

// transposed returns the maze with rows and columns exchanged, so that dropping its rows drops
// columns of m. The die stays as it is, so the walks are not those of m.
func (m *maze) transposed() *maze {
	r := *m
	r.rows, r.cols = m.cols, m.rows
	r.start = m.start%m.cols*r.cols + m.start/m.cols
	r.needs = make([]int, 0, len(m.needs))
	for col := range m.cols {
		for row := range m.rows {
			r.needs = append(r.needs, m.needs[row*m.cols+col])
		}
	}
	return &r
}

// emptied sets runs of consecutive squares to empty.
func (m *maze) emptied() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for from, to := range reduce.Cuts(len(m.needs)) {
			r := *m
			r.needs = slices.Clone(m.needs)
			clear(r.needs[from:to])
			if !yield(&r) {
				return
			}
		}
	}
}

// renamed shortens the name.
func (m *maze) renamed() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		r := *m
		r.name = "A"
		if !yield(&r) {
			return
		}
		for from, to := range reduce.Cuts(len(m.name)) {
			r := *m
			r.name = string(reduce.Without([]byte(m.name), from, to))
			if r.name != "" && !yield(&r) {
				return
			}
		}
	}
}

// movedStart moves the start square towards the upper left corner.
func (m *maze) movedStart() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for start := range m.start {
			r := *m
			r.start = start
			if !yield(&r) {
				return
			}
		}
	}
}

// turned yields the maze and its die as seen from the other three sides, which turns the solutions
// with them.
func (m *maze) turned() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for range 3 {
			m = m.quarterTurned()
			if !yield(m) {
				return
			}
		}
	}
}

// quarterTurned returns the maze seen from its right edge.
func (m *maze) quarterTurned() *maze {
	r := *m
	r.rows, r.cols = m.cols, m.rows
	turned := func(square int) int { return square%m.cols*r.cols + r.cols - 1 - square/m.cols }
	r.start = turned(m.start)
	r.die = orientation{top: m.die.top, front: m.die.right, right: 7 - m.die.front}
	r.needs = make([]int, len(m.needs))
	for square, need := range m.needs {
		r.needs[turned(square)] = need
	}
	return &r
}

// turnedDie yields other orientations of the die at the start, each twice: first with the squares
// renumbered to match the die, so that the solutions stay the same, and then with the numbers
// unchanged.
func (m *maze) turnedDie() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for top := 1; top <= m.die.top; top++ {
			for front := 1; front <= 6; front++ {
				if top == front || top+front == 7 {
					continue
				}
				turned := *m
				turned.die = lying(top, front)
				matched := turned
				matched.needs = m.die.renumbered(turned.die, m.needs)
				if !yield(&matched) || !yield(&turned) {
					return
				}
			}
		}
	}
}

// renumbered returns the numbers of squares after each face of d is replaced by the face that other
// has in the same place.
func (d orientation) renumbered(other orientation, needs []int) []int {
	number := map[int]int{empty: empty, wild: wild}
	for _, faces := range [][2]int{{d.top, other.top}, {d.front, other.front}, {d.right, other.right}} {
		number[faces[0]], number[7-faces[0]] = faces[1], 7-faces[1]
	}
	after := make([]int, len(needs))
	for i, need := range needs {
		after[i] = number[need]
	}
	return after
}

// lowered lowers the number of one square. A wild square counts as the highest, because -1 has two
// characters.
func (m *maze) lowered() iter.Seq[*maze] {
	return func(yield func(*maze) bool) {
		for square, need := range m.needs {
			if need == wild {
				need = 7
			}
			for lower := range need {
				r := *m
				r.needs = slices.Clone(m.needs)
				r.needs[square] = lower
				if !yield(&r) {
					return
				}
			}
		}
	}
}
