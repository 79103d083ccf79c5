package main

// makeTwins draws puzzles with twins: two colourings with the same numbers, one of which is the
// loop. In the set of cells in which twins differ, each cell of the grid has an even number of
// neighbours. Such a pattern follows row by row from its first row, provided that the row below the
// last one comes out empty. So makeTwins draws a pattern, and changes a loop and its twin in the
// same cells until their numbers agree everywhere.
func makeTwins(o *options, c chance) ([]*puzzle, error) {
	return each(o.n, func() (region, bool) {
		rows, cols := o.size(c)
		pattern, ok := neutralPattern(c, rows, cols)
		if !ok {
			return pattern, false
		}
		return o.approach(c, pattern)
	}, func(p *puzzle) bool { return count(p).others > 0 })
}

// neutralPattern draws a non-empty set of cells so that every cell of the grid has an even number
// of neighbours in it. Few sizes have many such sets; squares have the most.
func neutralPattern(c chance, rows, cols int) (region, bool) {
	for range 50 {
		r := newRegion(rows, cols)
		if c.below(2) == 0 {
			r.set(0, c.below(cols), true)
		} else {
			for j := range cols {
				r.set(0, j, c.below(2) == 0)
			}
		}
		neutral := true
		for i := range rows {
			for j := range cols {
				odd := r.at(i-1, j) != r.at(i, j-1) != r.at(i, j+1)
				if i+1 < rows {
					r.set(i+1, j, odd)
				} else if odd {
					neutral = false
				}
			}
		}
		if neutral && r.size() > 0 {
			return r, true
		}
	}
	return region{}, false
}

// approach changes a random loop until it and its twin have the same numbers. It sometimes takes a
// step for the worse, less and less often.
func (o *options) approach(c chance, pattern region) (region, bool) {
	sized := *o
	sized.rows, sized.cols = pattern.rows, pattern.cols
	r := sized.random(c)
	twin := newRegion(r.rows, r.cols)
	for i := range r.rows {
		for j := range r.cols {
			twin.set(i, j, r.at(i, j) != pattern.at(i, j))
		}
	}

	// around counts, of cell (i, j) and its neighbours, those whose numbers differ in r and twin.
	around := func(i, j int) int {
		n := 0
		for _, cell := range [][2]int{{i, j}, {i - 1, j}, {i, j - 1}, {i, j + 1}, {i + 1, j}} {
			if r.differing(cell[0], cell[1]) != twin.differing(cell[0], cell[1]) {
				n++
			}
		}
		return n
	}
	conflicts := 0
	for i := range r.rows {
		for j := range r.cols {
			if r.differing(i, j) != twin.differing(i, j) {
				conflicts++
			}
		}
	}
	steps := 60 * r.rows * r.cols
	for step := 0; step < steps && conflicts > 0; step++ {
		i, j := c.below(r.rows), c.below(r.cols)
		if !r.canFlip(i, j) {
			continue
		}
		before := around(i, j)
		r.flip(i, j)
		twin.flip(i, j)
		worse := around(i, j) - before
		// A change for the worse by one is accepted in about one of 3 cases at first and in one of
		// 1,000 at the end; a change by two with the square of that probability.
		rarity := 3 + 1000*step/steps
		for k := 0; k < worse; k++ {
			if c.below(rarity) != 0 {
				r.flip(i, j)
				twin.flip(i, j)
				worse = 0
				break
			}
		}
		conflicts += worse
	}
	return r, conflicts == 0
}
