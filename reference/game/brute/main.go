// Command brute is a second opinion on game, slow and plain: it tries every set of
// moves. The order of moves does not matter and a move made twice undoes itself, so
// there are no more than 2^16 of them. One after another the cells are chosen as a
// centre or not; only what already has as many moves as the best set found is not
// followed any further.
//
// It trusts its input to be valid. Unlike the reference it answers any number of
// games, one after another, so that a test can ask about thousands at once.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// A field has a bit for each cell, the upper left one highest, so that in binary it
// reads as it looks.
type field uint16

const (
	white field = 0
	black field = 0xffff
)

// impossible is more than all moves together.
const impossible = 17

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var rows [7]string
		for i := range rows {
			if _, err := fmt.Fscan(in, &rows[i]); err == io.EOF && i == 0 {
				return
			} else if err != nil {
				fmt.Fprintln(os.Stderr, err)
				out.Flush()
				os.Exit(3)
			}
		}
		var board field
		for _, chip := range strings.Join(rows[:4], "") {
			board <<= 1
			if chip == 'B' {
				board++
			}
		}
		if moves := fewest(board, effects(rows[4:])); moves < impossible {
			fmt.Fprintln(out, moves)
		} else {
			fmt.Fprintln(out, "Impossible")
		}
	}
}

// effects returns what each of the 16 moves flips.
func effects(pattern []string) (moves []field) {
	for row := range 4 {
		for column := range 4 {
			var flipped field
			for r := range 4 {
				for c := range 4 {
					near := row-1 <= r && r <= row+1 && column-1 <= c && c <= column+1
					flipped <<= 1
					if near && pattern[r-row+1][c-column+1] == '1' {
						flipped++
					}
				}
			}
			moves = append(moves, flipped)
		}
	}
	return moves
}

// fewest returns the size of the smallest set of moves that leaves one colour.
func fewest(board field, moves []field) int {
	best := impossible
	var try func(board field, moves []field, made int)
	try = func(board field, moves []field, made int) {
		switch {
		case made >= best:
		case board == white || board == black:
			best = made
		case len(moves) > 0:
			try(board, moves[1:], made)
			try(board^moves[0], moves[1:], made+1)
		}
	}
	try(board, moves, 0)
	return best
}
