// Verdict: wrong answer. A loop turns four times more one way than the other, and the program takes
// every drawing with this sum for one loop. Two loops with a hole in one of them have the same sum.
// Shown by edge/turned-as-often.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

type board struct {
	rows, cols int
	clue       [][]int
	in         [][]int // with a frame
}

func (b *board) solve(d int) bool {
	if d == b.rows+b.cols {
		return b.turns() == 4
	}
	options := 2
	if d >= b.cols {
		options = 1
	}
	for option := 0; option < options; option++ {
		if d < b.cols {
			b.in[1][d+1] = option
		}
		if b.follows(d) && b.solve(d+1) {
			return true
		}
	}
	return false
}

func (b *board) follows(d int) bool {
	for i := 1; i <= b.rows; i++ {
		j := d - i + 1
		if j < 1 || j > b.cols {
			continue
		}
		rest := b.clue[i-1][j-1]
		for _, other := range []int{b.in[i-1][j], b.in[i][j-1], b.in[i][j+1]} {
			if other != b.in[i][j] {
				rest--
			}
		}
		if rest < 0 || rest > 1 {
			return false
		}
		below := b.in[i][j] ^ rest
		if i == b.rows && below == 1 {
			return false
		}
		b.in[i+1][j] = below
	}
	return true
}

// turns returns the number of vertices with one inside cell, minus those with three.
func (b *board) turns() int {
	sum := 0
	for i := 0; i <= b.rows; i++ {
		for j := 0; j <= b.cols; j++ {
			switch b.in[i][j] + b.in[i][j+1] + b.in[i+1][j] + b.in[i+1][j+1] {
			case 1:
				sum++
			case 3:
				sum--
			}
		}
	}
	return sum
}

func (b *board) vertex(i, j int) string {
	up, down := b.in[i][j] != b.in[i][j+1], b.in[i+1][j] != b.in[i+1][j+1]
	left, right := b.in[i][j] != b.in[i+1][j], b.in[i][j+1] != b.in[i+1][j+1]
	switch {
	case up && down:
		return "|"
	case left && right:
		return "-"
	case up || down:
		return "+"
	}
	return " "
}

func main() {
	reader := bufio.NewReader(os.Stdin)
	writer := bufio.NewWriter(os.Stdout)
	defer writer.Flush()
	for number := 1; ; number++ {
		var b board
		fmt.Fscan(reader, &b.rows, &b.cols)
		if b.rows == 0 {
			return
		}
		b.in = make([][]int, b.rows+2)
		for i := range b.in {
			b.in[i] = make([]int, b.cols+2)
		}
		for i := 0; i < b.rows; i++ {
			b.clue = append(b.clue, make([]int, b.cols))
			for j := range b.clue[i] {
				fmt.Fscan(reader, &b.clue[i][j])
			}
		}
		b.solve(0)
		border := strings.Repeat("#", 4*b.cols+5)
		margin := "#" + strings.Repeat(" ", 4*b.cols+3) + "#"
		fmt.Fprintf(writer, "%d\n%s\n%s\n", number, border, margin)
		for i := 0; i <= b.rows; i++ {
			var upper, lower strings.Builder
			for j := 0; j <= b.cols; j++ {
				upper.WriteString(b.vertex(i, j))
				if b.in[i+1][j] != b.in[i+1][j+1] {
					lower.WriteString("|")
				} else {
					lower.WriteString(" ")
				}
				if j == b.cols {
					break
				}
				if b.in[i][j+1] != b.in[i+1][j+1] {
					upper.WriteString("---")
				} else {
					upper.WriteString("   ")
				}
				if i < b.rows {
					fmt.Fprintf(&lower, " %d ", b.clue[i][j])
				}
			}
			fmt.Fprintf(writer, "# %s #\n", &upper)
			if i < b.rows {
				fmt.Fprintf(writer, "# %s #\n", &lower)
			}
		}
		fmt.Fprintf(writer, "%s\n%s\n", margin, border)
	}
}
