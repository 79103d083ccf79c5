package main

import "slices"

// A maze is a grid of cells with the walls that still stand. A cell is an index into the slices. A
// border of cells that count as visited surrounds the grid, so that no move leaves it.
type maze struct {
	rows, columns int
	width         int // cells from one row to the next, border included
	visited       []bool
	floor         []bool // the wall below the cell stands
	side          []bool // the wall to the right of the cell stands
}

func newMaze(rows, columns int) *maze {
	m := &maze{rows: rows, columns: columns, width: columns + 2}
	cells := (rows + 2) * m.width
	m.visited = slices.Repeat([]bool{true}, cells)
	m.floor = slices.Repeat([]bool{true}, cells)
	m.side = slices.Repeat([]bool{true}, cells)
	for row := 1; row <= rows; row++ {
		for column := 1; column <= columns; column++ {
			m.visited[m.cell(row, column)] = false
		}
	}
	return m
}

// cell returns the cell at a row and a column, both counted from 1 at the lower left as in the
// statement.
func (m *maze) cell(row, column int) int { return row*m.width + column }

func (m *maze) hasUnvisitedNeighbour(cell int) bool {
	return !m.visited[cell+m.width] || !m.visited[cell-m.width] || !m.visited[cell-1] || !m.visited[cell+1]
}

// neighbour returns the cell, perhaps on the border, that U, D, L or R leads to.
func (m *maze) neighbour(cell int, letter byte) int {
	switch letter {
	case 'U':
		return cell + m.width
	case 'D':
		return cell - m.width
	case 'L':
		return cell - 1
	default:
		return cell + 1
	}
}

// open removes the wall that a move by U, D, L or R passes through. A wall belongs to the upper or
// the left one of the two cells beside it.
func (m *maze) open(cell int, letter byte) {
	switch letter {
	case 'U':
		m.floor[cell+m.width] = false
	case 'D':
		m.floor[cell] = false
	case 'L':
		m.side[cell-1] = false
	default:
		m.side[cell] = false
	}
}

// draw appends the picture of the maze and the empty line after it.
func (m *maze) draw(picture []byte) []byte {
	wall := func(stands bool, look byte) byte {
		if stands {
			return look
		}
		return ' '
	}
	for range m.columns {
		picture = append(picture, " _"...)
	}
	picture = append(picture, '\n')
	for row := m.rows; row >= 1; row-- {
		picture = append(picture, '|')
		for column := 1; column <= m.columns; column++ {
			cell := m.cell(row, column)
			picture = append(picture, wall(m.floor[cell], '_'), wall(m.side[cell], '|'))
		}
		picture = append(picture, '\n')
	}
	return append(picture, '\n')
}
