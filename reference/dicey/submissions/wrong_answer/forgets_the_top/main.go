// Verdict: wrong answer. A state is a square and the number in front; the same square
// with another number on top counts as met already. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type Cube struct{ top, front, right int }

func (c Cube) Up() Cube    { return Cube{c.front, 7 - c.top, c.right} }
func (c Cube) Down() Cube  { return Cube{7 - c.front, c.top, c.right} }
func (c Cube) Left() Cube  { return Cube{c.right, c.front, 7 - c.top} }
func (c Cube) Right() Cube { return Cube{7 - c.right, c.front, c.top} }

type Spot struct{ row, column int }

type Node struct {
	Spot
	Cube
	previous *Node
}

type Visited struct {
	Spot
	front int
}

func orient(top, front int) Cube {
	todo := []Cube{{1, 2, 3}}
	seen := map[Cube]bool{}
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		if c.top == top && c.front == front {
			return c
		}
		if !seen[c] {
			seen[c] = true
			todo = append(todo, c.Up(), c.Left())
		}
	}
	panic("no such die")
}

func solve(field map[Spot]int, first *Node) *Node {
	visited := map[Visited]bool{}
	queue := []*Node{first}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, next := range []Node{
			{Spot{n.row - 1, n.column}, n.Up(), n},
			{Spot{n.row + 1, n.column}, n.Down(), n},
			{Spot{n.row, n.column - 1}, n.Left(), n},
			{Spot{n.row, n.column + 1}, n.Right(), n},
		} {
			number := field[next.Spot]
			if number != -1 && number != n.top {
				continue
			}
			if next.Spot == first.Spot {
				return &next
			}
			key := Visited{next.Spot, next.front}
			if !visited[key] {
				visited[key] = true
				queue = append(queue, &next)
			}
		}
	}
	return nil
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var name string
		fmt.Fscan(in, &name)
		if name == "END" {
			return
		}
		var rows, columns, top, front int
		var home Spot
		fmt.Fscan(in, &rows, &columns, &home.row, &home.column, &top, &front)
		field := map[Spot]int{}
		for i := 1; i <= rows; i++ {
			for j := 1; j <= columns; j++ {
				var number int
				fmt.Fscan(in, &number)
				field[Spot{i, j}] = number
			}
		}
		fmt.Fprintln(out, name)
		end := solve(field, &Node{home, orient(top, front), nil})
		if end == nil {
			fmt.Fprintln(out, "  No Solution Possible")
			continue
		}
		var walk []string
		for n := end; n != nil; n = n.previous {
			walk = append([]string{fmt.Sprintf("(%d,%d)", n.row, n.column)}, walk...)
		}
		for len(walk) > 9 {
			fmt.Fprintf(out, "  %s,\n", strings.Join(walk[:9], ","))
			walk = walk[9:]
		}
		fmt.Fprintf(out, "  %s\n", strings.Join(walk, ","))
	}
}
