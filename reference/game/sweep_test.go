package main

import (
	"math/bits"
	"testing"

	"tribunal/internal/tier"
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

// press makes one move as the statement describes it: it lays the pattern on the cell and turns
// over the chips under its ones.
func press(chips *[boardSide][boardSide]bool, p pattern, row, column int) {
	for r := range chips {
		for c := range chips[r] {
			down, right := r-row, c-column
			if -1 <= down && down <= 1 && -1 <= right && right <= 1 && p[1+down][1+right] {
				chips[r][c] = !chips[r][c]
			}
		}
	}
}

// A book holds all ways to play a pattern, computed without any of the solver's code.
type book struct {
	effects  [1 << cellCount]cellSet // by set of centres: the cells that are flipped
	lightest [1 << cellCount]int     // by cells that are flipped: the fewest moves, or unreached
}

const unreached = cellCount + 1

// write plays every set of moves; a set differs from one met before by its lowest
// move.
func (b *book) write(p pattern) {
	var moves [cellCount]cellSet
	for centre := range moves {
		var chips [boardSide][boardSide]bool
		press(&chips, p, centre/boardSide, centre%boardSide)
		for cell := range cellCount {
			if chips[cell/boardSide][cell%boardSide] {
				moves[centre] |= 1 << cell
			}
		}
	}
	for s := range b.lightest {
		b.lightest[s] = unreached
	}
	b.lightest[0] = 0
	for s := 1; s < len(b.effects); s++ {
		effect := b.effects[s&(s-1)] ^ moves[bits.TrailingZeros(uint(s))]
		b.effects[s] = effect
		b.lightest[effect] = min(b.lightest[effect], bits.OnesCount(uint(s)))
	}
}

// A tally counts the games of one pattern, or of several.
type tally struct {
	solvable int
	most     int // the most moves that a solvable game takes
}

// sweep solves all boards of a pattern and compares every answer with the book.
func sweep(t *testing.T, n int, b *book) tally {
	var all tally
	p := patternOf(n)
	b.write(p)
	g := newGame(p)
	for i := range 1 << cellCount {
		board := cellSet(i)
		want := min(b.lightest[board], b.lightest[^board])
		centres, possible := g.fewest(board)
		switch {
		case possible != (want < unreached) || possible && centres.size() != want:
			t.Fatalf("pattern %09b, board %016b: %d moves (possible: %t), want %d", n, board, centres.size(), possible, want)
		case !possible:
			continue
		}
		if left := board ^ b.effects[centres]; left != 0 && left != 1<<cellCount-1 {
			t.Fatalf("pattern %09b, board %016b: the moves %016b leave %016b", n, board, centres, left)
		}
		all.solvable++
		all.most = max(all.most, want)
	}
	return all
}

// TestSweep solves all 33,554,432 games, 512 patterns on 65,536 boards each, and compares totals,
// such as the games that can be won, with known figures.
func TestSweep(t *testing.T) {
	tier.T2(t, "33,554,432 games")
	const cross = 0b010_111_010
	const ones = 0b111_111_111
	var of [512]tally
	b := new(book)
	for n := range of {
		of[n] = sweep(t, n, b)
	}
	var all tally
	var withMost, solvingAll int
	for _, here := range of {
		all.solvable += here.solvable
		all.most = max(all.most, here.most)
	}
	for _, here := range of {
		if here.most == all.most {
			withMost++
		}
		if here.solvable == 1<<cellCount {
			solvingAll++
		}
	}
	for _, fact := range []struct {
		what      string
		got, want int
	}{
		{"games that can be won", all.solvable, 25_620_482},
		{"most moves of any game", all.most, 14},
		{"patterns with a board that takes the most", withMost, 56},
		{"patterns that win every board", solvingAll, 331},
		{"boards that the cross wins", of[cross].solvable, 4096},
		{"most moves of the cross", of[cross].most, 6},
		{"most moves of all ones", of[ones].most, 14},
		{"boards that zeros win", of[0].solvable, 2},
		{"most moves of zeros", of[0].most, 0},
	} {
		if fact.got != fact.want {
			t.Errorf("%s: %d, want %d", fact.what, fact.got, fact.want)
		}
	}
}

// TestSilentCombinationsAreFew checks the bounds on d from which main.go derives its complexity.
func TestSilentCombinationsAreFew(t *testing.T) {
	var patterns [cellCount + 1]int // by the size of the basis of silent combinations
	for n := range 512 {
		patterns[len(newGame(patternOf(n)).silent)]++
	}
	if patterns[0] != 279 || patterns[cellCount] != 1 {
		t.Errorf("%d patterns have an empty silent basis and %d have one of 16, want 279 and the zeros alone", patterns[0], patterns[cellCount])
	}
	for d := 8; d < cellCount; d++ {
		if patterns[d] > 0 {
			t.Errorf("%d patterns have a silent basis of %d, more than 7", patterns[d], d)
		}
	}
}
