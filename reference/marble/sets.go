package main

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// A set remembers the positions that a search has met, each with the age of
// its layer, which is its depth modulo ages, plus 1. Where it is safe to share is
// said in layers.go; a set knows nothing of threads.
type set[K key] interface {
	// add enters the keys that are not there yet, whatever their marks, at the
	// given age, and appends these to fresh, marks and all.
	add(keys []K, age uint64, fresh []K) []K
	// age returns the age of a bare key, or 0 if it is not there.
	age(k K) uint64
	// pick calls do with those of the keys, bare, that are there at that age.
	pick(keys []K, age uint64, do func(k K))
	// each calls do with every key of that age.
	each(age uint64, do func(k K))
	// bytes is the memory in use.
	bytes() int
}

const (
	ageBits = 64 - keyBits // of a mark
	ages    = 1<<ageBits - 1
)

// Both kinds of set look for a key from the place on that is proportional to its
// hash.

// room is how many places a set has for so many keys when it is made larger.
func room(keys int) int { return keys*2 + 8 }

// full tells that it has to be made larger.
func full(keys, places int) bool { return keys*5 >= places*4 }

// whole is a set of keys as they are, with their age as mark.
type whole[K key] struct {
	places []K // all zero where there is none
	count  int
}

// place returns where a bare key is, or should be.
func (s *whole[K]) place(k *K) int {
	hi, _ := bits.Mul64(hash(k), uint64(len(s.places)))
	p := int(hi)
	for ; s.places[p][0] != 0 && bare(s.places[p]) != *k; p++ {
		if p+1 == len(s.places) {
			p = -1
		}
	}
	return p
}

func (s *whole[K]) add(keys []K, age uint64, fresh []K) []K {
	for i := range keys {
		if full(s.count, len(s.places)) {
			s.grow()
		}
		k := bare(keys[i])
		p := s.place(&k)
		if s.places[p][0] == 0 {
			s.places[p] = marked(k, age)
			s.count++
			fresh = append(fresh, keys[i])
		}
	}
	return fresh
}

func (s *whole[K]) grow() {
	old := s.places
	s.places = make([]K, room(s.count))
	for _, k := range old {
		if k[0] != 0 {
			b := bare(k)
			s.places[s.place(&b)] = k
		}
	}
}

func (s *whole[K]) age(k K) uint64 {
	if s.count == 0 {
		return 0
	}
	return s.places[s.place(&k)][0] >> keyBits
}

func (s *whole[K]) pick(keys []K, age uint64, do func(k K)) {
	for _, k := range keys {
		if k = bare(k); s.age(k) == age {
			do(k)
		}
	}
}

func (s *whole[K]) each(age uint64, do func(k K)) {
	for _, k := range s.places {
		if k[0]>>keyBits == age {
			do(bare(k))
		}
	}
}

func (s *whole[K]) bytes() int {
	var one K
	return len(s.places) * len(one) * 8
}

// brief is a set of keys of one word that agree in the lead's square. Of what is
// left, scattered, it stores for each only what does not tell in which of its
// shards it is, and below that the age: of up to 33 bits in 4 bytes, of more in 8.
//
// A shard is a stretch of the table, as long as the others, in which the keys
// stand in the order of their hashes with gaps between them. So a search ends as
// soon as it comes to a greater one, and to make room is to go through the keys
// once.
type brief[K key, E entry] struct {
	*lead
	at     int // the lead's square
	places []E // the last of a shard is vacant
	homes  int // places of a shard that a search may begin at
	span   int // places of a shard
	count  int

	touched atomic.Uint64 // is not read; atomic as sets may be asked by several threads
}

// entry is what a brief set stores of a key. One of all ones, which no key has as ages
// here are less than ages, is vacant; it is greater than every other.
type entry interface{ uint32 | uint64 }

const (
	shardBits = 5 // of what is left of a key, which tell the shard
	shards    = 1 << shardBits
)

// newSet returns an empty set for keys whose lead is on a square.
func newSet[K key](l *lead, at int) set[K] {
	var one K
	switch {
	case len(one) > 1:
		return &whole[K]{}
	case l.rest <= shardBits+32-ageBits:
		return newBrief[K, uint32](l, at)
	default:
		return newBrief[K, uint64](l, at)
	}
}

func newBrief[K key, E entry](l *lead, at int) *brief[K, E] {
	s := &brief[K, E]{lead: l, at: at}
	s.grow()
	return s
}

