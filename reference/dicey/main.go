// Command dicey rolls a die through mazes. A numbered square may be entered only by a die that
// shows this number on top before the roll. The program prints the walk that leaves the start
// square and comes back to it.
//
// # Idea
//
// What can happen next depends on two things only: the square that the die lies on, and its
// orientation. A die has 24 orientations (six faces on top, then four in front), so a maze of 100
// squares has at most 2,400 states, each with at most four rolls out of it. A breadth-first search
// over these states finds a shortest walk back.
//
// # Why it is right
//
// A solution is a walk that repeats no state. A shortest walk back is one, so if a maze has a
// single solution, the shortest walk is it. The solver does not check that there is only one:
// check/unique.go proves it for every input that a contestant is given. Three mistakes are easy to
// make:
//
//   - forgetting the orientation: a solution may cross a square several times, each time with the
//     die turned differently;
//   - treating the starting state as visited: the walk may end in this very state. So the search
//     ends when it enters the start square, whatever the orientation, and stores no other state on
//     that square than the first;
//   - looking at the number on top after the roll instead of before it.
//
// A maze with several solutions is not a valid input, but it gets an answer too: of the shortest
// walks the first in alphabetical order, with up before down before left before right. Every state
// tries its rolls in this order, so states of equal distance are queued in the order of their
// walks.
//
// # Complexity
//
// Time and memory for a maze are linear in its states. A roll changes the colour of the square, as
// on a chessboard, and turns an even orientation into an odd one and the other way round. So only
// half of the states can be met: at most 1,200, with four rolls each. A roll looks into two tables:
// one holds, for each square, the orientations in which the die may be rolled onto it, none for the
// border around the maze; the other holds the orientation after the roll.
//
// # Files, in reading order
//
//   - die.go: the orientations of a die, and what a roll does to them
//   - search.go: the search
//   - input.go and lines.go: reading and checking the input
//
// Beside them brute enumerates walks, check validates inputs, and gen makes them.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
)

// positionsPerLine is the number of positions in a line of a solution.
const positionsPerLine = 9

func main() { os.Exit(run(os.Stdin, os.Stdout, os.Stderr)) }

// run solves all mazes of in and returns the exit status: 0, 3 if the input is malformed, 1 if
// reading or writing fails. It writes nothing to out before it has checked the whole input.
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

// solve returns the output for all mazes of in. The error is a *malformed if the input is at fault.
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

// appendWalk appends the lines below a maze's name. An empty walk means that there is no solution.
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
