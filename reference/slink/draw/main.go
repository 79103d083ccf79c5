// Command draw draws puzzles of Slink with the loops of an answer and an output.
//
//	draw INPUT [ANSWER [OUTPUT]] > picture.svg
//
// Cells inside the loop are shaded. In a wrong output, a line that the answer does not have is red,
// a line that is missing is red and dashed, and so are numbers that do not fit the output's lines.
// docs/problem-format.md describes draw programs.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"tribunal/reference/internal/drawing"
)

func main() { os.Exit(drawing.Main(os.Args[1:], os.Stdout, os.Stderr, draw)) }

// The bounds of the statement.
const (
	maxSide    = 20
	maxNumber  = 3
	maxPuzzles = 1000
)

type puzzle struct {
	rows, cols int
	numbers    [][]int
}

// loop is a set of edges between vertices. Vertex (i, j) is the upper left corner of cell (i, j).
type loop struct {
	right map[[2]int]bool // edges from a vertex to the right
	down  map[[2]int]bool // edges from a vertex downwards
}

func draw(c *drawing.Case) (*drawing.Picture, error) {
	puzzles, err := read(c.Input)
	if err != nil {
		return nil, err
	}
	p := drawing.New("Slink", fmt.Sprintf("%d Slitherlink puzzles, with the loops of the answer or of an output.", len(puzzles)))
	p.Compare(c)
	pieces := c.Pieces(func(line, _ string) bool { return !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" })
	p.Parts(len(puzzles), "puzzles", pieces.Wrong, func(i int, part *drawing.Part) {
		part.Heading("%d: %d × %d", i+1, puzzles[i].rows, puzzles[i].cols)
		sides := pieces.Sides(i)
		for _, s := range sides {
			puzzles[i].side(part, s, len(sides))
		}
	})
	return p, nil
}

func read(input []byte) ([]*puzzle, error) {
	in := drawing.NewLines(input)
	var list []*puzzle
	for {
		size, err := in.Numbers("rows and columns, or 0 0", drawing.Range{Name: "number of rows", High: maxSide}, drawing.Range{Name: "number of columns", High: maxSide})
		if err != nil {
			return nil, err
		}
		p := &puzzle{rows: size[0], cols: size[1]}
		if p.rows == 0 && p.cols == 0 {
			return list, in.End()
		}
		if p.rows == 0 || p.cols == 0 {
			return nil, in.Errorf("a puzzle of %d by %d cells", p.rows, p.cols)
		}
		if len(list) == maxPuzzles {
			return nil, in.Errorf("more than %d puzzles", maxPuzzles)
		}
		row := make([]drawing.Range, p.cols)
		for j := range row {
			row[j] = drawing.Range{Name: "number of a cell", High: maxNumber}
		}
		for i := range p.rows {
			numbers, err := in.Numbers(fmt.Sprintf("row %d of %d", i+1, p.rows), row...)
			if err != nil {
				return nil, err
			}
			p.numbers = append(p.numbers, numbers)
		}
		list = append(list, p)
	}
}

// loop reads the lines of a drawing, which follow the line with the number of the puzzle. It
// tolerates missing blanks at the ends of lines. why says why the drawing cannot be read.
func (p *puzzle) loop(block []string) (l loop, why string) {
	l = loop{map[[2]int]bool{}, map[[2]int]bool{}}
	if want := 2*p.rows + 6; len(block) != want {
		return l, fmt.Sprintf("%d lines instead of %d", len(block), want)
	}
	lines := block[3:]
	at := func(line, column int) byte {
		if column < len(lines[line]) {
			return lines[line][column]
		}
		return ' '
	}
	for i := 0; i <= p.rows; i++ {
		for j := 0; j <= p.cols; j++ {
			if j < p.cols && at(2*i, 4*j+4) == '-' {
				l.right[[2]int{i, j}] = true
			}
			if i < p.rows && at(2*i+1, 4*j+2) == '|' {
				l.down[[2]int{i, j}] = true
			}
		}
	}
	return l, ""
}

// edges returns the number of edges around a cell.
func (l loop) edges(i, j int) (n int) {
	for _, edge := range []bool{l.right[[2]int{i, j}], l.right[[2]int{i + 1, j}], l.down[[2]int{i, j}], l.down[[2]int{i, j + 1}]} {
		if edge {
			n++
		}
	}
	return n
}

// side draws one panel: the puzzle with the loop of an output or answer.
func (p *puzzle) side(part *drawing.Part, s drawing.Side, sides int) {
	const pad = 0.3 // of a cell, around the grid
	cell := drawing.Fit(sides, p.cols+1, 17, 30)
	panel := part.Panel((float64(p.cols)+2*pad)*cell, (float64(p.rows)+2*pad)*cell, s.Caption)
	panel.Letters = min(cell*0.55, 14)
	place := func(i, j int) (x, y float64) { return (float64(j) + pad) * cell, (float64(i) + pad) * cell }

	var l, want loop
	why := ""
	if s.Missing {
		why = "it ends before this puzzle"
	} else if s.Lines != nil {
		l, why = p.loop(s.Lines)
	}
	if s.Wrong {
		panel.Wrong()
		if want, _ = p.loop(s.Want); why == "" && p.same(l, want) {
			part.Bad("The lines of the output are right; other characters of its drawing are not.")
		}
	}
	if why != "" {
		part.Bad("The %s cannot be drawn: %s.", s.Caption, why)
		l, want = loop{}, loop{}
	}

	p.shade(panel, l, cell, place)
	var grid, right, surplus, missing drawing.Line
	for i := 0; i <= p.rows; i++ {
		for j := 0; j <= p.cols; j++ {
			for _, e := range []struct {
				exists    bool
				has, want map[[2]int]bool
				i, j      int
			}{{j < p.cols, l.right, want.right, i, j + 1}, {i < p.rows, l.down, want.down, i + 1, j}} {
				if !e.exists {
					continue
				}
				x1, y1 := place(i, j)
				x2, y2 := place(e.i, e.j)
				has, wants := e.has[[2]int{i, j}], e.want[[2]int{i, j}]
				to := &grid
				switch {
				case has && (wants || !s.Wrong):
					to = &right
				case has:
					to = &surplus
				case wants && s.Wrong:
					to = &missing
				}
				to.Segment(x1, y1, x2, y2)
			}
		}
	}
	panel.Path("grid", &grid)
	panel.Path("way", &right)
	panel.Path("bad gone", &missing)
	panel.Path("bad", &surplus)
	for i, row := range p.numbers {
		for j, n := range row {
			class := ""
			if s.Lines != nil && why == "" && l.edges(i, j) != n {
				class = "wrong"
			}
			x, y := place(i, j)
			panel.Text(class, x+cell/2, y+cell/2, strconv.Itoa(n))
		}
	}
}

// shade fills the cells inside the loop: those with an odd number of vertical edges to their left.
func (p *puzzle) shade(panel *drawing.Panel, l loop, cell float64, place func(i, j int) (x, y float64)) {
	for i := range p.rows {
		from := -1 // the edge at which the inside begins
		for j := 0; j <= p.cols; j++ {
			switch {
			case !l.down[[2]int{i, j}]:
			case from < 0:
				from = j
			default:
				x, y := place(i, from)
				panel.Rect("floor", x, y, float64(j-from)*cell, cell)
				from = -1
			}
		}
	}
}

// same reports whether two loops have the same edges.
func (p *puzzle) same(a, b loop) bool {
	for i := 0; i <= p.rows; i++ {
		for j := 0; j <= p.cols; j++ {
			if at := [2]int{i, j}; a.right[at] != b.right[at] || a.down[at] != b.down[at] {
				return false
			}
		}
	}
	return true
}