// entryOf returns what is stored of a key, but for its age, of which the bits are zero.
func entryOf[E entry](h uint64) E { return E(h << shardBits >> (64 - 8*unsafe.Sizeof(E(0)))) }

// hashOf undoes entryOf, but for the bits that tell the shard.
func hashOf[E entry](e E) uint64 {
	return uint64(e&^ages) << (64 - 8*unsafe.Sizeof(e)) >> shardBits
}

func (s *brief[K, E]) add(keys []K, age uint64, fresh []K) []K {
	var hashes [batch]uint64
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		s.approach(some, &hashes)
		for i, k := range some {
			if p, there := s.find(hashes[i]); there == 0 {
				fresh = append(fresh, k)
				s.insert(p, entryOf[E](hashes[i])|E(age-1))
			}
		}
	}
	return fresh
}

func (s *brief[K, E]) pick(keys []K, age uint64, do func(k K)) {
	var hashes [batch]uint64
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		s.approach(some, &hashes)
		for i, k := range some {
			if _, at := s.find(hashes[i]); at == age {
				do(bare(k))
			}
		}
	}
}

// batch is how many keys are looked up at a time.
const batch = 128

// approach takes the keys' hashes. Memory is far away: what is not in the cache is
// asked for here for all keys at once, by a loop so short that the processor is soon
// through many rounds of it, so that the waits overlap.
func (s *brief[K, E]) approach(keys []K, hashes *[batch]uint64) {
	var homes [batch]int
	for i := range keys {
		hashes[i] = s.scatter(keys[i][0] & keyMask)
		homes[i] = s.home(hashes[i])
	}
	touched := E(0)
	for _, p := range homes[:len(keys)] {
		touched |= s.places[p]
	}
	s.touched.Store(uint64(touched))
}

// home returns where the search for a key begins.
func (s *brief[K, E]) home(h uint64) int {
	return int(h>>(64-shardBits))*s.span + s.inShard(h)
}

// inShard returns how far from the begin of its shard that is.
func (s *brief[K, E]) inShard(h uint64) int {
	p, _ := bits.Mul64(h<<shardBits, uint64(s.homes))
	return int(p)
}

// find returns where a key is, and its age; or where it should be, and 0.
func (s *brief[K, E]) find(h uint64) (place int, age uint64) {
	p, e := s.home(h), entryOf[E](h)
	for s.places[p] < e {
		p++
	}
	if d := s.places[p] - e; d < ages {
		return p, uint64(d) + 1
	}
	return p, 0
}

// insert enters a key at the place where it should be.
func (s *brief[K, E]) insert(p int, e E) {
	for ; e != ^E(0); p++ {
		s.places[p], e = e, s.places[p]
	}
	s.count++
	if p%s.span == 0 || full(s.count, shards*s.homes) {
		s.grow()
	}
}

// grow makes the table larger.
func (s *brief[K, E]) grow() {
	old, span := s.places, s.span
	s.homes = room(s.count / shards)
	for slack := 8 + s.homes/64; ; slack *= 2 {
		s.span = s.homes + slack
		s.places = make([]E, shards*s.span)
		hugePages(s.places)
		if s.takeOver(old, span) {
			return
		}
	}
}

// takeOver enters the keys of another table, with shards of that span, into the
// empty one, and reports whether there is place at the end of every shard.
func (s *brief[K, E]) takeOver(old []E, span int) bool {
	for p := range s.places {
		s.places[p] = ^E(0)
	}
	for shard := range shards {
		first := shard * s.span
		next := first
		for _, e := range old[shard*span:][:span] {
			// Where it is vacant is hard to foretell, so that is written, too.
			p := max(next, first+s.inShard(hashOf(e)))
			s.places[p] = e
			if e != ^E(0) {
				next = p + 1
			}
			if next == first+s.span {
				return false
			}
		}
	}
	return true
}

func (s *brief[K, E]) age(k K) uint64 {
	_, age := s.find(s.scatter(k[0]))
	return age
}

func (s *brief[K, E]) each(age uint64, do func(k K)) {
	for p, e := range s.places {
		if uint64(e&ages)+1 == age { // which nothing vacant has
			h := uint64(p/s.span)<<(64-shardBits) | hashOf(e)
			var k K
			k[0] = s.gather(h, s.at)
			do(k)
		}
	}
}

func (s *brief[K, E]) bytes() int { return len(s.places) * int(unsafe.Sizeof(E(0))) }
