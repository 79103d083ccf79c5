// Verdict: accepted. Breadth-first search by levels. A position is a run of bytes, two for
// each marble, in one long slice; a table of open addressing holds the numbers of
// positions. A small list for each line of squares says where a marble stops.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"os"
	"runtime/debug"
	"slices"
)

const sides = "ENSW"

type board struct {
	n, m  int
	start []int
	holes []int
	owner []int    // number of the hole on a square, or -1
	ahead [4][]int // the next square, or -1
	last  [4][]int // where a run from a square ends
	hole  [4][]int // the first hole ahead on that run, or -1
	order []int    // scratch: the marbles on the move, those in front first
	rest  []int    // scratch: how many rest at the end of a run
	step  [4]int
}

func read(in *bufio.Reader) *board {
	b := &board{}
	var w int
	fmt.Fscan(in, &b.n, &b.m, &w)
	if b.n == 0 {
		return nil
	}
	square := func() int {
		var r, c int
		fmt.Fscan(in, &r, &c)
		return r*b.n + c
	}
	b.owner = slices.Repeat([]int{-1}, b.n*b.n)
	for i := 0; i < b.m; i++ {
		b.start = append(b.start, square())
	}
	for i := 0; i < b.m; i++ {
		b.holes = append(b.holes, square())
		b.owner[b.holes[i]] = i
	}
	b.step = [4]int{-1, b.n, -b.n, 1}
	for side, step := range b.step {
		b.ahead[side] = make([]int, b.n*b.n)
		for s := range b.ahead[side] {
			r, c := s/b.n, s%b.n
			b.ahead[side][s] = s + step
			if side == 0 && c == 0 || side == 1 && r == b.n-1 || side == 2 && r == 0 || side == 3 && c == b.n-1 {
				b.ahead[side][s] = -1
			}
		}
	}
	for ; w > 0; w-- {
		one, other := square(), square()
		for side := range b.step {
			if b.ahead[side][one] == other {
				b.ahead[side][one], b.ahead[3-side][other] = -1, -1
			}
		}
	}
	for side, step := range b.step {
		b.last[side] = make([]int, b.n*b.n)
		b.hole[side] = make([]int, b.n*b.n)
		for k := range b.owner {
			s := k
			if step > 0 {
				s = len(b.owner) - 1 - k
			}
			b.last[side][s], b.hole[side][s] = s, -1
			if to := b.ahead[side][s]; to >= 0 {
				b.last[side][s] = b.last[side][to]
				b.hole[side][s] = b.owner[to]
				if b.owner[to] < 0 {
					b.hole[side][s] = b.hole[side][to]
				}
			}
		}
	}
	b.rest = make([]int, b.n*b.n)
	return b
}

func get(key []byte, i int) int    { return int(key[2*i])<<8 | int(key[2*i+1]) }
func put(key []byte, i, value int) { key[2*i], key[2*i+1] = byte(value>>8), byte(value) }

// tilt rolls the marbles of key, and reports whether none was lost.
func (b *board) tilt(key []byte, side int) bool {
	b.order = b.order[:0]
	for i, hole := range b.holes {
		if get(key, i) != hole {
			b.order = append(b.order, get(key, i)<<16|i)
		}
	}
	for k := 1; k < len(b.order); k++ { // few marbles, mostly in order already
		for j := k; j > 0 && (b.order[j] > b.order[j-1]) == (b.step[side] > 0); j-- {
			b.order[j-1], b.order[j] = b.order[j], b.order[j-1]
		}
	}
	good := true
	for _, packed := range b.order {
		s, i := packed>>16, packed&0xFFFF
		h := b.hole[side][s]
		for h >= 0 && get(key, h) == b.holes[h] {
			h = b.hole[side][b.holes[h]]
		}
		if h < 0 {
			end := b.last[side][s]
			put(key, i, end-b.rest[end]*b.step[side])
			b.rest[end]++
			continue
		}
		if h != i {
			good = false
			break
		}
		put(key, i, b.holes[i])
	}
	for _, packed := range b.order {
		b.rest[b.last[side][packed>>16]] = 0
	}
	return good
}

// A found is the set of positions met so far, in the order in which the search met them.
type found struct {
	seed   maphash.Seed
	width  int
	keys   []byte
	from   []int32
	by     []byte
	places []int32 // number + 1
}

func (f *found) place(key []byte) *int32 {
	mask := uint64(len(f.places) - 1)
	for k := maphash.Bytes(f.seed, key) & mask; ; k = (k + 1) & mask {
		p := &f.places[k]
		if *p == 0 || bytes.Equal(f.key(int(*p-1)), key) {
			return p
		}
	}
}

func (f *found) key(i int) []byte { return f.keys[i*f.width : (i+1)*f.width] }

func (f *found) add(key []byte, from int, by byte) {
	if 2*len(f.by) >= len(f.places) {
		f.places = make([]int32, max(1024, 2*len(f.places)))
		for i := range f.by {
			*f.place(f.key(i)) = int32(i + 1)
		}
	}
	if p := f.place(key); *p == 0 {
		f.keys = append(f.keys, key...)
		f.from = append(f.from, int32(from))
		f.by = append(f.by, by)
		*p = int32(len(f.by))
	}
}

func (b *board) solve() ([]byte, bool) {
	start, goal := make([]byte, 2*b.m), make([]byte, 2*b.m)
	for i := range b.holes {
		put(start, i, b.start[i])
		put(goal, i, b.holes[i])
	}
	f := &found{seed: maphash.MakeSeed(), width: 2 * b.m}
	f.add(start, -1, 0)
	next := make([]byte, 2*b.m)
	for i := 0; i < len(f.by); i++ {
		if bytes.Equal(f.key(i), goal) {
			var moves []byte
			for ; f.from[i] >= 0; i = int(f.from[i]) {
				moves = append(moves, f.by[i])
			}
			slices.Reverse(moves)
			return moves, true
		}
		away := true // no marble is home: then two sides lead nowhere new
		for k, hole := range b.holes {
			away = away && get(f.key(i), k) != hole
		}
		for side := range b.step {
			if i > 0 && (sides[side] == f.by[i] || away && sides[3-side] == f.by[i]) {
				continue
			}
			copy(next, f.key(i))
			if b.tilt(next, side) {
				f.add(next, i, sides[side])
			}
		}
	}
	return nil, false
}

func main() {
	debug.SetGCPercent(40) // old slices are large and must not pile up
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		b := read(in)
		if b == nil {
			return
		}
		moves, ok := b.solve()
		fmt.Fprintf(out, "Case %d: ", number)
		switch {
		case !ok:
			fmt.Fprint(out, "impossible")
		case len(moves) == 0:
			fmt.Fprint(out, "0 moves")
		default:
			fmt.Fprintf(out, "%d moves %s", len(moves), moves)
		}
		fmt.Fprint(out, "\n\n")
	}
}
