package main

import "fmt"

// A puzzle is a grid of numbers.
type puzzle struct {
	rows, cols int
	number     [][]int
}

// appendTo appends p in the form of an input.
func (p *puzzle) appendTo(text []byte) []byte {
	text = fmt.Appendf(text, "%d %d\n", p.rows, p.cols)
	for _, row := range p.number {
		for j, n := range row {
			if j > 0 {
				text = append(text, ' ')
			}
			text = append(text, byte('0'+n))
		}
		text = append(text, '\n')
	}
	return text
}

// tally counts the cells with number n.
func (p *puzzle) tally(n int) int {
	cells := 0
	for _, row := range p.number {
		for _, number := range row {
			if number == n {
				cells++
			}
		}
	}
	return cells
}
