// Verdict: presentation error. The text of each maze is trimmed before it is printed, and
// with it goes the blank that it begins with. Shown by sample/statement.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
)

func reversed(cells []int) []int {
	result := make([]int, 0, len(cells))
	for i := range cells {
		result = append(result, cells[len(cells)-1-i])
	}
	return result
}

func draw(rows, columns int, doors map[[2]int]bool) string {
	text := strings.Repeat(" _", columns) + "\n"
	for row := rows - 1; row >= 0; row-- {
		line := "|"
		for cell := row * columns; cell < (row+1)*columns; cell++ {
			floor, side := "_", "|"
			if doors[[2]int{cell - columns, cell}] {
				floor = " "
			}
			if cell%columns < columns-1 && doors[[2]int{cell, cell + 1}] && columns > 1 {
				side = " "
			}
			line += floor + side
		}
		text += line + "\n"
	}
	return text
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	words := strings.Fields(string(text))
	number := func() int {
		n, err := strconv.Atoi(words[0])
		if err != nil {
			log.Fatal(err)
		}
		words = words[1:]
		return n
	}
	for mazes := number(); mazes > 0; mazes-- {
		rows, columns := number(), number()
		start := (number()-1)*columns + number() - 1
		visited := make([]bool, rows*columns)
		visited[start] = true
		doors := map[[2]int]bool{}
		list := []int{start}
		for len(list) > 0 {
			cell := list[len(list)-1]
			row, column := cell/columns, cell%columns
			if (row == 0 || visited[cell-columns]) && (row == rows-1 || visited[cell+columns]) &&
				(column == 0 || visited[cell-1]) && (column == columns-1 || visited[cell+1]) {
				list = list[:len(list)-1]
				continue
			}
			command := words[0]
			words = words[1:]
			if command == "F" {
				n := number() - 1
				list = append(list[:n:n], reversed(list[n:])...)
				continue
			}
			to := cell + map[string]int{"U": columns, "D": -columns, "L": -1, "R": 1}[command]
			doors[[2]int{min(cell, to), max(cell, to)}] = true
			visited[to] = true
			list = append(list, to)
		}
		fmt.Println(strings.TrimSpace(draw(rows, columns, doors)))
		fmt.Println()
	}
}
