package disk

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Stream holds keys in a file, sorted by part and then by key. A key is stored as its distance from
// the one before: that takes one to three bytes if there are many keys.
type Stream[K Key] struct {
	file   *file
	blocks []block[K] // sorted
	count  int        // keys
	marked bool       // whether each key is stored with its mark
	level  int        // how often its keys have been merged, see Layers
}

// Len returns the number of keys.
func (s *Stream[K]) Len() int { return s.count }

// block is a piece of a part of a stream. Its first key is stored as a whole, so it can be read
// without the blocks before it.
type block[K Key] struct {
	last K // the greatest key
	at   int64
	size int32
	part int16
}

// partOf returns the blocks of a part.
func (s *Stream[K]) partOf(part int) []block[K] {
	from, _ := slices.BinarySearchFunc(s.blocks, part, func(b block[K], part int) int { return cmp.Compare(int(b.part), part) })
	to := from
	for to < len(s.blocks) && int(s.blocks[to].part) == part {
		to++
	}
	return s.blocks[from:to]
}

// compare orders bare keys.
func compare[K Key](a, b *K) int {
	for i := range len(*a) {
		if (*a)[i] != (*b)[i] {
			return cmp.Compare((*a)[i], (*b)[i])
		}
	}
	return 0
}

// less reports whether bare key a is before b.
func less[K Key](a, b *K) bool {
	return (*a)[0] < (*b)[0] || (*a)[0] == (*b)[0] && len(*a) > 1 && compare(a, b) < 0
}

// beyond is a first word that makes a key greater than all that are stored.
const beyond = ^uint64(0)

// longest returns the most bytes that a stored key takes.
func longest[K Key]() int {
	var one K
	return binary.MaxVarintLen64 * len(one)
}

// writer appends a stream to a file.
type writer[K Key] struct {
	file   *file
	marked bool
	part   int
	buffer []byte // blocks that are not in the file yet, and the current one
	begun  int    // where the current block begins
	most   int    // bytes of a block
	last   K
	blocks []block[K]
	loose  int // the first of the blocks that are in the buffer
	count  int
	err    error // the first
}

// newWriter makes a writer with a buffer of a size and blocks of at most `most` bytes.
func newWriter[K Key](size, most int) writer[K] {
	return writer[K]{buffer: make([]byte, 0, max(size, most)), most: most}
}

// open begins a stream. If it is marked, keys are stored with their marks.
func (w *writer[K]) open(file *file, marked bool) {
	w.file, w.marked = file, marked
	w.blocks, w.loose, w.count = nil, 0, 0
}

// put appends a key of the current part, which must be greater than the one before.
func (w *writer[K]) put(k *K) {
	if len(w.buffer)-w.begun > w.most-longest[K]() {
		w.end()
	}
	b := bare(*k)
	d := b[0] - w.last[0]
	same := d == 0
	if w.marked {
		d = d<<markBits | (*k)[0]>>(64-markBits)
	}
	w.buffer = binary.AppendUvarint(w.buffer, d)
	for i := 1; i < len(b); i++ {
		d := b[i]
		if same {
			d -= w.last[i]
			same = d == 0
		}
		w.buffer = binary.AppendUvarint(w.buffer, d)
	}
	w.last = b
	w.count++
}

// end ends a block. The caller must end a part so, and set the number of the next one.
func (w *writer[K]) end() {
	if size := len(w.buffer) - w.begun; size > 0 {
		w.blocks = append(w.blocks, block[K]{w.last, int64(w.begun), int32(size), int16(w.part)})
	}
	if cap(w.buffer)-len(w.buffer) < w.most {
		w.flush()
	}
	w.begun = len(w.buffer)
	w.last = *new(K)
}

// flush writes the buffer, in which all blocks must have been ended.
func (w *writer[K]) flush() {
	if w.err == nil && len(w.buffer) > 0 {
		var at int64
		at, w.err = w.file.append(w.buffer)
		for i := range w.blocks[w.loose:] {
			w.blocks[w.loose+i].at += at
		}
	}
	w.buffer, w.begun, w.loose = w.buffer[:0], 0, len(w.blocks)
}

// putPart appends a whole part: sorted keys, of which some may occur repeatedly. It stores such a
// key once, with the marks of all.
func (w *writer[K]) putPart(part int, keys []K) {
	w.part = part
	for i := 0; i < len(keys); {
		k := keys[i]
		b := bare(k)
		for i++; i < len(keys) && bare(keys[i]) == b; i++ {
			k[0] |= keys[i][0]
		}
		w.put(&k)
	}
	w.end()
}

// close writes what is left and returns the stream.
func (w *writer[K]) close() *Stream[K] {
	w.flush()
	return &Stream[K]{file: w.file, blocks: w.blocks, count: w.count, marked: w.marked}
}
