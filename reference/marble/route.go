package main

import "slices"

// route returns the alphabetically first of the shortest ways from start, given the positions in
// which the two ends met.
//
// First it goes back layer by layer from the met positions to the start, and marks the positions
// from which one move leads to a marked or met position. Then it walks from the start, each time by
// the first letter that leads to a marked position, and beyond the meeting by the first ways home.
// The marks depend on the board alone, and so does the walk.
//
// A set records only the age of a position's layer, so positions of other layers of the same age
// may be marked, too. The walk never steps on one: after d moves it cannot be in a layer beyond d,
// and from a marked position of an earlier layer the moves that are left would make a way shorter
// than the shortest.
func (s *search[K]) route(start K, met []K) string {
	marked := make([]map[K]bool, s.fore.depth+1)
	marked[s.fore.depth] = setOf(met)
	for d := s.fore.depth - 1; d > 0; d-- {
		marked[d] = s.leading(d, marked[d+1])
	}
	moves := make([]byte, 0, s.fore.depth+s.back.depth)
	at := start
	for d := 1; d <= s.fore.depth; d++ {
		next, v := s.step(at, func(k K) bool { return marked[d][k] })
		moves, at = append(moves, lifts[v]), next
	}
	return string(s.goHome(at, moves))
}

// step makes the first move that leads to a wanted position.
func (s *search[K]) step(from K, wanted func(K) bool) (K, int) {
	w := s.workers[0]
	for v := range len(lifts) {
		if next, ok := w.tilt(from, v); ok && wanted(next) {
			return next, v
		}
	}
	panic("no move leads on from a position on a shortest way")
}

// goHome appends the alphabetically first of the shortest ways from a position of the newest layer
// from home.
//
// Positions of the same age may be in different layers, so a way may turn out not to lead home in
// time. Therefore goHome follows all ways at once, in alphabetical order; of those that reach the
// same position it keeps the first.
func (s *search[K]) goHome(from K, moves []byte) []byte {
	type way struct {
		at    K
		moves []byte
	}
	w := s.workers[0]
	ways := []way{{from, moves}}
	for d := s.back.depth - 1; d >= 0; d-- {
		var longer []way
		seen := make(map[K]bool)
		for _, shorter := range ways {
			for v := range len(lifts) {
				next, ok := w.tilt(shorter.at, v)
				if ok && s.back.age(next) == ageOf(d) && !seen[next] {
					seen[next] = true
					longer = append(longer, way{next, append(slices.Clip(shorter.moves), lifts[v])})
				}
			}
		}
		ways = longer
	}
	home := slices.IndexFunc(ways, func(w way) bool { return w.at == s.home })
	return ways[home].moves
}

// leading returns positions from which one move leads to one of the goals, which are in layer d+1
// from the start: all such positions in layer d, and perhaps some in other layers that have the same
// age as layer d (see ageOf).
// It un-tilts the goals, unless tilting all positions of this age turns out to be less work.
func (s *search[K]) leading(d int, goals map[K]bool) map[K]bool {
	const least = 1 << 10
	age := ageOf(d)
	w := s.workers[0]
	w.un.limit = w.un.work + max(least, int64(s.fore.total))
	found := make(map[K]bool)
	for goal := range goals {
		w.load(goal)
		w.un.work++
		for v := range len(lifts) {
			w.untilt(v, func(k K) {
				if s.fore.age(k) == age {
					found[k] = true
				}
			})
		}
		if w.exhausted() {
			return setOf(s.gather(s.fore, s.fore.total, func(w *worker[K], i int, take func(K)) {
				s.fore.parts[i].set.each(age, func(k K) {
					for v := range len(lifts) {
						if next, ok := w.tilt(k, v); ok && goals[next] {
							take(k)
							break
						}
					}
				})
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
