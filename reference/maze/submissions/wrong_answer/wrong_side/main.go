// Verdict: wrong answer. A move to the left removes the right wall of the cell that it
// comes from, not of the cell that it leads to. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type cell struct{ row, column int }

type maze struct {
	rows, columns int
	visited       map[cell]bool
	floors, sides map[cell]bool // walls that moves have removed
	list          []cell
}

func (m *maze) fresh(c cell) bool {
	return c.row > 0 && c.row <= m.rows && c.column > 0 && c.column <= m.columns && !m.visited[c]
}

func (m *maze) add(c cell) {
	m.visited[c] = true
	m.list = append(m.list, c)
}

func (m *maze) flip(position int) {
	part := m.list[position-1:]
	for i := range part[:len(part)/2] {
		j := len(part) - 1 - i
		part[i], part[j] = part[j], part[i]
	}
}

func (m *maze) dig(next func() string) {
	for len(m.list) > 0 {
		c := m.list[len(m.list)-1]
		up, down := cell{c.row + 1, c.column}, cell{c.row - 1, c.column}
		left, right := cell{c.row, c.column - 1}, cell{c.row, c.column + 1}
		if !m.fresh(up) && !m.fresh(down) && !m.fresh(left) && !m.fresh(right) {
			m.list = m.list[:len(m.list)-1]
			continue
		}
		switch next() {
		case "U":
			m.floors[up] = true
			m.add(up)
		case "D":
			m.floors[c] = true
			m.add(down)
		case "L":
			m.sides[c] = true
			m.add(left)
		case "R":
			m.sides[c] = true
			m.add(right)
		case "F":
			var position int
			fmt.Sscan(next(), &position)
			m.flip(position)
		}
	}
}

func (m *maze) String() string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" _", m.columns) + "\n")
	for row := m.rows; row > 0; row-- {
		b.WriteByte('|')
		for column := 1; column <= m.columns; column++ {
			c := cell{row, column}
			if m.floors[c] {
				b.WriteByte(' ')
			} else {
				b.WriteByte('_')
			}
			if m.sides[c] {
				b.WriteByte(' ')
			} else {
				b.WriteByte('|')
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + "\n"
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	next := func() string {
		in.Scan()
		return in.Text()
	}
	number := func() (n int) {
		fmt.Sscan(next(), &n)
		return n
	}
	for count := number(); count > 0; count-- {
		m := &maze{number(), number(), map[cell]bool{}, map[cell]bool{}, map[cell]bool{}, nil}
		m.add(cell{number(), number()})
		m.dig(next)
		fmt.Print(m)
	}
}
