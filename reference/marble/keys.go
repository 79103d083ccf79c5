package main

// key is a position: the squares of all marbles, packed as field.slots say. A dropped marble is on
// the square of its hole. No marble can rest on its own hole otherwise, so the key is the whole
// position. The widths serve any board: 5 marbles fit in a word at n = 40, and 1,600 in 320 words.
//
// The highest bits of the first word are not part of the position. They are zero unless a set or a
// list stores a mark there.
type key interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [32]uint64 | [320]uint64
}

const (
	keyBits = 60 // bits of a word that hold squares
	keyMask = 1<<keyBits - 1
)

// marked returns k, which has no mark, with a mark.
func marked[K key](k K, mark uint64) K {
	k[0] |= mark << keyBits
	return k
}

// bare returns k without its mark.
func bare[K key](k K) K {
	k[0] &= keyMask
	return k
}

// golden is 2^64 divided by the golden ratio: an odd number whose multiples modulo 2^64 are spread
// evenly. goldenInverse is its inverse modulo 2^64.
const (
	golden        = 0x9e3779b97f4a7c15
	goldenInverse = 0xf1de83e19937733d
)

// hash returns the hash of a bare key.
func hash[K key](k *K) uint64 {
	x := uint64(0)
	for i := range len(*k) {
		x = (x ^ x>>32 ^ (*k)[i]) * golden
	}
	return (x ^ x>>32) * golden
}

// lead is the marble whose square selects the part of a set that a position belongs to. Keys in a
// part need not store that square.
type lead struct {
	slot
	width uint // bits of a square in a key
	mask  uint64

	// rest is the number of bits of a key of one word without the lead's square. scatter multiplies
	// these bits modulo 2^rest, which can be inverted because golden is odd.
	rest uint
}

// newLead makes the marble of a slot the lead.
func newLead(f *field, s slot) *lead {
	return &lead{s, f.width, 1<<f.width - 1, uint(len(f.slots)-1) * f.width}
}

// squareOf returns the lead's square.
func squareOf[K key](l *lead, k *K) int {
	return int((*k)[l.word] >> l.shift & l.mask)
}

// scatter removes the lead's square from a key of one word, and scatters the rest over the highest
// bits of the result.
func (l *lead) scatter(k uint64) uint64 {
	below := uint64(1)<<l.shift - 1
	x := k&below | k>>l.width&^below
	return x * (golden << (64 - l.rest))
}

// gather inverts scatter.
func (l *lead) gather(h uint64, square int) uint64 {
	x := h >> (64 - l.rest) * goldenInverse & (1<<l.rest - 1)
	below := uint64(1)<<l.shift - 1
	return x&below | x&^below<<l.width | uint64(square)<<l.shift
}
