package main

import "slices"

// A square is a position in the maze. The squares are numbered row by row, with a
// border round the maze, so that a step never leaves the numbers.
type square int16

const (
	stride      = maxCols + 2
	squareCount = (maxRows + 2) * stride
)

// steps leads to the neighbour in each direction.
var steps = [directionCount]square{up: -stride, down: +stride, left: -1, right: +1}

// squareAt returns the square in a row and a column; (1,1) is the upper left one.
func squareAt(row, col int) square { return square(row*stride + col) }

func (s square) row() int { return int(s / stride) }
func (s square) col() int { return int(s % stride) }

// A maze is one puzzle of the input.
type maze struct {
	name       string
	rows, cols int
	start      square
	lie        lie                 // of the die on the start square
	admits     [squareCount]lieSet // by square: how a die may lie before it is rolled onto it
}

// wild is the number of a square that may always be entered. One that never may be
// has the number 0, which no die shows.
const wild = -1

// admitted returns the lies in which a die may be rolled onto a square of that
// number.
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
	from int16 // index of the visit before
}

// mostVisits is how many visits a search can make. Every roll changes the colour of
// the square, as on a chessboard, and exchanges the even turns of the die with the
// odd ones: on one square no more than half of the lies are ever met.
const mostVisits = maxRows * maxCols * lieCount / 2

// walk returns a shortest walk from the start square back to it, both ends
// included, or nil if there is none.
//
// Which roll leads to a state that is new no processor can guess, and a wrong guess
// costs more than the roll. So the visit is written down in any case, and it counts
// only if the state is new; else the next one is written over it.
func (m *maze) walk() []square {
	var queue [mostVisits + 1]visit
	queue[0] = visit{at: m.start, lie: m.lie}
	visits := 1
	var met [squareCount]lieSet // not the state of the beginning, nor any other of the start square
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
