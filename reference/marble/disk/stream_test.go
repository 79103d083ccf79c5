package disk

import (
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"
)

// FuzzStream writes keys of two parts, and checks that reading them, skipping in them and
// merging them finds what was written, for keys of one and of two words.
func FuzzStream(f *testing.F) {
	f.Add([]byte("some bytes that are taken for squares"), uint8(1), true)
	// Many keys that are the same or near each other, with different marks.
	var near []byte
	for i := range 1000 {
		near = append(near, byte(i), 0, 0, 0, 0, 0, 0, byte(i/4), 7|byte(i&1)<<7)
	}
	f.Add(near, uint8(40), true)
	f.Add(near, uint8(250), false)
	f.Fuzz(func(t *testing.T, input []byte, block uint8, marked bool) {
		tryStream[[1]uint64](t, input, int(block), marked)
		tryStream[[2]uint64](t, input, int(block), marked)
	})
}

func tryStream[K Key](t *testing.T, input []byte, block int, mark bool) {
	file, err := (&folder{t.TempDir(), new(atomic.Int64)}).create()
	if err != nil {
		t.Fatal(err)
	}
	defer file.close()
	w := newWriter[K](block, max(block, 2*longest[K]()))
	var parts [2][]K
	for i := 0; i+9 <= len(input); i += 9 {
		var k K
		for word := range len(k) {
			// Keys are near each other and far from each other.
			k[word] = binary.LittleEndian.Uint64(input[i:]) >> (8 * input[i+8] % 64) & (1<<60 - 1)
		}
		if mark {
			k = marked(k, uint64(input[i]&3))
		}
		part := &parts[input[i+8]>>7]
		*part = append(*part, k)
	}
	for i := range parts {
		slices.SortFunc(parts[i], func(a, b K) int {
			a, b = bare(a), bare(b)
			return compare(&a, &b)
		})
	}
	write := func(mark bool) *Stream[K] {
		w.open(file, mark)
		for i := range parts {
			w.putPart(3*i, parts[i])
		}
		return w.close()
	}
	s, bared := write(mark), write(false)
	if w.err != nil {
		t.Fatal(w.err)
	}
	space := make([]byte, 3*w.most)
	for i, keys := range parts {
		var want []K // each key once, with all its marks
		for _, k := range keys {
			if n := len(want); n > 0 && bare(want[n-1]) == bare(k) {
				want[n-1][0] |= k[0]
			} else {
				want = append(want, k)
			}
		}
		var r, q reader[K]
		r.open(s, s.partOf(3*i), space)
		for _, k := range want {
			if r.ended() || marked(r.cur, r.mark) != k {
				t.Fatalf("read %x %x, want %x", r.cur, r.mark, k)
			}
			r.next()
		}
		if !r.ended() {
			t.Fatalf("%x behind the end", r.cur)
		}
		for step := 1; step < 1<<10; step *= 2 {
			r.open(s, s.partOf(3*i), space)
			for at := 0; at < len(want); at += step {
				k := bare(want[at])
				if r.seek(&k); r.cur != k {
					t.Fatalf("found %x, want %x", r.cur, k)
				}
				k[len(k)-1]++ // mostly in between
				if r.seek(&k); at+1 < len(want) && r.cur != bare(want[at+1]) || at+1 == len(want) && !r.ended() {
					t.Fatalf("found %x after %x", r.cur, k)
				}
			}
		}
		r.open(s, s.partOf(3*i), space)
		q.open(bared, bared.partOf(3*i), slices.Clone(space))
		m := merger[K]{&q, &r}
		m.order()
		got := m.fill(make([]K, 0, len(want)+1))
		if !slices.Equal(got, want) {
			t.Fatalf("merged %x, want %x", got, want)
		}
		r.open(s, s.partOf(3*i), space)
		if left := r.subtract(slices.Clone(want)); len(left) > 0 {
			t.Fatalf("%x are left", left)
		}
	}
}
