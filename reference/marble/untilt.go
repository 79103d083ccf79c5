package main

import "math/bits"

// An un-tilt computes, exactly, the positions that a move turns into a given one.
//
// A move changes each stretch separately. A hole that is open after move v was open during the
// move, and no marble crossed it. So open holes cut a stretch into sections that change separately.
// After the move the marbles at rest form a row from the front of the stretch, in its first
// section. Some of the filled holes of a section may have just been filled. Choose which, and
// choose the squares that held marbles before the move; then it is determined which marble was
// where. From the front backwards, each of these marbles has dropped into the nearest newly filled
// hole ahead of it that no marble before it has taken, or, if there is none, has come to rest next
// in the row.
//
// On open ground these choices would be very many. But every position on the way, except the first,
// is itself the outcome of some move p: each of its marbles leans on a wall, or on a marble that
// does, on the side that p rolls to. So the un-tilt searches once for each p other than v, and
// tries only squares on which a marble leans. If p runs across, it takes the lines in the order in
// which p sees them one behind the other. A marble on a square leans if the square is one of the
// stops, or if the square before it, on the previous line, holds a marble. If p is the opposite of
// v, the marbles fill the back of the stretch, which only its last section includes.

// unroller is the part of a roller that un-tilts.
type unroller[K key] struct {
	emit  func(K)
	work  int64 // squares ever tried
	limit int64 // bound on work; positions found beyond it are not emitted

	sections []section // sections in which marbles may have moved, sorted by line
	known    []int16   // by square, 1 + the index in whole of the stretch whose front it is, or 0
	whole    []section // the stretches, before they are cut
	before   []uint64  // squares chosen so far for the marbles before the move; line i is at i+1
	choices  []choice  // the choices of all marbles, if each has its stretch to itself (see alone)
	pending  []int16   // marbles that have dropped into newly filled holes ahead, and need a square
	v, p     int
	key      K // position before the move, with the squares chosen so far
}

// section is a stretch, or the part of it between open holes.
type section struct {
	line    int
	squares uint64
	filled  uint64 // the squares with filled holes
	rest    int    // number of marbles at rest, in a row from the front
	front   int16  // the first square
	back    bool   // whether a wall, not an open hole, is at its back
}

func newUnroller[K key](f *field) unroller[K] {
	return unroller[K]{
		known:  make([]int16, f.n*f.n),
		before: private[uint64](f.n+2, f.n+2),
	}
}

// exhausted reports whether the last un-tilt was cut short by limit.
func (r *roller[K]) exhausted() bool { return r.un.work > r.un.limit }

// untilt calls emit with all positions that move v turns into the loaded one and that are
// themselves the outcome of a move. It may repeat positions.
func (r *roller[K]) untilt(v int, emit func(K)) {
	u := &r.un
	u.v, u.emit, u.key = v, emit, r.key
	alone, settled := r.alone(v)
	if !alone {
		settled = r.settled(v)
	}
	if !settled {
		return
	}
	apart := alone && r.apart(v)
	known := false
	for u.p = range r.f.views {
		switch {
		case u.p == v:
		case u.p == 3-v && len(r.rolling) == len(r.at):
			// No marble has dropped, so found would emit nothing.
		case apart, alone && u.p == 3-v:
			r.choose()
		default:
			if !known {
				r.findSections(v)
				known = true
			}
			r.fill(0)
		}
	}
}

// found emits the position before the move, which is complete, unless it is the outcome of the
// opposite of v and no marble has dropped. In that case the opposite has only rolled the marbles
// away, and v rolls them back, which is not part of a shortest way.
func (r *roller[K]) found() {
	u := &r.un
	if u.key == r.key || r.exhausted() || u.p == 3-u.v && !anyDropped(r.f, &u.key) {
		return
	}
	u.emit(u.key)
}

// settled reports whether move v leaves the loaded position as it is.
func (r *roller[K]) settled(v int) bool {
	w := &r.f.views[v]
	r.mark(w)
	defer r.wipe(w)
	for _, i := range r.rolling {
		q := &w.squares[r.at[i]]
		if q.ahead()&^r.lines[q.line] != 0 {
			return false
		}
	}
	return true
}

