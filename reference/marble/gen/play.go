package main

import (
	"math"
	"slices"
)

// rules are the rules of the game, or those of a careless program.
type rules int

const (
	rightRules   rules = iota
	holesNever         // a filled hole swallows marbles for ever
	holesTooLate       // a hole filled during a move is open until its end
	byNumber           // marbles roll in the order of their numbers, not those ahead first
	jumping            // a marble drops only into a hole on which it comes to rest
	ownHoles           // a marble rolls over the holes of others
	ghosts             // a marble in its hole stops others
	onesided           // a wall stops only what comes from the square named first
	identityLost       // positions are the same wherever the same squares are taken
	noWayBack          // after a lift the opposite side is never the next
)

// mistakes holds the names of the wrong rules, in their order.
var mistakes = []string{
	"never-closed", "closed-late", "by-number", "jumping", "own-holes", "ghosts", "one-sided", "identity-lost", "no-way-back",
}

// play is the game on small boards. Squares are numbered row by row from 0. A position holds the
// square of each marble, which is that of its hole if it has dropped.
type play struct {
	n      int
	rules  rules
	start  []int
	hole   []int     // of each marble, or -1
	owner  []int     // of the hole on each square, or -1
	closed [4][]bool // by direction and square, whether a wall or the edge stops marbles there
	taken  []bool    // during a move, by square, whether a marble there stops others
}

// directions are those in which marbles roll after lifts E, N, S and W. The opposite of direction d
// is 3-d.
var directions = [4]square{{0, -1}, {1, 0}, {-1, 0}, {0, 1}}

func newPlay(b *board, r rules) *play {
	p := &play{n: b.n, rules: r, owner: slices.Repeat([]int{-1}, b.n*b.n), taken: make([]bool, b.n*b.n)}
	at := func(s square) int { return s.row*b.n + s.col }
	for i, s := range b.marbles {
		p.start = append(p.start, at(s))
		p.hole = append(p.hole, -1)
		if i < len(b.holes) {
			p.hole[i] = at(b.holes[i])
			p.owner[p.hole[i]] = i
		}
	}
	for d, step := range directions {
		p.closed[d] = make([]bool, b.n*b.n)
		for _, s := range squares(b.n) {
			row, col := s.row+step.row, s.col+step.col
			p.closed[d][at(s)] = min(row, col) < 0 || max(row, col) >= b.n
		}
		for _, w := range b.walls {
			for k, s := range w {
				other := w[1-k]
				if (other == square{s.row + step.row, s.col + step.col}) && (k == 0 || r != onesided) {
					p.closed[d][at(s)] = true
				}
			}
		}
	}
	return p
}

// roll makes a move. It returns false if that loses the game.
func (p *play) roll(old []int, d int) ([]int, bool) {
	var order []int // of the marbles to roll
	for i, s := range old {
		if s != p.hole[i] {
			order = append(order, i)
		}
		p.taken[s] = p.taken[s] || s != p.hole[i] || p.rules == ghosts
	}
	step := directions[d].row*p.n + directions[d].col
	if p.rules != byNumber {
		slices.SortFunc(order, func(i, j int) int { return (old[j] - old[i]) * step })
	}
	at, lost := slices.Clone(old), false
	for _, i := range order {
		s := old[i]
		p.taken[s] = false
		for !p.closed[d][s] && !p.taken[s+step] {
			s += step
			if o := p.owner[s]; o >= 0 && p.swallows(i, s, d, old, at) {
				lost = lost || o != i
				break
			}
		}
		at[i] = s
		p.taken[s] = s != p.hole[i] || p.rules == ghosts
	}
	for _, s := range at {
		p.taken[s] = false
	}
	return at, !lost
}

// swallows reports whether a marble that rolls onto the square of a hole drops into it.
func (p *play) swallows(marble, s, d int, old, at []int) bool {
	o := p.owner[s]
	open := at[o] != s
	switch step := directions[d].row*p.n + directions[d].col; p.rules {
	case holesNever:
		return true
	case holesTooLate:
		return old[o] != s
	case jumping:
		return open && (p.closed[d][s] || p.taken[s+step])
	case ownHoles:
		return open && o == marble
	}
	return open
}

// key returns a number that identifies a position.
func (p *play) key(at []int) (k int) {
	if p.rules == identityLost {
		var floor []int
		for i, s := range at {
			if s == p.hole[i] {
				k |= 1 << i
			} else {
				floor = append(floor, s)
			}
		}
		slices.Sort(floor)
		at = floor
	}
	for _, s := range at {
		k = k*p.n*p.n + s
	}
	return k
}

// solve returns the number of moves that the game takes, or -1 if it cannot be won.
func (p *play) solve() int {
	moves, _ := p.search(math.MaxInt)
	return moves
}

// search returns the number of moves that the game takes, and how many positions it has seen. It
// returns -1 moves if the game cannot be won, or if it gives up because the positions exceed limit.
func (p *play) search(limit int) (moves, positions int) {
	type node struct {
		at   []int
		last int // direction of the move that led here, or -1
	}
	seen := map[int]bool{p.key(p.start): true}
	layer := []node{{p.start, -1}}
	for ; len(layer) > 0; moves++ {
		var next []node
		for _, from := range layer {
			if slices.Equal(from.at, p.hole) {
				return moves, len(seen)
			}
			for d := range directions {
				if p.rules == noWayBack && d == 3-from.last {
					continue
				}
				to, ok := p.roll(from.at, d)
				if k := p.key(to); ok && !seen[k] {
					seen[k] = true
					next = append(next, node{to, d})
				}
			}
		}
		if len(seen) > limit {
			break
		}
		layer = next
	}
	return -1, len(seen)
}

// wins reports whether the moves bring every marble home.
func (p *play) wins(moves []int) bool {
	at := p.start
	for _, d := range moves {
		next, ok := p.roll(at, d)
		if !ok {
			return false
		}
		at = next
	}
	return slices.Equal(at, p.hole)
}
