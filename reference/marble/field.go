package main

import "math/bits"

// lifts names the four moves in the order that breaks ties; a move is an index into it. Lifting a
// side rolls the marbles away from it. The opposite of move v is 3-v.
const lifts = "ENSW"

// view is the board as one move sees it: lines that run along the roll, and on each line the
// distance u from the edge that the marbles roll towards. So in every view marbles roll towards bit
// 0 of the masks of their line.
type view struct {
	squares []square // by square of the board, its place in this view
	step    int      // from a square to the next one behind it, at u+1
	holes   []uint64 // the holes on each line
	useful  []uint64 // where each marble may rest on each line; marble i's lines begin at i*n
	stops   [4][]uint64
	// stops[p] holds, by line, the squares with a wall or the edge on the side that move p rolls
	// to, for the two moves p across this one.
}

// square is the place of a square in a view.
type square struct {
	stretch uint64 // the squares of its line between the nearest walls on both sides
	line    uint8
	u       uint8
	front   uint8 // the first u of its stretch
}

// ahead returns the part of the stretch that a marble here would roll over.
func (q *square) ahead() uint64 { return q.stretch & (1<<q.u - 1) }

// field holds the tables about a board that are computed before the search. All threads share it,
// and only prune changes it.
type field struct {
	n     int
	start []int16 // a marble that starts on its own hole has dropped
	holes []int16
	owner []int16 // by square, the marble whose hole is there, or -1
	views [4]view
	rolls [4][]roll // by square, the effect of a move on a marble that is alone
	quick *[4]quick // the same, pruned, if keys have one word; otherwise nil

	// useful holds, by marble and square, whether the marble can rest there on a way from its start
	// to its hole. Until prune computes it, it is nil, and all squares count as useful.
	useful [][]bool

	shapes bool // positions stand for their shapes, see shapes.go

	// A marble's square takes width bits of a position's key, at slots[i].
	width uint
	slots []slot
}

// roll is the effect of a move on a marble that has its stretch to itself.
type roll struct {
	to    int16 // where it comes to rest: the front of its stretch
	holes bool  // the stretch has holes: the marble may drop on the way
}

// quick holds, by square, the effect of a move on a marble of a board whose keys have one word. The
// lowest bits are the square where the marble comes to rest. Bit quickHoles is set if its stretch
// has holes. From bit quickUseful on there is a bit for each marble, set if that square is useful
// to it.
type quick [quickSquares]uint32

const (
	quickSquares = 1 << 11 // a power of two above the squares of any board: no index is out of range
	quickHoles   = 1 << 11
	quickUseful  = 16 // leaves 16 bits; a board whose keys have one word has at most 15 marbles
)

// slot is the place of a marble in a key, and its hole.
type slot struct {
	word  uint16
	shift uint8
	hole  int16
}

// newField prepares a board. It returns false if the board is lost from the start because a marble
// begins on another marble's hole.
func newField(b *board) (*field, bool) {
	squares := b.n * b.n
	f := &field{
		n: b.n, start: b.marbles, holes: b.holes,
		owner: make([]int16, squares),
		width: uint(bits.Len(uint(squares - 1))),
	}
	for i := range f.owner {
		f.owner[i] = -1
	}
	for i, hole := range f.holes {
		f.owner[hole] = int16(i)
	}
	for i, at := range f.start {
		if o := f.owner[at]; o >= 0 && int(o) != i {
			return nil, false
		}
	}
	perWord := keyBits / int(f.width)
	for i, hole := range f.holes {
		f.slots = append(f.slots, slot{uint16(i / perWord), uint8(uint(i%perWord) * f.width), hole})
	}
	for v := range f.views {
		f.views[v] = newView(b, v)
	}
	for v := range f.views {
		f.findStops(v)
	}
	f.findRolls()
	return f, true
}

func newView(b *board, v int) view {
	n := b.n
	w := view{squares: make([]square, n*n), holes: make([]uint64, n)}
	// at returns the square on a line at a distance; wall reports whether a wall is between it and
	// the square behind it.
	var at func(line, u int) int
	var wall func(line, u int) bool
	switch lifts[v] {
	case 'E':
		w.step = 1
		at = func(line, u int) int { return line*n + u }
		wall = func(line, u int) bool { return b.wallEast[line]>>u&1 != 0 }
	case 'W':
		w.step = -1
		at = func(line, u int) int { return line*n + n - 1 - u }
		wall = func(line, u int) bool { return b.wallEast[line]>>(n-2-u)&1 != 0 }
	case 'S':
		w.step = n
		at = func(line, u int) int { return u*n + line }
		wall = func(line, u int) bool { return b.wallSouth[u]>>line&1 != 0 }
	case 'N':
		w.step = -n
		at = func(line, u int) int { return (n-1-u)*n + line }
		wall = func(line, u int) bool { return b.wallSouth[n-2-u]>>line&1 != 0 }
	}
	for line := range n {
		front := 0
		for u := range n {
			if u+1 < n && !wall(line, u) {
				continue
			}
			stretch := uint64(1)<<(u+1) - uint64(1)<<front
			for x := front; x <= u; x++ {
				w.squares[at(line, x)] = square{stretch, uint8(line), uint8(x), uint8(front)}
			}
			front = u + 1
		}
	}
	for _, hole := range b.holes {
		q := &w.squares[hole]
		w.holes[q.line] |= 1 << q.u
	}
	return w
}

// findRolls computes rolls from the views.
func (f *field) findRolls() {
	for v := range f.views {
		w := &f.views[v]
		f.rolls[v] = make([]roll, f.n*f.n)
		for at := range f.rolls[v] {
			q := &w.squares[at]
			to := at - int(q.u-q.front)*w.step
			f.rolls[v][at] = roll{int16(to), w.holes[q.line]&q.stretch != 0}
		}
	}
}

// findStops computes the stops of view v from the squares of the views across.
func (f *field) findStops(v int) {
	w := &f.views[v]
	for p := range f.views {
		if p == v || p == 3-v {
			continue
		}
		w.stops[p] = make([]uint64, f.n)
		for i := range w.squares {
			if across := &f.views[p].squares[i]; across.u == across.front {
				w.stops[p][w.squares[i].line] |= 1 << w.squares[i].u
			}
		}
	}
}
