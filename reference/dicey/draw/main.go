// Command draw draws mazes of the Dicey Problem with the walks of an answer and an output.
//
//	draw INPUT [ANSWER [OUTPUT]] > picture.svg
//
// A die rolls along the walk and shows the number on its top. From the first roll that the rules
// forbid, a walk is red. docs/problem-format.md describes draw programs.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tribunal/reference/internal/drawing"
)

func main() { os.Exit(drawing.Main(os.Args[1:], os.Stdout, os.Stderr, draw)) }

func draw(c *drawing.Case) (*drawing.Picture, error) {
	mazes, err := read(c.Input)
	if err != nil {
		return nil, err
	}
	p := drawing.New("Dicey Problem", fmt.Sprintf("%d mazes for a rolling die, with the walks of the answer or of an output.", len(mazes)))
	p.Compare(c)
	pieces := c.Pieces(func(line, _ string) bool { return line != "" && line[0] != ' ' && line[0] != '\t' })
	p.Parts(len(mazes), "mazes", pieces.Wrong, func(i int, part *drawing.Part) {
		m := mazes[i]
		part.Heading("%d: %s, %d on top, %d in front", i+1, m.name, m.die.top, m.die.front)
		sides := pieces.Sides(i)
		for _, s := range sides {
			m.side(part, s, len(sides))
		}
	})
	return p, nil
}

// side draws one panel: a maze with the walk of an output or answer.
func (m *maze) side(part *drawing.Part, s drawing.Side, sides int) {
	const pad = 2.0
	size := drawing.Fit(sides, m.cols, 24, 44) - 2*pad/float64(m.cols)
	var w walk
	why := ""
	if s.Missing {
		why = "it ends before this maze"
	} else if s.Lines != nil {
		w, why = readWalk(s.Lines)
	}
	caption := s.Caption
	switch {
	case s.Lines == nil || why != "":
	case w.none:
		caption += ": no solution"
	default:
		caption += fmt.Sprintf(": %d positions", len(w.squares))
	}
	panel := part.Panel(size*float64(m.cols)+2*pad, size*float64(m.rows)+2*pad, caption)
	panel.Letters = min(0.36*size, 13)
	if s.Wrong {
		panel.Wrong()
		if other, none := readWalk(s.Want); why == "" && none == "" && w.none == other.none && slices.Equal(w.squares, other.squares) {
			part.Bad("The walk of the output is right; other characters are not.")
		}
	}
	if why != "" {
		part.Bad("The %s cannot be drawn: %s.", s.Caption, why)
		w = walk{}
	}
	m.board(panel, pad, size)
	good, fault := m.check(w.squares)
	if fault != "" && len(w.squares) > 0 {
		part.Bad("The %s breaks the rules: %s.", s.Caption, fault)
	}
	inside := len(w.squares) // the positions that can be drawn
	if i := slices.IndexFunc(w.squares, func(q square) bool { return !m.has(q) }); i >= 0 {
		inside = i
	}
	m.drawWalk(panel, w.squares[:inside], good, pad, size)
}

// board draws the squares with their numbers in the upper left corner: a star for any number, and a
// dark square for none. The start has a frame.
func (m *maze) board(panel *drawing.Panel, pad, size float64) {
	for i, n := range m.numbers {
		x, y := pad+size*float64(i%m.cols), pad+size*float64(i/m.cols)
		switch n {
		case empty:
			panel.Rect("faint", x, y, size-1, size-1)
		case wild:
			panel.Rect("floor", x, y, size-1, size-1)
			panel.Text("mute", x+0.22*size, y+0.24*size, "★")
		default:
			panel.Rect("floor", x, y, size-1, size-1)
			panel.Text("", x+0.22*size, y+0.24*size, strconv.Itoa(n))
		}
	}
	panel.Rect("ring r1", pad+size*float64(m.start.col-1), pad+size*float64(m.start.row-1), size-1, size-1)
}

// point is a point of a panel.
type point struct{ x, y float64 }

// course returns where a walk enters and leaves each of its squares. It keeps to the right, so that
// there and back are not the same line.
func course(squares []square, pad, size float64) (enters, leaves []point) {
	aside := func(i int) point { // of the roll to position i
		if i < 1 || i >= len(squares) {
			return point{}
		}
		from, to := squares[i-1], squares[i]
		return point{0.08 * size * float64(from.row-to.row), 0.08 * size * float64(to.col-from.col)}
	}
	for i, q := range squares {
		middle := point{pad + size*(float64(q.col)-0.42), pad + size*(float64(q.row)-0.42)}
		in, out := aside(i), aside(i+1)
		enter, leave := point{middle.x + in.x, middle.y + in.y}, point{middle.x + out.x, middle.y + out.y}
		if in.x*out.x+in.y*out.y == 0 { // it turns, begins or ends here
			enter = point{enter.x + out.x, enter.y + out.y}
			leave = enter
		}
		enters, leaves = append(enters, enter), append(leaves, leave)
	}
	return enters, leaves
}

