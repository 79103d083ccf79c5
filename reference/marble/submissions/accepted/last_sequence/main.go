// Expected verdict: accepted.
//
// Tries the lifts in the order W, S, N, E and so prints the alphabetically
// last of the shortest sequences, where the expected output has the first:
// any shortest sequence is right.
//
// Breadth-first search with positions in one flat slice, m squares each, and
// a hash table of their numbers.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
)

const order = "WSNE"

type game struct {
	n, m        int
	start, hole []uint16
	owner       []int16 // by square: whose hole is there, or -1
	blocked     [4][]bool
	step        [4]int

	squares []uint16 // of position p: squares[p*m:][:m]
	parent  []uint32 // number of the position before
	lift    []byte
	table   []uint32
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for k := 1; ; k++ {
		g := read(in)
		if g == nil {
			return
		}
		if moves, ok := g.search(); ok {
			fmt.Fprintf(out, "Case %d: %d moves %s\n\n", k, len(moves), moves)
		} else {
			fmt.Fprintf(out, "Case %d: impossible\n\n", k)
		}
	}
}

func number(in *bufio.Reader) int {
	c, _ := in.ReadByte()
	for c == ' ' || c == '\n' {
		c, _ = in.ReadByte()
	}
	x := 0
	for ; c >= '0' && c <= '9'; c, _ = in.ReadByte() {
		x = x*10 + int(c-'0')
	}
	return x
}

func read(in *bufio.Reader) *game {
	n, m, w := number(in), number(in), number(in)
	if n == 0 {
		return nil
	}
	square := func() uint16 {
		r := number(in)
		return uint16(r*n + number(in))
	}
	g := &game{n: n, m: m, step: [4]int{1, -n, n, -1}, owner: make([]int16, n*n)}
	for i := range g.owner {
		g.owner[i] = -1
	}
	for i := 0; i < m; i++ {
		g.start = append(g.start, square())
	}
	for i := 0; i < m; i++ {
		g.hole = append(g.hole, square())
		g.owner[g.hole[i]] = int16(i)
	}
	for d := range g.blocked {
		g.blocked[d] = make([]bool, n*n)
	}
	for s := 0; s < n*n; s++ {
		g.blocked[0][s] = s%n == n-1
		g.blocked[1][s] = s < n
		g.blocked[2][s] = s >= n*n-n
		g.blocked[3][s] = s%n == 0
	}
	for i := 0; i < w; i++ {
		a, b := int(square()), int(square())
		for d, step := range g.step {
			if a+step == b {
				g.blocked[d][a] = true
				g.blocked[3-d][b] = true
			}
		}
	}
	return g
}

// slide rolls all marbles of a position. The marbles are given front first.
func (g *game) slide(next, at []uint16, front []int, d int, on []int16) bool {
	copy(next, at)
	for i, s := range at {
		if s != g.hole[i] {
			on[s] = int16(i) + 1
		}
	}
	ok := true
	for _, i := range front {
		s := int(at[i])
		if s == int(g.hole[i]) {
			continue
		}
		on[s] = 0
		dropped := false
		for !g.blocked[d][s] && on[s+g.step[d]] == 0 {
			s += g.step[d]
			if o := g.owner[s]; o >= 0 && next[o] != g.hole[o] {
				dropped = true
				ok = int(o) == i
				break
			}
		}
		next[i] = uint16(s)
		if !dropped {
			on[s] = int16(i) + 1
		}
		if !ok {
			break
		}
	}
	for i := range at {
		on[at[i]], on[next[i]] = 0, 0
	}
	return ok
}

func hash(at []uint16) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range at {
		h = (h ^ uint64(s)) * 1099511628211
	}
	return h ^ h>>29
}

func (g *game) add(at []uint16, parent int, lift byte) {
	mask := uint64(len(g.table) - 1)
	p := hash(at) & mask
	for ; g.table[p] != 0; p = (p + 1) & mask {
		if k := int(g.table[p]-1) * g.m; slices.Equal(g.squares[k:k+g.m], at) {
			return
		}
	}
	g.squares = append(g.squares, at...)
	g.parent = append(g.parent, uint32(parent))
	g.lift = append(g.lift, lift)
	g.table[p] = uint32(len(g.parent))
	if len(g.parent)*3 < len(g.table)*2 {
		return
	}
	g.table = make([]uint32, 2*len(g.table))
	mask = uint64(len(g.table) - 1)
	for k := range g.parent {
		p := hash(g.squares[k*g.m:][:g.m]) & mask
		for g.table[p] != 0 {
			p = (p + 1) & mask
		}
		g.table[p] = uint32(k + 1)
	}
}

func (g *game) search() (string, bool) {
	g.table = make([]uint32, 1024)
	g.add(g.start, 0, 0)
	on := make([]int16, g.n*g.n)
	next, at := make([]uint16, g.m), make([]uint16, g.m)
	rising := make([]int, g.m)
	for i := range rising {
		rising[i] = i
	}
	falling := make([]int, g.m)
	for p := 0; p < len(g.parent); p++ {
		copy(at, g.squares[p*g.m:])
		if slices.Equal(at, g.hole) {
			return g.spell(p), true
		}
		slices.SortFunc(rising, func(x, y int) int { return int(at[x]) - int(at[y]) })
		for i, x := range rising {
			falling[g.m-1-i] = x
		}
		some := false // whether any marble is home
		for i, s := range at {
			some = some || s == g.hole[i]
		}
		for d := range g.step {
			if p > 0 && (order[d] == g.lift[p] || !some && order[3-d] == g.lift[p]) {
				continue // leads nowhere new
			}
			front := rising
			if g.step[d] > 0 {
				front = falling
			}
			if g.slide(next, at, front, d, on) {
				g.add(next, p, order[d])
			}
		}
	}
	return "", false
}

func (g *game) spell(p int) string {
	var moves []byte
	for ; p > 0; p = int(g.parent[p]) {
		moves = append(moves, g.lift[p])
	}
	slices.Reverse(moves)
	return string(moves)
}
