package main

// relax returns a shortest walk, or nil if there is none. It computes for every place the number of
// rolls that are left to get home: unknown at first, then improved from the neighbours until
// nothing changes any more. The walk always takes the first roll (up, down, left, right) that gets
// one roll nearer to home.
//
// It takes time quadratic in the places of a maze.
func (m *maze) relax() []place {
	left := make(map[place]int) // rolls left to get home, as far as known
	// nearest returns the best roll from p and the rolls that p then has left to get home.
	nearest := func(p place) (best roll, rollsLeft int, ok bool) {
		for _, r := range rolls {
			to := p.after(r)
			if !m.admits(p, to) {
				continue
			}
			after, known := left[to]
			if m.home(to) {
				after, known = 0, true
			}
			if known && (!ok || after+1 < rollsLeft) {
				best, rollsLeft, ok = r, after+1, true
			}
		}
		return best, rollsLeft, ok
	}
	all := lies()
	for changed := true; changed; {
		changed = false
		for square := range m.needs {
			for _, d := range all {
				p := place{square[0], square[1], d}
				_, n, ok := nearest(p)
				if old, known := left[p]; ok && (!known || n < old) {
					left[p] = n
					changed = true
				}
			}
		}
	}
	if _, _, ok := nearest(m.start); !ok {
		return nil
	}
	walk := []place{m.start}
	for len(walk) == 1 || !m.home(walk[len(walk)-1]) {
		p := walk[len(walk)-1]
		r, _, _ := nearest(p)
		walk = append(walk, p.after(r))
	}
	return walk
}
