package main

// prune computes the useful squares and the tables that depend on them. This does not pay on a
// board that is solved at once, as most boards with many marbles are. prune returns false if some
// marble has no way home. No other thread may use the field meanwhile.
func (f *field) prune() bool {
	if !f.findUseful() {
		return false
	}
	f.sortUseful()
	f.findQuick()
	return true
}

// isUseful reports whether a square is useful to marble i. Every square is until prune has run.
func (f *field) isUseful(i, square int16) bool {
	return f.useful == nil || f.useful[i][square]
}

// sortUseful copies the useful squares into the views.
func (f *field) sortUseful() {
	for v := range f.views {
		w := &f.views[v]
		w.useful = make([]uint64, len(f.start)*f.n)
		for i := range f.start {
			for at := range w.squares {
				if f.isUseful(int16(i), int16(at)) {
					w.useful[i*f.n+int(w.squares[at].line)] |= 1 << w.squares[at].u
				}
			}
		}
	}
}

// findQuick computes quick from the rolls and the useful squares.
func (f *field) findQuick() {
	if f.slots[len(f.slots)-1].word > 0 {
		return
	}
	f.quick = new([4]quick)
	for v := range f.rolls {
		for at, q := range f.rolls[v] {
			e := uint32(q.to)
			if q.holes {
				e |= quickHoles
			}
			for i := range f.slots {
				if f.isUseful(int16(i), q.to) {
					e |= 1 << (quickUseful + i)
				}
			}
			f.quick[v][at] = e
		}
	}
}

// findUseful looks at each marble alone, and assumes that the other marbles help it wherever they
// could. So a roll may end up to `others` squares short of the wall, as if that many marbles lay
// there, and it crosses every hole but the marble's own. findUseful tries only the first square
// where a roll may end, which is `others` squares from the wall or else next to the start of the
// roll. From there, further rolls in the same direction reach the squares nearer to the wall. A
// roll never passes the marble's own hole, because the first marble that reaches this hole drops
// into it. findUseful returns false if some marble has no way home.
func (f *field) findUseful() bool {
	squares := f.n * f.n
	useful := make([][]bool, len(f.start))
	others := -1
	for i, at := range f.start {
		if at != f.holes[i] {
			others++
		}
	}
	leads := make([][4]int16, squares) // by square, where the four rolls from it may end
	for i, start := range f.start {
		hole := f.holes[i]
		home := make([]bool, squares) // squares with a way home
		home[hole] = true
		useful[i] = home
		if start == hole {
			continue
		}
		seen := make([]bool, squares)
		seen[start] = true
		queue := []int16{start}
		for head := 0; head < len(queue); head++ {
			at := queue[head]
			for v := range f.views {
				w := &f.views[v]
				q, goal := &w.squares[at], &w.squares[hole]
				to := at
				if goal.line == q.line && q.ahead()>>goal.u&1 != 0 {
					to = hole
				} else if q.u > q.front {
					u := min(int(q.front)+others, int(q.u)-1)
					to += int16((u - int(q.u)) * w.step)
					if !seen[to] {
						seen[to] = true
						queue = append(queue, to)
					}
				}
				leads[at][v] = to
			}
		}
		// Most ways home lead through squares that were found later, so a few sweeps backwards are
		// enough.
		for changed := true; changed; {
			changed = false
			for k := len(queue) - 1; k >= 0; k-- {
				at := queue[k]
				if home[at] {
					continue
				}
				for _, to := range leads[at] {
					if home[to] {
						home[at], changed = true, true
					}
				}
			}
		}
		if !home[start] {
			return false
		}
	}
	f.useful = useful
	return true
}
