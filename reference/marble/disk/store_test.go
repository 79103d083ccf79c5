package disk

import (
	"maps"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// TestStore adds layers of random keys, of which many repeat keys of the same or an earlier layer,
// and compares the layers with sets in memory.
func TestStore(t *testing.T) {
	for _, test := range []struct {
		why     string
		sizes   Sizes
		memory  int64
		threads int
	}{
		{"everything is spilled at once, and streams are merged in rounds", Sizes{Chunk: 1, Radix: 2, Block: 1, Fan: 13, Merge: 2}, 1, 1},
		{"a part of an outbox takes several streams", Sizes{Chunk: 8, Radix: 1 << 20, Block: 64, Fan: 16, Merge: 3}, 1 << 12, 3},
		{"the usual sizes", DefaultSizes, 1 << 20, 2},
	} {
		t.Run(test.why, func(t *testing.T) {
			tryStore[[1]uint64](t, test.sizes, test.memory, test.threads)
			tryStore[[2]uint64](t, test.sizes, test.memory, test.threads)
		})
	}
}

func tryStore[K Key](t *testing.T, sizes Sizes, memory int64, threads int) {
	const parts, width, perWord = 5, 5, 3
	var used, count atomic.Int64
	plan := Plan{Dir: t.TempDir(), Threads: threads, Memory: memory, Parts: parts, Width: width, Sizes: sizes, Used: &used, Keys: &count}
	var one K
	for i := range perWord * len(one) {
		plan.Digits = append(plan.Digits, Digit{Word: uint16(i / perWord), Shift: uint8(i % perWord * width)})
	}
	s, err := Open[K](plan)
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		part int
		key  K
	}
	draw := rand.New(rand.NewPCG(1, 2))
	some := func() place {
		at := place{part: draw.IntN(parts)}
		for i := range len(at.key) {
			at.key[i] = uint64(draw.IntN(1 << (width * (1 + draw.IntN(perWord)))))
		}
		return at
	}
	layers, err := s.Begin(2, one)
	if err != nil {
		t.Fatal(err)
	}
	want := []map[place]uint64{{place{2, one}: 0}}
	met := map[place]bool{{2, one}: true}
	for range 12 {
		next := map[place]uint64{}
		finds := make([][]place, threads) // each thread of the search finds its own
		for i := range finds {
			for range 300 {
				finds[i] = append(finds[i], some())
			}
		}
		for _, found := range finds {
			for i, at := range found {
				if !met[at] {
					next[at] |= uint64(i % 4)
				}
			}
		}
		for i, thread := range s.threads {
			for k, at := range finds[i] {
				thread.Hold(at.part, at.key, uint64(k%4))
			}
		}
		if err := layers.Add(); err != nil {
			t.Fatal(err)
		}
		for at := range next {
			met[at] = true
		}
		want = append(want, next)
	}
	s.threads[0].Hold(1, some().key, 0)
	if err := s.Drop(); err != nil || layers.Depth() != 12 || int(count.Load()) != len(met) {
		t.Fatalf("%v, depth %d, %d keys, want %d", err, layers.Depth(), count.Load(), len(met))
	}
	var mutex sync.Mutex
	for d, layer := range want {
		got, common := map[place]uint64{}, map[place]uint64{}
		s.Each(layers.Layer(d), func(thread *Thread[K], part int) {
			for k, mark := range thread.All(layers.Layer(d), part) {
				mutex.Lock()
				got[place{part, k}] = mark
				mutex.Unlock()
			}
			for k := range thread.Common(layers.Layer(d), layers.Layer(d), part) {
				mutex.Lock()
				common[place{part, k}] = layer[place{part, k}]
				mutex.Unlock()
			}
			for k := range thread.Common(layers.Layer(d), layers.Layer((d+1)%len(want)), part) {
				t.Errorf("layer %d and the next have %x in common", d, k)
			}
		})
		if !maps.Equal(got, layer) || !maps.Equal(common, layer) || layers.Layer(d).Len() != len(layer) {
			t.Fatalf("layer %d: %v, in common with itself %v, want %v", d, got, common, layer)
		}
		for at := range met {
			if _, in := layer[at]; s.Has(layers.Layer(d), at.part, at.key) != in {
				t.Fatalf("layer %d has %v: %v, want %v", d, at, !in, in)
			}
		}
	}
	if err := s.Err(); err != nil {
		t.Error(err)
	}
	layers.Close()
	s.Close()
	if left, err := os.ReadDir(plan.Dir); used.Load() != 0 || len(left) > 0 || err != nil {
		t.Errorf("%d bytes and %d files are left, %v", used.Load(), len(left), err)
	}
}
