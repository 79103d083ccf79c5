// Command brute draws mazes slowly, as an independent second solver. It has no flags.
//
// It follows the statement word by word, with a plain list: a flip removes the cells from its
// position on and appends them again one by one, the last one first. The picture is the only record
// of the walls: it begins with all of them, and every move erases one character. The program trusts
// its input.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type cell struct{ row, column int }

// moved returns the cell that a command leads to.
func (c cell) moved(direction string) cell {
	switch direction {
	case "U":
		c.row++
	case "D":
		c.row--
	case "L":
		c.column--
	case "R":
		c.column++
	default:
		panic("unknown command " + direction)
	}
	return c
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	read := func(values ...any) {
		if _, err := fmt.Fscan(in, values...); err != nil {
			panic(err)
		}
	}
	var mazes int
	read(&mazes)
	for range mazes {
		for _, line := range draw(read) {
			fmt.Fprintf(out, "%s\n", line)
		}
		fmt.Fprintln(out)
	}
}

// draw reads one maze and returns the lines of its picture.
func draw(read func(...any)) [][]byte {
	var rows, columns int
	var start cell
	read(&rows, &columns, &start.row, &start.column)

	// picture[0] is the top line; the line of row r is picture[rows+1-r], in which the
	// floor of column c is at 2c-1 and the wall to its right at 2c.
	picture := [][]byte{[]byte(strings.Repeat(" _", columns))}
	for range rows {
		picture = append(picture, []byte("|"+strings.Repeat("_|", columns)))
	}
	erase := func(c cell, offset int) { picture[rows+1-c.row][2*c.column+offset] = ' ' }

	visited := map[cell]bool{start: true}
	list := []cell{start}
	for len(list) > 0 {
		last := list[len(list)-1]
		if !alive(last, visited, rows, columns) {
			list = list[:len(list)-1]
			continue
		}
		var command string
		read(&command)
		if command == "F" {
			var position int
			read(&position)
			taken := list[position-1:]
			list = append([]cell(nil), list[:position-1]...)
			for len(taken) > 0 {
				list = append(list, taken[len(taken)-1])
				taken = taken[:len(taken)-1]
			}
			continue
		}
		next := last.moved(command)
		switch command {
		case "U":
			erase(next, -1)
		case "D":
			erase(last, -1)
		case "L":
			erase(next, 0)
		case "R":
			erase(last, 0)
		}
		visited[next] = true
		list = append(list, next)
	}
	return picture
}

// alive reports whether a cell has a neighbour that has not been visited.
func alive(c cell, visited map[cell]bool, rows, columns int) bool {
	for _, direction := range []string{"U", "D", "L", "R"} {
		next := c.moved(direction)
		inside := 1 <= next.row && next.row <= rows && 1 <= next.column && next.column <= columns
		if inside && !visited[next] {
			return true
		}
	}
	return false
}
