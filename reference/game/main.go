// Command game solves the flipping game: the fewest moves that turn all chips of a 4×4 board to one
// side. A move lays the middle of a 3×3 pattern on a cell, the centre of the move, and flips the
// chips under the ones of the pattern.
//
// # Idea
//
// Flips commute, and a move made twice undoes itself, so a way to play is just a set of centres.
// Write a set of cells as 16 bits. Then a set of moves flips the exclusive or of the sets that its
// moves flip, so the game is a system of linear equations over the field of two elements.
//
// Gaussian elimination of the 16 moves yields two things:
//   - pivots: for some cells, a set of moves that flips this cell and no later one. If a set of
//     cells can be flipped, it is the sum of pivots in exactly one way. If not, subtracting pivots
//     leaves a remainder;
//   - a basis of the silent combinations: the sets of moves that flip nothing together.
//
// Take one way to flip a given set of cells; combined with each of the silent combinations it
// yields all ways. A Gray code walks through these with one exclusive or per step and finds the
// fewest moves. There are two sets to try, the black chips (then all are white) and the white chips
// (then all are black); the smaller answer counts.
//
// All of this is first-year linear algebra; its use for puzzles of lights and chips has long been
// folklore.
//
// # Complexity
//
// Let d be the size of the silent basis. Elimination takes at most 16² word operations, and each of
// the two sets, if it can be flipped, 2^d steps. 279 of the 512 patterns have d = 0. Only the
// pattern of zeros has d > 7. In any other pattern, look at the first 1 in reading order: for at
// least nine centres the cell under it is on the board. That cell is then the first one that the
// move flips, and it differs from centre to centre, so these nine moves are independent. The
// pattern of zeros has d = 16, but can only flip the empty set, which needs no walk. So a game
// takes less than a microsecond, and its input and output a few more.
//
// # Input
//
// Layout is tolerated: LF or CRLF, blanks around a row, empty lines between rows, a missing final
// newline. Anything but four rows of four letters W or B and three rows of three digits 0 or
// 1 is malformed: one line on standard error, exit status 3, nothing on standard output.
//
// # Files
//
// The algorithm is all in this file, from newGame to fewestFlipping; input.go reads and checks the
// input. Beside them brute tries all sets of moves, check validates inputs, and gen makes them.
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

// A pattern holds true at [1+down][1+right] if a move flips the chip there, seen from its centre.
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

// A play is a set of moves, given by their centres, with the cells that they flip together.
type play struct {
	centres, cells cellSet
}

func (a play) with(b play) play {
	return play{a.centres ^ b.centres, a.cells ^ b.cells}
}

// A game holds the result of the elimination for one pattern.
type game struct {
	// pivots[i] is a play that flips cell i and no later one, or zero if elimination found none.
	pivots [cellCount]play
	// silent is a basis of the sets of centres whose moves flip nothing together.
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

// reduce adds pivots to a play until the play flips nothing, or until the last cell that it flips
// has no pivot.
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

// lastCell returns the number of the last cell of a non-empty set.
func lastCell(s cellSet) int {
	return bits.Len16(uint16(s)) - 1
}

// fewest returns a smallest set of centres whose moves turn all chips of the board to one side, or
// false if there is none.
func (g *game) fewest(board cellSet) (centres cellSet, possible bool) {
	toWhite, white := g.fewestFlipping(board)
	toBlack, black := g.fewestFlipping(^board)
	if !white || black && toBlack.size() < toWhite.size() {
		return toBlack, black
	}
	return toWhite, true
}

// fewestFlipping returns a smallest set of centres whose moves flip exactly the target cells, or
// false if there is none.
func (g *game) fewestFlipping(target cellSet) (centres cellSet, possible bool) {
	if target == 0 {
		return 0, true
	}
	rest := g.reduce(play{cells: target})
	if rest.cells != 0 {
		return 0, false
	}
	best, centres := rest.centres, rest.centres
	// Step n of a Gray code toggles the generator whose number is the count of trailing zeros of n.
	for n := uint(1); n < 1<<len(g.silent); n++ {
		centres ^= g.silent[bits.TrailingZeros(n)]
		if centres.size() < best.size() {
			best = centres
		}
	}
	return best, true
}

// solve returns the output for an input. Its errors are *malformedError.
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

// run reads, solves and writes, and returns the exit status.
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
