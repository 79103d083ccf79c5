package main

import (
	"fmt"

	"tribunal/reference/internal/family"
)

// grids returns a ladder of single mazes, whose size is the number of cells. The flips grow with
// the square of the size, because the largest input has many more flips than cells.
func grids() []family.Rung {
	return flipped(cell{2, 2}, cell{2, 4}, cell{4, 4}, cell{4, 8}, cell{8, 8}, cell{8, 16}, cell{16, 16}, cell{16, 32}, cell{32, 32}, cell{maxSide, maxSide})
}

// squares returns a ladder like grids, of square mazes in smaller steps, for measuring times.
func squares() []family.Rung {
	var sizes []cell
	for _, n := range []int{2, 4, 8, 12, 16, 20, 24, 28, 32, maxSide} {
		sizes = append(sizes, cell{n, n})
	}
	return flipped(sizes...)
}

func flipped(sizes ...cell) (ladder []family.Rung) {
	for _, g := range sizes {
		n := g.row * g.column
		flags := fmt.Sprintf("-mazes=1 -rows=%d -columns=%d -flips=%d", g.row, g.column, max(1, n*n/48))
		ladder = append(ladder, family.Rung{Size: n, Flags: flags})
	}
	return ladder
}

// paths returns a ladder of single mazes with one flip, which show in few lines what only happens
// in long lists. Their size is the number of cells.
func paths() (ladder []family.Rung) {
	for _, g := range []cell{{2, 2}, {4, 4}, {8, 8}, {16, 16}, {16, 32}, {32, 32}, {maxSide, maxSide}} {
		flags := fmt.Sprintf("-mazes=1 -rows=%d -columns=%d -flips=1", g.row, g.column)
		ladder = append(ladder, family.Rung{Size: g.row * g.column, Flags: flags})
	}
	return ladder
}

// counts returns a ladder whose size is the number of mazes.
func counts() (ladder []family.Rung) {
	for n := 1; n < 2*maxMazes; n *= 2 {
		n = min(n, maxMazes)
		ladder = append(ladder, family.Rung{Size: n, Flags: fmt.Sprintf("-mazes=%d", n)})
	}
	return ladder
}

// lengths returns a ladder of mazes of one row or one column. flag sets the length of that line,
// which is the size.
func lengths(flag string) (ladder []family.Rung) {
	for _, n := range []int{1, 2, 5, 10, 20, maxSide} {
		ladder = append(ladder, family.Rung{Size: n, Flags: fmt.Sprintf("-mazes=2 -%s=%d -flips=%d", flag, n, 2*n)})
	}
	return ladder
}
