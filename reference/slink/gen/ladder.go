package main

import (
	"fmt"

	"tribunal/reference/internal/family"
)

// ladder returns a ladder with a rung for each size, whose flags are format with the size as its
// argument.
func ladder(format string, sizes ...int) (rungs []family.Rung) {
	for _, n := range sizes {
		rungs = append(rungs, family.Rung{Size: n, Flags: fmt.Sprintf(format, n)})
	}
	return rungs
}

// sides returns a ladder of inputs of a hundred square grids. The size is the number of all cells.
func sides() (rungs []family.Rung) {
	for _, n := range []int{2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, maxSide} {
		rungs = append(rungs, family.Rung{Size: 100 * n * n, Flags: fmt.Sprintf("-rows=%[1]d -cols=%[1]d", n)})
	}
	return rungs
}
