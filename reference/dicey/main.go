// Dicey rolls a die through mazes whose squares admit only certain numbers and
// prints the walk that leaves the start square and comes back to it.
//
// # Idea
//
// What can happen next depends on two things only: the square the die lies on
// and which way the die is turned. A die has 24 orientations (six faces on top,
// then four in front), so a maze of 100 squares has at most 2,400 states, each
// with at most four rolls out of it. A breadth-first search over these states
// finds a shortest walk back; in a maze with a single solution that is the
// solution, since a shortest walk never repeats a state.
//
// # What the search must not do
//
//   - It must not forget the orientation: a solution may cross a square several
//     times, each time with the die turned differently.
//   - It must not treat the starting state as used up: the start square is
//     entered like any other, also in the very orientation it was left with.
//     The search therefore compares squares, not states, to see that it is home,
//     and never stores a state on the start square except the first.
//   - It must look at the number on top before the roll, not after it.
//
// # Ties
//
// A maze with several solutions lies outside the domain, but it is answered all
// the same: the queue is worked off in order and every state tries up, down,
// left, right, so states of one distance stand in the queue in the order of
// their walks, and the walk printed is the first of the shortest ones in that
// order.
//
// # Cost
//
// Time and memory of one maze are linear in its states: at most 2,400 visits of
// four rolls each.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
)

// positionsPerLine is how many positions a line of a solution holds.
const positionsPerLine = 9

func main() { os.Exit(run(os.Stdin, os.Stdout, os.Stderr)) }

// run answers all mazes of in on out and returns the exit status: 0, 3 if the
// input is malformed, 1 if reading or writing fails. Nothing is written to out
// before the whole input is known to be well-formed.
func run(in io.Reader, out, errs io.Writer) int {
	answer, err := solve(in)
	if err == nil {
		_, err = out.Write(answer)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(errs, err)
	if _, ok := err.(*malformed); ok {
		return 3
	}
	return 1
}

// solve returns the answers to all mazes of in. The error is a *malformed if
// the input is at fault.
func solve(in io.Reader) ([]byte, error) {
	mazes, err := readMazes(in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, m := range mazes {
		fmt.Fprintln(&out, m.name)
		writeWalk(&out, m.walk())
	}
	return out.Bytes(), nil
}

// writeWalk writes the lines below a maze's name; an empty walk means that
// there is no solution.
func writeWalk(out *bytes.Buffer, walk []square) {
	if len(walk) == 0 {
		out.WriteString("  No Solution Possible\n")
		return
	}
	for i, at := range walk {
		switch {
		case i == 0:
			out.WriteString("  ")
		case i%positionsPerLine == 0:
			out.WriteString(",\n  ")
		default:
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "(%d,%d)", at.row, at.col)
	}
	out.WriteByte('\n')
}

// A maze is one puzzle of the input.
type maze struct {
	name       string
	rows, cols int
	start      square
	die        die                           // as it lies on the start square
	needs      [maxRows + 1][maxCols + 1]int // the number a square asks for, by row and column from 1
}

// wild is the number of a square that may always be entered.
const wild = -1

// A square is a position in the maze; (1,1) is the upper left one.
type square struct{ row, col int }

// admits tells whether a die with that number on top may be rolled onto a
// square, which may lie outside the maze. An empty square asks for 0, which no
// die shows.
func (m *maze) admits(to square, top int) bool {
	if to.row < 1 || to.row > m.rows || to.col < 1 || to.col > m.cols {
		return false
	}
	need := m.needs[to.row][to.col]
	return need == wild || need == top
}

// walk returns a shortest walk from the start square back to it, both ends
// included, or nil if there is none.
func (m *maze) walk() []square {
	type visit struct {
		at   square
		die  die
		from int // index of the visit before, -1 for the first
	}
	queue := []visit{{m.start, m.die, -1}}
	var seen [maxRows + 1][maxCols + 1][7][7]bool // by square, top and front
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, dir := range directions {
			to := dir.next(v.at)
			if !m.admits(to, v.die.top) {
				continue
			}
			if to == m.start {
				back := []square{to}
				for j := i; j >= 0; j = queue[j].from {
					back = append(back, queue[j].at)
				}
				slices.Reverse(back)
				return back
			}
			d := v.die.roll(dir)
			if mark := &seen[to.row][to.col][d.top][d.front]; !*mark {
				*mark = true
				queue = append(queue, visit{to, d, i})
			}
		}
	}
	return nil
}
