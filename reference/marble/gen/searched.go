package main

import (
	"errors"
	"slices"
)

// errNone is returned by a search that gives up.
var errNone = errors.New("no such board found (hint: use other flags, or another -seed)")

// played draws a board and moves, and puts the holes where the moves bring the marbles. It tries
// again until the same moves win with these holes.
func played(g *gen) (*board, error) {
	n, m := g.Int("n"), g.Int("m")
	for range 10_000 {
		b, err := random(g)
		if err != nil {
			return nil, err
		}
		last := -1
		moves := make([]int, g.Int("moves"))
		for i := range moves {
			d := g.below(4)
			for d == last {
				d = g.below(4)
			}
			moves[i], last = d, d
		}
		free := make(map[square]bool)
		for _, s := range squares(n) {
			free[s] = true
		}
		for _, s := range b.marbles {
			free[s] = false
		}
		floor := newPlay(&board{n: n, marbles: b.marbles, walls: b.walls}, rightRules)
		at := floor.start
		for _, d := range moves {
			at, _ = floor.roll(at, d)
		}
		b.holes = nil
		for _, s := range at {
			if hole := (square{s / n, s % n}); free[hole] {
				b.holes = append(b.holes, hole)
			}
		}
		if len(b.holes) == m && newPlay(b, rightRules).wins(moves) {
			return b, nil
		}
	}
	return nil, errNone
}

func rollover(g *gen) (*board, error) { return differing(g, holesNever, holesTooLate) }

// mistaken draws boards that expose programs with one of the mistakes.
func mistaken(g *gen) (*board, error) {
	r := slices.Index(mistakes, g.Text("rule"))
	if r < 0 {
		r = g.below(len(mistakes))
	}
	return differing(g, rules(1+r)) // the right rules come first, and have no name in mistakes
}

// differing draws small boards until one can be won and has another answer under each of the wrong
// rules.
func differing(g *gen, wrong ...rules) (*board, error) {
	for range 100_000 {
		b, err := random(g)
		if err != nil {
			return nil, err
		}
		moves := newPlay(b, rightRules).solve()
		if moves <= 0 {
			continue
		}
		if !slices.ContainsFunc(wrong, func(r rules) bool {
			return newPlay(b, r).solve() == moves
		}) {
			return b, nil
		}
	}
	return nil, errNone
}

// wander draws boards until one has from -positions to half as many more positions. It skips boards
// on which some marble alone has no way home, because solvers reject these without a search.
func wander(g *gen) (*board, error) {
	fewest := g.Int("positions")
	for range 10_000 {
		b, err := random(g)
		if err != nil {
			return nil, err
		}
		positions := 0
		if eachAlone(b) {
			_, positions = newPlay(b, rightRules).search(fewest * 3 / 2)
		}
		if fewest <= positions && positions <= fewest*3/2 {
			return b, nil
		}
	}
	return nil, errNone
}

// eachAlone reports whether every marble would come home if it were the only one.
func eachAlone(b *board) bool {
	for i := range b.marbles {
		alone := &board{b.n, b.marbles[i : i+1], b.holes[i : i+1], b.walls}
		if newPlay(alone, rightRules).solve() < 0 {
			return false
		}
	}
	return true
}

// deep begins with a random board. At each step it adds or removes one wall, or moves one marble or
// hole, and undoes the change if the game becomes shorter.
func deep(g *gen) (*board, error) {
	n := g.Int("n")
	best := &board{n: n}
	if err := g.scatter(best, g.Int("m")); err != nil {
		return nil, err
	}
	if err := g.build(best, n*n*3/10); err != nil {
		return nil, err
	}
	longest := newPlay(best, rightRules).solve()
	places := edges(n)
	for range g.Int("steps") {
		b := &board{n: n, marbles: append([]square(nil), best.marbles...), holes: append([]square(nil), best.holes...)}
		if g.below(4) == 0 {
			b.displace(g)
			b.walls = append(b.walls, best.walls...)
		} else {
			place, had := places[g.below(len(places))], false
			for _, w := range best.walls {
				if w == place || w == (wall{place[1], place[0]}) {
					had = true
				} else {
					b.walls = append(b.walls, w)
				}
			}
			if !had {
				b.walls = append(b.walls, place)
			}
		}
		if moves := newPlay(b, rightRules).solve(); moves >= longest {
			best, longest = b, moves
		}
	}
	if longest < 0 {
		return nil, errors.New("no board found that can be won (hint: use more -steps, or another -seed)")
	}
	return best, nil
}

// displace moves a marble or a hole to a random square, unless that is taken.
func (b *board) displace(g *gen) {
	to := square{g.below(b.n), g.below(b.n)}
	for _, s := range append(append([]square(nil), b.marbles...), b.holes...) {
		if s == to {
			return
		}
	}
	i := g.below(2 * len(b.marbles))
	if i < len(b.marbles) {
		b.marbles[i] = to
	} else {
		b.holes[i-len(b.marbles)] = to
	}
}
