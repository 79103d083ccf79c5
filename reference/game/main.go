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
// # Cost
//
// With d silent generators, at most 16² word operations and 2^d steps for each
// target within reach. 279 of the 512 patterns have d = 0; the worst is the
// pattern of zeros, d = 16, where only a board of one colour is worth a walk.
//
// # Input
//
// Layout is read tolerantly: LF or CRLF, blanks round a row, empty lines between
// rows, a missing final newline. Anything else that strays from four rows of
// four letters W or B and three rows of three digits 0 or 1 is malformed: one
// line on standard error, exit status 3, nothing on standard output.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strings"
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

// fewest returns the least number of moves that leave all chips of the board on
// one side, and whether there is any.
func (g *game) fewest(board cellSet) (moves int, possible bool) {
	toWhite, white := g.fewestFlipping(board)
	toBlack, black := g.fewestFlipping(^board)
	switch {
	case white && black:
		return min(toWhite, toBlack), true
	case white:
		return toWhite, true
	default:
		return toBlack, black
	}
}

// fewestFlipping returns the least number of moves that flip exactly the target
// cells, and whether any moves do.
func (g *game) fewestFlipping(target cellSet) (moves int, possible bool) {
	rest := g.reduce(play{cells: target})
	if rest.cells != 0 {
		return 0, false
	}
	centres := rest.centres
	moves = bits.OnesCount16(uint16(centres))
	// Step n of a Gray code toggles the generator numbered by the zeros at the end of n.
	for n := uint(1); n < 1<<len(g.silent); n++ {
		centres ^= g.silent[bits.TrailingZeros(n)]
		moves = min(moves, bits.OnesCount16(uint16(centres)))
	}
	return moves, true
}

// A malformedError tells which line of the input breaks the format, and how.
type malformedError struct {
	line int
	what string
}

func (e *malformedError) Error() string {
	return fmt.Sprintf("line %d: %s", e.line, e.what)
}

// A rowReader takes rows off an input of any length in constant memory.
type rowReader struct {
	in   *bufio.Reader
	line int // number of the line read last, from 1
}

// longestRow is how much of a row is kept: enough to see that it is too long.
const longestRow = boardSide + 1

// next returns the first row that is not empty. At the end of the input it
// returns io.EOF, and line is the number that the missing line would have.
func (r *rowReader) next() (string, error) {
	for {
		r.line++
		row, err := r.readLine()
		switch {
		case row != "" && (err == nil || errors.Is(err, io.EOF)):
			return row, nil
		case err != nil:
			return "", err
		}
	}
}

// readLine returns the beginning of the next line without the blanks round it; a
// run of blanks within it counts as one. The last line may come with io.EOF.
func (r *rowReader) readLine() (string, error) {
	var row []byte
	gap := false
	for {
		b, err := r.in.ReadByte()
		switch {
		case err != nil || b == '\n':
			return string(row), err
		case b == ' ' || b == '\t' || b == '\r':
			gap = len(row) > 0
		case len(row) < longestRow:
			if gap {
				row = append(row, ' ')
			}
			row = append(row, b)
			gap = false
		}
	}
}

// expect reads a row of exactly width characters, each one of the two in
// alphabet, and returns for each whether it is the second of them.
func (r *rowReader) expect(of string, width int, alphabet string) ([]bool, error) {
	malformed := func(what string, args ...any) error {
		return &malformedError{r.line, fmt.Sprintf(what, args...) +
			fmt.Sprintf(" (hint: a row of the %s is %d characters %c or %c)", of, width, alphabet[0], alphabet[1])}
	}
	row, err := r.next()
	if errors.Is(err, io.EOF) {
		return nil, malformed("the input ends where a row of the %s is due", of)
	}
	if err != nil {
		return nil, &malformedError{r.line, fmt.Sprintf("the input cannot be read: %v", err)}
	}
	seconds := make([]bool, 0, width)
	for i := range min(len(row), width) {
		k := strings.IndexByte(alphabet, row[i])
		if k < 0 {
			return nil, malformed("%q in a row of the %s", row[i:i+1], of)
		}
		seconds = append(seconds, k == 1)
	}
	switch {
	case len(row) < width:
		return nil, malformed("a row of the %s has only %d characters", of, len(row))
	case len(row) > width:
		return nil, malformed("a row of the %s has more than %d characters", of, width)
	}
	return seconds, nil
}

// read returns the board and the pattern that the input describes.
func read(in io.Reader) (board cellSet, p pattern, err error) {
	rows := rowReader{in: bufio.NewReader(in)}
	for r := range boardSide {
		blacks, err := rows.expect("board", boardSide, "WB")
		if err != nil {
			return 0, p, err
		}
		for c, black := range blacks {
			if black {
				board |= 1 << (boardSide*r + c)
			}
		}
	}
	for i := range p {
		ones, err := rows.expect("pattern", patternSide, "01")
		if err != nil {
			return 0, p, err
		}
		copy(p[i][:], ones)
	}
	switch _, err := rows.next(); {
	case err == nil:
		return 0, p, &malformedError{rows.line, "text after the last row of the pattern (hint: an input holds one game)"}
	case !errors.Is(err, io.EOF):
		return 0, p, &malformedError{rows.line, fmt.Sprintf("the input cannot be read: %v", err)}
	}
	return board, p, nil
}

// solve returns what is to be written for an input; its errors are
// *malformedError.
func solve(in io.Reader) (string, error) {
	board, p, err := read(in)
	if err != nil {
		return "", err
	}
	moves, possible := newGame(p).fewest(board)
	if !possible {
		return "Impossible\n", nil
	}
	return fmt.Sprintf("%d\n", moves), nil
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
