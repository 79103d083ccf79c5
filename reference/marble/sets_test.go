package main

import (
	"math/rand/v2"
	"testing"
)

// TestSetsAreMaps compares sets of all kinds with maps. Many keys are ones with which a brief set
// may go wrong: they agree in their first bits, or these are all ones as in a vacant place, or they
// belong at the end of a shard.
func TestSetsAreMaps(t *testing.T) {
	type key = [1]uint64
	chance := rand.New(rand.NewPCG(8, 1))
	for _, test := range []struct {
		why  string
		n, m int
	}{
		{"keys of no bits without the lead", 4, 1},
		{"keys of few bits without the lead", 4, 3},
		{"the most bits that entries of 4 bytes hold", 40, 4},
		{"8 bytes", 40, 5},
		{"8 bytes, on a small board", 8, 7},
		{"keys that use nearly all bits of a word", 8, 10},
	} {
		f := &field{n: test.n, width: map[int]uint{4: 4, 8: 6, 40: 11}[test.n]}
		for i := range test.m {
			f.slots = append(f.slots, slot{shift: uint8(uint(i) * f.width)})
		}
		for round := range 60 {
			square := chance.IntN(test.n * test.n)
			l := newLead(f, f.slots[chance.IntN(test.m)])
			sets := []set[key]{newSet[key](l, square), newBrief[key, uint64](l, square), &whole[key]{}}
			want := make(map[key]uint64)
			var keys []key
			few := 1 + chance.IntN(40)
			for range 1 + chance.IntN(600) {
				h := chance.Uint64()
				if round%2 == 0 {
					const first = 28
					low := []uint64{0, 1, 1<<first - 1, 1<<first - 2, uint64(few)}[chance.IntN(5)]
					h = uint64(chance.IntN(shards))<<(64-shardBits) | low<<(64-shardBits-first)
					h |= uint64(chance.IntN(few)) << (64 - l.rest)
				}
				h = h >> (64 - l.rest) << (64 - l.rest)
				k := key{l.gather(h, square)}
				if got := l.scatter(k[0]); got != h || squareOf(l, &k) != square {
					t.Fatalf("%s: %x, gathered, is scattered to %x", test.why, h, got)
				}
				keys = append(keys, k)
			}
			for len(keys) > 0 {
				some := keys[:1+chance.IntN(len(keys))]
				keys = keys[len(some):]
				age := 1 + chance.Uint64N(ages)
				fresh := 0
				for _, k := range some {
					if want[k] == 0 {
						want[k] = age
						fresh++
					}
				}
				for i, s := range sets {
					if got := s.add(some, age, nil); len(got) != fresh {
						t.Fatalf("%s: set %d, of %d keys: %d are fresh, want %d", test.why, i, len(want), len(got), fresh)
					}
				}
			}
			for i, s := range sets {
				for k, age := range want {
					if got := s.age(k); got != age {
						t.Fatalf("%s: set %d has age %d for %x, want %d", test.why, i, got, k, age)
					}
				}
				all := make([]key, 0, len(want))
				for k := range want {
					all = append(all, marked(k, chance.Uint64N(16)))
				}
				picked, count := 0, 0
				for age := uint64(1); age <= ages; age++ {
					s.pick(all, age, func(k key) {
						picked++
						if want[k] != age {
							t.Fatalf("%s: set %d picks %x, of age %d, want %d", test.why, i, k, age, want[k])
						}
					})
					s.each(age, func(k key) {
						count++
						if want[k] != age {
							t.Fatalf("%s: set %d lists %x, of age %d, want %d", test.why, i, k, age, want[k])
						}
					})
				}
				if count != len(want) || picked != len(want) {
					t.Fatalf("%s: set %d lists %d keys and picks %d of %d", test.why, i, count, picked, len(want))
				}
			}
		}
	}
}
