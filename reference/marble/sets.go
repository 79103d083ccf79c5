package main

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// A set holds the positions that a search has met, each with the age of its layer, which is its
// depth modulo ages, plus 1. Sets have no locks; layers.go says how threads share them.
type set[K key] interface {
	// add adds the keys that are missing, ignoring their marks, with the given age. It appends
	// these keys to fresh, with their marks.
	add(keys []K, age uint64, fresh []K) []K
	// age returns the age of a bare key, or 0 if it is missing.
	age(k K) uint64
	// pick calls do with those of the keys, made bare, that are in the set with that age.
	pick(keys []K, age uint64, do func(k K))
	// each calls do with every key of that age.
	each(age uint64, do func(k K))
	// bytes returns the memory in use.
	bytes() int
}

const (
	ageBits = 64 - keyBits // bits of a mark, which hold an age
	ages    = 1<<ageBits - 1
)

// Sets are hash tables. Both kinds begin to look for a key at a place that is proportional to its
// hash.

// room returns the number of places for a set that must grow and has this many keys.
func room(keys int) int { return keys*2 + 8 }

// full reports whether a set must grow.
func full(keys, places int) bool { return keys*5 >= places*4 }

// whole is a set that stores whole keys, each with its age as a mark.
type whole[K key] struct {
	places []K // all zero if vacant
	count  int
}

// place returns the place of a bare key, or the place where it belongs.
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

// brief is a set of keys of one word that agree in the lead's square. Of the rest of a key,
// scattered, it stores only what the shard of the key does not determine, and below that the age:
// up to 33 bits in 4 bytes, more in 8.
//
// A shard is a section of the table, equally long for all, with its keys in the order of their
// hashes and gaps between them. So a search ends at the first greater key, and growing is one pass
// through the keys.
type brief[K key, E entry] struct {
	*lead
	at     int // the lead's square
	places []E // the last place of a shard is vacant
	homes  int // places of a shard at which a search may begin
	span   int // places of a shard
	count  int

	touched atomic.Uint64 // never read, see approach; atomic because several threads may use pick

	_ pad // other threads use the sets of other parts
}

// entry is the stored form of a key in a brief set. A vacant place holds all ones. No key is stored
// as that, because an entry holds the age minus 1, which is never all ones; every key is stored as a
// smaller number.
type entry interface{ uint32 | uint64 }

const (
	shardBits = 5 // bits of a scattered key that select the shard
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

// entryOf returns the entry of a key, with the bits of the age zero.
func entryOf[E entry](h uint64) E { return E(h << shardBits >> (64 - 8*unsafe.Sizeof(E(0)))) }

// hashOf inverts entryOf, except for the bits of the shard.
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

// approach computes the hashes of the keys. It also reads the places of all keys, in a loop so
// short that the processor overlaps many of the waits for memory that is not in its cache. Storing
// the result in touched keeps the compiler from omitting the reads.
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

// home returns the place at which the search for a key begins.
func (s *brief[K, E]) home(h uint64) int {
	return int(h>>(64-shardBits))*s.span + s.inShard(h)
}

// inShard returns the distance of that place from the beginning of its shard.
func (s *brief[K, E]) inShard(h uint64) int {
	p, _ := bits.Mul64(h<<shardBits, uint64(s.homes))
	return int(p)
}

// find returns the place of a key and its age, or the place where it belongs and 0.
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

// insert stores an entry at the place where it belongs, and shifts those behind it to the next gap.
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

// takeOver copies the entries of the old table, whose shards have the given span, into the new one,
// and reports whether every shard had room for its entries.
func (s *brief[K, E]) takeOver(old []E, span int) bool {
	for p := range s.places {
		s.places[p] = ^E(0)
	}
	for shard := range shards {
		first := shard * s.span
		next := first
		for _, e := range old[shard*span:][:span] {
			// Processors cannot predict which places are vacant, so these are copied, too.
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
		if uint64(e&ages)+1 == age { // never true of a vacant place
			h := uint64(p/s.span)<<(64-shardBits) | hashOf(e)
			var k K
			k[0] = s.gather(h, s.at)
			do(k)
		}
	}
}

func (s *brief[K, E]) bytes() int { return len(s.places) * int(unsafe.Sizeof(E(0))) }
