package main

import "math/bits"

// roller moves marbles. It holds one position in unpacked form, and scratch space; every thread has
// its own.
type roller[K key] struct {
	_ pad

	f       *field
	key     K
	at      []int16  // the square of each marble
	rolling []int16  // the marbles that have not dropped
	on      []int16  // on[square] is the rolling marble there; other entries are stale
	lines   []uint64 // the rolling marbles on each line of a view; zero between moves

	// taken[front] is the number of the tilt that last found a marble in that stretch. Numbers
	// repeat after 2^32 tilts; an accidental match does no harm.
	taken []uint32
	tilts uint32

	dropped bool // whether a marble dropped in the last tilt
	un      unroller[K]

	// fell holds, by marble, whether it dropped in this tilt, and filled, by hole, whether a marble
	// dropped into it. Only tiltTogether uses them, for shapes, where they may differ.
	fell, filled uint16

	_ pad
}

func newRoller[K key](f *field) *roller[K] {
	marbles := len(f.start)
	return &roller[K]{
		f:       f,
		at:      private[int16](marbles, marbles),
		rolling: private[int16](0, marbles),
		on:      make([]int16, f.n*f.n),
		lines:   private[uint64](f.n, f.n),
		taken:   make([]uint32, f.n*f.n),
		un:      newUnroller[K](f),
	}
}

// pack returns the key of a position.
func pack[K key](f *field, at []int16) K {
	var k K
	for i, s := range f.slots {
		k[s.word] |= uint64(at[i]) << s.shift
	}
	return k
}

// load unpacks a position.
func (r *roller[K]) load(k K) {
	r.key = k
	r.rolling = r.rolling[:0]
	mask := uint64(1)<<r.f.width - 1
	for i, s := range r.f.slots {
		at := int16(k[s.word] >> s.shift & mask)
		r.at[i] = at
		if at != r.f.holes[i] {
			r.rolling = append(r.rolling, int16(i))
			r.on[at] = int16(i)
		}
	}
}

// anyDropped reports whether a marble has dropped in a position.
func anyDropped[K key](f *field, k *K) bool {
	mask := uint64(1)<<f.width - 1
	for i := range f.slots {
		if s := &f.slots[i]; int16((*k)[s.word]>>s.shift&mask) == s.hole {
			return true
		}
	}
	return false
}

// put moves marble i in a key that otherwise equals the loaded one.
func (r *roller[K]) put(k *K, i, to int16) {
	s := r.f.slots[i]
	(*k)[s.word] ^= uint64(r.at[i]^to) << s.shift
}

// tilt returns the position after move v. It returns false if that position is lost because a
// marble has dropped into a wrong hole or rests on a square that is not useful to it.
//
// Nearly always each marble has a stretch to itself, and a table holds where it comes to rest.
// Processors cannot predict whether a marble moves, so nothing here branches on that.
func (r *roller[K]) tilt(k K, v int) (K, bool) {
	r.tilts++
	r.dropped = false
	if r.f.quick != nil {
		if len(r.taken) < quickSquares {
			r.taken = make([]uint32, quickSquares)
		}
		next, useful, sure := tiltQuickly(k[0], r.f.slots, uint64(1)<<r.f.width-1, &r.f.quick[v], (*[quickSquares]uint32)(r.taken), r.tilts)
		if sure {
			k[0] = next
			if r.f.shapes {
				k[0] = r.f.shapeOf(next)
			}
			return k, useful
		}
		r.tilts++
	}
	next, useful := k, true
	mask := uint64(1)<<r.f.width - 1
	for i := range r.f.slots {
		s := &r.f.slots[i]
		at := int16(k[s.word] >> s.shift & mask)
		if at == s.hole {
			continue
		}
		q := r.f.rolls[v][at]
		if r.taken[q.to] == r.tilts {
			r.load(k)
			return r.tiltTogether(v)
		}
		r.taken[q.to] = r.tilts
		if q.holes {
			q.to = r.rollOverHoles(&k, v, i, at, q.to)
			if q.to < 0 && r.f.shapes {
				r.load(k)
				return r.tiltTogether(v)
			}
			if q.to < 0 {
				useful = false // lost, unless a later marble shares the stretch: then tiltTogether decides
				continue
			}
		}
		if !r.f.isUseful(int16(i), q.to) {
			useful = false
		}
		next[s.word] ^= uint64(at^q.to) << s.shift
	}
	if r.f.shapes {
		next[0] = r.f.shapeOf(next[0])
	}
	return next, useful
}

