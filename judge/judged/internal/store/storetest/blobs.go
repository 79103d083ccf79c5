package storetest

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

// noise returns n bytes that are different for each seed.
func noise(seed uint64, n int) []byte {
	data, r := make([]byte, n), rand.New(rand.NewPCG(seed, uint64(n)))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func put(t *testing.T, blobs store.Blobs, data []byte) store.Ref {
	t.Helper()
	ref, err := blobs.Put(Patient(t), data)
	must(t, err)
	return ref
}

func holds(t *testing.T, blobs store.Blobs, ref store.Ref, want []byte) {
	t.Helper()
	got, err := blobs.Get(Patient(t), ref)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("a blob of %d bytes: got %d bytes, %v", len(want), len(got), err)
	}
}

// sizes stores blobs of all sizes, from one connection, and reads them from another.
func sizes(t *testing.T, p place) {
	other := p.connect().Blobs
	for _, n := range []int{0, 1, store.MaxInline, 128 << 10, 256 << 10, 256<<10 + 1, 1 << 20, 5<<20 + 17} {
		data := noise(1, n)
		given := bytes.Clone(data)
		ref := put(t, p.Blobs, given)
		clear(given) // the caller may use its memory again
		if want := store.RefOf(data); ref.Hash != want.Hash || ref.Size != int64(n) || ref.Inline != nil {
			t.Errorf("%d bytes are stored as %+v", n, ref)
		}
		holds(t, other, ref, data)
		if again := put(t, other, data); again.Hash != ref.Hash || again.Size != ref.Size {
			t.Errorf("stored once more as %+v", again)
		}
		holds(t, p.Blobs, ref, data)
	}
}

func missing(t *testing.T, p place) {
	for _, n := range []int{0, 10, 1 << 20} {
		if data, err := p.Blobs.Get(Patient(t), store.RefOf(noise(2, n+1))); !errors.Is(err, store.ErrNotFound) || data != nil {
			t.Errorf("%d bytes that were not stored: %v", n, err)
		}
	}
	if _, err := p.Blobs.GetNamed(Patient(t), "nobody"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a name that was not written: %v", err)
	}
}

// checked asks for contents under wrong references.
func checked(t *testing.T, p place) {
	ref := put(t, p.Blobs, noise(3, 400<<10))
	for _, size := range []int64{0, ref.Size - 1, ref.Size + 1, ref.Size / 2, ref.Size * 2} {
		if _, err := p.Blobs.Get(Patient(t), store.Ref{Hash: ref.Hash, Size: size}); err == nil {
			t.Errorf("got a blob of %d bytes as one of %d", ref.Size, size)
		}
	}
}

func deletes(t *testing.T, p place) {
	data, kept := noise(4, 600<<10), noise(5, 600<<10)
	ref, other := put(t, p.Blobs, data), put(t, p.Blobs, kept)
	for range 2 { // the second time, it is not there
		must(t, p.Blobs.Delete(Patient(t), ref.Hash))
		if _, err := p.Blobs.Get(Patient(t), ref); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a deleted blob: %v", err)
		}
	}
	holds(t, p.Blobs, other, kept)
	put(t, p.Blobs, data)
	holds(t, p.Blobs, ref, data)
}

// lists stores blobs, and lists them by when they were stored.
func lists(t *testing.T, p place) {
	ctx := Patient(t)
	list := func(s *store.Store, before time.Time) map[string]int64 {
		t.Helper()
		refs, err := s.Blobs.List(ctx, before)
		must(t, err)
		sizes := map[string]int64{}
		for _, ref := range refs {
			if _, twice := sizes[ref.Hash]; twice {
				t.Errorf("%v is listed twice", ref)
			}
			sizes[ref.Hash] = ref.Size
		}
		return sizes
	}
	want := list(p.Store, time.Now().Add(time.Hour)) // of other tests
	for i, n := range []int{0, 1, 600 << 10, 256 << 10} {
		ref := put(t, p.Blobs, noise(uint64(30+i), n))
		want[ref.Hash] = ref.Size
	}
	gone := put(t, p.Blobs, noise(40, 300<<10))
	must(t, p.Blobs.Delete(ctx, gone.Hash))
	must(t, p.Blobs.PutNamed(ctx, "snapshot", []byte("not one of them")))
	if got := list(p.connect(), time.Now().Add(time.Hour)); !maps.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	if young := list(p.Store, time.Now().Add(-time.Hour)); len(young) > 0 {
		t.Errorf("what was just stored is listed as old: %v", young)
	}
}

func named(t *testing.T, p place) {
	other := p.connect().Blobs
	for i, n := range []int{10, 1 << 20, 0, 3 << 20, 3 << 20, 5} {
		data := noise(uint64(6+i), n)
		must(t, p.Blobs.PutNamed(Patient(t), "snapshot", data))
		if got, err := other.GetNamed(Patient(t), "snapshot"); err != nil || !bytes.Equal(got, data) {
			t.Errorf("content %d, of %d bytes: got %d bytes, %v", i, n, len(got), err)
		}
	}
	must(t, p.Blobs.PutNamed(Patient(t), "snapshot.2", []byte("another")))
	if got, err := other.GetNamed(Patient(t), "snapshot"); err != nil || len(got) != 5 {
		t.Errorf("after another name was written: %d bytes, %v", len(got), err)
	}
}

// putRace stores the same from several connections.
func putRace(t *testing.T, p place) {
	data := noise(20, 2<<20)
	var g sync.WaitGroup
	for range 4 {
		blobs := p.connect().Blobs
		g.Go(func() {
			if ref, err := blobs.Put(Patient(t), data); err != nil {
				t.Error(err)
			} else if got, err := blobs.Get(Patient(t), ref); err != nil || !bytes.Equal(got, data) {
				t.Errorf("what was just stored: %d bytes, %v", len(got), err)
			}
		})
	}
	g.Wait()
}

// stow stores contents as the service does: inline if they are small.
func stow(t *testing.T, p place) {
	for _, n := range []int{0, 1, store.MaxInline, store.MaxInline + 1} {
		data := noise(21, n)
		ref, err := store.Stow(Patient(t), p.Blobs, data)
		must(t, err)
		if inline := n <= store.MaxInline; inline != (int64(len(ref.Inline)) == ref.Size) {
			t.Errorf("%d bytes: the reference carries %d", n, len(ref.Inline))
		}
		got, err := store.Fetch(Patient(t), p.connect().Blobs, ref)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: fetched %d, %v", n, len(got), err)
		}
	}
}
