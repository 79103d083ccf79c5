// Verdict: run-time error. Walks back from the state that came home without checking that
// there is one: nil has no parent. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type orientation [3]int // top, front, right

type position struct {
	r, c   int
	die    orientation
	parent *position
}

func (p *position) neighbours() [4]*position {
	t, f, r := p.die[0], p.die[1], p.die[2]
	return [4]*position{
		{p.r - 1, p.c, orientation{f, 7 - t, r}, p},
		{p.r + 1, p.c, orientation{7 - f, t, r}, p},
		{p.r, p.c - 1, orientation{r, f, 7 - t}, p},
		{p.r, p.c + 1, orientation{7 - r, f, t}, p},
	}
}

func right(top, front int) int {
	cross := map[[2]int]int{{1, 2}: 3, {2, 3}: 1, {3, 1}: 2}
	for flips := 0; flips < 8; flips++ {
		a, b := top, front
		if flips&1 != 0 {
			a = 7 - a
		}
		if flips&2 != 0 {
			b = 7 - b
		}
		if flips&4 != 0 {
			a, b = b, a
		}
		if c, ok := cross[[2]int{a, b}]; ok {
			if (flips&1+flips>>1&1+flips>>2)%2 == 1 {
				return 7 - c
			}
			return c
		}
	}
	return 0
}

func wayHome(grid [][]int, start *position) *position {
	type key struct {
		r, c int
		die  orientation
	}
	seen := make(map[key]struct{})
	queue := []*position{start}
	for i := 0; i < len(queue); i++ {
		for _, n := range queue[i].neighbours() {
			if n.r < 1 || n.c < 1 || n.r > len(grid) || n.c > len(grid[0]) {
				continue
			}
			if need := grid[n.r-1][n.c-1]; need != -1 && need != queue[i].die[0] {
				continue
			}
			if n.r == start.r && n.c == start.c {
				return n
			}
			k := key{n.r, n.c, n.die}
			if _, ok := seen[k]; !ok {
				seen[k] = struct{}{}
				queue = append(queue, n)
			}
		}
	}
	return nil
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		name, _ := in.ReadString('\n')
		name = strings.TrimRight(name, "\r\n")
		if name == "END" {
			break
		}
		var rows, columns, r, c, top, front int
		fmt.Fscanf(in, "%d %d %d %d %d %d\n", &rows, &columns, &r, &c, &top, &front)
		grid := make([][]int, rows)
		for i := range grid {
			line, _ := in.ReadString('\n')
			for _, field := range strings.Fields(line) {
				var number int
				fmt.Sscan(field, &number)
				grid[i] = append(grid[i], number)
			}
		}
		end := wayHome(grid, &position{r, c, orientation{top, front, right(top, front)}, nil})
		walk := []string{fmt.Sprintf("(%d,%d)", r, c)}
		for p := end.parent; p != nil; p = p.parent {
			walk = append(walk, fmt.Sprintf("(%d,%d)", p.r, p.c))
		}
		fmt.Println(name)
		for i, j := 0, len(walk)-1; i < j; i, j = i+1, j-1 {
			walk[i], walk[j] = walk[j], walk[i]
		}
		if len(walk) == 0 {
			fmt.Println("  No Solution Possible")
			continue
		}
		for i := range walk {
			if i%9 == 0 {
				fmt.Print("  ")
			}
			fmt.Print(walk[i])
			if i < len(walk)-1 {
				fmt.Print(",")
			}
			if i%9 == 8 || i == len(walk)-1 {
				fmt.Println()
			}
		}
	}
}
