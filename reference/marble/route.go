package main

// route spells the alphabetically first of the shortest ways from start, given
// the positions in which the two ends met.
//
// From the meeting it goes back to the start and marks, in every layer, the
// positions that lie on some shortest way. Then a walk from the start takes,
// each time, the first letter that leads to a marked position, and beyond the
// meeting the first that leads one layer nearer to home. What is marked
// depends on the board alone, and so does the walk.
func (s *search[K]) route(start K, met []K) string {
	marked := make([]map[K]bool, s.fore.depth+1)
	marked[s.fore.depth] = setOf(met)
	for d := s.fore.depth - 1; d > 0; d-- {
		marked[d] = s.leading(d, marked[d+1])
	}
	length := s.fore.depth + s.back.depth
	moves := make([]byte, 0, length)
	for at := start; len(moves) < length; {
		next, v := s.step(at, func(k K) bool {
			if d := len(moves) + 1; d <= s.fore.depth {
				return marked[d][k]
			}
			return s.back.at(k) == length-len(moves)-1
		})
		moves = append(moves, lifts[v])
		at = next
	}
	return string(moves)
}

// step makes the first move that leads to a wanted position.
func (s *search[K]) step(from K, wanted func(K) bool) (K, int) {
	w := s.workers[0]
	w.load(from)
	for v := range len(lifts) {
		if next, ok := w.tilt(v); ok && wanted(next) {
			return next, v
		}
	}
	panic("a position on a shortest way has no next one")
}

// leading returns the positions of layer d from the start that one move turns
// into one of the goals, which lie in layer d+1. It un-tilts the goals, unless
// that turns out to be more work than to tilt the whole layer.
func (s *search[K]) leading(d int, goals map[K]bool) map[K]bool {
	const least = 1 << 10
	w := s.workers[0]
	w.un.limit = w.un.work + max(least, int64(s.fore.size(d)*len(lifts)))
	found := make(map[K]bool)
	for goal := range goals {
		w.load(goal)
		w.un.work++
		for v := range len(lifts) {
			w.untilt(v, func(k K) {
				if s.fore.at(k) == d {
					found[k] = true
				}
			})
		}
		if w.exhausted() {
			return setOf(s.pick(s.fore, d, func(w *worker[K], k K) bool {
				w.load(k)
				for v := range len(lifts) {
					if next, ok := w.tilt(v); ok && goals[next] {
						return true
					}
				}
				return false
			}))
		}
	}
	return found
}

func setOf[K key](list []K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, k := range list {
		set[k] = true
	}
	return set
}
