package main

import (
	"fmt"
	"strings"

	"tribunal/reference/internal/drawing"
)

// The bounds of the statement.
const (
	minSize   = 2
	maxSize   = 40
	maxBoards = 10_000
)

type square struct{ row, col int }

// sides names the sides that are lifted. Marbles roll from side sides[i] in the direction ways[i].
const sides = "ENSW"

var ways = [...]square{{0, -1}, {1, 0}, {-1, 0}, {0, 1}}

func (s square) step(way int) square { return square{s.row + ways[way].row, s.col + ways[way].col} }

type board struct {
	n              int
	marbles, holes []square
	walls          map[[2]square]bool // from a square to its neighbour, both ways
}

func (b *board) has(s square) bool { return 0 <= s.row && s.row < b.n && 0 <= s.col && s.col < b.n }

func read(input []byte) ([]*board, error) {
	in := drawing.NewLines(input)
	var boards []*board
	for {
		head, err := in.Numbers("board size, marbles and walls, or 0 0 0",
			drawing.Range{Name: "board size", High: maxSize}, drawing.Range{Name: "number of marbles", High: maxSize * maxSize},
			drawing.Range{Name: "number of walls", High: 4 * maxSize * (maxSize - 1)})
		if err != nil {
			return nil, err
		}
		n, m, walls := head[0], head[1], head[2]
		switch {
		case n == 0 && m == 0 && walls == 0:
			return boards, in.End()
		case n < minSize:
			return nil, in.Errorf("the board size is %d, not %d to %d", n, minSize, maxSize)
		case m < 1 || m > n*n:
			return nil, in.Errorf("the number of marbles is %d, not 1 to %d", m, n*n)
		case walls > 4*n*(n-1):
			return nil, in.Errorf("the number of walls is %d, not 0 to %d", walls, 4*n*(n-1))
		case len(boards) == maxBoards:
			return nil, in.Errorf("more than %d boards", maxBoards)
		}
		b := &board{n: n, walls: map[[2]square]bool{}}
		if b.marbles, err = b.squares(in, m, "marble"); err != nil {
			return nil, err
		}
		if b.holes, err = b.squares(in, m, "hole"); err != nil {
			return nil, err
		}
		for i := range walls {
			if err := b.wall(in, i+1); err != nil {
				return nil, err
			}
		}
		boards = append(boards, b)
	}
}

// squares reads the m different squares of the marbles or the holes.
func (b *board) squares(in *drawing.Lines, m int, kind string) ([]square, error) {
	var list []square
	taken := map[square]bool{}
	for i := range m {
		at, err := in.Numbers(fmt.Sprintf("the square of %s %d", kind, i+1), b.row(), b.column())
		if err != nil {
			return nil, err
		}
		s := square{at[0], at[1]}
		if taken[s] {
			return nil, in.Errorf("two %ss on square %d %d", kind, s.row, s.col)
		}
		taken[s] = true
		list = append(list, s)
	}
	return list, nil
}

func (b *board) row() drawing.Range    { return drawing.Range{Name: "row", High: b.n - 1} }
func (b *board) column() drawing.Range { return drawing.Range{Name: "column", High: b.n - 1} }

func (b *board) wall(in *drawing.Lines, number int) error {
	w, err := in.Numbers(fmt.Sprintf("the squares of wall %d", number), b.row(), b.column(), b.row(), b.column())
	if err != nil {
		return err
	}
	from, to := square{w[0], w[1]}, square{w[2], w[3]}
	for way := range ways {
		if from.step(way) == to {
			b.walls[[2]square{from, to}], b.walls[[2]square{to, from}] = true, true
			return nil
		}
	}
	return in.Errorf("wall %d stands between squares that share no side", number)
}

// roll is what a marble does in a move.
type roll struct {
	marble, distance int
	to               square
	drops            bool
}

// replay is what happens when some moves are made.
type replay struct {
	moves   string   // those that were made
	rolls   [][]roll // in each move
	dropped []int    // marbles, in the order in which they drop
	fault   string   // why the moves do not win; "" if they do
	misled  int      // the marble that dropped into a wrong hole, or -1
	stays   []int    // the marbles that have not dropped at the end
	cut     bool     // there are more moves than were made
}

func (r *replay) won() bool { return r.fault == "" && !r.cut }

// first returns the replay of the first n moves.
func (r *replay) first(n int) *replay {
	if n >= len(r.moves) {
		return r
	}
	short := &replay{moves: r.moves[:n], rolls: r.rolls[:n], misled: -1, cut: true}
	for _, rolls := range short.rolls {
		for _, l := range rolls {
			if l.drops {
				short.dropped = append(short.dropped, l.marble)
			}
		}
	}
	return short
}

// mostRolls bounds the work for the moves of a hostile output.
const mostRolls = 50_000

// play makes the moves until a marble drops into a wrong hole. A marble that starts on its own hole
// has dropped.
func (b *board) play(moves string) *replay {
	r := &replay{misled: -1}
	marble, hole := map[square]int{}, map[square]int{}
	for i, s := range b.holes {
		hole[s] = i
	}
	left := len(b.marbles)
	for i, s := range b.marbles {
		switch h, over := hole[s]; {
		case over && h == i:
			delete(hole, s)
			r.dropped = append(r.dropped, i)
			left--
		case over:
			r.misled, r.fault = i, fmt.Sprintf("marble %d starts on hole %d", i+1, h+1)
			return r
		default:
			marble[s] = i
		}
	}
	total := 0
	for i, side := range []byte(moves) {
		if left == 0 {
			r.fault = fmt.Sprintf("all marbles are home after %d of %d moves", i, len(moves))
			return r
		}
		rolls := b.lift(strings.IndexByte(sides, side), marble, hole)
		if total += 1 + len(rolls); total > mostRolls {
			r.cut = true
			return r
		}
		r.moves, r.rolls = moves[:i+1], append(r.rolls, rolls)
		for _, l := range rolls {
			if !l.drops {
				continue
			}
			r.dropped = append(r.dropped, l.marble)
			left--
			if b.holes[l.marble] != l.to {
				r.misled, r.fault = l.marble, fmt.Sprintf("in move %d of %d, marble %d drops into a wrong hole", i+1, len(moves), l.marble+1)
				return r
			}
		}
	}
	for i := range b.marbles {
		for _, m := range marble {
			if m == i {
				r.stays = append(r.stays, i)
			}
		}
	}
	if len(r.stays) > 0 {
		r.fault = fmt.Sprintf("after all %s marble %d is not home", count(len(moves), "move"), r.stays[0]+1)
	}
	return r
}

// lift makes a move: marbles roll one after another, those in front first. It changes where the
// marbles and the empty holes are.
func (b *board) lift(way int, marble, hole map[square]int) (rolls []roll) {
	for k := range b.n * b.n {
		if ways[way].row+ways[way].col > 0 {
			k = b.n*b.n - 1 - k
		}
		from := square{k / b.n, k % b.n}
		m, ok := marble[from]
		if !ok {
			continue
		}
		l := roll{marble: m, to: from}
		for !l.drops {
			next := l.to.step(way)
			if _, occupied := marble[next]; occupied || !b.has(next) || b.walls[[2]square{l.to, next}] {
				break
			}
			l.to = next
			l.distance++
			_, l.drops = hole[next]
		}
		if l.distance == 0 {
			continue
		}
		delete(marble, from)
		if l.drops {
			delete(hole, l.to)
		} else {
			marble[l.to] = m
		}
		rolls = append(rolls, l)
	}
	return rolls
}
