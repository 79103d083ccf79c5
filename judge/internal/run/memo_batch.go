package run

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/sandbox"
)

// A record is the outcome of one run in a memo.
type record struct {
	Input     cache.Key
	Forgotten bool // this record only deletes earlier ones of the same input
	Once      bool // uncertain, and not confirmed by another run
	Alone     bool // nothing else ran at the same time
	Result    sandbox.Result
	Stderr    []byte
	Truncated bool
	Output    []byte
	Copies    map[string][]byte // the files that were copied out, by name
	Talk      *talk             // nil if there was no interactor
	Race      bool              // uncertain for another reason than the times of the program
}

// A batch holds the records of one program under the same limits. In the cache it is a numbered
// series of segments, each an entry with the records of one Each; later records replace earlier
// ones. One entry for each run would make tens of thousands of folders, all of which the cache must
// examine to stay below its size limit.
type batch struct {
	key      cache.Key
	known    map[cache.Key]record
	outputs  map[cache.Key][]byte // outputs of the known records, by hash
	segments int                  // number of segments in the cache
	unsaved  []record             // records that are not in the cache yet
	size     int                  // bytes that only unsaved records take
	held     int                  // bytes that all records take
}

const (
	maxBatches  = 8       // batches in memory at a time
	maxSegments = 16      // segments of a batch; more are merged into one when the batch is loaded
	maxUnsaved  = 4 << 20 // bytes that a batch takes before it is saved
	maxHeld     = 1 << 24 // bytes that a batch takes; runs that would exceed it are not recorded
	recordSize  = 512     // about what a record takes without its texts
	segmentName = "runs"
)

// batch returns the batch with a key, from the cache if it is not in memory. The caller holds mu.
func (m *Memo) batch(key cache.Key) *batch {
	if i := slices.IndexFunc(m.batches, func(b *batch) bool { return b.key == key }); i >= 0 {
		b := m.batches[i]
		m.batches = append(slices.Delete(m.batches, i, i+1), b)
		return b
	}
	if len(m.batches) == maxBatches {
		m.save(m.batches[0])
		m.batches = slices.Delete(m.batches, 0, 1)
	}
	b := &batch{key: key, known: map[cache.Key]record{}, outputs: map[cache.Key][]byte{}}
	for {
		records, ok := m.load(b.segment())
		if !ok {
			break
		}
		b.segments++
		for _, r := range records {
			b.add(r)
		}
	}
	if b.segments > maxSegments {
		m.merge(b)
	}
	m.batches = append(m.batches, b)
	return b
}

// merge drops the segments of a batch, so that the next save writes all records as one segment.
func (m *Memo) merge(b *batch) {
	for b.segments > 0 {
		b.segments--
		m.cache.Drop(b.segment())
	}
	b.unsaved = slices.Collect(maps.Values(b.known))
}

// add adds a record to b.known. It returns the record, which shares an equal output with other
// records, and how many bytes it takes; these are -1 if there is no room for it.
func (b *batch) add(r record) (record, int) {
	if r.Forgotten {
		delete(b.known, r.Input)
		return r, 0
	}
	key, added := outputKey(r.Output), recordSize+len(r.Stderr)
	for _, text := range r.Copies {
		added += len(text)
	}
	same, known := b.outputs[key]
	if !known {
		same, added = r.Output, added+len(r.Output)
	}
	if b.held+added > maxHeld {
		return r, -1
	}
	b.held += added
	r.Output, b.outputs[key] = same, same
	b.known[r.Input] = r
	return r, added
}

func outputKey(output []byte) cache.Key {
	h := cache.NewHasher("output of a run")
	h.Bytes(output)
	return h.Key()
}

// segment returns the key of the first segment after those in the cache.
func (b *batch) segment() cache.Key {
	h := cache.NewHasher("segment 3")
	h.Text(string(b.key), strconv.Itoa(b.segments))
	return h.Key()
}

func (m *Memo) find(key, input cache.Key) (record, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, known := m.batch(key).known[input]
	return r, known
}

func (m *Memo) forget(key, input cache.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.batch(key); b.known[input].Input != "" {
		m.put(b, record{Input: input, Forgotten: true})
	}
}

func (m *Memo) add(key cache.Key, r record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(m.batch(key), r)
}

// put adds a record that is not in the cache. The caller holds mu.
func (m *Memo) put(b *batch, r record) {
	r, added := b.add(r)
	if added < 0 {
		return
	}
	b.unsaved = append(b.unsaved, r)
	if b.size += added; b.size > maxUnsaved {
		m.save(b)
	}
}

// Flush saves all records that are not in the cache yet.
func (m *Memo) Flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.batches {
		m.save(b)
	}
}

// save writes the unsaved records of a batch into the cache. If that fails, or another judge has
// just saved the same segment, the records are lost, and the memo does not know their runs. The
// caller holds mu.
func (m *Memo) save(b *batch) {
	if len(b.unsaved) == 0 {
		return
	}
	text := encode(b.unsaved)
	b.unsaved, b.size = nil, 0
	entry, err := m.cache.Put(b.segment(), func(dir string) error {
		return os.WriteFile(filepath.Join(dir, segmentName), text, 0o600)
	})
	if err == nil {
		entry.Close()
		b.segments++
	}
}

// load returns the records of a segment and whether it exists. It drops a segment that cannot be
// read.
func (m *Memo) load(segment cache.Key) ([]record, bool) {
	entry, err := m.cache.Get(segment)
	if err != nil || entry == nil {
		return nil, false
	}
	text, err := entry.Read(segmentName)
	entry.Close()
	records, ok := decode(text)
	if err != nil || !ok {
		m.cache.Drop(segment)
		return nil, false
	}
	return records, true
}
