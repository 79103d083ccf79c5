package main

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPending executes random commands on a pending list and on a plain slice. Long lists with many
// flips make the pending list join its pieces again and again.
func TestPending(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name, why            string
		adds, removes, flips int // relative frequencies
	}{
		{"growing", "long lists, cut into many pieces", 3, 1, 3},
		{"level", "lists that become empty and start anew", 2, 2, 1},
		{"flipping", "far more flips than cells", 2, 1, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var list pending
			var plain []int
			for i := range 20_000 {
				switch n := random.IntN(tt.adds + tt.removes + tt.flips); {
				case n < tt.adds:
					list.add(i)
					plain = append(plain, i)
				case len(plain) == 0:
				case n < tt.adds+tt.removes:
					list.removeLast()
					plain = plain[:len(plain)-1]
				default:
					position := 1 + random.IntN(len(plain))
					list.flip(position)
					slices.Reverse(plain[position-1:])
				}
				if list.length != len(plain) {
					t.Fatalf("%s: after %d commands the list has %d cells, want %d", tt.why, i+1, list.length, len(plain))
				}
				if len(plain) > 0 && list.last() != plain[len(plain)-1] {
					t.Fatalf("%s: after %d commands the last cell is %d, want %d", tt.why, i+1, list.last(), plain[len(plain)-1])
				}
			}
		})
	}
}
