// Command slink solves Slink puzzles: Slitherlink with a number in every cell. The solution is one
// closed loop along sides of cells, and each number is how many sides of its cell are on the loop.
//
// # Idea: two colours
//
// A closed loop splits the cells of the grid into those inside and those outside, and everything
// around the grid is outside. The loop runs exactly where the two colours meet, so the number of a
// cell is the number of its four neighbours that have the other colour. So the program looks for
// colours instead of edges.
//
// Write diagonal t for the cells (i, j) with i+j = t, as a word whose bit i is set if (i, t-i) is
// inside. The neighbours of a cell on diagonal t are
//
//	above (i-1, j) and left (i, j-1)    on diagonal t-1, bits i-1 and i
//	right (i, j+1) and below (i+1, j)   on diagonal t+1, bits i and i+1
//
// Each neighbour that differs from the cell adds 1 to its number. Modulo 2 the cell's own colour
// cancels out, because it is counted four times:
//
//	right + below  =  number + above + left    (mod 2)
//
// So if diagonals t-1 and t are known, neighbouring bits of diagonal t+1 determine each other: the
// whole diagonal is a running parity, known except for one bit. Two complementary words remain.
// Counting the numbers on diagonal t exactly, for all cells at once, eliminates nearly all wrong
// words. If diagonal t+1 begins right of the grid or ends below it, its bit there is outside, which
// leaves no choice at all: only the first min(rows, cols) diagonals branch. No other words are
// possible, so the search meets every colouring that obeys the numbers exactly once.
//
// # Why it is right: one loop
//
// A colouring that obeys the numbers may still bound several loops, touch itself at a vertex, or
// have nothing inside. We walk along the loop from the first inside cell and refuse a vertex where
// two inside cells meet only by their corners. Every edge of a loop belongs to exactly one inside
// cell, so the number of all edges is the sum of the numbers of the inside cells: the walk has this
// length if and only if there is no second loop. (A grid of one cell never has a solution, because
// its loop would need the number 4.)
//
// # Complexity: why the search stays small
//
// With 20 diagonals that may branch one fears a million colourings. But when do both words for
// diagonal t+1 survive? Exchanging them changes right and below of every cell on diagonal t, which
// changes the count of a cell by two if its right and below have the same colour. So both survive
// only if right and below differ for every cell. Then the parity determines for each cell whether
// above and left differ, and because diagonal t-1 continues around the grid, where all is outside,
// this determines all of diagonal t-1. Diagonal t-1 and the numbers on diagonal t-2 determine
// diagonal t-3 in the same way, and so on. That is:
//
//	Colourings up to diagonal t that branch agree on diagonals t-1, t-3, ...
//
// Let a(t) be the maximum number of colourings up to diagonal t that agree on diagonals t-1, t-3
// and so on. Remove diagonal t from such colourings. At most a(t-2) different ones are left,
// because diagonal t-1, on which all agree, can be removed as well. Those of them that branched to
// diagonal t agree on t-2, t-4, ... too, so there is only one. Hence a(t) <= a(t-2)+1 and, because
// a(0) and a(1) are at most 2, a(t) <= t/2+2. There are two colourings of diagonal 0, and at most
// a(t) more of diagonal t+1 than of diagonal t.
//
// So there are O(n^2) colourings of a diagonal and O(n^3) steps for any numbers, whether there is
// one solution, several, or none: on 20 by 20 cells at most 121 and 3,244. The hardest numbers that
// hill climbing found have 36 colourings of a diagonal and take fewer than 900 steps; the hardest
// with a solution take half as many. A random loop takes hardly more steps than there are
// diagonals, a spiral four times as many. A step is some fifty operations on words, whatever the
// length of the diagonal, so reading a puzzle and drawing its loop cost as much as solving it.
//
// People who solve Slitherlinks know well that looking at inside and outside is easier than looking
// at edges; the diagonals and the bound are our own.
//
// # Files, in reading order
//
//   - search.go: a puzzle, its diagonals and the search
//   - read.go: reading and checking the input
//   - draw.go: the drawing of a solution
//
// Beside them brute decides edge after edge, check validates inputs, and gen makes them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// The exit statuses distinguish malformed input from a failure to read or write.
const (
	exitOK        = 0
	exitIO        = 1
	exitMalformed = 3
)

func main() {
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr))
}

// run solves the puzzles of stdin and returns the exit status. It writes nothing to stdout unless
// the whole input is well-formed.
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

// solve returns the drawings of all puzzles of the input, each below its number. The error is a
// *malformed, or an error of reading.
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
