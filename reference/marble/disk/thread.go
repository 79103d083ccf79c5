package disk

import (
	"cmp"
	"iter"
	"slices"
)

// Thread is what one goroutine of Each works with. It does one thing at a time: Hold may be called
// while All or Common runs, but neither of these while the other does.
type Thread[K Key] struct {
	Number int // from 0 to Threads-1

	file    *file // for the keys that do not fit in the outbox
	out     *outbox[K]
	spilled []*Stream[K] // keys that were in the outbox
	spill   writer[K]    // writes them
	result  writer[K]
	readers []reader[K]
	space   []byte // memory for blocks that are read, shared by all readers
	batch   []K
	err     error // the first of a reader
}

// newThread divides that many bytes between all that a thread needs.
func newThread[K Key](number int, plan *Plan, spill *file, bytes int) *Thread[K] {
	least, fan := 2*longest[K](), plan.Sizes.Fan
	t := &Thread[K]{
		Number:  number,
		file:    spill,
		out:     newOutbox[K](plan, bytes/8*5),
		readers: make([]reader[K], fan),
		space:   make([]byte, max(bytes/4, fan*least)),
		batch:   make([]K, 0, 512),
	}
	block := max(least, min(plan.Sizes.Block, len(t.space)/fan))
	size := min(1<<20, bytes/16)
	t.spill, t.result = newWriter[K](size, block), newWriter[K](size, block)
	return t
}

// Hold keeps a key for the layer being added.
func (t *Thread[K]) Hold(part int, k K, mark uint64) {
	k = marked(k, mark)
	if !t.out.add(part, k) {
		t.empty()
		t.out.add(part, k)
	}
}

// All returns the keys of a part of a stream in their order, with their marks.
func (t *Thread[K]) All(s *Stream[K], part int) iter.Seq2[K, uint64] {
	return func(yield func(K, uint64) bool) {
		r := t.read(0, s, s.partOf(part))
		for ; !r.ended() && yield(r.cur, r.mark); r.next() {
		}
		t.note(r)
	}
}

// Common returns the keys of a part that are in both streams, in their order.
func (t *Thread[K]) Common(a, b *Stream[K], part int) iter.Seq[K] {
	return func(yield func(K) bool) {
		r, q := t.read(0, a, a.partOf(part)), t.read(1, b, b.partOf(part))
		for more := true; more && !r.ended() && !q.ended(); {
			switch c := compare(&r.cur, &q.cur); {
			case c < 0:
				r.seek(&q.cur)
			case c > 0:
				q.seek(&r.cur)
			default:
				more = yield(r.cur)
				r.next()
				q.next()
			}
		}
		t.note(r, q)
	}
}

// empty writes the keys in the outbox.
func (t *Thread[K]) empty() {
	t.spilled = append(t.spilled, t.out.write(&t.spill, t.file)...)
}

// read makes reader i begin with a part of a stream, or with some blocks of it.
func (t *Thread[K]) read(i int, s *Stream[K], blocks []block[K]) *reader[K] {
	size := len(t.space) / len(t.readers)
	r := &t.readers[i]
	r.open(s, blocks, t.space[i*size:][:size])
	return r
}

// merge makes the first readers begin with a part of the streams, and merges them.
func (t *Thread[K]) merge(streams []*Stream[K], part int) merger[K] {
	var m merger[K]
	for i, s := range streams {
		m = append(m, t.read(i, s, s.partOf(part)))
	}
	m.order()
	return m
}

// copy writes all keys of the merger that are in none of the others.
func (t *Thread[K]) copy(m merger[K], others []*reader[K], to *writer[K], part int) {
	to.part = part
	for {
		batch := m.fill(t.batch)
		if len(batch) == 0 {
			break
		}
		for _, r := range others {
			batch = r.subtract(batch)
		}
		for i := range batch {
			to.put(&batch[i])
		}
	}
	to.end()
	t.note(m...)
	t.note(others...)
}

// note keeps the first error of the readers.
func (t *Thread[K]) note(readers ...*reader[K]) {
	for _, r := range readers {
		t.err = cmp.Or(t.err, r.err)
	}
}

// failed returns the first error of a reader or writer.
func (t *Thread[K]) failed() error { return cmp.Or(t.err, t.spill.err, t.result.err) }

// absorb writes the keys of a part of the found streams that are in none of the met ones.
func (t *Thread[K]) absorb(part int, found, met []*Stream[K]) {
	runs, others := withPart(found, part), withPart(met, part)
	for most := len(t.readers) - len(others); len(runs) > most; {
		t.spill.open(t.file, true)
		t.copy(t.merge(runs[:most], part), nil, &t.spill, part)
		runs = append(runs[most:], t.spill.close())
	}
	m := t.merge(runs, part)
	var earlier []*reader[K]
	for i, s := range others {
		earlier = append(earlier, t.read(len(m)+i, s, s.partOf(part)))
	}
	t.copy(m, earlier, &t.result, part)
}

// withPart returns the streams that have keys of a part.
func withPart[K Key](streams []*Stream[K], part int) []*Stream[K] {
	return slices.DeleteFunc(slices.Clone(streams), func(s *Stream[K]) bool { return len(s.partOf(part)) == 0 })
}
