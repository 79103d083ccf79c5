// Verdict: memory limit exceeded. A breadth-first search in which every way keeps a copy of all
// positions on it, so as not to come back to one of them. It does not notice that another way has
// been to a position: the number of ways more than doubles with each move.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
)

type way struct {
	trail []int // squares of all marbles at the start, after the first move and so on
	moves string
}

type board struct {
	n      int
	holes  []int
	closed [4][]bool // by side and square
}

var step = [4]func(n int) int{
	func(n int) int { return -1 },
	func(n int) int { return n },
	func(n int) int { return -n },
	func(n int) int { return 1 },
}

// roll lets the marbles step one after the other until none can any more.
func (b *board) roll(marbles []int, side int) (lost bool) {
	by := step[side](b.n)
	for moved := true; moved; {
		moved = false
		for i, at := range marbles {
			if at == b.holes[i] || b.closed[side][at] || b.blocked(marbles, at+by) {
				continue
			}
			marbles[i], moved = at+by, true
			if hole := slices.Index(b.holes, at+by); hole >= 0 && hole != i && marbles[hole] != at+by {
				return true
			}
		}
	}
	return false
}

// blocked reports whether a marble that is not in its hole lies on a square.
func (b *board) blocked(marbles []int, square int) bool {
	for i, at := range marbles {
		if at == square && at != b.holes[i] {
			return true
		}
	}
	return false
}

// visited reports whether the marbles were there before.
func visited(trail, marbles []int) bool {
	for old := range slices.Chunk(trail, len(marbles)) {
		if slices.Equal(old, marbles) {
			return true
		}
	}
	return false
}

func (b *board) search(start []int) string {
	m := len(start)
	ways := []way{{trail: start}}
	for len(ways) > 0 {
		var longer []way
		for _, w := range ways {
			last := w.trail[len(w.trail)-m:]
			if slices.Equal(last, b.holes) {
				return fmt.Sprint(len(w.moves), " moves ", w.moves)
			}
			for side, letter := range "ENSW" {
				marbles := slices.Clone(last)
				if b.roll(marbles, side) || visited(w.trail, marbles) {
					continue
				}
				next := way{trail: slices.Concat(w.trail, marbles), moves: w.moves + string(letter)}
				longer = append(longer, next)
			}
		}
		ways = longer
	}
	return "impossible"
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for number := 1; ; number++ {
		var n, m, w int
		fmt.Fscan(in, &n, &m, &w)
		if n == 0 {
			return
		}
		squares := func(count int) []int {
			list := make([]int, count)
			for i := range list {
				var r, c int
				fmt.Fscan(in, &r, &c)
				list[i] = r*n + c
			}
			return list
		}
		start := squares(m)
		b := &board{n: n, holes: squares(m)}
		for side := range b.closed {
			b.closed[side] = make([]bool, n*n)
		}
		for s := 0; s < n*n; s++ {
			b.closed[0][s], b.closed[3][s] = s%n == 0, s%n == n-1
			b.closed[2][s], b.closed[1][s] = s < n, s >= n*n-n
		}
		for ; w > 0; w-- {
			ends := squares(2)
			for side := range b.closed {
				if ends[0]+step[side](n) == ends[1] {
					b.closed[side][ends[0]], b.closed[3-side][ends[1]] = true, true
				}
			}
		}
		fmt.Printf("Case %d: %s\n\n", number, b.search(start))
	}
}
