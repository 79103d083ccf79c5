package main

import "slices"

// searched is a search that has found the layers in which both ends meet.
type searched[K key] interface {
	// ends returns the start and home.
	ends() (start, home K)
	// depths returns the distances of the newest layers from the start and from home.
	depths() (fore, back int)
	// inFore reports whether a position is in layer d from the start. It may also return true for a
	// position of another layer from the start.
	inFore(d int, k K) bool
	// inBack is inFore for home.
	inBack(d int, k K) bool
	// sweep returns those positions of layer d from the start with which look returns true, in no
	// particular order, and perhaps some of other layers. Several threads may call look at once.
	sweep(d int, look func(r *roller[K], k K) bool) []K
	// patience is how many squares an un-tilt may try before a sweep is less work.
	patience() int64
}

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
func route[K key](s searched[K], r *roller[K], met []K) string {
	fore, back := s.depths()
	marked := make([]map[K]bool, fore+1)
	marked[fore] = setOf(met)
	for d := fore - 1; d > 0; d-- {
		marked[d] = leading(s, r, d, marked[d+1])
	}
	moves := make([]byte, 0, fore+back)
	at, _ := s.ends()
	for d := 1; d <= fore; d++ {
		next, v := step(r, at, func(k K) bool { return marked[d][k] })
		moves, at = append(moves, lifts[v]), next
	}
	return string(goHome(s, r, at, moves))
}

// step makes the first move that leads to a wanted position.
func step[K key](r *roller[K], from K, wanted func(K) bool) (K, int) {
	for v := range len(lifts) {
		if next, ok := r.tilt(from, v); ok && wanted(next) {
			return next, v
		}
	}
	panic("no move leads on from a position on a shortest way")
}

// goHome appends the alphabetically first of the shortest ways from a position of the newest layer
// from home.
//
// inBack may be wrong about a position, so a way may turn out not to lead home in time. Therefore
// goHome follows all ways at once, in alphabetical order; of those that reach the same position it
// keeps the first.
func goHome[K key](s searched[K], r *roller[K], from K, moves []byte) []byte {
	type way struct {
		at    K
		moves []byte
	}
	ways := []way{{from, moves}}
	_, back := s.depths()
	for d := back - 1; d >= 0; d-- {
		var longer []way
		seen := make(map[K]bool)
		for _, shorter := range ways {
			for v := range len(lifts) {
				next, ok := r.tilt(shorter.at, v)
				if ok && s.inBack(d, next) && !seen[next] {
					seen[next] = true
					longer = append(longer, way{next, append(slices.Clip(shorter.moves), lifts[v])})
				}
			}
		}
		ways = longer
	}
	_, home := s.ends()
	first := slices.IndexFunc(ways, func(w way) bool { return w.at == home })
	return ways[first].moves
}

// leading returns positions from which one move leads to one of the goals, which are in layer d+1
// from the start: all such positions in layer d, and perhaps some in other layers. It un-tilts the
// goals, unless tilting all positions of layer d turns out to be less work.
func leading[K key](s searched[K], r *roller[K], d int, goals map[K]bool) map[K]bool {
	r.un.limit = r.un.work + s.patience()
	found := make(map[K]bool)
	for goal := range goals {
		r.load(goal)
		r.un.work++
		for v := range len(lifts) {
			r.untilt(v, func(k K) {
				if s.inFore(d, k) {
					found[k] = true
				}
			})
		}
		if r.exhausted() {
			return setOf(s.sweep(d, func(r *roller[K], k K) bool {
				for v := range len(lifts) {
					if next, ok := r.tilt(k, v); ok && goals[next] {
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

func (s *search[K]) ends() (start, home K) { return s.start, s.home }

func (s *search[K]) depths() (fore, back int) { return s.fore.depth, s.back.depth }

// inFore compares ages, which positions of other layers may have, too (see ageOf).
func (s *search[K]) inFore(d int, k K) bool { return s.fore.age(k) == ageOf(d) }

func (s *search[K]) inBack(d int, k K) bool { return s.back.age(k) == ageOf(d) }

func (s *search[K]) sweep(d int, look func(r *roller[K], k K) bool) []K {
	return s.gather(s.fore, s.fore.total, func(w *worker[K], i int, take func(K)) {
		s.fore.parts[i].set.each(ageOf(d), func(k K) {
			if look(w.roller, k) {
				take(k)
			}
		})
	})
}

func (s *search[K]) patience() int64 { return max(1<<10, int64(s.fore.total)) }
