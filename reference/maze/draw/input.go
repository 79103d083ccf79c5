package main

import (
	"slices"

	"tribunal/reference/internal/drawing"
)

// The bounds of the statement.
const (
	maxMazes    = 1000
	maxSide     = 39
	maxCommands = 50_000
)

// cell is a cell of the grid, counted from 1 at the lower left.
type cell struct{ row, column int }

var steps = map[string]cell{"U": {1, 0}, "D": {-1, 0}, "L": {0, -1}, "R": {0, 1}}

type maze struct {
	rows, columns int
	start         cell
	dug           [][2]cell // the moves: from a cell to its neighbour
	flips         int
}

// read reads the input and carries out the commands, because only that shows where a maze ends.
func read(input []byte) ([]*maze, error) {
	in := drawing.NewLines(input)
	n, err := in.Numbers("the number of mazes", drawing.Range{Name: "number of mazes", High: maxMazes})
	if err != nil {
		return nil, err
	}
	var mazes []*maze
	commands := 0
	for range n[0] {
		size, err := in.Numbers("rows and columns of a maze",
			drawing.Range{Name: "number of rows", Low: 1, High: maxSide}, drawing.Range{Name: "number of columns", Low: 1, High: maxSide})
		if err != nil {
			return nil, err
		}
		start, err := in.Numbers("the start cell",
			drawing.Range{Name: "start row", Low: 1, High: size[0]}, drawing.Range{Name: "start column", Low: 1, High: size[1]})
		if err != nil {
			return nil, err
		}
		m := &maze{rows: size[0], columns: size[1], start: cell{start[0], start[1]}}
		if err := m.dig(in, &commands); err != nil {
			return nil, err
		}
		mazes = append(mazes, m)
	}
	return mazes, in.End()
}

// dig reads and carries out the commands of a maze. It counts the commands of all mazes.
func (m *maze) dig(in *drawing.Lines, commands *int) error {
	seen := map[cell]bool{m.start: true}
	free := func(c cell) bool {
		return 1 <= c.row && c.row <= m.rows && 1 <= c.column && c.column <= m.columns && !seen[c]
	}
	list := []cell{m.start}
	for len(list) > 0 {
		last := list[len(list)-1]
		alive := false
		for _, s := range steps {
			alive = alive || free(cell{last.row + s.row, last.column + s.column})
		}
		if !alive {
			list = list[:len(list)-1]
			continue
		}
		fields, err := in.Due("a command")
		if err != nil {
			return err
		}
		if *commands++; *commands > maxCommands {
			return in.Errorf("more than %d commands", maxCommands)
		}
		step, isMove := steps[fields[0]]
		switch {
		case isMove && len(fields) == 1:
			to := cell{last.row + step.row, last.column + step.column}
			if !free(to) {
				return in.Errorf("%s leads from (%d, %d) out of the grid or into a visited cell", fields[0], last.row, last.column)
			}
			seen[to] = true
			list = append(list, to)
			m.dug = append(m.dug, [2]cell{last, to})
		case fields[0] == "F" && len(fields) == 2:
			from, err := in.Number(fields[1], drawing.Range{Name: "position of the flip", Low: 1, High: len(list)})
			if err != nil {
				return err
			}
			slices.Reverse(list[from-1:])
			m.flips++
		default:
			return in.Errorf("%s is not a command (hint: U, D, L, R or F with a position)", drawing.Quote(fields[0]))
		}
	}
	return nil
}
