// Command slink solves Slink puzzles: Slitherlink with a number in every cell.
//
// # Two colours
//
// A closed loop splits the cells of the grid into those inside and those
// outside, and everything round the grid is outside. The loop runs exactly
// where the two colours meet, so the number of a cell says how many of its four
// neighbours have the other colour. Instead of edges we look for colours.
//
// # Diagonal by diagonal
//
// Write diagonal t for the cells (i, j) with i+j = t, as a word whose bit i is
// set when (i, t-i) is inside. The neighbours of a cell on diagonal t are
//
//	above (i-1, j) and left (i, j-1)    on diagonal t-1, bits i-1 and i
//	right (i, j+1) and below (i+1, j)   on diagonal t+1, bits i and i+1
//
// Each neighbour that differs from the cell adds 1 to its number, and modulo 2
// the cell's own colour cancels out (it is counted four times):
//
//	right + below  =  number + above + left    (mod 2)
//
// Hence, with diagonals t-1 and t known, neighbouring bits of diagonal t+1 are
// tied to each other: the whole diagonal is a running parity, known but for one
// bit. Two complementary words remain, and the numbers on diagonal t, counted
// exactly and for all cells at once, throw out nearly all wrong ones. When the
// diagonal begins right of the grid or ends below it, that bit is outside and
// there is not even this choice: only the first min(rows, cols) diagonals
// branch. The words of diagonal t+1 that survive are all there are, so the
// search meets every colouring that obeys the numbers, once.
//
// # One loop
//
// Such a colouring may still bound several loops, touch itself at a vertex, or
// have nothing inside. We walk along the loop from the first inside cell on and
// refuse a vertex where two inside cells meet only by their corners. Every edge
// of a loop lies on exactly one inside cell, so all edges together are the sum
// of the numbers of the inside cells: the walk has this length if and only if
// there is no second loop. (A grid of one cell never has a solution, as its loop
// would need the number 4.)
//
// # Why the search stays small
//
// With 20 diagonals that branch one fears a million colourings. But when do both
// words for diagonal t+1 survive? Turning one into the other turns right and
// below of every cell on diagonal t, which changes its count by two if they have
// the same colour. So they have different colours everywhere; then the parity
// tells of each cell whether above and left differ, and as the diagonal goes on
// round the grid, where all is outside, this tells all of diagonal t-1. From it
// and the numbers on diagonal t-2 follows diagonal t-3 in the same way, and so
// on. That is:
//
//	Colourings up to diagonal t that branch agree on diagonals t-1, t-3, ...
//
// Let a(t) be how many colourings up to diagonal t at most agree on these. Leave
// out diagonal t: at most a(t-2) are left, which agree on t-3, t-5, ..., and of
// them those that branched to diagonal t agreed on t-2, t-4, ... as well and are
// only one. Hence a(t) <= a(t-2)+1 and, as a(0) and a(1) are at most 2,
// a(t) <= t/2+2. Diagonal t+1 has at most that many colourings more than
// diagonal t, which has two for t = 0.
//
// So there are O(n^2) colourings of a diagonal and O(n^3) steps for any numbers,
// be there one solution, several, or none: on 20 by 20 cells no more than 121 and
// 3,244. The most that hill-climbing found is 36 and fewer than 900 steps, and half
// as many where there is a solution; a random loop takes hardly more steps than
// there are diagonals, a spiral four times as many. A step is some fifty operations
// on words, whatever the length of the diagonal, so that reading a puzzle and
// drawing its loop cost as much as solving it.
//
// That inside and outside make a Slitherlink easier than its edges do is widely
// known among solvers; the diagonals and the bound are our own.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// Exit statuses: a broken input is told apart from a pipe that broke.
const (
	exitOK        = 0
	exitIO        = 1
	exitMalformed = 3
)

func main() {
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr))
}

// run solves the puzzles of stdin and returns the exit status. Nothing is
// written to stdout unless the whole input is well-formed.
func run(stdin io.Reader, stdout, stderr io.Writer) int {
	answer, err := solve(stdin)
	if err == nil {
		_, err = stdout.Write(answer)
	}
	var bad *malformed
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &bad):
		fmt.Fprintln(stderr, bad)
		return exitMalformed
	default:
		fmt.Fprintln(stderr, "slink:", err)
		return exitIO
	}
}

// solve returns the drawings of all puzzles of the input, each below its
// number. The error is a *malformed, or what reading returned.
func solve(input io.Reader) ([]byte, error) {
	var (
		answer []byte
		p      puzzle
		s      search
	)
	in := newReader(input)
	for {
		more, err := in.next(&p)
		if err != nil {
			return nil, err
		}
		if !more {
			return answer, nil
		}
		switch s.run(&p) {
		case 0:
			return nil, &malformed{p.line, fmt.Sprintf("puzzle %d has no solution", in.puzzles), "no single loop agrees with all its numbers"}
		case 1:
			answer = append(strconv.AppendInt(answer, int64(in.puzzles), 10), '\n')
			answer = p.draw(answer, &s.found)
		default:
			return nil, &malformed{p.line, fmt.Sprintf("puzzle %d has several solutions", in.puzzles), "exactly one loop must agree with all its numbers"}
		}
	}
}
