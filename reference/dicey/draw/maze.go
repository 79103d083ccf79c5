package main

import (
	"fmt"

	"tribunal/reference/internal/drawing"
)

// The bounds of the statement, and the numbers of special squares.
const (
	maxMazes = 1000
	maxSide  = 10
	maxName  = 20

	empty = 0
	wild  = -1
)

type square struct{ row, col int } // from 1

type maze struct {
	name       string
	rows, cols int
	start      square
	die        die
	numbers    []int // row by row
}

func (m *maze) has(q square) bool {
	return 1 <= q.row && q.row <= m.rows && 1 <= q.col && q.col <= m.cols
}

func (m *maze) number(q square) int { return m.numbers[(q.row-1)*m.cols+q.col-1] }

// die is an orientation: three faces that meet in a corner.
type die struct{ top, front, right int }

// newDie finds the right face by rolling the standard die, 1 on top, 2 in front and 3 to the right,
// until top and front are as wanted. It returns false if they never are.
func newDie(top, front int) (die, bool) {
	list := []die{{1, 2, 3}}
	for i := 0; i < len(list) && len(list) < 1000; i++ {
		d := list[i]
		if d.top == top && d.front == front {
			return d, true
		}
		list = append(list, d.north(), d.west())
	}
	return die{}, false
}

func (d die) north() die { return die{d.front, 7 - d.top, d.right} }
func (d die) south() die { return die{7 - d.front, d.top, d.right} }
func (d die) west() die  { return die{d.right, d.front, 7 - d.top} }
func (d die) east() die  { return die{7 - d.right, d.front, d.top} }

// to returns the die after rolling from one square to another, or false if they have no side in
// common.
func (d die) to(from, to square) (die, bool) {
	switch (square{to.row - from.row, to.col - from.col}) {
	case square{-1, 0}:
		return d.north(), true
	case square{1, 0}:
		return d.south(), true
	case square{0, -1}:
		return d.west(), true
	case square{0, 1}:
		return d.east(), true
	}
	return d, false
}

// check returns how many positions of a walk keep the rules, and why the next does not. fault is ""
// if the walk is a solution.
func (m *maze) check(squares []square) (good int, fault string) {
	d := m.die
	for i, q := range squares {
		switch {
		case !m.has(q):
			return i, fmt.Sprintf("position %d, %s, is not a square of the maze", i+1, describe(q))
		case i == 0 && q != m.start:
			return 0, fmt.Sprintf("it begins at %s, not at %s", describe(q), describe(m.start))
		case i == 0:
			continue
		case i > 1 && squares[i-1] == m.start:
			return i, fmt.Sprintf("it goes on after coming home at position %d", i)
		}
		next, ok := d.to(squares[i-1], q)
		switch n := m.number(q); {
		case !ok:
			return i, fmt.Sprintf("position %d, %s, is no neighbour of %s", i+1, describe(q), describe(squares[i-1]))
		case n == empty:
			return i, fmt.Sprintf("position %d, %s, is an empty square", i+1, describe(q))
		case n != wild && n != d.top:
			return i, fmt.Sprintf("position %d, %s, needs %d on top, but it is %d", i+1, describe(q), n, d.top)
		}
		d = next
	}
	if len(squares) < 2 || squares[len(squares)-1] != m.start {
		return len(squares), "it does not end where it begins"
	}
	return len(squares), ""
}

func read(input []byte) ([]*maze, error) {
	in := drawing.NewLines(input)
	var mazes []*maze
	for {
		fields, err := in.Due("a maze's name or END")
		if err != nil {
			return nil, err
		}
		if len(fields) > 1 || len(fields[0]) > maxName {
			return nil, in.Errorf("not a maze's name: %s (hint: a word of at most %d characters)", drawing.Quote(fields[0]), maxName)
		}
		for _, c := range []byte(fields[0]) {
			if c <= ' ' || c > '~' {
				return nil, in.Errorf("not a maze's name: %s (hint: printable ASCII only)", drawing.Quote(fields[0]))
			}
		}
		if fields[0] == "END" {
			return mazes, in.End()
		}
		if len(mazes) == maxMazes {
			return nil, in.Errorf("more than %d mazes", maxMazes)
		}
		m := &maze{name: fields[0]}
		if err := m.read(in); err != nil {
			return nil, err
		}
		mazes = append(mazes, m)
	}
}

// read reads a maze whose name has been read.
func (m *maze) read(in *drawing.Lines) error {
	head, err := in.Numbers("rows, columns, start row, start column, top and front",
		drawing.Range{Name: "number of rows", Low: 1, High: maxSide}, drawing.Range{Name: "number of columns", Low: 1, High: maxSide},
		drawing.Range{Name: "start row", Low: 1, High: maxSide}, drawing.Range{Name: "start column", Low: 1, High: maxSide},
		drawing.Range{Name: "number on top", Low: 1, High: 6}, drawing.Range{Name: "number in front", Low: 1, High: 6})
	if err != nil {
		return err
	}
	m.rows, m.cols, m.start = head[0], head[1], square{head[2], head[3]}
	if !m.has(m.start) {
		return in.Errorf("the start %s is outside the maze", describe(m.start))
	}
	ok := false
	if m.die, ok = newDie(head[4], head[5]); !ok {
		return in.Errorf("no die shows %d on top and %d in front", head[4], head[5])
	}
	for i := range m.rows {
		row := make([]drawing.Range, m.cols)
		for j := range row {
			row[j] = drawing.Range{Name: "number of a square", Low: wild, High: 6}
		}
		numbers, err := in.Numbers(fmt.Sprintf("row %d of %d", i+1, m.rows), row...)
		if err != nil {
			return err
		}
		m.numbers = append(m.numbers, numbers...)
	}
	return nil
}
