// Verdict: accepted.
// The list is a treap ordered by position, in which a flip is a cut, a reverse
// mark on the root of one part and a join: O(log L) a flip.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type node struct {
	row, column int
	priority    uint32
	size        int
	reversed    bool // the whole subtree is to be read backwards
	left, right *node
}

func size(n *node) int {
	if n == nil {
		return 0
	}
	return n.size
}

// settle hands the reverse mark down to the children.
func (n *node) settle() {
	if !n.reversed {
		return
	}
	n.reversed = false
	n.left, n.right = n.right, n.left
	for _, child := range []*node{n.left, n.right} {
		if child != nil {
			child.reversed = !child.reversed
		}
	}
}

// split separates the first k cells from the others.
func split(n *node, k int) (head, tail *node) {
	if n == nil {
		return nil, nil
	}
	n.settle()
	if k <= size(n.left) {
		head, n.left = split(n.left, k)
		tail = n
	} else {
		n.right, tail = split(n.right, k-size(n.left)-1)
		head = n
	}
	n.size = size(n.left) + size(n.right) + 1
	return head, tail
}

func join(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.priority > b.priority:
		a.settle()
		a.right = join(a.right, b)
		a.size = size(a.left) + size(a.right) + 1
		return a
	default:
		b.settle()
		b.left = join(a, b.left)
		b.size = size(b.left) + size(b.right) + 1
		return b
	}
}

func last(n *node) *node {
	for {
		n.settle()
		if n.right == nil {
			return n
		}
		n = n.right
	}
}

var steps = map[byte][2]int{'U': {1, 0}, 'D': {-1, 0}, 'L': {0, -1}, 'R': {0, 1}}

func main() {
	words := bufio.NewScanner(os.Stdin)
	words.Split(bufio.ScanWords)
	word := func() string {
		words.Scan()
		return words.Text()
	}
	number := func() int {
		value := 0
		for _, digit := range []byte(word()) {
			value = 10*value + int(digit-'0')
		}
		return value
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()

	seed := uint32(1)
	for mazes := number(); mazes > 0; mazes-- {
		rows, columns := number(), number()
		row, column := number(), number()

		var visited, noFloor, noSide [41][41]bool
		open := func(r, c int) bool {
			return 1 <= r && r <= rows && 1 <= c && c <= columns && !visited[r][c]
		}
		var list *node
		visit := func(r, c int) {
			visited[r][c] = true
			seed = seed*1664525 + 1013904223
			list = join(list, &node{row: r, column: c, priority: seed, size: 1})
		}
		visit(row, column)
		for list != nil {
			here := last(list)
			r, c := here.row, here.column
			if !open(r+1, c) && !open(r-1, c) && !open(r, c-1) && !open(r, c+1) {
				list, _ = split(list, list.size-1)
				continue
			}
			command := word()[0]
			switch command {
			case 'F':
				head, tail := split(list, number()-1)
				tail.reversed = !tail.reversed
				list = join(head, tail)
				continue
			case 'U':
				noFloor[r+1][c] = true
			case 'D':
				noFloor[r][c] = true
			case 'L':
				noSide[r][c-1] = true
			case 'R':
				noSide[r][c] = true
			}
			visit(r+steps[command][0], c+steps[command][1])
		}

		look := func(gone bool, wall byte) byte {
			if gone {
				return ' '
			}
			return wall
		}
		for i := 0; i < columns; i++ {
			out.WriteString(" _")
		}
		fmt.Fprintln(out)
		for r := rows; r >= 1; r-- {
			out.WriteByte('|')
			for c := 1; c <= columns; c++ {
				out.WriteByte(look(noFloor[r][c], '_'))
				out.WriteByte(look(noSide[r][c], '|'))
			}
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out)
	}
}
