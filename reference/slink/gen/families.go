package main

import (
	"fmt"

	"tribunal/reference/internal/family"
)

// A kind is a family before it gets its flags. flags names its settings.
type kind struct {
	name, about string
	flags       []string
	make        func(*options, chance) ([]*puzzle, error)
	ladder      []family.Rung
}

var kinds = []kind{
	{"sides", "a hundred loops grown and shaken at random, of one size", []string{"rows", "cols", "fill"}, makeSides, sides()},
	{"all", "every puzzle of every size up to -rows by -cols, at most 12 cells", []string{"rows", "cols", "original"}, makeAll,
		ladder("-rows=2 -cols=%d", 1, 2, 3, 4, 5)},
	{"random", "loops grown and shaken at random", []string{"n", "rows", "cols", "max", "fill", "original"}, makeRandom,
		ladder("-n=%d -max=6", 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, maxPuzzles)},
	{"lines", "every loop in a grid of one row, then in one column", []string{"max"}, makeLines,
		ladder("-max=%d", 2, 4, 8, 16, maxSide)},
	{"domino", "loops round two cells", []string{"n", "rows", "cols", "max"}, makeDominoes,
		ladder("-rows=%[1]d -cols=%[1]d", 2, 4, 8, 16, maxSide)},
	{"spiral", "a corridor wound up to the middle, turned or mirrored", []string{"n", "rows", "cols", "max"}, makeSpirals,
		ladder("-rows=%[1]d -cols=%[1]d", 2, 4, 8, 16, maxSide)},
	{"comb", "combs: long teeth on a back, turned or mirrored", []string{"n", "rows", "cols", "max"}, makeCombs,
		ladder("-n=8 -rows=%[1]d -cols=%[1]d", 3, 5, 10, maxSide)},
	{"images", "a random loop that counting alone does not find, in all eight positions", []string{"rows", "cols", "max", "original"}, makeImages,
		ladder("-rows=%[1]d -cols=%[1]d", 4, 5, 6, 8, 10)},
	{"climb", "loops changed step by step towards a goal", []string{"n", "rows", "cols", "max", "goal", "steps"}, makeClimbs,
		ladder("-rows=%[1]d -cols=%[1]d -goal=work -steps=1000", 3, 4, 6, 8, 12, 16, maxSide)},
	{"twins", "puzzles whose numbers also fit several loops at once, or one that touches itself", []string{"n", "rows", "cols", "max"}, makeTwins,
		ladder("-n=%d -rows=4 -cols=4", 1, 2, 4, 8, 16)},
	{"hole", "a known puzzle whose numbers also fit a region with a hole, turned or mirrored", []string{"n"}, makeHoles,
		ladder("-n=%d", 1, 8)},
}

// attempts bounds the tries for one puzzle.
const attempts = 2000

// each makes n puzzles. It tries again whenever draw fails, or the puzzle of the region has a
// second solution or lacks a wanted property.
func each(n int, draw func() (region, bool), wanted func(*puzzle) bool) ([]*puzzle, error) {
	var puzzles []*puzzle
	for range n {
		p := (*puzzle)(nil)
		for try := 0; p == nil; try++ {
			if try == attempts {
				return nil, fmt.Errorf("no such puzzle in %d attempts (hint: try another size)", attempts)
			}
			if r, ok := draw(); ok {
				if q, ok := r.numbers(); ok && count(q).loops == 1 && wanted(q) {
					p = q
				}
			}
		}
		puzzles = append(puzzles, p)
	}
	return puzzles, nil
}

func anyPuzzle(*puzzle) bool { return true }

// suits reports whether p is wanted: with -original=1, only if the original problem admits it.
func (o *options) suits(p *puzzle) bool { return o.original == 0 || p.byRules() }

// size returns a size that o allows. Sides that are not set are from 1 to o.max, but never both 1.
func (o *options) size(c chance) (rows, cols int) {
	for {
		rows, cols = o.rows, o.cols
		if rows == 0 {
			rows = c.between(1, o.max)
		}
		if cols == 0 {
			cols = c.between(1, o.max)
		}
		if rows*cols > 1 || o.rows*o.cols == 1 {
			return rows, cols
		}
	}
}

func makeAll(o *options, _ chance) ([]*puzzle, error) {
	if cells := o.rows * o.cols; cells < 1 || cells > 12 {
		return nil, family.Misuse("rows and cols must be given (hint: at most 12 cells)")
	}
	var puzzles []*puzzle
	for rows := 1; rows <= o.rows; rows++ {
		for cols := 1; cols <= o.cols; cols++ {
			for set := range 1 << (rows * cols) {
				r := newRegion(rows, cols)
				for k := range rows * cols {
					r.set(k/cols, k%cols, set>>k&1 != 0)
				}
				if !r.isLoop() {
					continue
				}
				if p, ok := r.numbers(); ok && count(p).loops == 1 && o.suits(p) {
					puzzles = append(puzzles, p)
				}
			}
		}
	}
	return puzzles, nil
}

