// Command game solves the flipping game: the fewest moves that turn all chips
// of a 4×4 board to one side, where a move lays a 3×3 pattern on a chosen cell
// and flips the chips under its ones.
//
// # Idea
//
// Flips commute and a move made twice undoes itself, so a way to play is no
// more than a set of centres. Write a set of cells as 16 bits: playing a set of
// centres flips the exclusive or of what each of them flips, which makes the
// game a system of linear equations over the field of two elements.
//
// Elimination of the 16 moves yields two things:
//   - for some cells, a pivot: a combination of moves whose last flipped cell is
//     that one. Every set of cells that can be flipped at all is taken apart by
//     the pivots in one way, and one that cannot leaves a rest;
//   - a basis of the silent combinations, whose moves cancel out.
//
// The ways to flip a given set of cells are one particular way combined with any
// silent one, so the fewest moves are found by walking through the silent ones
// in the order of a Gray code, one exclusive or a step. The game has two such
// targets, the black chips (all become white) and the white chips (all become
// black), and the nearer counts.
//
// All of this is what a first course of linear algebra teaches; that it answers
// puzzles of lights and chips has long been folklore.
//
// # Cost
//
// With d silent generators, at most 16² word operations and 2^d steps for each
// target within reach. 279 of the 512 patterns have d = 0. No other than the
// pattern of zeros has d > 7: take the first one of the pattern in reading order;
// for at least nine centres the cell under it lies on the board, it is the first
// cell that the move flips, and it is another for each of them, so that these nine
// moves are independent. The pattern of zeros has d = 16, but what it can flip is
// no cell at all, and for that no walk is needed. So a game takes less than a
// microsecond, and a few more for its input and output.
//
// # Input
//
// Layout is read tolerantly: LF or CRLF, blanks round a row, empty lines between
// rows, a missing final newline. Anything else that strays from four rows of
// four letters W or B and three rows of three digits 0 or 1 is malformed: one
// line on standard error, exit status 3, nothing on standard output.
package main

import (
	"fmt"
	"io"
	"math/bits"
	"os"
	"strconv"
)

const (
	boardSide   = 4
	patternSide = 3
	cellCount   = boardSide * boardSide

	exitUnwritten = 1
	exitMalformed = 3
)

// cellSet is a set of cells of the board: the cell in row r and column c, both
// from 0 at the upper left, is bit boardSide*r+c. A board is the set of its
// black chips.
type cellSet uint16

func (s cellSet) size() int { return bits.OnesCount16(uint16(s)) }

// A pattern tells whether the chip at [1+down][1+right] from the centre is flipped.
type pattern [patternSide][patternSide]bool

// flippedBy returns, for each centre, the cells that a move there flips.
func flippedBy(p pattern) [cellCount]cellSet {
	var flipped [cellCount]cellSet
	for centre := range flipped {
		top, left := centre/boardSide-1, centre%boardSide-1
		for i, row := range p {
			for j, flips := range row {
				r, c := top+i, left+j
				if flips && 0 <= r && r < boardSide && 0 <= c && c < boardSide {
					flipped[centre] |= 1 << (boardSide*r + c)
				}
			}
		}
	}
	return flipped
}

// A play is a set of moves, named by their centres, and the cells that they flip
// together.
type play struct {
	centres, cells cellSet
}

func (a play) with(b play) play {
	return play{a.centres ^ b.centres, a.cells ^ b.cells}
}

// A game knows all that can be achieved with the moves of one pattern.
type game struct {
	// pivots[i] flips cell i and none after it, or is the zero play where no
	// play was needed to do so.
	pivots [cellCount]play
	// silent generates the sets of centres whose moves flip nothing together.
	silent []cellSet
}

func newGame(p pattern) *game {
	g := new(game)
	for centre, cells := range flippedBy(p) {
		move := g.reduce(play{1 << centre, cells})
		if move.cells == 0 {
			g.silent = append(g.silent, move.centres)
		} else {
			g.pivots[lastCell(move.cells)] = move
		}
	}
	return g
}

// reduce adds pivots to a play until it flips nothing, or until no pivot deals
// with the last cell that it flips.
func (g *game) reduce(p play) play {
	for p.cells != 0 {
		pivot := g.pivots[lastCell(p.cells)]
		if pivot.cells == 0 {
			break
		}
		p = p.with(pivot)
	}
	return p
}

// lastCell returns the number of the last cell of a set that is not empty.
func lastCell(s cellSet) int {
	return bits.Len16(uint16(s)) - 1
}

// fewest returns a smallest set of centres whose moves leave all chips of the
// board on one side, and whether there is any.
func (g *game) fewest(board cellSet) (centres cellSet, possible bool) {
	toWhite, white := g.fewestFlipping(board)
	toBlack, black := g.fewestFlipping(^board)
	if !white || black && toBlack.size() < toWhite.size() {
		return toBlack, black
	}
	return toWhite, true
}

// fewestFlipping returns a smallest set of centres whose moves flip exactly the
// target cells, and whether there is any.
func (g *game) fewestFlipping(target cellSet) (centres cellSet, possible bool) {
	if target == 0 {
		return 0, true
	}
	rest := g.reduce(play{cells: target})
	if rest.cells != 0 {
		return 0, false
	}
	best, centres := rest.centres, rest.centres
	// Step n of a Gray code toggles the generator numbered by the zeros at the end of n.
	for n := uint(1); n < 1<<len(g.silent); n++ {
		centres ^= g.silent[bits.TrailingZeros(n)]
		if centres.size() < best.size() {
			best = centres
		}
	}
	return best, true
}

// solve returns what is to be written for an input; its errors are
// *malformedError.
func solve(in io.Reader) (string, error) {
	board, p, err := read(in)
	if err != nil {
		return "", err
	}
	centres, possible := newGame(p).fewest(board)
	if !possible {
		return "Impossible\n", nil
	}
	return strconv.Itoa(centres.size()) + "\n", nil
}

// run is the program but for the process round it; it returns the exit status.
func run(stdin io.Reader, stdout, stderr io.Writer) int {
	answer, err := solve(stdin)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitMalformed
	}
	if _, err := io.WriteString(stdout, answer); err != nil {
		fmt.Fprintln(stderr, err)
		return exitUnwritten
	}
	return 0
}

func main() {
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr))
}
