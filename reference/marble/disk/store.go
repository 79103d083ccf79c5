// Package disk keeps the layers of a breadth-first search in files, for boards whose positions do
// not fit in memory. It knows no marbles: a position is a key, and the search says which keys it
// finds, and in which part each of them belongs.
//
// # Idea
//
// It finds duplicates late, and by sorting. To add a layer, each thread reads parts of the newest
// layer, and holds the keys that the search finds. Whenever it can hold no more, it sorts them and
// writes them to a stream. At the end of the layer, each thread merges parts of all these streams,
// and leaves out what the streams of earlier layers have. Any earlier layer can have it, because
// moves need not be reversible. Everything is read and written in order.
//
// Neither the memory nor the threads decide which keys a layer has: those that the search held and
// that are in no earlier layer.
//
// # Files, in reading order
//
//   - store.go: what a search sees; thread.go: its threads
//   - outbox.go: the keys that a thread holds
//   - layers.go: the layers of a search from one end
//   - stream.go and reader.go: writing, reading and merging sorted keys
//   - file.go: temporary files
package disk

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Key is what is stored of a position. Keys are in the order of their words, the first word first.
// The two highest bits of that must be zero: there a key that is held or stored has its mark.
type Key interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [32]uint64 | [320]uint64
}

// markBits is the number of bits of a mark, which the search chooses. A key that is found repeatedly
// gets the bits of all its marks.
const markBits = 2

// marked returns k, which has no mark, with a mark.
func marked[K Key](k K, mark uint64) K {
	k[0] |= mark << (64 - markBits)
	return k
}

// bare returns k without its mark.
func bare[K Key](k K) K {
	k[0] &= 1<<(64-markBits) - 1
	return k
}

// Plan describes the keys of a store, and says what it may use.
type Plan struct {
	Dir     string // the folder for its files
	Threads int
	Memory  int64 // bytes for all threads and for the lists of blocks
	Parts   int   // parts that keys belong to: from 0 to Parts-1, at most 1<<15
	Digits  []Digit
	Width   uint // bits of a digit, at most 11
	Sizes   Sizes

	// The store keeps these up to date. Any goroutine may read them.
	Used *atomic.Int64 // bytes of all files
	Keys *atomic.Int64 // keys of all layers
}

// Digit is a place in a key. All bits of a key that are not zero are in a digit.
type Digit struct {
	Word  uint16
	Shift uint8
}

// Sizes bound what is done at a time. They do not change what is found.
type Sizes struct {
	Chunk int // keys that a thread holds for a part before it takes more memory for that part
	Radix int // keys from which on it pays to sort by digits
	Block int // bytes of a block of a stream
	Fan   int // streams that a thread can read at once
	Merge int // streams of a level that are merged into one of the next level
}

// DefaultSizes are good for some ten million keys and more.
var DefaultSizes = Sizes{Chunk: 128, Radix: 400, Block: 8 << 10, Fan: 64, Merge: 8}

// Store holds the keys of a search in files. Only Each does work in several goroutines; no method of
// the store or of its layers may be called meanwhile.
type Store[K Key] struct {
	folder  *folder
	memory  int64
	sizes   Sizes
	keys    *atomic.Int64
	spill   *file // keys found for the layer being added
	threads []*Thread[K]
	blocks  int // of all streams
}

// Open makes a store without layers. The caller must close it.
func Open[K Key](plan Plan) (*Store[K], error) {
	s := &Store[K]{folder: &folder{plan.Dir, plan.Used}, memory: plan.Memory, sizes: plan.Sizes, keys: plan.Keys}
	var err error
	if s.spill, err = s.folder.create(); err != nil {
		return nil, err
	}
	bytes := plan.Memory - plan.Memory/blockShare
	for i := range plan.Threads {
		s.threads = append(s.threads, newThread[K](i, &plan, s.spill, int(bytes)/plan.Threads))
	}
	return s, nil
}

// The compiler inlines functions of encoding/binary in another package's instances of Store only if
// this package has an instance, too. That saves a twentieth of the time.
var _ = Open[[1]uint64]

// Close deletes the files of the store; its layers have files of their own.
func (s *Store[K]) Close() { s.spill.close() }

// blockShare is the share of the memory that the lists of blocks may take: one in so many bytes.
// The threads share the rest.
const blockShare = 8

// Bytes returns the memory that the store uses.
func (s *Store[K]) Bytes() int64 { return s.memory - s.memory/blockShare + s.blockBytes() }

// Full reports whether the store uses more memory than it may.
func (s *Store[K]) Full() bool { return s.blockBytes() > max(s.memory/blockShare, 1<<20) }

func (s *Store[K]) blockBytes() int64 { return int64(s.blocks) * int64(unsafe.Sizeof(block[K]{})) }

// Drop makes all threads forget the keys that they hold.
func (s *Store[K]) Drop() error {
	for _, t := range s.threads {
		t.out.drop()
		t.spilled = nil
	}
	if err := s.Err(); err != nil {
		return err
	}
	return s.spill.clear()
}

// Err returns the first error of a thread. From then on, nothing that is read is complete.
func (s *Store[K]) Err() error {
	for _, t := range s.threads {
		if err := t.failed(); err != nil {
			return err
		}
	}
	return nil
}

// Each calls do with each part that has keys in a stream, in several threads, until a thread has an
// error. Each part belongs to one thread.
func (s *Store[K]) Each(stream *Stream[K], do func(t *Thread[K], part int)) {
	s.each([]*Stream[K]{stream}, do)
}

// each calls do with each part that has keys in one of the streams.
func (s *Store[K]) each(streams []*Stream[K], do func(t *Thread[K], part int)) {
	var parts []int
	for _, s := range streams {
		for _, b := range s.blocks {
			parts = append(parts, int(b.part))
		}
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	var next atomic.Int64
	work := func(t *Thread[K]) {
		for t.failed() == nil {
			i := int(next.Add(1) - 1)
			if i >= len(parts) {
				return
			}
			do(t, parts[i])
		}
	}
	var wait sync.WaitGroup
	for _, t := range s.threads[1:] {
		wait.Go(func() { work(t) })
	}
	work(s.threads[0])
	wait.Wait()
}

// write makes one marked or unmarked stream in a file of what do writes as the results of all
// threads. It calls do with each part that has keys in one of the streams.
func (s *Store[K]) write(to *file, marked bool, streams []*Stream[K], do func(t *Thread[K], part int)) (*Stream[K], error) {
	for _, t := range s.threads {
		t.result.open(to, marked)
	}
	s.each(streams, do)
	sum := &Stream[K]{file: to, marked: marked}
	for _, t := range s.threads {
		one := t.result.close()
		sum.blocks = append(sum.blocks, one.blocks...)
		sum.count += one.count
	}
	slices.SortStableFunc(sum.blocks, func(a, b block[K]) int { return cmp.Compare(a.part, b.part) })
	return sum, s.Err()
}

// Has reports whether a stream has a key in a part. It reads one block.
func (s *Store[K]) Has(stream *Stream[K], part int, k K) bool {
	blocks := stream.partOf(part)
	i, _ := slices.BinarySearchFunc(blocks, k, func(b block[K], k K) int { return compare(&b.last, &k) })
	if i == len(blocks) {
		return false
	}
	t := s.threads[0]
	r := t.read(0, stream, blocks[i:i+1])
	r.seek(&k)
	t.note(r)
	return r.cur == k
}
