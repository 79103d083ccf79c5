package main

import "slices"

// A square is a position in the maze. Squares are numbered row by row with a border around the
// maze, so that every neighbour has a number.
type square int16

const (
	stride      = maxCols + 2
	squareCount = (maxRows + 2) * stride
)

// steps holds, for each direction, the difference to the neighbour's number.
var steps = [directionCount]square{up: -stride, down: +stride, left: -1, right: +1}

// squareAt returns the square at a row and a column; (1,1) is the upper left one.
func squareAt(row, col int) square { return square(row*stride + col) }

func (s square) row() int { return int(s / stride) }
func (s square) col() int { return int(s % stride) }

// A maze is one maze of the input.
type maze struct {
	name       string
	rows, cols int
	start      square
	lie        lie                 // the orientation of the die on the start square
	admits     [squareCount]lieSet // by square, the orientations in which the die may be rolled onto it
}

// wild is the number of a square that may always be entered. A square that may never be entered has
// the number 0, which no die shows.
const wild = -1

// admitted returns the lies in which the die may be rolled onto a square with this number.
func admitted(number int) lieSet {
	if number == wild {
		return everyLie
	}
	return lies.showing[number]
}

// A visit is a state that the search has met.
type visit struct {
	at   square
	lie  lie
	from int16 // index of the previous visit
}

// mostVisits is the maximum number of visits of a search. Every roll changes the colour of the
// square, as on a chessboard, and the parity of the orientation, so that at most half of the lies
// are met on a square.
const mostVisits = maxRows * maxCols * lieCount / 2

// walk returns a shortest walk from the start square back to it, with both ends, or nil if there is
// none.
//
// Processors cannot predict which roll leads to a new state, and a wrong prediction costs more than
// the roll. So walk has no branch for this: it writes every visit behind the end of the queue, and
// moves the end only if the state is new.
func (m *maze) walk() []square {
	var queue [mostVisits + 1]visit
	queue[0] = visit{at: m.start, lie: m.lie}
	visits := 1
	var met [squareCount]lieSet // by square, except the start: the lies that the search has met there
	for i := 0; i < visits; i++ {
		v := queue[i]
		rolled := &lies.rolled[v.lie]
		for dir, step := range steps {
			to, after := v.at+step, rolled[dir]
			admitted := m.admits[to].at(v.lie)
			if to == m.start && admitted == 1 {
				return append(trace(queue[:], i), to)
			}
			fresh := admitted &^ met[to].at(after)
			met[to] |= fresh << (after & 31)
			queue[visits] = visit{to, after, int16(i)}
			visits += int(fresh)
		}
	}
	return nil
}

// trace returns the squares from the first visit to visit i.
func trace(queue []visit, i int) []square {
	var walk []square
	for ; i > 0; i = int(queue[i].from) {
		walk = append(walk, queue[i].at)
	}
	walk = append(walk, queue[0].at)
	slices.Reverse(walk)
	return walk
}
