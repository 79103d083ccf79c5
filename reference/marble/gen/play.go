package main

import "slices"

// rules are those of the game, or those that a careless program plays by.
type rules int

const (
	rightRules   rules = iota
	holesNever         // a filled hole swallows marbles for ever
	holesTooLate       // a hole filled during a move is open until its end
)

// play is the game on small boards. A position gives the square of each
// marble, row by row from 0, that of its hole if it has dropped.
type play struct {
	*board
	rules  rules
	hole   []int       // of each marble
	owner  map[int]int // of each hole
	walled map[wall]bool
}

func newPlay(b *board, r rules) *play {
	p := &play{b, r, nil, make(map[int]int), make(map[wall]bool)}
	for i, s := range b.holes {
		p.hole = append(p.hole, s.row*b.n+s.col)
		p.owner[p.hole[i]] = i
	}
	for _, w := range b.walls {
		p.walled[w] = true
		p.walled[wall{w[1], w[0]}] = true
	}
	return p
}

// directions are those in which the marbles roll after lifts E, N, S and W.
var directions = [4]square{{0, -1}, {1, 0}, {-1, 0}, {0, 1}}

// roll makes a move. It reports false if that loses the game.
func (p *play) roll(old []int, d square) ([]int, bool) {
	at := append([]int(nil), old...)
	on := make(map[int]int)
	for i, s := range at {
		if s != p.hole[i] {
			on[s] = i
		}
	}
	for k := range p.n * p.n {
		s := k
		if d.row+d.col > 0 {
			s = p.n*p.n - 1 - k
		}
		i, here := on[s]
		if !here {
			continue
		}
		delete(on, s)
		for {
			from := square{s / p.n, s % p.n}
			to := square{from.row + d.row, from.col + d.col}
			if min(to.row, to.col) < 0 || max(to.row, to.col) >= p.n || p.walled[wall{from, to}] {
				break
			}
			next := to.row*p.n + to.col
			if _, taken := on[next]; taken {
				break
			}
			s = next
			if o, hole := p.owner[s]; hole && p.open(o, old, at) {
				if o != i {
					return nil, false
				}
				break
			}
		}
		at[i] = s
		if s != p.hole[i] {
			on[s] = i
		}
	}
	return at, true
}

// open tells whether the hole of a marble swallows what comes.
func (p *play) open(marble int, old, at []int) bool {
	switch p.rules {
	case holesNever:
		return true
	case holesTooLate:
		return old[marble] != p.hole[marble]
	}
	return at[marble] != p.hole[marble]
}

// solve returns the number of moves that the game takes, or -1 if it cannot
// be won.
func (p *play) solve() int {
	key := func(at []int) (k int) {
		for _, s := range at {
			k = k*p.n*p.n + s
		}
		return k
	}
	var start []int
	for _, s := range p.marbles {
		start = append(start, s.row*p.n+s.col)
	}
	home := key(p.hole)
	seen := map[int]bool{key(start): true}
	layer := [][]int{start}
	for moves := 0; len(layer) > 0; moves++ {
		var next [][]int
		for _, at := range layer {
			if key(at) == home {
				return moves
			}
			for _, d := range directions {
				if to, ok := p.roll(at, d); ok && !seen[key(to)] {
					seen[key(to)] = true
					next = append(next, to)
				}
			}
		}
		layer = next
	}
	return -1
}

// wins tells whether the moves bring every marble home.
func (p *play) wins(at []int, moves []square) bool {
	for _, d := range moves {
		next, ok := p.roll(at, d)
		if !ok {
			return false
		}
		at = next
	}
	return slices.Equal(at, p.hole)
}