// findSections lists the sections in which move v may have moved marbles.
func (r *roller[K]) findSections(v int) {
	u, w := &r.un, &r.f.views[v]
	u.whole = u.whole[:0]
	for i, at := range r.at {
		q := &w.squares[at]
		front := at - int16(int(q.u-q.front)*w.step)
		number := u.known[front]
		if number == 0 {
			u.whole = append(u.whole, section{line: int(q.line), squares: q.stretch, front: front})
			number = int16(len(u.whole))
			u.known[front] = number
		}
		s := &u.whole[number-1]
		if at == r.f.holes[i] {
			s.filled |= 1 << q.u
		} else {
			s.rest++
		}
	}
	u.sections = u.sections[:0]
	for _, s := range u.whole {
		u.known[s.front] = 0
		open := w.holes[s.line] & s.squares &^ s.filled
		for left := s.squares; left != 0; {
			hole := open & -open
			p := section{line: s.line, squares: left & (hole - 1), rest: s.rest, back: open == 0}
			p.filled = s.filled & p.squares
			p.front = s.front + int16((bits.TrailingZeros64(left)-bits.TrailingZeros64(s.squares))*w.step)
			if p.rest != 0 || p.filled != 0 {
				u.insert(p)
			}
			left &^= p.squares | hole
			open &^= hole
			s.rest = 0
		}
	}
}

// insert keeps the sections sorted by line.
func (u *unroller[K]) insert(p section) {
	i := len(u.sections)
	u.sections = append(u.sections, p)
	for ; i > 0 && u.sections[i-1].line > p.line; i-- {
		u.sections[i] = u.sections[i-1]
	}
	u.sections[i] = p
}

// fill finds all ways to fill the sections from number done on, in the order in which move p sees
// their lines.
func (r *roller[K]) fill(done int) {
	u := &r.un
	if done == len(u.sections) {
		r.found()
		return
	}
	s, leaning := u.sectionAt(r.f, done)
	r.fillSquares(done, s, leaning|s.filled, leaning, 0)
}

// sectionAt returns section number done in the order of fill, with the squares that may have held
// marbles because they lean.
func (u *unroller[K]) sectionAt(f *field, done int) (*section, uint64) {
	s := &u.sections[done]
	if u.p == 3-u.v {
		if !s.back {
			return s, 0 // the opposite move would have dropped marbles into the open hole behind
		}
		return s, s.squares
	}
	nearer := s.line // index into before of the line one nearer to p's front
	if f.views[u.p].step < 0 {
		s = &u.sections[len(u.sections)-1-done]
		nearer = s.line + 2
	}
	return s, (f.views[u.v].stops[u.p][s.line] | u.before[nearer]) & s.squares
}

// fillSquares continues in section s with the squares left. The squares ahead of them are done, and
// placed is how many of the marbles at rest they hold.
func (r *roller[K]) fillSquares(done int, s *section, left, leaning uint64, placed int) {
	u, w := &r.un, &r.f.views[r.un.v]
	missing := len(u.pending) + s.rest - placed // number of marbles that the squares left must hold
	for ; left != 0; left &= left - 1 {
		u.work++
		if r.exhausted() || bits.OnesCount64(left&leaning) < missing {
			return
		}
		if missing == 0 && left&s.filled == 0 {
			break
		}
		bit := left & -left
		square := s.front + int16((bits.TrailingZeros64(bit)-bits.TrailingZeros64(s.squares))*w.step)
		if s.filled&bit != 0 { // try that this hole was just filled
			u.pending = append(u.pending, r.f.owner[square])
			r.fillSquares(done, s, left&(left-1), leaning, placed)
			u.pending = u.pending[:len(u.pending)-1]
		}
		if leaning&bit == 0 || missing == 0 {
			continue
		}
		if u.p == 3-u.v && bits.OnesCount64(left) != missing {
			continue // too near the front: the back must be full
		}
		if n := len(u.pending); n > 0 {
			i := u.pending[n-1]
			u.pending = u.pending[:n-1]
			r.fillSquare(done, s, left, leaning, placed, i, square)
			u.pending = append(u.pending, i)
		} else {
			i := r.on[s.front+int16(placed*w.step)]
			r.fillSquare(done, s, left, leaning, placed+1, i, square)
		}
	}
	if missing == 0 {
		r.fill(done + 1)
	}
}

// fillSquare continues with marble i on the first of the squares left.
func (r *roller[K]) fillSquare(done int, s *section, left, leaning uint64, placed int, i, square int16) {
	if !r.f.isUseful(i, square) {
		return
	}
	u := &r.un
	bit := left & -left
	u.before[s.line+1] |= bit
	r.put(&u.key, i, square)
	r.fillSquares(done, s, left&^bit, leaning, placed)
	r.put(&u.key, i, square)
	u.before[s.line+1] &^= bit
}