// tiltQuickly is tilt for keys of one word. sure is false if a marble shares its stretch with
// another marble or with a hole; then the other results mean nothing.
func tiltQuickly(k uint64, slots []slot, mask uint64, rolls *quick, taken *[quickSquares]uint32, tilts uint32) (next uint64, useful, sure bool) {
	next = k
	bits := uint32(1 << quickUseful)
	for i := range slots {
		s := &slots[i]
		at := k >> (s.shift & 63) & mask
		if at == uint64(s.hole) {
			continue
		}
		e := rolls[at%quickSquares]
		to := e % quickSquares
		if taken[to] == tilts || e&quickHoles != 0 {
			return 0, false, false
		}
		taken[to] = tilts
		bits &= e >> (i & 31)
		next ^= (at ^ uint64(to)) << (s.shift & 63)
	}
	return next, bits != 0, true
}

// rollOverHoles returns where marble i, on the square at and alone in a stretch with holes, comes
// to rest: on the given front, or in the first open hole ahead. It returns -1 if that hole is
// another marble's.
func (r *roller[K]) rollOverHoles(k *K, v, i int, at, front int16) int16 {
	w := &r.f.views[v]
	q := &w.squares[at]
	mask := uint64(1)<<r.f.width - 1
	for holes := w.holes[q.line] & q.ahead(); holes != 0; {
		u := bits.Len64(holes) - 1 // the nearest
		holes &^= 1 << u
		hole := at + int16((u-int(q.u))*w.step)
		owner := int(r.f.owner[hole])
		if owner == i {
			r.dropped = true
			return hole
		}
		if s := &r.f.slots[owner]; int16((*k)[s.word]>>s.shift&mask) != hole {
			return -1
		}
	}
	return front
}

// mark adds the rolling marbles to the lines of a view.
func (r *roller[K]) mark(w *view) {
	for _, i := range r.rolling {
		q := &w.squares[r.at[i]]
		r.lines[q.line] |= 1 << q.u
	}
}

// wipe undoes mark.
func (r *roller[K]) wipe(w *view) {
	for _, i := range r.rolling {
		r.lines[w.squares[r.at[i]].line] = 0
	}
}

// tiltTogether tilts the loaded position, in which marbles may share stretches with each other and
// with holes.
//
// In a stretch without an open hole, a marble comes to rest as far from the front as there are
// marbles ahead of it. So the order does not matter there, and only marbles that move are touched.
func (r *roller[K]) tiltTogether(v int) (K, bool) {
	w := &r.f.views[v]
	r.mark(w)
	defer r.wipe(w)
	r.dropped = false
	r.fell, r.filled = 0, 0
	next := r.key
	for _, i := range r.rolling {
		from := r.at[i]
		q := &w.squares[from]
		ahead := r.lines[q.line] & q.ahead()
		if holes := w.holes[q.line] & q.stretch; holes != 0 {
			if open := r.open(w, q, from, holes); open != 0 {
				// The first marble of a stretch handles all marbles in it.
				if ahead == 0 && !r.tiltOverHoles(&next, w, q, from, open) {
					return next, false
				}
				continue
			}
		}
		u := int(q.front) + bits.OnesCount64(ahead)
		if u == int(q.u) {
			continue
		}
		to := from + int16((u-int(q.u))*w.step)
		if !r.f.isUseful(i, to) {
			return next, false
		}
		r.put(&next, i, to)
	}
	if r.f.shapes {
		next[0] = r.shapeAfter(next[0])
	}
	return next, true
}

// open returns those of the holes of a stretch that are not filled. q is the place of the square at.
func (r *roller[K]) open(w *view, q *square, at int16, holes uint64) uint64 {
	for rest := holes; rest != 0; rest &= rest - 1 {
		u := bits.TrailingZeros64(rest)
		hole := at + int16((u-int(q.u))*w.step)
		if r.at[r.f.owner[hole]] == hole {
			holes &^= rest & -rest
		}
	}
	return holes
}

// tiltOverHoles rolls all marbles of the stretch around the square at, whose place is q, over its
// open holes. It handles them front first: each drops into the nearest open hole ahead, or stops
// behind those at rest. It returns false if the position is lost.
func (r *roller[K]) tiltOverHoles(next *K, w *view, q *square, at int16, open uint64) bool {
	rest := int(q.front)
	for m := r.lines[q.line] & q.stretch; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		i := r.on[at+int16((u-int(q.u))*w.step)]
		if holes := open & (m&-m - 1); holes != 0 {
			u = bits.Len64(holes) - 1
			open &^= 1 << u
			to := at + int16((u-int(q.u))*w.step)
			switch {
			case r.f.shapes:
				r.fell |= 1 << i
				r.filled |= 1 << r.f.owner[to]
			case to != r.f.holes[i]:
				return false
			}
			r.dropped = true
			r.put(next, i, to)
			continue
		}
		to := at + int16((rest-int(q.u))*w.step)
		rest++
		if to != r.at[i] && !r.f.isUseful(i, to) {
			return false
		}
		r.put(next, i, to)
	}
	return true
}
