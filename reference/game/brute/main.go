// Command brute is a slow, independent solver of the flipping game. It tries every set of moves:
// their order does not matter and a move made twice undoes itself, so there are at most 2^16 sets.
// It decides for one cell after another whether it is a centre, and follows a partial set only
// while it has fewer moves than the best set found.
//
// It trusts its input. Unlike the reference it solves any number of games, one after another, so
// that a test can ask about thousands at once. It has no flags.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// A field has a bit for each cell, which is 1 for a black or flipped chip. The upper left cell is
// the highest bit, so that the binary form reads like the input.
type field uint16

const (
	white field = 0
	black field = 0xffff
)

// impossible is the result for a game that cannot be won: more moves than there are cells.
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

// effects returns, for each of the 16 moves, the cells that it flips.
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

// fewest returns the size of the smallest set of moves that leaves one colour, or impossible.
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
