package main

import (
	"fmt"
	"io"
	"slices"
)

type cell struct{ row, column int }

var steps = []struct {
	letter string
	by     cell
}{
	{"U", cell{1, 0}}, {"D", cell{-1, 0}}, {"L", cell{0, -1}}, {"R", cell{0, 1}},
}

// A game is a maze that is being carved. It writes each command that it executes to out.
type game struct {
	size      cell
	visited   [maxSide + 2][maxSide + 2]bool // with a border that counts as visited
	unvisited int
	list      []cell
	out       io.Writer
}

func newGame(size, start cell, out io.Writer) *game {
	g := &game{size: size, unvisited: size.row * size.column, out: out}
	for row := range g.visited {
		for column := range g.visited[row] {
			inside := 1 <= row && row <= size.row && 1 <= column && column <= size.column
			g.visited[row][column] = !inside
		}
	}
	g.visit(start)
	return g
}

func (g *game) visit(c cell) {
	g.visited[c.row][c.column] = true
	g.unvisited--
	g.list = append(g.list, c)
}

// alive drops the dead cells at the end of the list, and reports whether any cell is left, so that
// another command must follow.
func (g *game) alive() bool {
	for len(g.list) > 0 && g.dead(g.list[len(g.list)-1]) {
		g.list = g.list[:len(g.list)-1]
	}
	return len(g.list) > 0
}

func (g *game) dead(c cell) bool {
	v := &g.visited
	return v[c.row+1][c.column] && v[c.row-1][c.column] && v[c.row][c.column-1] && v[c.row][c.column+1]
}

// moves returns the legal letters, as indices into steps.
func (g *game) moves() []int {
	last := g.list[len(g.list)-1]
	var legal []int
	for i, s := range steps {
		if !g.visited[last.row+s.by.row][last.column+s.by.column] {
			legal = append(legal, i)
		}
	}
	return legal
}

func (g *game) move(step int) {
	last, s := g.list[len(g.list)-1], steps[step]
	fmt.Fprintln(g.out, s.letter)
	g.visit(cell{last.row + s.by.row, last.column + s.by.column})
}

func (g *game) flip(position int) {
	fmt.Fprintf(g.out, "F %d\n", position)
	slices.Reverse(g.list[position-1:])
}

// positionOf returns the position of a live or a dead cell of the list. It searches from a random
// position to the end and on from the beginning, and returns the random position if the list has no
// such cell.
func (g *game) positionOf(live bool, d dice) int {
	length := len(g.list)
	start := d.below(length)
	for i := range length {
		if place := (start + i) % length; g.dead(g.list[place]) != live {
			return place + 1
		}
	}
	return start + 1
}

const up, down, left, right = 0, 1, 2, 3 // indices into steps

// wind carves one path from the lower left cell: along the lowest row, then back and forth through
// the rows above. The path leaves out their first column and its own last cell, so both ends of the
// list and one cell of every row stay alive.
func (g *game) wind() {
	path := slices.Repeat([]int{right}, g.size.column-1)
	for row := 2; row <= g.size.row; row++ {
		path = append(path, up)
		path = append(path, slices.Repeat([]int{across(row)}, max(g.size.column-2, 0))...)
	}
	g.follow(path)
}

// fill carves one path from the lower left cell through all cells but one: back and forth through
// the rows, and up and down through the last two. The missing cell would complete the list. Until
// it is visited, it keeps two cells of the list alive, the last and the last but two.
func (g *game) fill() {
	var path []int
	row := 1
	for ; row <= g.size.row-2; row++ {
		path = append(path, slices.Repeat([]int{across(row)}, g.size.column-1)...)
		path = append(path, up)
	}
	for column := 1; column <= g.size.column; column++ {
		if column > 1 {
			path = append(path, across(row))
		}
		if g.size.row > 1 {
			path = append(path, []int{down, up}[column%2])
		}
	}
	g.follow(path)
}

// across returns the direction in which paths run through a row.
func across(row int) int {
	if row%2 == 1 {
		return right
	}
	return left
}

// follow makes all moves of a path except the last.
func (g *game) follow(path []int) {
	for _, step := range path[:max(len(path)-1, 0)] {
		g.move(step)
	}
}
