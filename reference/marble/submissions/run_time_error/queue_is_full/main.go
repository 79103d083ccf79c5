// Verdict: run-time error. The queue has room for 4,096 positions; the next one is out of
// range. Shown by large/small-boards.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

const letters = "ENSW"

type entry struct {
	squares string // one byte pair for each marble
	from    int
	side    byte
}

var queue [4096]entry

type game struct {
	n     int
	holes []int
	ahead [4][]int // the next square when a side is lifted, or -1
}

func (g *game) tilt(squares []int, side int) ([]int, bool) {
	after := slices.Clone(squares)
	at := make([]int, g.n*g.n) // marble + 1
	for i, s := range squares {
		if s != g.holes[i] {
			at[s] = i + 1
		}
	}
	for k := range at {
		s := k
		if side == 1 || side == 3 {
			s = len(at) - 1 - k
		}
		i := at[s] - 1
		if i < 0 {
			continue
		}
		at[s] = 0
		for {
			to := g.ahead[side][s]
			if to < 0 || at[to] != 0 {
				at[s] = i + 1
				break
			}
			s = to
			if h := slices.Index(g.holes, s); h >= 0 && after[h] != s {
				if h != i {
					return nil, false
				}
				break
			}
		}
		after[i] = s
	}
	return after, true
}

func pack(squares []int) string {
	var b strings.Builder
	for _, s := range squares {
		b.WriteByte(byte(s >> 8))
		b.WriteByte(byte(s))
	}
	return b.String()
}

func unpack(s string) (squares []int) {
	for i := 0; i < len(s); i += 2 {
		squares = append(squares, int(s[i])<<8|int(s[i+1]))
	}
	return
}

func (g *game) solve(start []int) string {
	seen := map[string]bool{pack(start): true}
	queue[0] = entry{pack(start), -1, 0}
	count := 1
	for i := 0; i < count; i++ {
		squares := unpack(queue[i].squares)
		if slices.Equal(squares, g.holes) {
			var moves []byte
			for k := i; queue[k].from >= 0; k = queue[k].from {
				moves = append(moves, queue[k].side)
			}
			slices.Reverse(moves)
			return fmt.Sprintf("%d moves %s", len(moves), moves)
		}
		for side := range g.ahead {
			after, ok := g.tilt(squares, side)
			if !ok || seen[pack(after)] {
				continue
			}
			seen[pack(after)] = true
			queue[count] = entry{pack(after), i, letters[side]}
			count++
		}
	}
	return "impossible"
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		var n, m, w int
		fmt.Fscan(in, &n, &m, &w)
		if n == 0 {
			return
		}
		square := func() int {
			var r, c int
			fmt.Fscan(in, &r, &c)
			return r*n + c
		}
		squares := func() (list []int) {
			for i := 0; i < m; i++ {
				list = append(list, square())
			}
			return
		}
		g := game{n: n}
		start := squares()
		g.holes = squares()
		step := []int{-1, n, -n, 1}
		for side := range g.ahead {
			for s := 0; s < n*n; s++ {
				to := s + step[side]
				if side == 0 && s%n == 0 || side == 3 && s%n == n-1 || to < 0 || to >= n*n {
					to = -1
				}
				g.ahead[side] = append(g.ahead[side], to)
			}
		}
		for ; w > 0; w-- {
			a, b := square(), square()
			for side := range step {
				if b-a == step[side] {
					g.ahead[side][a], g.ahead[3-side][b] = -1, -1
				}
			}
		}
		fmt.Fprintf(out, "Case %d: %s\n\n", number, g.solve(start))
	}
}
