// Verdict: memory limit exceeded. The parent of the last state is written down before
// anything else. If the die comes home as it left, that state is the first one too: it
// gets a parent, and the way back runs in a circle. Shown by edge/turn-back.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
)

type node struct{ square, top, front, right int }

type maze struct {
	name          string
	rows, columns int
	start         node
	squares       []int
}

func read(r io.Reader) (m maze) {
	fmt.Fscan(r, &m.name)
	if m.name == "END" {
		return
	}
	var row, column int
	fmt.Fscan(r, &m.rows, &m.columns, &row, &column, &m.start.top, &m.start.front)
	m.start.square = (row-1)*m.columns + column - 1
	m.squares = make([]int, m.rows*m.columns)
	for i := range m.squares {
		fmt.Fscan(r, &m.squares[i])
	}
	for _, axis := range []struct{ top, front, right int }{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {2, 1, 4}, {3, 2, 6}, {1, 3, 5}} {
		t, f, right := axis.top, axis.front, axis.right
		for i := 0; i < 4; i++ {
			if t == m.start.top && f == m.start.front {
				m.start.right = right
			}
			if i%2 == 0 {
				t, right = 7-t, 7-right
			} else {
				f, right = 7-f, 7-right
			}
		}
	}
	return
}

func (m maze) from(n node) (list []node) {
	t, f, r := n.top, n.front, n.right
	if n.square >= m.columns {
		list = append(list, node{n.square - m.columns, f, 7 - t, r})
	}
	if n.square < len(m.squares)-m.columns {
		list = append(list, node{n.square + m.columns, 7 - f, t, r})
	}
	if n.square%m.columns > 0 {
		list = append(list, node{n.square - 1, r, f, 7 - t})
	}
	if n.square%m.columns < m.columns-1 {
		list = append(list, node{n.square + 1, 7 - r, f, t})
	}
	return slices.DeleteFunc(list, func(to node) bool {
		return m.squares[to.square] != -1 && m.squares[to.square] != t
	})
}

func (m maze) solve() (walk []int) {
	parent := map[node]node{}
	queue := []node{m.start}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, to := range m.from(n) {
			if _, ok := parent[to]; ok {
				continue
			}
			parent[to] = n
			if to.square == m.start.square {
				walk = append(walk, to.square)
				for n := parent[to]; ; n = parent[n] {
					walk = append(walk, n.square)
					if _, ok := parent[n]; !ok {
						break
					}
				}
				slices.Reverse(walk)
				return walk
			}
			queue = append(queue, to)
		}
	}
	return nil
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for m := read(in); m.name != "END"; m = read(in) {
		fmt.Fprint(out, m.name)
		walk := m.solve()
		for i, square := range walk {
			if i > 0 {
				fmt.Fprint(out, ",")
			}
			if i%9 == 0 {
				fmt.Fprint(out, "\n  ")
			}
			fmt.Fprintf(out, "(%d,%d)", square/m.columns+1, square%m.columns+1)
		}
		if walk == nil {
			fmt.Fprint(out, "\n  No Solution Possible")
		}
		fmt.Fprintln(out)
	}
	out.Flush()
}
