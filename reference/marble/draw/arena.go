package main

import (
	"slices"
	"strconv"
	"strings"

	"tribunal/reference/internal/drawing"
)

// The times of a replay, in seconds. A move takes less time if there are many.
const (
	before  = 1.0
	after   = 2.5
	slowest = 1.1
	fastest = 0.45
	most    = 60.0 // all moves together, unless that would be too fast
	rolling = 0.7  // part of a move in which marbles roll
	sinking = 0.15 // seconds in which a marble sinks into a hole
)

const (
	edge      = 16.0 // width of the edge round a board, where the lifted side is marked
	letter    = 11.0 // width of a move in the list of moves
	letterRow = 17.0
)

// arena is a panel with a board and the list of moves below it.
type arena struct {
	*board
	panel   *drawing.Panel
	cell    float64
	inRow   int  // moves in a row of their list
	numbers bool // whether marbles and holes have their numbers
}

// mostNumbers is the largest number of marbles that are drawn with their numbers.
const mostNumbers = 150

// drawArena adds a panel with a board and a replay to a part.
func drawArena(part *drawing.Part, b *board, caption string, panels int, r *replay) *drawing.Panel {
	a := &arena{board: b, numbers: len(b.marbles) <= mostNumbers}
	moves := len(r.moves)
	width := float64(drawing.Full)
	if panels > 1 && b.n <= 10 {
		width = drawing.Half
	}
	a.cell = min((width-2*edge)/float64(b.n), 36)
	width = a.side() + 2*edge
	if panels > 1 && b.n <= 10 {
		width = drawing.Half
	}
	a.inRow = int(width / letter)
	rows := (moves + a.inRow - 1) / a.inRow
	a.panel = part.Panel(width, a.side()+2*edge+letterRow*float64(rows), caption)
	a.panel.Letters = min(0.46*a.cell, 13)
	a.draw(r)
	return a.panel
}

// side returns the length of a side of the board.
func (a *arena) side() float64 { return a.cell * float64(a.n) }

// middle returns the middle of a square.
func (a *arena) middle(s square) (x, y float64) {
	return edge + a.cell*(float64(s.col)+0.5), edge + a.cell*(float64(s.row)+0.5)
}

// draw draws the board and the replay.
func (a *arena) draw(r *replay) {
	p := a.panel
	p.Rect("floor", edge, edge, a.side(), a.side())
	var grid, walls drawing.Line
	for i := 1; i < a.n; i++ {
		grid.Segment(edge+a.cell*float64(i), edge, edge+a.cell*float64(i), edge+a.side())
		grid.Segment(edge, edge+a.cell*float64(i), edge+a.side(), edge+a.cell*float64(i))
	}
	p.Path("grid", &grid)
	for i, s := range a.holes {
		x, y := a.middle(s)
		p.Circle("page ring r"+colour(i), x, y, 0.4*a.cell)
		if a.numbers {
			p.Text("", x, y, strconv.Itoa(i+1))
		}
	}
	c := clock{moves: len(r.moves), each: min(slowest, max(fastest, most/float64(max(len(r.moves), 1))))}
	p.Group("replay", "", func() {
		p.Rect("off", 0, 0, p.Width, a.side()+2*edge) // something to point at
		a.lifts(r, c)
		a.list(r, c)
		tracks, sinks := a.tracks(r, c)
		for _, m := range a.order(r) {
			a.marble(m, r, c, tracks[m], sinks[m])
		}
	})
	for row := range a.n {
		for col := range a.n {
			at := square{row, col}
			x, y := edge+a.cell*float64(col+1), edge+a.cell*float64(row+1)
			if a.walls[[2]square{at, {row, col + 1}}] {
				walls.Segment(x, y-a.cell, x, y)
			}
			if a.walls[[2]square{at, {row + 1, col}}] {
				walls.Segment(x-a.cell, y, x, y)
			}
		}
	}
	walls.Move(edge, edge)
	for _, corner := range [][2]float64{{1, 0}, {1, 1}, {0, 1}, {0, 0}} {
		walls.To(edge+a.side()*corner[0], edge+a.side()*corner[1])
	}
	p.Path("wall", &walls)
}

// colour returns the number of a marble's colour.
func colour(marble int) string { return strconv.Itoa(marble % drawing.Colours) }

// order returns the marbles in the order in which they are drawn: those that drop first lie below
// those that roll over them.
func (a *arena) order(r *replay) []int {
	list := slices.Clone(r.dropped)
	for m := range a.marbles {
		if !slices.Contains(r.dropped, m) {
			list = append(list, m)
		}
	}
	return list
}

// clock says when things happen in a replay.
type clock struct {
	moves int
	each  float64
}

func (c clock) move(i int) float64 { return before + c.each*float64(i) }
func (c clock) total() float64     { return c.move(c.moves) + after }

