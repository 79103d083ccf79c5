package disk

import (
	"cmp"
	"slices"
)

// An outbox holds the keys that a thread has been given, until it writes them to streams because it is
// full or the layer ends. Its memory is cut into chunks, and each part has a list of them.
type outbox[K Key] struct {
	digits []Digit // the least significant in a key first
	width  uint
	chunk  int32 // keys of a chunk
	radix  int   // keys from which on it sorts by digits

	keys  []K     // all chunks
	after []int32 // by chunk, the next chunk of its list; the lists end at noChunk
	free  int32   // list of unused chunks
	parts []chunks

	sorted, spare []K
	round         int // chunks of a part that are sorted at a time
}

// chunks is the list of chunks of a part.
type chunks struct {
	first int32
	used  int32 // keys in the first chunk
}

const (
	noChunk = -1
	values  = 1 << 11 // of a digit
)

// newOutbox makes an outbox that takes that many bytes, or the least that it can do with.
func newOutbox[K Key](plan *Plan, bytes int) *outbox[K] {
	var one K
	chunk := plan.Sizes.Chunk
	keys := bytes / (8 * len(one))
	n := max(2, keys*4/5/chunk)
	o := &outbox[K]{
		digits: slices.Clone(plan.Digits), width: plan.Width, chunk: int32(chunk), radix: plan.Sizes.Radix,
		keys: make([]K, n*chunk), after: make([]int32, n), free: int32(n - 1), parts: make([]chunks, plan.Parts),
		round: max(1, keys/10/chunk),
	}
	for i := range o.after {
		o.after[i] = int32(i) - 1
	}
	for i := range o.parts {
		o.parts[i] = chunks{noChunk, o.chunk}
	}
	o.sorted, o.spare = make([]K, o.round*chunk), make([]K, o.round*chunk)
	slices.SortFunc(o.digits, func(a, b Digit) int {
		return cmp.Or(cmp.Compare(b.Word, a.Word), cmp.Compare(a.Shift, b.Shift))
	})
	return o
}

// add holds a key of a part. It returns false if there is no room for it.
func (o *outbox[K]) add(part int, k K) bool {
	c := &o.parts[part]
	if c.used == o.chunk {
		if o.free == noChunk {
			return false
		}
		next := o.free
		o.free = o.after[next]
		o.after[next] = c.first
		*c = chunks{next, 0}
	}
	o.keys[c.first*o.chunk+c.used] = k
	c.used++
	return true
}

// drop forgets all keys.
func (o *outbox[K]) drop() {
	for i := range o.parts {
		for o.take(i) != nil {
		}
	}
}

// take removes the first chunk of a part and returns its keys, which are valid until the next add.
// It returns nil if there is none.
func (o *outbox[K]) take(part int) []K {
	c := &o.parts[part]
	if c.first == noChunk {
		return nil
	}
	i := c.first
	keys := o.keys[i*o.chunk:][:c.used]
	*c = chunks{o.after[i], o.chunk}
	o.after[i], o.free = o.free, i
	return keys
}

// write empties the outbox into streams. Nearly always one is enough. A part with more keys than
// can be sorted at once goes to several.
func (o *outbox[K]) write(w *writer[K], file *file) []*Stream[K] {
	var streams []*Stream[K]
	for more := true; more; {
		more = false
		w.open(file, true)
		for part := range o.parts {
			n := 0
			for i := 0; i < o.round && o.parts[part].first != noChunk; i++ {
				n += copy(o.sorted[n:], o.take(part))
			}
			if n == 0 {
				continue
			}
			w.putPart(part, o.sort(n))
			more = more || o.parts[part].first != noChunk
		}
		if s := w.close(); s.count > 0 {
			streams = append(streams, s)
		}
	}
	return streams
}

// sort returns the first n keys of sorted, which it sorts by one digit after the other.
func (o *outbox[K]) sort(n int) []K {
	const many = 8 // digits above which this does not pay
	keys, spare := o.sorted[:n], o.spare[:n]
	if n < o.radix || len(o.digits) > many {
		slices.SortFunc(keys, func(a, b K) int {
			a, b = bare(a), bare(b)
			return compare(&a, &b)
		})
		return keys
	}
	mask := uint64(1)<<o.width - 1
	for _, d := range o.digits {
		var from [values]int32
		for i := range keys {
			from[keys[i][d.Word]>>(d.Shift&63)&mask%values]++
		}
		if from[keys[0][d.Word]>>d.Shift&mask] == int32(n) {
			continue // all keys of the part agree in it
		}
		sum := int32(0)
		for i, count := range from {
			from[i] = sum
			sum += count
		}
		for i := range keys {
			at := &from[keys[i][d.Word]>>(d.Shift&63)&mask%values]
			spare[*at] = keys[i]
			*at++
		}
		keys, spare = spare, keys
	}
	return keys
}
