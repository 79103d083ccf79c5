// Verdict: wrong answer. Before the next command, only one dead cell is removed from the
// end of the list, by an "if" where a loop is needed. Shown by edge/one-row-from-inside.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

const side = 41

type field [side][side]struct{ done, openBelow, openRight bool }

type at struct{ y, x int }

var compass = map[byte]at{'U': {1, 0}, 'D': {-1, 0}, 'R': {0, 1}, 'L': {0, -1}}

func solve(in io.Reader, out io.Writer) {
	var rows, cols, y, x int
	fmt.Fscan(in, &rows, &cols, &y, &x)
	var f field
	left := rows*cols - 1
	inside := func(p at) bool { return p.y >= 1 && p.y <= rows && p.x >= 1 && p.x <= cols }
	f[y][x].done = true
	list := []at{{y, x}}
	for left > 0 && len(list) > 0 {
		p := list[len(list)-1]
		dead := true
		for _, d := range compass {
			q := at{p.y + d.y, p.x + d.x}
			dead = dead && (!inside(q) || f[q.y][q.x].done)
		}
		if dead {
			list = list[:len(list)-1]
			if len(list) == 0 {
				break
			}
			p = list[len(list)-1]
		}
		var command string
		if _, err := fmt.Fscan(in, &command); err != nil {
			break
		}
		if command == "F" {
			var n int
			fmt.Fscan(in, &n)
			for i, j := n-1, len(list)-1; i >= 0 && i < j; i, j = i+1, j-1 {
				list[i], list[j] = list[j], list[i]
			}
			continue
		}
		d := compass[command[0]]
		q := at{p.y + d.y, p.x + d.x}
		if !inside(q) || f[q.y][q.x].done {
			continue
		}
		f[q.y][q.x].done = true
		left--
		list = append(list, q)
		switch command {
		case "U":
			f[q.y][q.x].openBelow = true
		case "D":
			f[p.y][p.x].openBelow = true
		case "L":
			f[q.y][q.x].openRight = true
		case "R":
			f[p.y][p.x].openRight = true
		}
	}
	for x := 1; x <= cols; x++ {
		fmt.Fprint(out, " _")
	}
	fmt.Fprintln(out)
	marks := func(open bool, wall string) string {
		if open {
			return " "
		}
		return wall
	}
	for y := rows; y > 0; y-- {
		fmt.Fprint(out, "|")
		for x := 1; x <= cols; x++ {
			fmt.Fprint(out, marks(f[y][x].openBelow, "_"), marks(f[y][x].openRight, "|"))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var mazes int
	for fmt.Fscan(in, &mazes); mazes > 0; mazes-- {
		solve(in, out)
	}
}
