// Verdict: presentation error. Leaves an empty line between two mazes. Shown by
// sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var grid [12][12]int

type place struct{ r, c int8 }

type state struct {
	place
	top, front int8
}

// right returns the face on the right. Seen from their common corner, top, front and right run the
// same way round as 1, 2 and 3 do.
func right(top, front int8) int8 {
	const around = "\x02\x03\x05\x04\x01\x04\x06\x03\x01\x02\x06\x05"
	base := (min(top, 7-top) - 1) * 4
	for i := int8(0); i < 4; i++ {
		if around[base+i] != byte(front) {
			continue
		}
		if top < 4 {
			return int8(around[base+(i+1)%4])
		}
		return int8(around[base+(i+3)%4])
	}
	return 0
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for count := 0; ; count++ {
		var name string
		var rows, columns int
		var start state
		if fmt.Fscan(in, &name); name == "END" {
			return
		}
		fmt.Fscan(in, &rows, &columns, &start.r, &start.c, &start.top, &start.front)
		grid = [12][12]int{}
		for i := 1; i <= rows; i++ {
			for j := 1; j <= columns; j++ {
				fmt.Fscan(in, &grid[i][j])
			}
		}
		if count > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintln(out, name)

		parents := map[state]state{}
		var walk []place
		queue := []state{start}
		for len(queue) > 0 && walk == nil {
			s := queue[0]
			queue = queue[1:]
			e := right(s.top, s.front)
			for _, n := range []state{
				{place{s.r - 1, s.c}, s.front, 7 - s.top},
				{place{s.r + 1, s.c}, 7 - s.front, s.top},
				{place{s.r, s.c - 1}, e, s.front},
				{place{s.r, s.c + 1}, 7 - e, s.front},
			} {
				if g := grid[n.r][n.c]; g != -1 && g != int(s.top) {
					continue
				}
				if n.place == start.place {
					for walk = []place{n.place}; s != start; s = parents[s] {
						walk = append(walk, s.place)
					}
					walk = append(walk, n.place)
					break
				}
				if _, old := parents[n]; !old {
					parents[n] = s
					queue = append(queue, n)
				}
			}
		}
		if walk == nil {
			fmt.Fprintln(out, "  No Solution Possible")
		}
		for i := len(walk) - 1; i >= 0; i-- {
			k := len(walk) - 1 - i
			if k%9 == 0 {
				out.WriteString("  ")
			}
			fmt.Fprintf(out, "(%d,%d)", walk[i].r, walk[i].c)
			if i > 0 {
				out.WriteString(",")
			}
			if i == 0 || k%9 == 8 {
				out.WriteString("\n")
			}
		}
	}
}
