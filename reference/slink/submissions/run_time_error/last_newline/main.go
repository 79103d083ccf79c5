// Verdict: run-time error. The last end of line is cut off the output and written again;
// an empty output has none to cut off. Shown by edge/no-puzzles.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// An edge is off (0), on (1) or not known (2).
type grid struct {
	r, c       int
	digits     []int
	across, up [][]int8
}

func (g *grid) cell(i, j int) *int { return &g.digits[i*g.c+j] }

func newGrid(r, c int) *grid {
	g := &grid{r: r, c: c, digits: make([]int, r*c)}
	for i := 0; i <= r; i++ {
		g.across = append(g.across, bytesOf(c, 2))
		g.up = append(g.up, bytesOf(c+1, 2))
	}
	for j := range g.up[r] {
		g.up[r][j] = 0
	}
	return g
}

func bytesOf(n int, v int8) []int8 {
	s := make([]int8, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// colour sets the edges from the colours of cells; row 0 and the last row are outside.
func (g *grid) colour(in [][]bool) {
	for i := 0; i <= g.r; i++ {
		for j := 0; j <= g.c; j++ {
			if j < g.c {
				g.across[i][j] = edge(in[i][j+1], in[i+1][j+1])
			}
			if i < g.r {
				g.up[i][j] = edge(in[i+1][j], in[i+1][j+1])
			}
		}
	}
}

func edge(a, b bool) int8 {
	if a != b {
		return 1
	}
	return 0
}

// whole follows the loop from the first edge and reports whether it has all edges.
func (g *grid) whole() bool {
	total, y, x := 0, -1, -1
	for i := range g.across {
		for j, e := range g.across[i] {
			if e == 1 {
				total++
				if y < 0 {
					y, x = i, j
				}
			}
		}
		for _, e := range g.up[i] {
			total += int(e)
		}
	}
	if y < 0 {
		return false
	}
	dy, dx := 0, 1
	startY, startX := y, x
	for {
		y, x = y+dy, x+dx
		total--
		if y == startY && x == startX {
			return total == 0
		}
		n := 0
		var ny, nx int
		for _, d := range [][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
			if g.line(y, x, d[0], d[1]) {
				n++
				if d[0] != -dy || d[1] != -dx {
					ny, nx = d[0], d[1]
				}
			}
		}
		if n != 2 {
			return false
		}
		dy, dx = ny, nx
	}
}

func (g *grid) line(y, x, dy, dx int) bool {
	switch {
	case dx == 1:
		return x < g.c && g.across[y][x] == 1
	case dx == -1:
		return x > 0 && g.across[y][x-1] == 1
	case dy == 1:
		return y < g.r && g.up[y][x] == 1
	}
	return y > 0 && g.up[y-1][x] == 1
}

func (g *grid) search(in [][]bool, d int) bool {
	if d == g.r+g.c {
		g.colour(in)
		return g.whole()
	}
	for try := 0; try < 2; try++ {
		if d < g.c {
			in[1][d+1] = try == 1
		} else if try == 1 {
			break
		}
		good := true
		for i := 1; i <= g.r && i <= d && good; i++ {
			j := d - i + 1
			if j > g.c {
				continue
			}
			own := in[i][j]
			k := *g.cell(i-1, j-1) - int(edge(own, in[i-1][j])+edge(own, in[i][j-1])+edge(own, in[i][j+1]))
			in[i+1][j] = own != (k == 1)
			good = (k == 0 || k == 1) && !(i == g.r && in[i+1][j])
		}
		if good && g.search(in, d+1) {
			return true
		}
	}
	return false
}

func (g *grid) draw(w io.Writer) {
	width := 4*g.c + 5
	fmt.Fprintf(w, "%s\n#%*s\n", bytes.Repeat([]byte("#"), width), width-1, "#")
	for i := 0; i <= g.r; i++ {
		top, middle := "", ""
		for j := 0; j <= g.c; j++ {
			v := " "
			right, left := g.line(i, j, 0, 1), g.line(i, j, 0, -1)
			down, up := g.line(i, j, 1, 0), g.line(i, j, -1, 0)
			if right && left {
				v = "-"
			} else if up && down {
				v = "|"
			} else if right || left {
				v = "+"
			}
			h := "   "
			if right {
				h = "---"
			}
			s := " "
			if down {
				s = "|"
			}
			top += v + h
			middle += s
			if j < g.c && i < g.r {
				middle += fmt.Sprintf(" %d ", *g.cell(i, j))
			}
		}
		fmt.Fprintf(w, "# %s #\n", top[:4*g.c+1])
		if i < g.r {
			fmt.Fprintf(w, "# %s #\n", middle)
		}
	}
	fmt.Fprintf(w, "#%*s\n%s\n", width-1, "#", bytes.Repeat([]byte("#"), width))
}

func main() {
	input, _ := io.ReadAll(os.Stdin)
	in := bytes.NewReader(input)
	var out bytes.Buffer
	for n := 1; ; n++ {
		var r, c int
		fmt.Fscan(in, &r, &c)
		if r == 0 {
			break
		}
		g := newGrid(r, c)
		for i := range g.digits {
			fmt.Fscan(in, &g.digits[i])
		}
		cells := make([][]bool, r+2)
		for i := range cells {
			cells[i] = make([]bool, c+2)
		}
		g.search(cells, 0)
		fmt.Fprintln(&out, n)
		g.draw(&out)
	}
	fmt.Printf("%s\n", out.Bytes()[:out.Len()-1])
}
