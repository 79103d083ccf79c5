// Command brute draws mazes slowly, as a second opinion on the reference.
//
// It shares no idea with it. There is no list: every pending cell knows its own
// position in it, and a flip from position n renumbers each of them, since what
// stands at position p >= n comes to stand at n + length - p. There are no walls
// either: the picture with all its walls is drawn first, and every move rubs one
// character out of it. The input is taken to be well-formed.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type cell struct{ row, column int }

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
		var rows, columns int
		var start cell
		read(&rows, &columns, &start.row, &start.column)

		// picture[0] is the top line; the line of row r is picture[rows+1-r], in
		// which the floor of column c is at 2c-1 and the wall to its right at 2c.
		picture := [][]byte{[]byte(strings.Repeat(" _", columns))}
		for range rows {
			picture = append(picture, []byte("|"+strings.Repeat("_|", columns)))
		}
		rubOut := func(c cell, offset int) { picture[rows+1-c.row][2*c.column+offset] = ' ' }

		visited := map[cell]bool{start: true}
		position := map[cell]int{start: 1}
		for len(position) > 0 {
			var last cell
			for c, p := range position {
				if p == len(position) {
					last = c
				}
			}
			dead := true
			for _, direction := range []string{"U", "D", "L", "R"} {
				next := last.moved(direction)
				inside := 1 <= next.row && next.row <= rows && 1 <= next.column && next.column <= columns
				if inside && !visited[next] {
					dead = false
				}
			}
			if dead {
				delete(position, last)
				continue
			}
			var command string
			read(&command)
			if command == "F" {
				var from int
				read(&from)
				length := len(position)
				for c, p := range position {
					if p >= from {
						position[c] = from + length - p
					}
				}
				continue
			}
			next := last.moved(command)
			switch command {
			case "U":
				rubOut(next, -1)
			case "D":
				rubOut(last, -1)
			case "L":
				rubOut(next, 0)
			case "R":
				rubOut(last, 0)
			}
			visited[next] = true
			position[next] = len(position) + 1
		}
		for _, line := range picture {
			fmt.Fprintf(out, "%s\n", line)
		}
		fmt.Fprintln(out)
	}
}
