package main

import "math/rand/v2"

// chance is a source of random numbers. It makes them from the words of ChaCha8 by itself, because
// the standard library may change how it does this.
type chance struct {
	words *rand.ChaCha8
}

// below returns a number from 0 to n-1. The bias of the remainder does not matter for n this small.
func (c chance) below(n int) int {
	return int(c.words.Uint64() % uint64(n))
}

// between returns a number from low to high.
func (c chance) between(low, high int) int {
	return low + c.below(high-low+1)
}
