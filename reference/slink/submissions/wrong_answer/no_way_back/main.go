// Verdict: wrong answer. Gives each cell of the first row the first colour that does not
// contradict a number, and never takes a choice back. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

const size = 24

type colours [size][size]bool

type puzzle struct {
	rows, columns int
	numbers       [size][size]int
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// extend colours the cells that the first d+1 cells of row 1 determine, and reports whether the
// numbers allow them.
func (p *puzzle) extend(c colours, d int) (colours, bool) {
	for row := 1; row <= p.rows && row <= d; row++ {
		column := d - row + 1
		if column > p.columns {
			continue
		}
		own := c[row][column]
		rest := p.numbers[row][column]
		rest -= b2i(own != c[row-1][column]) + b2i(own != c[row][column-1]) + b2i(own != c[row][column+1])
		if rest != 0 && rest != 1 {
			return c, false
		}
		c[row+1][column] = own != (rest == 1)
		if row == p.rows && c[row+1][column] {
			return c, false
		}
	}
	return c, true
}

func (p *puzzle) solve() colours {
	var c colours
	for d := 0; d < p.rows+p.columns; d++ {
		if d < p.columns {
			try := c
			try[1][d+1] = true
			if next, ok := p.extend(try, d); ok {
				c = next
				continue
			}
		}
		c, _ = p.extend(c, d)
	}
	for j := range c[p.rows+1] {
		c[p.rows+1][j] = false
	}
	return c
}

func main() {
	var w = bufio.NewWriter(os.Stdout)
	defer w.Flush()
	scanner := bufio.NewScanner(os.Stdin)
	for n := 1; scanner.Scan(); n++ {
		var p puzzle
		fmt.Sscan(scanner.Text(), &p.rows, &p.columns)
		if p.rows == 0 {
			break
		}
		for i := 1; i <= p.rows; i++ {
			scanner.Scan()
			for j, word := range strings.Split(scanner.Text(), " ") {
				p.numbers[i][j+1] = int(word[0] - '0')
			}
		}
		c := p.solve()
		fmt.Fprintln(w, n)
		for y := -2; y <= 2*p.rows+2; y++ {
			line := make([]byte, 0, 90)
			for x := -2; x <= 4*p.columns+2; x++ {
				i, j := y/2, x/4
				ch := byte(' ')
				switch {
				case y == -2 || y == 2*p.rows+2 || x == -2 || x == 4*p.columns+2:
					ch = '#'
				case y == -1 || y == 2*p.rows+1 || x == -1 || x == 4*p.columns+1:
				case y%2 == 0 && x%4 == 0:
					up, down := c[i][j] != c[i][j+1], c[i+1][j] != c[i+1][j+1]
					left, right := c[i][j] != c[i+1][j], c[i][j+1] != c[i+1][j+1]
					switch {
					case up && down:
						ch = '|'
					case left && right:
						ch = '-'
					case up || down:
						ch = '+'
					}
				case y%2 == 0:
					if c[i][j+1] != c[i+1][j+1] {
						ch = '-'
					}
				case x%4 == 0:
					if c[i+1][j] != c[i+1][j+1] {
						ch = '|'
					}
				case x%4 == 2:
					ch = byte('0' + p.numbers[i+1][j+1])
				}
				line = append(line, ch)
			}
			fmt.Fprintf(w, "%s\n", line)
		}
	}
}
