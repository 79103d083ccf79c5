// Verdict: run-time error. Dead cells are taken off the list until one is alive; in the
// end there is none, and index -1 is out of range. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type Maze struct {
	M, N   int
	Walls  [][]byte // rows of the picture, the lowest first
	Opened [][]bool
	Path   [][2]int
}

func NewMaze(m, n, row, column int) *Maze {
	z := &Maze{M: m, N: n}
	for i := 0; i < m; i++ {
		line := []byte{'|'}
		for j := 0; j < n; j++ {
			line = append(line, "_|"...)
		}
		z.Walls = append(z.Walls, line)
		z.Opened = append(z.Opened, make([]bool, n))
	}
	z.Visit(row-1, column-1)
	return z
}

func (z *Maze) Visit(r, c int) {
	z.Opened[r][c] = true
	z.Path = append(z.Path, [2]int{r, c})
}

func (z *Maze) Alive() bool {
	r, c := z.Path[len(z.Path)-1][0], z.Path[len(z.Path)-1][1]
	return r+1 < z.M && !z.Opened[r+1][c] || r > 0 && !z.Opened[r-1][c] ||
		c+1 < z.N && !z.Opened[r][c+1] || c > 0 && !z.Opened[r][c-1]
}

func (z *Maze) Do(command string, position int) {
	r, c := z.Path[len(z.Path)-1][0], z.Path[len(z.Path)-1][1]
	switch command[0] {
	case 'U':
		z.Walls[r+1][2*c+1] = ' '
		z.Visit(r+1, c)
	case 'D':
		z.Walls[r][2*c+1] = ' '
		z.Visit(r-1, c)
	case 'L':
		z.Walls[r][2*c] = ' '
		z.Visit(r, c-1)
	case 'R':
		z.Walls[r][2*c+2] = ' '
		z.Visit(r, c+1)
	case 'F':
		for i, j := position-1, len(z.Path)-1; i < j; i, j = i+1, j-1 {
			z.Path[i], z.Path[j] = z.Path[j], z.Path[i]
		}
	}
}

func main() {
	reader := bufio.NewReader(os.Stdin)
	var count int
	fmt.Fscanln(reader, &count)
	for i := 0; i < count; i++ {
		var m, n, row, column int
		fmt.Fscanln(reader, &m, &n)
		fmt.Fscanln(reader, &row, &column)
		z := NewMaze(m, n, row, column)
		for {
			for !z.Alive() {
				z.Path = z.Path[:len(z.Path)-1]
			}
			var command string
			var position int
			fmt.Fscanln(reader, &command, &position)
			z.Do(command, position)
			if len(z.Path) == 0 {
				break
			}
		}
		for j := 0; j < n; j++ {
			fmt.Print(" _")
		}
		fmt.Println()
		for r := m - 1; r >= 0; r-- {
			fmt.Println(string(z.Walls[r]))
		}
		fmt.Println()
	}
}
