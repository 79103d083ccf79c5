package main

import "strings"

// table is a board in play. marble and empty hold, for each square, the number of the marble there
// and of the marble whose open hole is there, counted from 1, or 0.
type table struct {
	*board
	marble []int16
	empty  []int16
	left   int // marbles that have not dropped
}

func newTable(b *board) *table {
	t := &table{b, make([]int16, b.n*b.n), make([]int16, b.n*b.n), len(b.marbles)}
	for i := range b.marbles {
		t.marble[b.at(b.marbles[i])] = int16(i + 1)
		t.empty[b.at(b.holes[i])] = int16(i + 1)
	}
	return t
}

// play makes the moves one by one until something goes wrong. winning is the part of the moves that
// wins: all of them, their beginning if they continue after the win, or nothing. (No board is won
// before the first move.)
func (b *board) play(number int, moves string) (winning string, bad *finding) {
	t := newTable(b)
	for i := range len(moves) {
		if t.left == 0 {
			return moves[:i], finds("case %d: already won after %d of %d moves", number, i, len(moves))
		}
		if marble, hole := t.lift(moves[i]); marble != hole {
			return "", finds("case %d: after %d of %d moves marble %d has dropped into hole %d",
				number, i+1, len(moves), marble, hole)
		}
	}
	first, where := int16(0), 0 // the marble with the least number
	for at, marble := range t.marble {
		if marble != 0 && (first == 0 || marble < first) {
			first, where = marble, at
		}
	}
	if first != 0 {
		return "", finds("case %d: after all %d moves marble %d still lies on square %d %d",
			number, len(moves), first, where/b.n, where%b.n)
	}
	return moves, nil
}

// lift raises a side. The marbles roll one after another, those farthest from that side first, each
// as far as it can. If a marble drops into another marble's hole, lift returns the numbers of
// marble and hole, and otherwise two equal numbers.
func (t *table) lift(side byte) (marble, hole int16) {
	d := strings.IndexByte(sideNames, side)
	step := directions[d].row*t.n + directions[d].col
	for k := range t.marble {
		at := k
		if step > 0 {
			at = len(t.marble) - 1 - k
		}
		marble := t.marble[at]
		if marble == 0 {
			continue
		}
		t.marble[at] = 0
		for t.closed[at]>>d&1 == 0 && t.marble[at+step] == 0 {
			at += step
			if hole := t.empty[at]; hole != 0 {
				if hole != marble {
					return marble, hole
				}
				t.empty[at], marble = 0, 0
				t.left--
				break
			}
		}
		t.marble[at] = marble
	}
	return 0, 0
}
