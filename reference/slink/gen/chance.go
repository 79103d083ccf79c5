package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
)

// chance is a source of random numbers that depends on nothing but a name and a
// seed. ChaCha8 is fixed by its specification; what we make of its words is
// here, as the standard library may change how it does so.
type chance struct {
	words *rand.ChaCha8
}

func newChance(name string, seed uint64) chance {
	return chance{rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "slink %s %d", name, seed)))}
}

// below returns a number from 0 to n-1. The bias of the remainder does not
// matter for n this small.
func (c chance) below(n int) int {
	return int(c.words.Uint64() % uint64(n))
}

// between returns a number from low to high.
func (c chance) between(low, high int) int {
	return low + c.below(high-low+1)
}
