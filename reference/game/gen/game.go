package main

import (
	"fmt"
	"math/bits"
	"strings"
)

const (
	boards    = 1 << 16
	patterns  = 1 << 9
	mostMoves = 14 // the greatest answer of all games

	allWhite board = 0
	allBlack board = boards - 1

	anyPattern pattern = -1
)

// A board has a 1 for each black chip. The upper left chip is bit 15 and the others follow row by
// row, so that the binary form reads like the input.
type board uint16

// A pattern has its nine digits in bits 8 to 0, row by row.
type pattern int16

type game struct {
	board   board
	pattern pattern
}

// String returns the game in the form of an input.
func (g game) String() string {
	var text strings.Builder
	chips := strings.NewReplacer("0", "W", "1", "B").Replace(fmt.Sprintf("%016b", g.board))
	for ; chips != ""; chips = chips[4:] {
		fmt.Fprintln(&text, chips[:4])
	}
	for digits := g.pattern.digits(); digits != ""; digits = digits[3:] {
		fmt.Fprintln(&text, digits[:3])
	}
	return text.String()
}

func (p pattern) digits() string { return fmt.Sprintf("%09b", int16(p)) }

// A goal is the colour that a drawn game reaches in fewer moves than the other.
type goal string

const (
	anyGoal goal = "any"
	white   goal = "white"
	black   goal = "black"
)

// never is the answer of a game that cannot be won.
const never = -1

// A table holds, for every set of chips, the fewest moves that flip exactly these, or never.
type table [boards]int8

// newTable plays all sets of moves. The effect of each takes one step, because a set differs only
// by its lowest move from one that was played before.
func newTable(p pattern) *table {
	t := new(table)
	for b := range t {
		t[b] = never
	}
	var effects [boards]board
	for set := range boards {
		if set > 0 {
			effects[set] = effects[set&(set-1)] ^ p.at(bits.TrailingZeros(uint(set)))
		}
		moves, fewest := int8(bits.OnesCount(uint(set))), &t[effects[set]]
		if *fewest == never || moves < *fewest {
			*fewest = moves
		}
	}
	return t
}

// at returns the chips that a move flips. centre is the bit of its centre.
func (p pattern) at(centre int) board {
	row, column := 3-centre/4, 3-centre%4
	var flipped board
	for i := range 3 {
		for j := range 3 {
			r, c := row+i-1, column+j-1
			if p>>(8-3*i-j)&1 == 1 && 0 <= r && r < 4 && 0 <= c && c < 4 {
				flipped |= 1 << (15 - 4*r - c)
			}
		}
	}
	return flipped
}

// answer returns the fewest moves to either colour, or never.
func (t *table) answer(b board) int {
	toWhite, toBlack := t[b], t[^b]
	if toWhite == never || toBlack != never && toBlack < toWhite {
		return int(toBlack)
	}
	return int(toWhite)
}

// leadsTo reports whether g is anyGoal, or the colour that takes fewer moves than the other.
func (t *table) leadsTo(b board, g goal) bool {
	if g == anyGoal {
		return true
	}
	near, other := t[b], t[^b]
	if g == black {
		near, other = other, near
	}
	return near != never && (other == never || near < other)
}
