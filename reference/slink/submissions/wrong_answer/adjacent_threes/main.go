// Verdict: wrong_answer.
//
// Believes the rule that the edge between two adjacent 3s is always drawn. That holds for every
// loop except one round just these two cells. For such a loop the search finds no solution, and the
// program draws an empty grid.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

type grid struct {
	r, c   int
	digit  [22][22]int
	inside [22][22]bool // indices begin at 1; a margin of outside cells surrounds the grid
}

func differ(a, b bool) int {
	if a != b {
		return 1
	}
	return 0
}

// paint colours the cells with i+j > d; row 1 is tried, the rest follows.
func (g *grid) paint(d int) bool {
	if d == g.r+g.c+1 {
		return g.allowed()
	}
	i := d - g.c
	if i < 1 {
		i = 1
	}
	tries := []bool{true, false}
	if d >= g.c+1 {
		tries = []bool{false}
	}
	for _, side := range tries {
		if i == 1 && d <= g.c {
			g.inside[1][d] = side
		}
		if g.follow(i, d) && g.paint(d+1) {
			return true
		}
	}
	return false
}

// follow settles the cells below the numbers of a diagonal, from row i on.
func (g *grid) follow(i, d int) bool {
	for ; i <= g.r && i < d; i++ {
		j := d - i
		here := g.inside[i][j]
		missing := g.digit[i][j] - differ(here, g.inside[i-1][j]) - differ(here, g.inside[i][j-1]) - differ(here, g.inside[i][j+1])
		if missing != 0 && missing != 1 {
			return false
		}
		below := here != (missing == 1)
		if i == g.r && below {
			return false
		}
		g.inside[i+1][j] = below
	}
	return true
}

// allowed tests the rule about 3s and that there is one loop.
func (g *grid) allowed() bool {
	for i := 1; i <= g.r; i++ {
		for j := 1; j <= g.c; j++ {
			if g.digit[i][j] != 3 {
				continue
			}
			if g.digit[i+1][j] == 3 && g.inside[i][j] == g.inside[i+1][j] {
				return false
			}
			if g.digit[i][j+1] == 3 && g.inside[i][j] == g.inside[i][j+1] {
				return false
			}
		}
	}
	var seen [22][22]bool
	pieces := [2]int{}
	for i := 0; i <= g.r+1; i++ {
		for j := 0; j <= g.c+1; j++ {
			if !seen[i][j] {
				g.flood(&seen, i, j)
				pieces[differ(g.inside[i][j], false)]++
			}
		}
	}
	return pieces == [2]int{1, 1}
}

func (g *grid) flood(seen *[22][22]bool, i, j int) {
	seen[i][j] = true
	for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		y, x := i+d[0], j+d[1]
		if y >= 0 && y <= g.r+1 && x >= 0 && x <= g.c+1 && !seen[y][x] && g.inside[y][x] == g.inside[i][j] {
			g.flood(seen, y, x)
		}
	}
}

func (g *grid) draw(out *bufio.Writer) {
	picture := make([][]byte, 2*g.r+5)
	for y := range picture {
		picture[y] = bytes.Repeat([]byte{' '}, 4*g.c+5)
		if y == 0 || y == 2*g.r+4 {
			picture[y] = bytes.Repeat([]byte{'#'}, 4*g.c+5)
		}
		picture[y][0], picture[y][4*g.c+4] = '#', '#'
	}
	for i := 1; i <= g.r+1; i++ {
		for j := 1; j <= g.c+1; j++ {
			y, x := 2*i, 4*j-2
			up := g.inside[i-1][j-1] != g.inside[i-1][j]
			left := g.inside[i-1][j-1] != g.inside[i][j-1]
			right := g.inside[i-1][j] != g.inside[i][j]
			down := g.inside[i][j-1] != g.inside[i][j]
			switch {
			case up && down:
				picture[y][x] = '|'
			case left && right:
				picture[y][x] = '-'
			case up || down:
				picture[y][x] = '+'
			}
			if right {
				copy(picture[y][x+1:], "---")
			}
			if down {
				picture[y+1][x] = '|'
			}
			if i <= g.r && j <= g.c {
				picture[y+1][x+2] = byte('0' + g.digit[i][j])
			}
		}
	}
	for _, line := range picture {
		out.Write(line)
		out.WriteByte('\n')
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		var g grid
		fmt.Fscan(in, &g.r, &g.c)
		if g.r == 0 {
			break
		}
		for i := 1; i <= g.r; i++ {
			for j := 1; j <= g.c; j++ {
				fmt.Fscan(in, &g.digit[i][j])
			}
		}
		if !g.paint(1) {
			g.inside = [22][22]bool{}
		}
		fmt.Fprintln(out, number)
		g.draw(out)
	}
}
