// Verdict: accepted. The list is doubly linked, and does not record which of the two links
// of a cell leads which way: a flip only exchanges two pairs of links. Only finding the
// position takes time.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type node struct {
	row, column int
	links       [2]*node
}

// replace makes b the neighbour of n in the place of a.
func (n *node) replace(a, b *node) {
	if n.links[0] == a {
		n.links[0] = b
	} else {
		n.links[1] = b
	}
}

// beyond returns the neighbour of n that is not from.
func (n *node) beyond(from *node) *node {
	if n.links[0] == from {
		return n.links[1]
	}
	return n.links[0]
}

// A list has a guard before its first node and one behind its last.
type list struct {
	front, back *node
	length      int
}

func newList() *list {
	l := &list{front: &node{}, back: &node{}}
	l.front.links[0], l.back.links[0] = l.back, l.front
	return l
}

func (l *list) last() *node { return l.back.links[0] }

func (l *list) push(row, column int) {
	n := &node{row, column, [2]*node{l.last(), l.back}}
	l.last().replace(l.back, n)
	l.back.links[0] = n
	l.length++
}

func (l *list) pop() {
	n := l.last()
	before := n.beyond(l.back)
	before.replace(n, l.back)
	l.back.links[0] = before
	l.length--
}

func (l *list) flip(position int) {
	var before, at *node
	if position <= l.length/2 {
		before, at = l.front, l.front.links[0]
		for i := 1; i < position; i++ {
			before, at = at, at.beyond(before)
		}
	} else {
		next := l.back
		at = l.last()
		for i := l.length; i > position; i-- {
			next, at = at, at.beyond(next)
		}
		before = at.beyond(next)
	}
	last := l.last()
	if at == last {
		return
	}
	before.replace(at, last)
	last.replace(l.back, before)
	at.replace(before, l.back)
	l.back.links[0] = at
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	word := func() string {
		b, err := in.ReadByte()
		for err == nil && b <= ' ' {
			b, err = in.ReadByte()
		}
		var w []byte
		for ; err == nil && b > ' '; b, err = in.ReadByte() {
			w = append(w, b)
		}
		return string(w)
	}
	number := func() (n int) {
		for _, digit := range word() {
			n = 10*n + int(digit-'0')
		}
		return n
	}
	for mazes := number(); mazes > 0; mazes-- {
		rows, columns := number(), number()
		type cell struct{ visited, noFloor, noSide bool }
		grid := make([][]cell, rows+2)
		for r := range grid {
			grid[r] = make([]cell, columns+2)
			for c := range grid[r] {
				grid[r][c].visited = r == 0 || r > rows || c == 0 || c > columns
			}
		}
		cells := newList()
		visit := func(r, c int) *cell {
			grid[r][c].visited = true
			cells.push(r, c)
			return &grid[r][c]
		}
		visit(number(), number())
		for cells.length > 0 {
			r, c := cells.last().row, cells.last().column
			if grid[r+1][c].visited && grid[r-1][c].visited && grid[r][c+1].visited && grid[r][c-1].visited {
				cells.pop()
				continue
			}
			switch word() {
			case "U":
				visit(r+1, c).noFloor = true
			case "D":
				grid[r][c].noFloor = true
				visit(r-1, c)
			case "L":
				visit(r, c-1).noSide = true
			case "R":
				grid[r][c].noSide = true
				visit(r, c+1)
			case "F":
				cells.flip(number())
			}
		}
		for c := 0; c < columns; c++ {
			out.WriteString(" _")
		}
		out.WriteByte('\n')
		for r := rows; r > 0; r-- {
			out.WriteByte('|')
			for c := 1; c <= columns; c++ {
				floor, side := byte('_'), byte('|')
				if grid[r][c].noFloor {
					floor = ' '
				}
				if grid[r][c].noSide {
					side = ' '
				}
				out.Write([]byte{floor, side})
			}
			out.WriteByte('\n')
		}
		fmt.Fprintln(out)
	}
}
