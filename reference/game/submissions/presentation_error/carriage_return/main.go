// Verdict: presentation error. Lines end in CR LF, as its author's files do. Shown by
// sample/statement.
package main

import (
	"fmt"
	"strconv"
)

const eol = "\r\n"

var pattern [3]string

// turn returns the board after a move at the cell.
func turn(board [16]bool, cell int) [16]bool {
	for i := -1; i < 2; i++ {
		for j := -1; j < 2; j++ {
			y, x := cell/4+i, cell%4+j
			if pattern[i+1][j+1] == '1' && y >= 0 && y < 4 && x >= 0 && x < 4 {
				board[4*y+x] = !board[4*y+x]
			}
		}
	}
	return board
}

func main() {
	var board, white, black [16]bool
	for i := 0; i < 4; i++ {
		var line string
		fmt.Scan(&line)
		for j, chip := range line {
			board[4*i+j] = chip == 'B'
			black[4*i+j] = true
		}
	}
	fmt.Scan(&pattern[0], &pattern[1], &pattern[2])

	answer := "Impossible"
	distance := map[[16]bool]int{board: 0}
	for queue := [][16]bool{board}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if b == white || b == black {
			answer = strconv.Itoa(distance[b])
			break
		}
		for cell := range b {
			if next := turn(b, cell); distance[next] == 0 && next != board {
				distance[next] = distance[b] + 1
				queue = append(queue, next)
			}
		}
	}
	fmt.Print(answer, eol)
}
