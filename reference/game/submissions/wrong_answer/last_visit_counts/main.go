// Verdict: wrong answer. A breadth-first search that writes down the number of moves
// whenever it meets a board, not only the first time: boards that are met again get too
// large a number. Shown by edge/white-already.
package main

import "fmt"

func main() {
	rows := make([]string, 7)
	for i := range rows {
		fmt.Scanln(&rows[i])
	}

	at := func(r, c int) (bit int) {
		if r >= 0 && r <= 3 && c >= 0 && c <= 3 {
			bit = 1 << uint(r*4+c)
		}
		return
	}
	begin := 0
	for r := 0; r < 4; r++ {
		for c := 0; c < 4; c++ {
			if rows[r][c] == 'B' {
				begin |= at(r, c)
			}
		}
	}

	type entry struct{ board, moves int }
	known := map[int]int{begin: 0}
	expanded := map[int]bool{}
	for queue := []entry{{begin, 0}}; len(queue) > 0; queue = queue[1:] {
		e := queue[0]
		if expanded[e.board] {
			continue
		}
		expanded[e.board] = true
		for r := 0; r < 4; r++ {
			for c := 0; c < 4; c++ {
				to := e.board
				for i, row := range rows[4:] {
					for j, digit := range row {
						if digit == '1' {
							to ^= at(r+i-1, c+j-1)
						}
					}
				}
				known[to] = e.moves + 1
				queue = append(queue, entry{to, e.moves + 1})
			}
		}
	}

	best := -1
	for _, goal := range []int{0, 65535} {
		if n, ok := known[goal]; ok && (best < 0 || n < best) {
			best = n
		}
	}
	if best < 0 {
		fmt.Println("Impossible")
	} else {
		fmt.Println(best)
	}
}
