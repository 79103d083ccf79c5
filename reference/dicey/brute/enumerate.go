package main

import "slices"

// mostSteps bounds the rolls that an enumeration tries. A small maze takes a few hundred; a large
// one with many wild squares would take longer than a lifetime.
const mostSteps = 20_000

// enumerate follows every walk from the start that repeats no place, and counts those that come
// home, up to two. It returns the first of them, and false if it gave up after mostSteps rolls.
func (m *maze) enumerate() (walks int, walk []place, finished bool) {
	steps := 0
	at := []place{m.start}
	var follow func()
	follow = func() {
		from := at[len(at)-1]
		for _, r := range rolls {
			if walks == 2 || steps > mostSteps {
				return
			}
			steps++
			to := from.after(r)
			switch {
			case !m.admits(from, to):
			case m.home(to):
				if walks++; walks == 1 {
					walk = append(slices.Clone(at), to)
				}
			case !slices.Contains(at, to):
				at = append(at, to)
				follow()
				at = at[:len(at)-1]
			}
		}
	}
	follow()
	return walks, walk, steps <= mostSteps
}
