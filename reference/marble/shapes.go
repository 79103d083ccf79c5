package main

// This file searches through shapes. The shape of a position is what is left of it if all
// marbles look alike: which squares hold rolling marbles, and which holes are filled. Where r
// marbles are rolling, up to r! positions have the same shape, and on hard boards nearly all of
// them can be reached if one can. So there are far fewer shapes than positions.
//
// Shapes have moves, too. They differ from those of positions in one point: a marble that drops
// into an open hole is always taken for the one that belongs there, so no move loses. Therefore a
// move that turns one position into another turns the shape of the one into the shape of the
// other, and a position that can be reached has a shape that can be reached. Two things follow once
// all these shapes are known:
//
//   - If home is not among them, there is no way home.
//   - The search from home can drop every position whose shape is not among them. These are nearly
//     all positions that un-tilting finds.
//
// A shape is stored as the key of one position that has it: the one in which the rolling marbles,
// in the order of their numbers, are on squares of increasing numbers. Then the searches for
// positions and for shapes differ only in the last step of a move.

// shapesAt is the number of positions met from which on it pays to find all shapes. On hard boards
// with 4 marbles that takes as long as meeting a few million positions, and the search might have ended
// sooner without. Tests change it.
var shapesAt = 3 << 19

// shapes is the search for the shapes that can be reached from the start.
type shapes[K key] struct {
	*search[K]      // it has no end at home
	known      bool // all shapes have been found
	tooMany    bool // they did not fit in memory, and were dropped
}

// rulesOut reports whether a position is known to be out of reach because of its shape.
func (s *shapes[K]) rulesOut(k K) bool {
	if s == nil || !s.known {
		return false
	}
	k[0] = s.f.shapeOf(k[0])
	return s.fore.age(k) == 0
}

// findShapes finds more shapes, up to twice as many as there are positions. It returns true when it
// has found the last one. From then on, the search from home can leave out what they rule out, and
// should begin again.
func (s *search[K]) findShapes() bool {
	var one K
	met := s.fore.total + s.back.total
	if len(one) > 1 || s.f.useful == nil || met < shapesAt {
		return false
	}
	if s.shapes == nil {
		s.shapes = newShapes(s)
	}
	all := s.shapes
	for !all.known && !all.tooMany && all.fore.total < 2*met {
		all.tooMany = !all.growFore() || all.fore.bytes() > s.meter.limit/4
		all.known = all.fore.newest == 0 && !all.tooMany
		if !all.known && !all.tooMany {
			all.split()
			continue
		}
		all.clear()
		s.updateMeter()
		return all.known
	}
	return false
}

// clear frees what is not needed after the last shape: the lists of positions, and all shapes if
// there are too many.
func (s *shapes[K]) clear() {
	for _, w := range s.workers {
		w.release()
	}
	for i := range s.fore.parts {
		p := &s.fore.parts[i]
		p.newest, p.next = nil, nil
	}
	if s.tooMany {
		s.fore.parts = nil
	}
}

// newShapes begins the search for the shapes of the positions that s searches.
func newShapes[K key](s *search[K]) *shapes[K] {
	f := s.f.forShapes()
	start := pack[K](f, f.start)
	start[0] = f.shapeOf(start[0])
	return &shapes[K]{search: &search[K]{
		f: f, meter: s.meter, workers: []*worker[K]{newWorker[K](f, s.meter)}, fore: newLayers(f, start),
	}}
}

// forShapes returns the field on which positions stand for their shapes. A square is useful to all
// marbles if it is useful to one of them.
func (f *field) forShapes() *field {
	g := *f
	g.shapes = true
	useful := make([]bool, f.n*f.n)
	for i := range f.useful {
		for at, ok := range f.useful[i] {
			useful[at] = useful[at] || ok
		}
	}
	g.useful = make([][]bool, len(f.start))
	for i := range g.useful {
		g.useful[i] = useful
	}
	g.findQuick()
	return &g
}

// shapeOf returns the key that stands for the shape of a position, for keys of one word.
//
// The squares are put in order by counting how many are smaller, because processors cannot predict
// how they compare.
func (f *field) shapeOf(k uint64) uint64 {
	mask := uint64(1)<<f.width - 1
	var at, rank [16]uint32
	var shift [16]uint8
	n := 0
	for i := range f.slots {
		s := &f.slots[i]
		x := k >> (s.shift & 63) & mask
		if x == uint64(s.hole) {
			continue
		}
		k ^= x << (s.shift & 63)
		at[n&15], shift[n&15] = uint32(x), s.shift
		for j := range n {
			less := (at[j&15] - uint32(x)) >> 31
			rank[n&15] += less
			rank[j&15] += 1 - less
		}
		n++
	}
	for i := range n {
		k |= uint64(at[i&15]) << (shift[rank[i&15]&15] & 63)
	}
	return k
}

// shapeAfter returns the key that stands for the shape after a move of the loaded shape. In the
// given key, marbles may lie in each other's holes.
func (r *roller[K]) shapeAfter(k uint64) uint64 {
	mask := uint64(1)<<r.f.width - 1
	var squares [16]uint64 // of the marbles that still roll, in order
	n := 0
	for i, s := range r.f.slots {
		if r.at[i] == s.hole || r.fell>>i&1 != 0 {
			continue
		}
		at := k >> s.shift & mask
		j := n
		for ; j > 0 && squares[j-1] > at; j-- {
			squares[j] = squares[j-1]
		}
		squares[j] = at
		n++
	}
	k, n = 0, 0
	for i, s := range r.f.slots {
		at := uint64(s.hole)
		if r.at[i] != s.hole && r.filled>>i&1 == 0 {
			at = squares[n]
			n++
		}
		k |= at << s.shift
	}
	return k
}