// drawWalk draws a walk, of which the first good positions keep the rules, and a die that rolls
// along these.
func (m *maze) drawWalk(panel *drawing.Panel, squares []square, good int, pad, size float64) {
	var right, wrong drawing.Line
	enters, leaves := course(squares, pad, size)
	for i := range squares {
		line := &right
		switch {
		case i == 0:
			panel.Circle("tip", leaves[i].x, leaves[i].y, size/9)
			continue
		case i >= good:
			line = &wrong
		}
		line.Segment(leaves[i-1].x, leaves[i-1].y, enters[i].x, enters[i].y)
		if leaves[i] != enters[i] {
			line.To(leaves[i].x, leaves[i].y)
		}
	}
	panel.Path("way", &right)
	panel.Path("bad", &wrong)
	if good < 2 {
		return
	}
	const start, roll, end = 1.0, 0.6, 2.0 // seconds
	total := start + roll*float64(good-1) + end
	way := drawing.NewTrack(total)
	way.Move(0, leaves[0].x, leaves[0].y)
	d, tops := m.die, []int{m.die.top}
	for i := range good - 1 {
		at := start + roll*float64(i)
		way.Move(at+0.2*roll, leaves[i].x, leaves[i].y)
		way.Move(at+roll, enters[i+1].x, enters[i+1].y)
		d, _ = d.to(squares[i], squares[i+1])
		tops = append(tops, d.top)
	}
	way.Move(total, enters[good-1].x, enters[good-1].y)
	panel.Group("replay", "", func() {
		panel.Group("", panel.Play(way, false), func() {
			half := 0.21 * size
			panel.Rect("page", -half, -half, 2*half, 2*half)
			panel.Rect("ring r0", -half, -half, 2*half, 2*half)
			for top := 1; top <= 6; top++ {
				m.face(panel, top, tops, func(i int) float64 { return (start + roll*(float64(i)-0.4)) / total }, total)
			}
		})
	})
}

// face draws the number of the die that rolls, seen while the number is on top. when returns the
// time of roll i as a part of the whole.
func (m *maze) face(panel *drawing.Panel, top int, tops []int, when func(i int) float64, total float64) {
	if !slices.Contains(tops, top) {
		return
	}
	track := drawing.NewTrack(total)
	seen := func(i int) string {
		if tops[i] == top {
			return "opacity:1"
		}
		return "opacity:0"
	}
	track.At(0, seen(0))
	for i := 1; i < len(tops); i++ {
		if seen(i) != seen(i-1) {
			track.At(when(i)*total, seen(i))
		}
	}
	track.At(total, seen(len(tops)-1))
	class := "off"
	if tops[0] == top {
		class = ""
	}
	panel.Group(class, panel.Play(track, true), func() { panel.Text("", 0, 0, strconv.Itoa(top)) })
}

// describe returns a square as in the output.
func describe(q square) string { return fmt.Sprintf("(%d,%d)", q.row, q.col) }

// walk is what an output says about a maze.
type walk struct {
	none    bool // there is no solution
	squares []square
}

// readWalk reads a block of an output, its first line the name. It tolerates other blanks, commas
// and line ends. why says why it cannot be drawn.
func readWalk(block []string) (w walk, why string) {
	if len(block) == 0 {
		return w, "there is nothing"
	}
	for i, line := range block[1:] {
		if strings.TrimSpace(line) == "No Solution Possible" {
			w.none = true
			continue
		}
		for rest := strings.TrimSpace(line); rest != ""; {
			var q square
			if n, _ := fmt.Sscanf(rest, "(%d,%d)", &q.row, &q.col); n < 2 || !strings.HasPrefix(rest, describe(q)) {
				return w, fmt.Sprintf("line %d of its block has %s where a position should be", i+2, drawing.Quote(rest))
			}
			w.squares = append(w.squares, q)
			rest = strings.TrimLeft(strings.TrimPrefix(rest, describe(q)), ", ")
		}
	}
	if w.none == (len(w.squares) > 0) {
		return walk{}, "it has neither just positions nor just No Solution Possible"
	}
	return w, ""
}
