package main

// key is a position: the square of every marble, packed by field.slots. A
// marble that has dropped stands on its hole's square; as no marble can rest
// on its own hole otherwise, the key tells everything. The widths serve any
// board: 5 marbles fit in a word at n = 40, 1,600 of them in 320 words.
//
// The highest bits of the first word are not part of the position. They are
// zero but where a set or a list uses them for a mark.
type key interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [32]uint64 | [320]uint64
}

const (
	keyBits = 60 // of a word
	keyMask = 1<<keyBits - 1
)

// marked returns k, which has no mark, with one.
func marked[K key](k K, mark uint64) K {
	k[0] |= mark << keyBits
	return k
}

// bare returns k without its mark.
func bare[K key](k K) K {
	k[0] &= keyMask
	return k
}

// odd is the golden ratio as a fraction of 2^64: multiples of it are spread evenly.
// Times oddBack it is 1 modulo 2^64.
const (
	odd     = 0x9e3779b97f4a7c15
	oddBack = 0xf1de83e19937733d
)

// hash returns the hash of a bare key.
func hash[K key](k *K) uint64 {
	x := uint64(0)
	for i := range len(*k) {
		x = (x ^ x>>32 ^ (*k)[i]) * odd
	}
	return (x ^ x>>32) * odd
}

// lead is a marble whose square tells in which part of a set a position is. Of
// the keys of a part, its square need not be stored.
type lead struct {
	slot
	width uint // of a square, in bits
	mask  uint64

	// What is left of a key of one word has so many bits. They are scattered by
	// a multiplication modulo 2^rest, which loses nothing as odd is odd.
	rest uint
}

// newLead makes the marble in a slot the lead.
func newLead(f *field, s slot) *lead {
	return &lead{s, f.width, 1<<f.width - 1, uint(len(f.slots)-1) * f.width}
}

// squareOf returns the lead's square.
func squareOf[K key](l *lead, k *K) int {
	return int((*k)[l.word] >> l.shift & l.mask)
}

// scatter takes the lead's square out of a key of one word, and scatters what is
// left over the highest bits of the result.
func (l *lead) scatter(k uint64) uint64 {
	below := uint64(1)<<l.shift - 1
	x := k&below | k>>l.width&^below
	return x * (odd << (64 - l.rest))
}

// gather undoes scatter.
func (l *lead) gather(h uint64, square int) uint64 {
	x := h >> (64 - l.rest) * oddBack & (1<<l.rest - 1)
	below := uint64(1)<<l.shift - 1
	return x&below | x&^below<<l.width | uint64(square)<<l.shift
}
