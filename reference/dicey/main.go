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
// solution, since a shortest walk never repeats a state. (That it is the only one
// is not asked here: check/unique.go proves it of every input that is given to a
// contestant.)
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
// Time and memory of one maze are linear in its states. Every roll changes the
// colour of the square, as on a chessboard, and exchanges the even turns of the die
// with the odd ones, so only half of the states can be met: at most 1,200, with
// four rolls each. A roll is tried by looking into two tables: which orientations
// may be rolled onto a square, which also holds the walls, as a border of squares
// that admit none; and what the die looks like afterwards.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
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
	var out []byte
	for _, m := range mazes {
		out = append(out, m.name...)
		out = append(out, '\n')
		out = appendWalk(out, m.walk())
	}
	return out, nil
}

// appendWalk adds the lines below a maze's name; an empty walk means that there
// is no solution.
func appendWalk(out []byte, walk []square) []byte {
	if len(walk) == 0 {
		return append(out, "  No Solution Possible\n"...)
	}
	for i, at := range walk {
		switch {
		case i == 0:
			out = append(out, "  ("...)
		case i%positionsPerLine == 0:
			out = append(out, ",\n  ("...)
		default:
			out = append(out, ",("...)
		}
		out = strconv.AppendInt(out, int64(at.row()), 10)
		out = append(out, ',')
		out = strconv.AppendInt(out, int64(at.col()), 10)
		out = append(out, ')')
	}
	return append(out, '\n')
}
