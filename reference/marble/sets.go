package main

import (
	"math/bits"
	"sync/atomic"
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
// shards it is: of 33 bits 4 bytes, of up to 49 bits 6.
//
// A shard is a stretch of the table, as long as the others, in which the keys
// stand in the order of their hashes with gaps between them. So a search ends as
// soon as it comes to a greater one, and to make room is to go through the keys
// once.
type brief[K key] struct {
	*lead
	at    int      // the lead's square
	low   []uint32 // the first bits and, below them, the age; the last of a shard is vacant
	high  []uint16 // the bits that follow, nil if there are none
	homes int      // places of a shard that a search may begin at
	span  int      // places of a shard
	count int

	touched atomic.Uint32 // is not read; atomic as sets may be asked by several threads
}

const (
	shardBits = 5            // of what is left of a key, which tell the shard
	lowBits   = 32 - ageBits // which follow
	highBits  = 16           // which may follow these
	shards    = 1 << shardBits

	vacant = 1<<32 - 1 // is greater than every key: ages here are less than ages
)

func newBrief[K key](l *lead, at int) *brief[K] {
	s := &brief[K]{lead: l, at: at}
	s.grow()
	return s
}

// lowOf and highOf take apart what is left of a key, after the shard.
func lowOf(h uint64) uint32  { return uint32(h << shardBits >> (64 - lowBits)) }
func highOf(h uint64) uint16 { return uint16(h << (shardBits + lowBits) >> (64 - highBits)) }

func (s *brief[K]) add(keys []K, age uint64, fresh []K) []K {
	var hashes [batch]uint64
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		s.approach(some, &hashes)
		for i := range some {
			h := hashes[i]
			p := s.place(h)
			if s.is(p, h) {
				continue
			}
			fresh = append(fresh, some[i])
			s.insert(p, h, age)
		}
	}
	return fresh
}

// batch is how many keys are looked up at a time.
const batch = 128

// approach takes the keys' hashes. Memory is far away: what is not in the cache is
// asked for here for all keys at once, by a loop so short that the processor is soon
// through many rounds of it, so that the waits overlap.
func (s *brief[K]) approach(keys []K, hashes *[batch]uint64) {
	var homes [batch]int
	for i := range keys {
		hashes[i] = s.scatter(keys[i][0] & keyMask)
		homes[i] = s.home(hashes[i])
	}
	touched := uint32(0)
	for _, p := range homes[:len(keys)] {
		touched |= s.low[p]
	}
	s.touched.Store(touched)
}

func (s *brief[K]) pick(keys []K, age uint64, do func(k K)) {
	var hashes [batch]uint64
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		s.approach(some, &hashes)
		for i := range some {
			h := hashes[i]
			if p := s.place(h); s.is(p, h) && uint64(s.low[p]&ages)+1 == age {
				do(bare(some[i]))
			}
		}
	}
}

// home returns where the search for a key begins.
func (s *brief[K]) home(h uint64) int {
	return int(h>>(64-shardBits))*s.span + int(uint64(lowOf(h))*uint64(s.homes)>>lowBits)
}

// place returns where a key is, or should be.
func (s *brief[K]) place(h uint64) int {
	low, p := lowOf(h), s.home(h)
	for s.low[p] < low<<ageBits {
		p++
	}
	if s.high != nil {
		// No age is as great as ages, so nothing vacant is passed here.
		for s.low[p] < low<<ageBits|ages && s.high[p] < highOf(h) {
			p++
		}
	}
	return p
}

// is tells whether a key is at the place where it should be.
func (s *brief[K]) is(p int, h uint64) bool {
	e := s.low[p]
	return e>>ageBits == lowOf(h) && e != vacant && (s.high == nil || s.high[p] == highOf(h))
}

// insert enters a key at the place where it should be.
func (s *brief[K]) insert(p int, h, age uint64) {
	end := p
	for e := lowOf(h)<<ageBits | uint32(age-1); e != vacant; end++ {
		s.low[end], e = e, s.low[end]
	}
	if s.high != nil {
		copy(s.high[p+1:end], s.high[p:end-1])
		s.high[p] = highOf(h)
	}
	s.count++
	if end%s.span == 0 || full(s.count, shards*s.homes) {
		s.grow()
	}
}

// grow makes the table larger.
func (s *brief[K]) grow() {
	low, high, span := s.low, s.high, s.span
	s.homes = room(s.count / shards)
	for slack := 8 + s.homes/64; ; slack *= 2 {
		s.span = s.homes + slack
		s.low = make([]uint32, shards*s.span)
		hugePages(s.low)
		if s.rest > shardBits+lowBits {
			s.high = make([]uint16, len(s.low))
			hugePages(s.high)
		}
		if s.takeOver(low, high, span) {
			return
		}
	}
}

// takeOver enters the keys of another table, with shards of that span, into the
// empty one, and reports whether there is place at the end of every shard.
func (s *brief[K]) takeOver(low []uint32, high []uint16, span int) bool {
	for p := range s.low {
		s.low[p] = vacant
	}
	for shard := range shards {
		p := shard*s.span - 1
		end := (shard+1)*s.span - 1
		for from := shard * span; from < (shard+1)*span; from++ {
			// Where it is vacant is hard to foretell, so that is written, too.
			e := low[from]
			q := max(p+1, shard*s.span+int(uint64(e>>ageBits)*uint64(s.homes)>>lowBits))
			s.low[q] = e
			if s.high != nil {
				s.high[q] = high[from]
			}
			if e != vacant {
				p = q
			}
			if p == end {
				return false
			}
		}
	}
	return true
}

func (s *brief[K]) age(k K) uint64 {
	h := s.scatter(k[0])
	p := s.place(h)
	if !s.is(p, h) {
		return 0
	}
	return uint64(s.low[p]&ages) + 1
}

func (s *brief[K]) each(age uint64, do func(k K)) {
	for p, e := range s.low {
		if e == vacant || uint64(e&ages)+1 != age {
			continue
		}
		h := uint64(p/s.span)<<(64-shardBits) | uint64(e>>ageBits)<<(64-shardBits-lowBits)
		if s.high != nil {
			h |= uint64(s.high[p]) << (64 - shardBits - lowBits - highBits)
		}
		var k K
		k[0] = s.gather(h, s.at)
		do(k)
	}
}

func (s *brief[K]) bytes() int { return 4*len(s.low) + 2*len(s.high) }
