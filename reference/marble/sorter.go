package main

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Tests change these sizes, so that small boards take all paths.
var (
	chunkSize = 128     // positions of a chunk of an outbox
	radixAt   = 400     // positions from which on it pays to sort by squares
	blockSize = 8 << 10 // bytes of a block of a stream
	fan       = 64      // streams that a thread can read at once
	mergeAt   = 8       // streams of a level that are merged into one of the next level
)

// sorter is the state of one thread of an external search.
type sorter[K key] struct {
	*roller[K]
	lead    *lead
	file    *scratchFile // for the positions that do not fit in the outbox
	out     *outbox[K]
	spilled []*stream[K] // positions that were in the outbox
	spill   writer[K]    // writes them
	result  writer[K]
	readers []reader[K]
	space   []byte // memory for blocks that are read, shared by all readers
	batch   []K
	err     error // the first of a reader
}

// newSorter divides that many bytes between all that a thread needs.
func newSorter[K key](f *field, lead *lead, file *scratchFile, bytes int) *sorter[K] {
	least := 2 * longest[K]()
	w := &sorter[K]{
		roller:  newRoller[K](f),
		lead:    lead,
		file:    file,
		out:     newOutbox[K](f, bytes/8*5),
		readers: make([]reader[K], fan),
		space:   make([]byte, max(bytes/4, fan*least)),
		batch:   make([]K, 0, 512),
	}
	block := max(least, min(blockSize, len(w.space)/fan))
	size := min(1<<20, bytes/16)
	w.spill, w.result = newWriter[K](size, block), newWriter[K](size, block)
	return w
}

// hold keeps a position, marked with idle axes, for the layer being added.
func (w *sorter[K]) hold(k K, idle uint64) {
	part := squareOf(w.lead, &k)
	k = marked(k, idle)
	if !w.out.add(part, k) {
		w.empty()
		w.out.add(part, k)
	}
}

// empty writes the positions in the outbox.
func (w *sorter[K]) empty() {
	w.spilled = append(w.spilled, w.out.write(&w.spill, w.file)...)
}

// read makes reader i begin with a part of a stream, or with some blocks of it.
func (w *sorter[K]) read(i int, s *stream[K], blocks []block[K]) *reader[K] {
	size := len(w.space) / fan
	r := &w.readers[i]
	r.open(s, blocks, w.space[i*size:][:size])
	return r
}

// merge makes the first readers begin with a part of the streams, and merges them.
func (w *sorter[K]) merge(streams []*stream[K], part int) merger[K] {
	var m merger[K]
	for i, s := range streams {
		m = append(m, w.read(i, s, s.partOf(part)))
	}
	m.order()
	return m
}

// copy writes all positions of the merger that are in none of the others.
func (w *sorter[K]) copy(m merger[K], others []*reader[K], to *writer[K], part int) {
	to.part = part
	for {
		batch := m.fill(w.batch)
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
	w.note(m...)
	w.note(others...)
}

// note keeps the first error of the readers.
func (w *sorter[K]) note(readers ...*reader[K]) {
	for _, r := range readers {
		w.err = cmp.Or(w.err, r.err)
	}
}

// absorb writes the positions of a part of the found streams that are in none of the met ones.
func (w *sorter[K]) absorb(part int, found, met []*stream[K]) {
	runs, others := withPart(found, part), withPart(met, part)
	for most := fan - len(others); len(runs) > most; {
		w.spill.open(w.file, true)
		w.copy(w.merge(runs[:most], part), nil, &w.spill, part)
		runs = append(runs[most:], w.spill.close())
	}
	m := w.merge(runs, part)
	var earlier []*reader[K]
	for i, s := range others {
		earlier = append(earlier, w.read(len(m)+i, s, s.partOf(part)))
	}
	w.copy(m, earlier, &w.result, part)
}

// withPart returns the streams that have positions of a part.
func withPart[K key](streams []*stream[K], part int) []*stream[K] {
	return slices.DeleteFunc(slices.Clone(streams), func(s *stream[K]) bool { return len(s.partOf(part)) == 0 })
}

// sorters are the threads of an external search.
type sorters[K key] []*sorter[K]

func newSorters[K key](f *field, lead *lead, file *scratchFile, bytes int64) sorters[K] {
	threads := runtime.GOMAXPROCS(0)
	var all sorters[K]
	for range threads {
		all = append(all, newSorter[K](f, lead, file, int(bytes)/threads))
	}
	return all
}

// failed returns the first error of a thread.
func (all sorters[K]) failed() error {
	for _, w := range all {
		if err := cmp.Or(w.err, w.spill.err, w.result.err); err != nil {
			return err
		}
	}
	return nil
}

// each calls do with each part that has positions in one of the streams, until a thread has an
// error. Each part belongs to one thread.
func (all sorters[K]) each(streams []*stream[K], do func(w *sorter[K], part int)) {
	var parts []int
	for _, s := range streams {
		for _, b := range s.blocks {
			parts = append(parts, int(b.part))
		}
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	var next atomic.Int64
	work := func(w *sorter[K]) {
		for cmp.Or(w.err, w.spill.err, w.result.err) == nil {
			i := int(next.Add(1) - 1)
			if i >= len(parts) {
				return
			}
			do(w, parts[i])
		}
	}
	var wait sync.WaitGroup
	for _, w := range all[1:] {
		wait.Go(func() { work(w) })
	}
	work(all[0])
	wait.Wait()
}

// write makes one marked or unmarked stream in a file of what do writes as the results of all
// threads. It calls do with each part that has positions in one of the streams.
func (all sorters[K]) write(file *scratchFile, marked bool, streams []*stream[K], do func(w *sorter[K], part int)) (*stream[K], error) {
	for _, w := range all {
		w.result.open(file, marked)
	}
	all.each(streams, do)
	sum := &stream[K]{file: file, marked: marked}
	for _, w := range all {
		s := w.result.close()
		sum.blocks = append(sum.blocks, s.blocks...)
		sum.count += s.count
	}
	slices.SortStableFunc(sum.blocks, func(a, b block[K]) int { return cmp.Compare(a.part, b.part) })
	return sum, all.failed()
}
