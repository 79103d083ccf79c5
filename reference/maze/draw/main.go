// Command draw draws mazes with the walls of an answer and an output.
//
//	draw INPUT [ANSWER [OUTPUT]] > picture.svg
//
// Lines lead from each cell to those dug from it, beginning at the dot on the start cell. In a wrong
// output, a wall that the answer does not have is red, and one that is missing is red and dashed.
// docs/problem-format.md describes draw programs.
package main

import (
	"fmt"
	"os"
	"strings"

	"tribunal/reference/internal/drawing"
)

func main() { os.Exit(drawing.Main(os.Args[1:], os.Stdout, os.Stderr, draw)) }

func draw(c *drawing.Case) (*drawing.Picture, error) {
	mazes, err := read(c.Input)
	if err != nil {
		return nil, err
	}
	p := drawing.New("Maze", fmt.Sprintf("%d mazes, with the walls of the answer or of an output.", len(mazes)))
	p.Compare(c)
	pieces := c.Pieces(func(line, before string) bool { return before == "" && line != "" })
	p.Parts(len(mazes), "mazes", pieces.Wrong, func(i int, part *drawing.Part) {
		m := mazes[i]
		part.Heading("%d: %d × %d, %s and %s", i+1, m.rows, m.columns, count(len(m.dug), "move"), count(m.flips, "flip"))
		sides := pieces.Sides(i)
		for _, s := range sides {
			m.side(part, s, len(sides))
		}
	})
	return p, nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// walls are the inner walls of a maze: below a cell, and to its right.
type walls struct{ floor, side map[cell]bool }

// dugOut returns the walls that are left by the commands.
func (m *maze) dugOut() walls {
	w := walls{map[cell]bool{}, map[cell]bool{}}
	for row := 1; row <= m.rows; row++ {
		for column := 1; column <= m.columns; column++ {
			at := cell{row, column}
			w.floor[at], w.side[at] = row > 1, column < m.columns
		}
	}
	for _, d := range m.dug {
		switch upper, left := (cell{max(d[0].row, d[1].row), d[0].column}), (cell{d[0].row, min(d[0].column, d[1].column)}); {
		case d[0].row != d[1].row:
			w.floor[upper] = false
		default:
			w.side[left] = false
		}
	}
	return w
}

// walls reads the lines of a drawing. why says why it cannot be read.
func (m *maze) walls(block []string) (w walls, why string) {
	if len(block) != m.rows+1 {
		return w, fmt.Sprintf("%d lines instead of %d", len(block), m.rows+1)
	}
	w = walls{map[cell]bool{}, map[cell]bool{}}
	for i, line := range block[1:] {
		if len(line) != 2*m.columns+1 || strings.Trim(line, " _|") != "" || line[0] != '|' {
			return w, fmt.Sprintf("line %d is %s, which is not a | and %d characters", i+2, drawing.Quote(line), 2*m.columns)
		}
		for column := 1; column <= m.columns; column++ {
			at := cell{m.rows - i, column}
			w.floor[at] = at.row > 1 && line[2*column-1] == '_'
			w.side[at] = column < m.columns && line[2*column] == '|'
		}
	}
	return w, ""
}

// side draws one panel: a maze with the walls of an output or answer.
func (m *maze) side(part *drawing.Part, s drawing.Side, sides int) {
	const pad = 2.0
	size := drawing.Fit(sides, m.columns, 12, 24) - 2*pad/float64(m.columns)
	panel := part.Panel(size*float64(m.columns)+2*pad, size*float64(m.rows)+2*pad, s.Caption)
	// corner returns the upper left corner of a cell, and middle its middle.
	corner := func(c cell) (x, y float64) {
		return pad + size*float64(c.column-1), pad + size*float64(m.rows-c.row)
	}
	middle := func(c cell) (x, y float64) {
		x, y = corner(c)
		return x + size/2, y + size/2
	}

	drawn, want := m.dugOut(), walls{}
	why := ""
	if s.Missing {
		why = "it ends before this maze"
	} else if s.Lines != nil {
		drawn, why = m.walls(s.Lines)
	}
	if s.Wrong {
		panel.Wrong()
		if want, _ = m.walls(s.Want); want.floor == nil {
			want = m.dugOut()
		}
	}
	if why != "" {
		part.Bad("The %s cannot be drawn: %s.", s.Caption, why)
		drawn, want = walls{}, walls{}
	}

	panel.Rect("floor", pad, pad, size*float64(m.columns), size*float64(m.rows))
	var ways, right, surplus, missing drawing.Line
	for _, d := range m.dug {
		x1, y1 := middle(d[0])
		x2, y2 := middle(d[1])
		ways.Segment(x1, y1, x2, y2)
	}
	panel.Path("grid", &ways)
	x, y := middle(m.start)
	panel.Circle("tip", x, y, size/4)
	wall := func(has, wants bool, x1, y1, x2, y2 float64) {
		switch {
		case has && (wants || !s.Wrong):
			right.Segment(x1, y1, x2, y2)
		case has:
			surplus.Segment(x1, y1, x2, y2)
		case wants && s.Wrong:
			missing.Segment(x1, y1, x2, y2)
		}
	}
	for row := m.rows; row >= 1; row-- {
		for column := 1; column <= m.columns; column++ {
			at := cell{row, column}
			x, y := corner(at)
			wall(drawn.floor[at], want.floor[at], x, y+size, x+size, y+size)
			wall(drawn.side[at], want.side[at], x+size, y, x+size, y+size)
		}
	}
	x, y = corner(cell{m.rows, 1})
	right.Move(x, y)
	for _, c := range []cell{{m.rows, m.columns + 1}, {0, m.columns + 1}, {0, 1}, {m.rows, 1}} {
		right.To(corner(c))
	}
	panel.Path("wall", &right)
	panel.Path("bad gone", &missing)
	panel.Path("bad", &surplus)
	if s.Wrong && why == "" && surplus.Empty() && missing.Empty() {
		part.Bad("The walls inside are right; other characters of the drawing are not.")
	}
}
