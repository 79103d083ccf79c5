// Command brute is a second opinion on game, slow and plain: it plays. From the
// board of the input it tries every move on every board met so far, level by
// level, until a board of one colour turns up or there is no new board left.
//
// It trusts its input to be valid.
package main

import (
	"fmt"
	"os"
)

type board [4][4]byte

// oneColour tells whether all chips show the same side.
func oneColour(b board) bool {
	for _, row := range b {
		for _, chip := range row {
			if chip != b[0][0] {
				return false
			}
		}
	}
	return true
}

// flip returns the board after a move with its centre in the given cell.
func flip(b board, pattern [3]string, row, column int) board {
	for i := range 3 {
		for j := range 3 {
			r, c := row+i-1, column+j-1
			if pattern[i][j] == '0' || r < 0 || r > 3 || c < 0 || c > 3 {
				continue
			}
			if b[r][c] == 'W' {
				b[r][c] = 'B'
			} else {
				b[r][c] = 'W'
			}
		}
	}
	return b
}

func main() {
	var start board
	for r := range start {
		var row string
		fmt.Scan(&row)
		copy(start[r][:], row)
	}
	var pattern [3]string
	for i := range pattern {
		fmt.Scan(&pattern[i])
	}

	seen := map[board]bool{start: true}
	level := []board{start}
	for moves := 0; len(level) > 0; moves++ {
		var next []board
		for _, b := range level {
			if oneColour(b) {
				fmt.Println(moves)
				os.Exit(0)
			}
			for row := range 4 {
				for column := range 4 {
					after := flip(b, pattern, row, column)
					if !seen[after] {
						seen[after] = true
						next = append(next, after)
					}
				}
			}
		}
		level = next
	}
	fmt.Println("Impossible")
}
