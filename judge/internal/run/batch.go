package run

import (
	"bytes"
	"encoding/gob"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/sandbox"
)

// A record is what a memo keeps of one run.
type record struct {
	Input     cache.Key
	Forgotten bool // nothing is known any more, whatever earlier records say
	Once      bool // another run has to come to the same before this is told
	Result    sandbox.Result
	Stderr    []byte
	Truncated bool
	Output    []byte
}

// A segment is records as they are kept. Many runs print the same: each output is
// there once.
type segment struct {
	Records []record // without outputs
	Which   []int    // of Outputs, for each record
	Outputs [][]byte
}

// A batch is what a memo knows about one program under the same limits. In the cache
// it is a row of segments, each an entry with the records of one Each, the later ones
// overruling the earlier: one entry a run would be tens of thousands of folders that
// all have to be looked at to keep the cache below its size.
type batch struct {
	key      cache.Key
	known    map[cache.Key]record
	outputs  map[cache.Key][]byte // those of known, by their hash
	segments int                  // in the cache
	unsaved  []record             // not in the cache yet
	size     int                  // of the outputs among unsaved
}

const (
	maxBatches  = 8       // in memory at a time
	maxSegments = 16      // in the cache; more are merged
	maxUnsaved  = 4 << 20 // bytes of outputs of a batch that are not in the cache yet
	segmentName = "runs"
)

// batch returns the batch of that key, from the cache if it is not in memory. The
// caller holds mu.
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
			b.learn(r)
		}
	}
	if b.segments > maxSegments {
		m.merge(b)
	}
	m.batches = append(m.batches, b)
	return b
}

// merge makes one segment of those that a batch has, when it is saved next.
func (m *Memo) merge(b *batch) {
	for b.segments > 0 {
		b.segments--
		m.cache.Drop(b.segment())
	}
	b.unsaved = slices.Collect(maps.Values(b.known))
}

// learn takes a record into account, and returns it with the output that others of the
// same text have, and how much was added by that.
func (b *batch) learn(r record) (record, int) {
	if r.Forgotten {
		delete(b.known, r.Input)
		return r, 0
	}
	key, added := outputKey(r.Output), 0
	if same, known := b.outputs[key]; known {
		r.Output = same
	} else {
		b.outputs[key], added = r.Output, len(r.Output)
	}
	b.known[r.Input] = r
	return r, added
}

func outputKey(output []byte) cache.Key {
	h := cache.NewHasher("output of a run")
	h.Bytes(output)
	return h.Key()
}

// segment returns the key of the first segment that is not there.
func (b *batch) segment() cache.Key {
	h := cache.NewHasher("segment 2")
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

// put notes a record that is not in the cache. The caller holds mu.
func (m *Memo) put(b *batch, r record) {
	r, added := b.learn(r)
	b.unsaved = append(b.unsaved, r)
	if b.size += added; b.size > maxUnsaved {
		m.save(b)
	}
}

// flush saves all that is not in the cache yet.
func (m *Memo) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.batches {
		m.save(b)
	}
}

// save puts the records of a batch that are not there yet in the cache, or forgets
// about it: then their runs are run again one day. The same goes for another judge
// that saves the same segment at the same time, and is first. The caller holds mu.
func (m *Memo) save(b *batch) {
	if len(b.unsaved) == 0 {
		return
	}
	text, err := encode(b.unsaved)
	b.unsaved, b.size = nil, 0
	if err != nil {
		return
	}
	entry, err := m.cache.Put(b.segment(), func(dir string) error {
		return os.WriteFile(filepath.Join(dir, segmentName), text, 0o600)
	})
	if err == nil {
		entry.Close()
		b.segments++
	}
}

// load returns the records of a segment, and whether it is there. One that cannot be read
// makes room for another.
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

// encode returns the text of a segment.
func encode(records []record) ([]byte, error) {
	s, which := segment{Records: slices.Clone(records)}, map[cache.Key]int{}
	for i := range s.Records {
		r := &s.Records[i]
		key := outputKey(r.Output)
		at, known := which[key]
		if !known {
			at = len(s.Outputs)
			which[key], s.Outputs = at, append(s.Outputs, r.Output)
		}
		s.Which, r.Output = append(s.Which, at), nil
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(s)
	return b.Bytes(), err
}

// decode reads what encode returns, and nothing else.
func decode(text []byte) ([]record, bool) {
	var s segment
	if gob.NewDecoder(bytes.NewReader(text)).Decode(&s) != nil || len(s.Which) != len(s.Records) {
		return nil, false
	}
	for i, which := range s.Which {
		if which < 0 || which >= len(s.Outputs) {
			return nil, false
		}
		s.Records[i].Output = s.Outputs[which]
	}
	return s.Records, true
}