func makeSides(o *options, c chance) ([]*puzzle, error) {
	o.n, o.max = 100, maxSide
	return makeRandom(o, c)
}

func makeRandom(o *options, c chance) ([]*puzzle, error) {
	return each(o.n, func() (region, bool) { return o.random(c), true }, o.suits)
}

// random grows a random region to the share of cells that -fill sets, and then flips random cells.
func (o *options) random(c chance) region {
	r := newRegion(o.size(c))
	fill := o.fill
	if fill == 0 {
		fill = c.between(10, 100)
	}
	cells := r.rows * r.cols
	r.set(c.below(r.rows), c.below(r.cols), true)
	size := 1
	for range 20 * cells {
		i, j := c.below(r.rows), c.below(r.cols)
		if size*100 < fill*cells && !r.at(i, j) && r.canFlip(i, j) {
			r.flip(i, j)
			size++
		}
	}
	for range c.below(4 * cells) {
		if i, j := c.below(r.rows), c.below(r.cols); r.canFlip(i, j) {
			r.flip(i, j)
		}
	}
	return r
}

func makeLines(o *options, _ chance) ([]*puzzle, error) {
	var puzzles []*puzzle
	for image := range 2 {
		for first := range o.max {
			for last := first + 1; last < o.max; last++ {
				r := newRegion(1, o.max)
				for j := first; j <= last; j++ {
					r.set(0, j, true)
				}
				if p, ok := r.image(image).numbers(); ok && count(p).loops == 1 {
					puzzles = append(puzzles, p)
				}
			}
		}
	}
	return puzzles, nil
}

func makeDominoes(o *options, c chance) ([]*puzzle, error) {
	return each(o.n, func() (region, bool) {
		r := newRegion(o.size(c))
		i, j := c.below(r.rows), c.below(r.cols)
		y, x := i, j
		if c.below(2) == 0 {
			y++
		} else {
			x++
		}
		if y == r.rows || x == r.cols {
			return r, false
		}
		r.set(i, j, true)
		r.set(y, x, true)
		return r, true
	}, anyPuzzle)
}

// turned draws regions of a size that o allows, and turns or mirrors them.
func (o *options) turned(c chance, draw func(region)) ([]*puzzle, error) {
	return each(o.n, func() (region, bool) {
		image := c.below(8)
		rows, cols := o.size(c)
		if image&1 != 0 {
			rows, cols = cols, rows
		}
		r := newRegion(rows, cols)
		draw(r)
		return r.image(image), true
	}, anyPuzzle)
}

func makeSpirals(o *options, c chance) ([]*puzzle, error) {
	return o.turned(c, func(r region) {
		// Two steps ahead must be free, so that the turns of the corridor stay apart.
		i, j, dy, dx := 0, 0, 0, 1
		r.set(0, 0, true)
		for turns := 0; turns < 2; {
			y, x := i+dy, j+dx
			inGrid := y >= 0 && y < r.rows && x >= 0 && x < r.cols
			if inGrid && !r.at(y, x) && !r.at(y+dy, x+dx) {
				i, j = y, x
				r.set(i, j, true)
				turns = 0
				continue
			}
			dy, dx = dx, -dy
			turns++
		}
	})
}

func makeCombs(o *options, c chance) ([]*puzzle, error) {
	return o.turned(c, func(r region) {
		for j := range r.cols {
			for i := range r.rows {
				r.set(i, j, i == 0 || j%2 == 0)
			}
		}
	})
}

func makeImages(o *options, c chance) ([]*puzzle, error) {
	var chosen region
	_, err := each(1, func() (region, bool) {
		chosen = o.random(c)
		return chosen, true
	}, func(p *puzzle) bool { return openEdges(p) > 0 && o.suits(p) })
	if err != nil {
		return nil, err
	}
	image := -1
	return each(8, func() (region, bool) {
		image++
		return chosen.image(image), true
	}, anyPuzzle)
}

// aroundHole is the inside of a loop whose numbers also fit a region with a hole. Random drawing
// hardly ever finds such a loop.
var aroundHole = []string{
	"##.....",
	"####.##",
	"..##..#",
	"#######",
	"#...#..",
	"#.#####",
	"#.#..##",
}

func makeHoles(o *options, c chance) ([]*puzzle, error) {
	o.rows, o.cols = len(aroundHole), len(aroundHole[0])
	return o.turned(c, func(r region) {
		for i, row := range aroundHole {
			for j, cell := range row {
				r.set(i, j, cell == '#')
			}
		}
	})
}
