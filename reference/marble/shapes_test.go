package main

import (
	"math/rand/v2"
	"testing"
)

// TestShapesMoveAsPositions makes all moves on all positions of small boards, and on their shapes:
// the shape of the outcome must be the outcome of the shape.
func TestShapesMoveAsPositions(t *testing.T) {
	type key = [1]uint64
	chance := rand.New(rand.NewPCG(7, 11))
	moves, renamed, drops := 0, 0, 0
	for range 200 {
		n := 3 + chance.IntN(2)
		m := 2 + chance.IntN(6-n)
		b := scatteredBoard(chance, n, m)
		f, _ := newField(b)
		if !f.prune() {
			continue
		}
		g := f.forShapes()
		r, rs := newRoller[key](f), newRoller[key](g)
		everyPosition(f, func(at []int16) {
			k := pack[key](f, at)
			shape := key{g.shapeOf(k[0])}
			if again := g.shapeOf(shape[0]); again != shape[0] {
				t.Fatalf("n=%d m=%d: the shape of %x is %x, whose shape is %x", n, m, k, shape, again)
			}
			for v := range len(lifts) {
				next, ok := r.tilt(k, v)
				if !ok {
					continue
				}
				want := key{g.shapeOf(next[0])}
				if got, ok := rs.tilt(shape, v); !ok || got != want || rs.dropped != r.dropped {
					t.Fatalf("n=%d m=%d: move %c of shape %x: %x %v, dropped %v; want %x true %v",
						n, m, lifts[v], shape, got, ok, rs.dropped, want, r.dropped)
				}
				moves++
				if shape != k {
					renamed++
					if r.dropped {
						drops++
					}
				}
			}
		})
	}
	if moves < 100_000 || renamed < moves/4 || drops < 1000 {
		t.Errorf("%d moves, %d of them with marbles in another order, %d of these drop one: too few of a kind", moves, renamed, drops)
	}
}

// TestEqualShapes checks that positions have the same shape exactly if they have the same rolling
// marbles, in whatever order, and filled holes.
func TestEqualShapes(t *testing.T) {
	f := &field{width: 4, holes: []int16{15, 14, 13, 12, 11}}
	for i, hole := range f.holes {
		f.slots = append(f.slots, slot{shift: uint8(4 * i), hole: hole})
	}
	for _, tt := range []struct {
		why       string
		at, shape []int16
	}{
		{"in order", []int16{1, 2, 3, 4, 5}, []int16{1, 2, 3, 4, 5}},
		{"in the reverse order", []int16{5, 4, 3, 2, 1}, []int16{1, 2, 3, 4, 5}},
		{"in another order", []int16{3, 5, 1, 4, 2}, []int16{1, 2, 3, 4, 5}},
		{"one has dropped", []int16{5, 3, 13, 9, 1}, []int16{1, 3, 13, 5, 9}},
		{"one lies above a filled hole", []int16{13, 3, 13, 9, 1}, []int16{1, 3, 13, 9, 13}},
		{"all have dropped", []int16{15, 14, 13, 12, 11}, []int16{15, 14, 13, 12, 11}},
	} {
		k, want := pack[[1]uint64](f, tt.at), pack[[1]uint64](f, tt.shape)
		if got := f.shapeOf(k[0]); got != want[0] {
			t.Errorf("%s: %x has shape %x, want %x", tt.why, k, got, want)
		}
	}
}
