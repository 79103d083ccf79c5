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
// there is no second loop.
//
// # Cost
//
// A step of the search is some sixty operations on words, whatever the length of
// the diagonal. On 20 by 20 cells a random loop takes hardly more steps than there
// are diagonals, a spiral four times as many, and no grid that we tried to make
// hard a thousand. Reading a puzzle and drawing its loop cost more than solving it.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
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
	var answer []byte
	in := newReader(input)
	for {
		p, err := in.puzzle()
		if err != nil {
			return nil, err
		}
		if p == nil {
			return answer, nil
		}
		side, loops := p.loops()
		switch loops {
		case 0:
			return nil, &malformed{p.line, fmt.Sprintf("puzzle %d has no solution", in.puzzles), "no single loop agrees with all its numbers"}
		case 1:
			answer = fmt.Appendln(answer, in.puzzles)
			answer = p.draw(answer, side)
		default:
			return nil, &malformed{p.line, fmt.Sprintf("puzzle %d has several solutions", in.puzzles), "exactly one loop must agree with all its numbers"}
		}
	}
}

// draw appends the picture of the loop round the inside cells: a frame of '#',
// and within it vertices on every second line and in every fourth column, with
// the edges between them and the numbers amid them.
func (p *puzzle) draw(picture []byte, side *colours) []byte {
	width, height := 4*p.cols+5, 2*p.rows+5
	edge := append(bytes.Repeat([]byte("#"), width), '\n')
	blank := append(bytes.Repeat([]byte(" "), width), '\n')
	blank[0], blank[width-1] = '#', '#'

	begin := len(picture)
	picture = append(picture, edge...)
	for range height - 2 {
		picture = append(picture, blank...)
	}
	picture = append(picture, edge...)

	for i := 0; i <= p.rows; i++ {
		for j := 0; j <= p.cols; j++ {
			// The vertex above and to the left of cell (i, j), and what
			// leaves it to the right and, one line further, downwards.
			vertex := picture[begin+(2+2*i)*(width+1)+2+4*j:]
			under := vertex[width+1:]
			northWest, northEast := side.at(i-1, j-1), side.at(i-1, j)
			southWest, southEast := side.at(i, j-1), side.at(i, j)
			north, south := northWest != northEast, southWest != southEast
			west, east := northWest != southWest, northEast != southEast
			switch {
			case north && south:
				vertex[0] = '|'
			case west && east:
				vertex[0] = '-'
			case north || south:
				vertex[0] = '+'
			}
			if east {
				copy(vertex[1:], "---")
			}
			if south {
				under[0] = '|'
			}
			if i < p.rows && j < p.cols {
				under[2] = '0' + p.number[i][j]
			}
		}
	}
	return picture
}