// lifts marks the side that is lifted in each move.
func (a *arena) lifts(r *replay, c clock) {
	far := edge + a.side()
	for i, bar := range [][4]float64{{far + 4, edge, 7, a.side()}, {edge, edge - 11, a.side(), 7}, {edge, far + 4, a.side(), 7}, {edge - 11, edge, 7, a.side()}} {
		if strings.IndexByte(r.moves, sides[i]) < 0 {
			continue
		}
		t := drawing.NewTrack(c.total())
		t.At(0, "opacity:0")
		for m := range len(r.moves) {
			if r.moves[m] == sides[i] {
				t.At(c.move(m), "opacity:1")
				t.At(c.move(m)+0.9*c.each, "opacity:0")
			}
		}
		t.At(c.total(), "opacity:0")
		a.panel.Group("off", a.panel.Play(t, true), func() { a.panel.Rect("tip", bar[0], bar[1], bar[2], bar[3]) })
	}
}

// list writes the moves below the board, with a mark on the present one.
func (a *arena) list(r *replay, c clock) {
	if r.moves == "" {
		return
	}
	top := a.side() + 2*edge
	t := drawing.NewTrack(c.total())
	t.At(0, "opacity:0")
	for m := range len(r.moves) {
		x, y := letter*float64(m%a.inRow), letterRow*float64(m/a.inRow)
		t.At(c.move(m), "opacity:.35;transform:translate("+drawing.Number(x)+"px,"+drawing.Number(y)+"px)")
	}
	t.At(c.move(len(r.moves)), "opacity:0")
	t.At(c.total(), "opacity:0")
	a.panel.Group("off", a.panel.Play(t, true), func() { a.panel.Rect("tip", 0, top, letter, letterRow) })
	a.panel.Spread(0, top, letter, letterRow, a.inRow, r.moves)
}

// tracks returns the tracks of the marbles that move, and of the size of those that drop.
func (a *arena) tracks(r *replay, c clock) (tracks, sinks map[int]*drawing.Track) {
	tracks, sinks = map[int]*drawing.Track{}, map[int]*drawing.Track{}
	now := slices.Clone(a.marbles)
	for i, rolls := range r.rolls {
		longest := 0
		for _, l := range rolls {
			longest = max(longest, l.distance)
		}
		for _, l := range rolls {
			t := tracks[l.marble]
			if t == nil {
				t = drawing.NewTrack(c.total())
				x, y := a.middle(now[l.marble])
				t.Move(0, x, y)
				tracks[l.marble] = t
			}
			x, y := a.middle(now[l.marble])
			t.Move(c.move(i), x, y)
			now[l.marble] = l.to
			there := c.move(i) + rolling*c.each*float64(l.distance)/float64(longest)
			x, y = a.middle(l.to)
			t.Move(there, x, y)
			if l.drops {
				s := drawing.NewTrack(c.total())
				s.At(0, "transform:none")
				s.At(there, "transform:none")
				s.At(there+sinking, "transform:scale(.68)")
				s.At(c.total(), "transform:scale(.68)")
				sinks[l.marble] = s
			}
		}
	}
	for m, t := range tracks {
		x, y := a.middle(now[m])
		t.Move(c.total(), x, y)
	}
	return tracks, sinks
}

// marble draws a marble, with a red ring at the end if it is in a wrong hole or not home.
func (a *arena) marble(m int, r *replay, c clock, track, sink *drawing.Track) {
	p := a.panel
	x, y := a.middle(a.marbles[m])
	lost := len(r.moves) > 0 && (m == r.misled || slices.Contains(r.stays, m))
	if track == nil && !lost {
		p.Circle("c"+colour(m), x, y, 0.4*a.cell)
		a.number(m, x, y)
		return
	}
	style := "transform:translate(" + drawing.Number(x) + "px," + drawing.Number(y) + "px)"
	if track != nil {
		style += ";" + p.Play(track, false)
	}
	p.Group("", style, func() {
		shape := func() { p.Circle("c"+colour(m), 0, 0, 0.4*a.cell) }
		if sink != nil {
			p.Group("", p.Play(sink, false), shape)
		} else {
			shape()
		}
		a.number(m, 0, 0)
		if lost {
			t := drawing.NewTrack(c.total())
			t.At(0, "opacity:0")
			t.At(c.move(len(r.moves)), "opacity:1")
			t.At(c.total(), "opacity:1")
			p.Group("off", p.Play(t, true), func() { p.Circle("bad", 0, 0, 0.46*a.cell) })
		}
	})
}

// number writes the number of a marble.
func (a *arena) number(m int, x, y float64) {
	if a.numbers {
		a.panel.Text("on", x, y, strconv.Itoa(m+1))
	}
}
