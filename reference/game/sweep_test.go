package main

import (
	"math/bits"
	"testing"
)

// patternOf returns the pattern whose nine cells are the binary digits of n, row
// by row.
func patternOf(n int) (p pattern) {
	for i := range p {
		for j := range p[i] {
			p[i][j] = n>>(8-3*i-j)&1 == 1
		}
	}
	return p
}

// TestSweep plays all 512 patterns on all 65,536 boards, against a table of all
// sets of moves, and checks what is known of the whole.
func TestSweep(t *testing.T) {
	if testing.Short() {
		t.Skip("sweeps 33,554,432 games")
	}
	const unreached = 100
	const cross = 0b010_111_010
	const ones = 0b111_111_111
	var solvable, most, patternsWithMost, solvingAll int
	for n := range 512 {
		p := patternOf(n)

		// lightest[s] is the size of the smallest set of moves that flips s.
		var lightest [1 << cellCount]int
		for s := range lightest {
			lightest[s] = unreached
		}
		flipped, together := flippedBy(p), cellSet(0)
		lightest[0] = 0
		for k := 1; k < 1<<cellCount; k++ {
			together ^= flipped[bits.TrailingZeros(uint(k))]
			gray := uint(k ^ k>>1)
			lightest[together] = min(lightest[together], bits.OnesCount(gray))
		}

		g := newGame(p)
		solvableHere, mostHere := 0, 0
		for b := range 1 << cellCount {
			board := cellSet(b)
			moves, possible := g.fewest(board)
			want := min(lightest[board], lightest[^board])
			if possible != (want < unreached) || possible && moves != want {
				t.Fatalf("pattern %09b, board %016b: %d moves (possible: %t), want %d", n, b, moves, possible, want)
			}
			if possible {
				solvableHere++
				mostHere = max(mostHere, moves)
			}
		}

		solvable += solvableHere
		if solvableHere == 1<<cellCount {
			solvingAll++
		}
		if mostHere > most {
			most, patternsWithMost = mostHere, 0
		}
		if mostHere == most {
			patternsWithMost++
		}
		switch {
		case n == cross && (solvableHere != 4096 || mostHere != 6):
			t.Errorf("cross: %d boards, at most %d moves; want 4096 and 6", solvableHere, mostHere)
		case n == ones && mostHere != 14:
			t.Errorf("all ones: at most %d moves, want 14", mostHere)
		}
	}
	for _, fact := range []struct {
		what      string
		got, want int
	}{
		{"games that can be won", solvable, 25_620_482},
		{"most moves of any game", most, 14},
		{"patterns with a board that takes the most", patternsWithMost, 56},
		{"patterns that win every board", solvingAll, 331},
	} {
		if fact.got != fact.want {
			t.Errorf("%s: %d, want %d", fact.what, fact.got, fact.want)
		}
	}
}
