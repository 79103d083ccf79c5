package main

import (
	"math/rand/v2"
	"testing"
)

// everyPosition calls do with each possible position of a board.
func everyPosition(f *field, do func(at []int16)) {
	at := make([]int16, len(f.start))
	var place func(i int)
	place = func(i int) {
		if i < len(at) {
			for s := range f.n * f.n {
				at[i] = int16(s)
				place(i + 1)
			}
			return
		}
		taken := make(map[int16]bool)
		for i, s := range at {
			if s == f.holes[i] {
				continue
			}
			if o := f.owner[s]; taken[s] || o >= 0 && at[o] != s {
				return
			}
			taken[s] = true
		}
		do(at)
	}
	place(0)
}

// scatteredBoard returns a random board of side n with m marbles.
func scatteredBoard(chance *rand.Rand, n, m int) *board {
	squares := chance.Perm(n * n)
	b := &board{n: n, wallEast: make([]uint64, n), wallSouth: make([]uint64, n)}
	for i := range m {
		b.marbles = append(b.marbles, int16(squares[i]))
		b.holes = append(b.holes, int16(squares[m+i]))
	}
	for i := range n {
		b.wallEast[i] = chance.Uint64() & chance.Uint64() & (1<<(n-1) - 1)
		if i+1 < n {
			b.wallSouth[i] = chance.Uint64() & chance.Uint64() & (1<<n - 1)
		}
	}
	return b
}

// TestUntiltIsExact compares un-tilts with tilts of all positions: an un-tilt must find exactly the
// positions that are outcomes of moves and that the move turns into the given one.
func TestUntiltIsExact(t *testing.T) {
	type key = [1]uint64
	chance := rand.New(rand.NewPCG(2, 3))
	found := 0
	for range 100 {
		n := 3 + chance.IntN(2)
		m := 1 + chance.IntN(6-n)
		b := scatteredBoard(chance, n, m)
		f, _ := newField(b) // not pruned, so all squares count as useful
		r := newRoller[key](f)
		r.un.limit = 1 << 60
		before := make(map[key]map[[2]key]bool) // by position after a move: the move and the position before
		var all []key
		everyPosition(f, func(at []int16) {
			k := pack[key](f, at)
			all = append(all, k)
			r.load(k)
			var settled [len(lifts)]bool
			for v := range settled {
				settled[v] = r.settled(v)
			}
			dropped := len(r.rolling) < m
			for v := range len(lifts) {
				// A move that only rolls marbles back, without a drop, is not part of a shortest way.
				leans := false
				for p := range settled {
					leans = leans || settled[p] && (p != 3-v || dropped)
				}
				if next, ok := r.tilt(k, v); ok && next != k && leans {
					if before[next] == nil {
						before[next] = make(map[[2]key]bool)
					}
					before[next][[2]key{{uint64(v)}, k}] = true
				}
			}
		})
		for _, k := range all {
			got := make(map[[2]key]bool)
			r.load(k)
			for v := range len(lifts) {
				r.untilt(v, func(p key) { got[[2]key{{uint64(v)}, p}] = true })
			}
			for p := range got {
				if !before[k][p] {
					t.Fatalf("n=%d m=%d: move %c does not turn %x into %x", n, m, lifts[p[0][0]], p[1], k)
				}
			}
			if len(got) != len(before[k]) {
				t.Fatalf("n=%d m=%d: %d ways into %x, found %d", n, m, len(before[k]), k, len(got))
			}
			found += len(got)
		}
	}
	if found < 5_000 {
		t.Errorf("only %d un-tilts tried", found)
	}
}
