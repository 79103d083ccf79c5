package main

import "math/bits"

// key is a position: the square of every marble, packed by field.slots. A
// marble that has dropped stands on its hole's square; as no marble can rest
// on its own hole otherwise, the key tells everything. The widths serve any
// board: 5 marbles fit in a word at n = 40, 1,600 of them in 320 words.
type key interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [32]uint64 | [320]uint64
}

func hash[K key](k K) uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := uint64(odd)
	for i := 0; i < len(k); i++ {
		h = (h ^ k[i]) * odd
		h ^= h >> 32
	}
	return h * odd
}

// layers is the set of positions that a search from one end has met, in the
// order of their distance from it. It is cut into shards by hash, so that
// threads can add to different shards without locks and a shard stays in the
// processor's cache while it is added to.
type layers[K key] struct {
	shards []shard[K]
	shift  uint // a key's shard is hash >> shift
	depth  int  // distance of the newest layer
	total  int  // positions in all layers
	newest int  // positions in the newest layer
}

// shard keeps its keys in the order in which they came, and finds them by
// open addressing over their numbers.
type shard[K key] struct {
	keys    []K
	places  []uint32 // number of a key plus 1, or 0; a power of two long
	begins  []int    // begins[d] is the number of the first key of layer d
	streaks []streak // cuts the newest layer by the move that led to it
}

// streak is keys[from:to] of a shard, each first met by the same move.
type streak struct {
	from, to int
	move     int8
}

const (
	anyMove    = -1      // of a streak whose move is of no use
	splitAt    = 1 << 14 // positions at which one shard becomes manyShards
	manyShards = 1 << 8
)

func newLayers[K key](first K) *layers[K] {
	l := &layers[K]{shards: make([]shard[K], 1), shift: 64, total: 1, newest: 1}
	s := &l.shards[0]
	s.begins = []int{0}
	s.add(first, hash(first))
	s.note(0, anyMove)
	return l
}

// at returns the layer that holds k, or -1.
func (l *layers[K]) at(k K) int {
	h := hash(k)
	s := &l.shards[h>>l.shift]
	i := s.find(k, h)
	if i < 0 {
		return -1
	}
	d := len(s.begins) - 1
	for s.begins[d] > i {
		d--
	}
	return d
}

// isNewest tells whether k lies in the newest layer.
func (l *layers[K]) isNewest(k K) bool {
	h := hash(k)
	s := &l.shards[h>>l.shift]
	return s.find(k, h) >= s.begins[l.depth]
}

// size counts the positions of layer d.
func (l *layers[K]) size(d int) int {
	size := 0
	for i := range l.shards {
		size += len(l.shards[i].layer(d))
	}
	return size
}

// open begins a new, empty layer.
func (l *layers[K]) open() {
	l.depth++
	for i := range l.shards {
		s := &l.shards[i]
		s.begins = append(s.begins, len(s.keys))
		s.streaks = s.streaks[:0]
	}
}

// seal counts the newest layer, and cuts the set into shards once it is large.
func (l *layers[K]) seal() {
	l.newest = l.size(l.depth)
	l.total += l.newest
	if len(l.shards) == 1 && l.total >= splitAt {
		l.split()
	}
}

// drop takes the newest layer out again, as if it had never been opened;
// the layer before is the newest then, its moves forgotten.
func (l *layers[K]) drop() {
	l.total -= l.newest
	for i := range l.shards {
		s := &l.shards[i]
		s.keys = s.keys[:s.begins[l.depth]]
		s.begins = s.begins[:l.depth]
		s.streaks = s.streaks[:0]
		s.note(s.begins[l.depth-1], anyMove)
		s.index(len(s.places))
	}
	l.depth--
	l.newest = l.size(l.depth)
}

func (l *layers[K]) split() {
	old := l.shards[0]
	l.shards = make([]shard[K], manyShards)
	l.shift = 64 - uint(bits.TrailingZeros(manyShards))
	begin := func() {
		for i := range l.shards {
			s := &l.shards[i]
			s.begins = append(s.begins, len(s.keys))
		}
	}
	move := func(from, to int) {
		for _, k := range old.keys[from:to] {
			h := hash(k)
			l.shards[h>>l.shift].add(k, h)
		}
	}
	for d := range l.depth {
		begin()
		move(old.begins[d], old.begins[d+1])
	}
	begin()
	for _, r := range old.streaks {
		counts := make([]int, manyShards)
		for i := range l.shards {
			counts[i] = len(l.shards[i].keys)
		}
		move(r.from, r.to)
		for i := range l.shards {
			l.shards[i].note(counts[i], r.move)
		}
	}
}

// layer returns the shard's keys at distance d.
func (s *shard[K]) layer(d int) []K {
	if d+1 < len(s.begins) {
		return s.keys[s.begins[d]:s.begins[d+1]]
	}
	return s.keys[s.begins[d]:]
}

// note enters the keys from number from on as a streak.
func (s *shard[K]) note(from int, move int8) {
	if from == len(s.keys) {
		return
	}
	if n := len(s.streaks); n > 0 && s.streaks[n-1].move == move {
		s.streaks[n-1].to = len(s.keys)
		return
	}
	s.streaks = append(s.streaks, streak{from, len(s.keys), move})
}

// find returns the number of k, whose hash is h, or -1.
func (s *shard[K]) find(k K, h uint64) int {
	mask := uint64(len(s.places) - 1)
	if len(s.places) == 0 {
		return -1
	}
	for p := h & mask; ; p = (p + 1) & mask {
		i := s.places[p]
		if i == 0 {
			return -1
		}
		if s.keys[i-1] == k {
			return int(i - 1)
		}
	}
}

// addAll enters those of the keys that are not there. Memory is far away, and
// mostly each key waits for it twice; so it takes some keys at a time, that
// these waits may overlap: first it looks at the first place of each, then at
// the key that has it, and only then enters what is not known yet.
func (s *shard[K]) addAll(keys []K) {
	const batch = 16
	var hashes [batch]uint64
	var nearest [batch]uint32
	var known [batch]bool
	if len(s.places) == 0 && len(keys) > 0 {
		s.index(batch)
	}
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		mask := uint64(len(s.places) - 1)
		for i, k := range some {
			hashes[i] = hash(k)
			nearest[i] = s.places[hashes[i]&mask]
		}
		for i, k := range some {
			known[i] = nearest[i] != 0 && s.keys[nearest[i]-1] == k
		}
		for i, k := range some {
			if !known[i] {
				s.add(k, hashes[i])
			}
		}
	}
}

// add enters k, whose hash is h, unless it is there.
func (s *shard[K]) add(k K, h uint64) {
	if 4*len(s.keys) >= 3*len(s.places) {
		s.index(max(16, 2*len(s.places)))
	}
	mask := uint64(len(s.places) - 1)
	p := h & mask
	for ; s.places[p] != 0; p = (p + 1) & mask {
		if s.keys[s.places[p]-1] == k {
			return
		}
	}
	s.keys = append(s.keys, k)
	s.places[p] = uint32(len(s.keys))
}

// index finds a place for every key anew, among size of them.
func (s *shard[K]) index(size int) {
	if size == len(s.places) {
		clear(s.places)
	} else {
		s.places = make([]uint32, size)
	}
	mask := uint64(size - 1)
	for i, k := range s.keys {
		p := hash(k) & mask
		for s.places[p] != 0 {
			p = (p + 1) & mask
		}
		s.places[p] = uint32(i + 1)
	}
}
