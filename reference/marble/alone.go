package main

import "math/bits"

// This file un-tilts positions in which no marble influences another. If there are few marbles,
// these are nearly all positions. There each marble has its stretch to itself, with no hole in it
// but the one that the marble may lie in. Where a marble was before the move then does not depend
// on the others, unless it may have leaned on one of them (see untilt.go). So the positions before
// the move are all combinations of one choice for each marble.

// choice is the set of squares where a marble may have been before the move.
type choice struct {
	marble  int16
	front   int16 // the square at distance 0 on its line, perhaps off the board
	squares uint64
}

// alone reports whether each marble of the loaded position, dropped marbles included, has its
// stretch of view v to itself, and if so, whether v leaves the position as it is.
func (r *roller[K]) alone(v int) (alone, settled bool) {
	w := &r.f.views[v]
	r.tilts++
	settled = true
	for i, at := range r.at {
		q := r.f.rolls[v][at]
		if r.taken[q.to] == r.tilts {
			return false, false
		}
		r.taken[q.to] = r.tilts
		if at != r.f.holes[i] {
			if q.holes {
				return false, false
			}
			settled = settled && q.to == at
		} else if s := &w.squares[at]; bits.OnesCount64(w.holes[s.line]&s.stretch) > 1 {
			return false, false
		}
	}
	return true, settled
}

// apart reports whether none of the marbles, each alone in view v, can have leaned on another in a
// move across.
func (r *roller[K]) apart(v int) bool {
	w := &r.f.views[v]
	lines := r.un.before // all zero here; line i is at i+1
	near := uint64(0)
	for _, at := range r.at {
		s := &w.squares[at]
		squares := s.stretch &^ s.ahead()
		near |= (lines[s.line] | lines[s.line+2]) & squares
		lines[s.line+1] |= squares
	}
	for _, at := range r.at {
		lines[w.squares[at].line+1] = 0
	}
	return near == 0
}

// choose does the work of untilt for one p. All marbles must be alone and, if p runs across, apart.
func (r *roller[K]) choose() {
	u := &r.un
	w := &r.f.views[u.v]
	u.work++
	u.choices = u.choices[:0]
	for i, at := range r.at {
		s := &w.squares[at]
		squares := s.stretch &^ s.ahead()
		if u.p == 3-u.v {
			squares &= 1 << (bits.Len64(squares) - 1)
		} else {
			squares &= w.stops[u.p][s.line]
		}
		if w.useful != nil {
			squares &= w.useful[i*r.f.n+int(s.line)]
		}
		if at == r.f.holes[i] {
			squares |= 1 << s.u // it may have dropped in an earlier move
		}
		if squares == 0 {
			return
		}
		u.choices = append(u.choices, choice{int16(i), at - int16(int(s.u)*w.step), squares})
	}
	r.combine(0)
}

// combine emits all combinations of the choices from number i on.
func (r *roller[K]) combine(i int) {
	u := &r.un
	if i == len(u.choices) {
		u.work++
		r.found()
		return
	}
	c := &u.choices[i]
	step := r.f.views[u.v].step
	for left := c.squares; left != 0 && !r.exhausted(); left &= left - 1 {
		to := c.front + int16(bits.TrailingZeros64(left)*step)
		r.put(&u.key, c.marble, to)
		r.combine(i + 1)
		r.put(&u.key, c.marble, to)
	}
}
