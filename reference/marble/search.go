package main

import (
	"runtime/debug"
	"slices"
	"sync/atomic"
)

// muchGarbage and littleGarbage bound the garbage that may accumulate, in percent of the memory in
// use. In the beginning little memory is in use, so much garbage does not matter. Later much is in
// use, but in few tables without pointers, so that collecting garbage costs little: mostly that the
// threads stop for it. Near the end of the memory run's limit makes garbage be collected earlier.
const muchGarbage, littleGarbage = 800, 100

// Tests change these sizes, so that small boards take all paths.
var (
	heldBytes = 32 << 20 // bytes of found positions that all threads together hold before they add them to sets

	splitAt   = 1 << 14 // least number of positions of a set that is cut into parts
	pruneAt   = 1 << 10 // number of positions above which it pays to compute what is useful
	aloneSize = 1 << 9  // largest layer, in positions, for which other threads are not woken
	pieceSize = 1 << 5  // number of positions that a thread takes to work on at a time
	leastCost = 1 << 12 // least allowance for a layer from home, see turns
)

// The unit of cost is a square that an un-tilt tries. Tilting a position in all directions and adding
// the results to sets takes about as long as tiltCost of them, and so does looking up a shape.
const tiltCost = 8

// search looks for a shortest way from both ends, a layer at a time.
type search[K key] struct {
	f       *field
	fore    *layers[K] // its layer d holds the positions at distance d from the start
	back    *layers[K] // its layer d holds those at distance d from home, perhaps without the start
	start   K
	home    K
	workers []*worker[K]
	lead    *lead // nil until it is chosen
	meter   *meter
	sources [][]source // by part of fore, where its new positions come from
	shapes  *shapes[K] // nil until they are begun
}

// shortest returns the alphabetically first of the shortest sequences of moves that bring every
// marble home. It returns false if there is none.
func shortest[K key](f *field, m *meter) (moves string, ok bool, err error) {
	s := &search[K]{f: f, start: pack[K](f, f.start), home: pack[K](f, f.holes), meter: m}
	if s.start == s.home {
		return "", true, nil
	}
	defer debug.SetGCPercent(muchGarbage)
	s.workers = []*worker[K]{newWorker[K](f, m)}
	s.fore, s.back = newLayers(f, s.start), newLayers(f, s.home)
	met, err := s.meet()
	s.countTried()
	if err == errMemory && m.scratch != "" {
		lead := s.lead
		if lead == nil {
			lead = newLead(f, f.slots[0])
		}
		*s = search[K]{} // frees the memory
		debug.FreeOSMemory()
		return searchExternally[K](f, lead, m)
	}
	if err != nil || len(met) == 0 {
		return "", false, err
	}
	return route(s, s.workers[0].roller, met), true, nil
}

// countTried adds to the meter how many positions and shapes each thread has tried.
func (s *search[K]) countTried() {
	for i, w := range s.workers {
		if i == len(s.meter.tried) {
			s.meter.tried = append(s.meter.tried, 0)
		}
		s.meter.tried[i] += w.tried
	}
	if s.shapes != nil {
		s.shapes.countTried()
	}
}

// turns decides which end adds the next layer: the one where it promises to cost less.
//
// Un-tilting can find overwhelmingly many positions, most of which cannot be reached. So a layer from
// home gets an allowance in proportion to the cost of the next layer from the start. If it needs more,
// it waits until the allowance has grown.
type turns struct {
	back int64 // what the next layer from home promises to cost; 0 in the beginning
}

// next reports whether it is the turn of the start, whose newest layer has that depth and so many
// positions. If not, allowance is the most that the layer from home may cost.
func (t *turns) next(depth, newest int) (fore bool, allowance int64) {
	cost := tiltCost * int64(newest)
	return depth == 0 || cost <= t.back, max(int64(leastCost), 2*cost)
}

// exceeded records that a layer from home needs more than its allowance.
func (t *turns) exceeded(allowance int64) { t.back = 2 * allowance }

// grown records that home has a new layer. All its layers together have cost `spent`; the layer before
// and the new one have so many positions.
func (t *turns) grown(spent int64, before, newest int) {
	t.back = spent / int64(before) * int64(newest)
}

// meet adds layers, as turns decides, until the newest layers of both ends have a position in common.
// Then the depths add up to the length of a shortest way: a layer holds all positions at exactly its
// distance, so a shorter way would have been found before. meet returns the common positions, or none
// if a layer is empty: then there is no way.
//
// The start need not be the outcome of a move, so un-tilting may miss it. Therefore the first layer
// is one from the start.
func (s *search[K]) meet() ([]K, error) {
	turns := turns{}
	for {
		if fore, allowance := turns.next(s.fore.depth, s.fore.newest); fore {
			if !s.growFore() {
				return nil, errMemory
			}
		} else {
			before := s.back.newest
			if !s.growBack(allowance) {
				turns.exceeded(allowance)
				continue
			}
			turns.grown(s.back.spent, before, s.back.newest)
		}
		s.updateMeter()
		if s.meter.full() {
			return nil, errMemory
		}
		if s.fore.newest == 0 || s.back.newest == 0 {
			return nil, nil
		}
		if met := s.common(); len(met) > 0 {
			return met, nil
		}
		if s.f.useful == nil && s.fore.total+s.back.total > pruneAt && !s.f.prune() {
			return nil, nil
		}
		s.split()
		if s.findShapes() {
			if s.shapes.rulesOut(s.home) {
				return nil, nil
			}
			s.back, turns.back = newLayers(s.f, s.home), 0
		} else if s.meter.scratch != "" && s.shapes != nil && s.shapes.tooMany {
			return nil, errMemory // positions are many more, and the search with files needs all shapes
		}
	}
}

// updateMeter sets the depths and the bytes of the meter.
func (s *search[K]) updateMeter() {
	s.meter.fore.Store(int64(s.fore.depth))
	s.meter.back.Store(int64(s.back.depth))
	bytes := s.fore.bytes() + s.back.bytes()
	if s.shapes != nil {
		bytes += s.shapes.fore.bytes()
	}
	s.meter.bytes.Store(bytes)
}

// split cuts large sets into parts. Both ends have the same lead, so that looking up a part of one
// end in the other needs only one part.
func (s *search[K]) split() {
	for _, l := range []*layers[K]{s.fore, s.back} {
		if l == nil || l.lead != nil || l.total < splitAt {
			continue
		}
		if s.lead == nil {
			s.lead = l.chooseLead()
		}
		fill := l.split(s.lead)
		workers := s.team(l.total)
		s.share(workers, newQueue(len(l.parts), len(workers)), func(_ *worker[K], i int) bool {
			fill(i)
			return true
		})
		debug.SetGCPercent(littleGarbage)
	}
}

// growFore adds a layer of tilted positions. It returns false if there was not enough memory for
// all of it; then the layer is useless.
//
// A position is marked with the moves that need not be tried on it. One is the move that it comes
// from: made again, it changes nothing. The other is the opposite move, if no marble has dropped:
// the marbles just roll back over squares without open holes, and on to where the opposite move
// would have taken them at once, which has been tried.
//
// Nearly all positions that a move finds from one part are in one part, too: that of the square
// where the lead comes to rest. So the thread of that part makes these moves and adds the results
// at once. It holds the results that belong to other parts until sortIn adds them there.
func (s *search[K]) growFore() bool {
	l := s.fore
	workers := s.team(l.newest)
	enough := enough[K](len(workers))
	if len(s.sources) != len(l.parts) {
		s.findSources()
	}
	parts := newQueue(len(l.parts), len(workers))
	for !parts.empty() && !s.meter.full() {
		s.share(workers, parts, func(w *worker[K], to int) bool {
			s.watch(l, to, func() { w.pull(l, to, s.sources[to]) })
			return w.held < enough && !s.meter.full()
		})
		s.sortIn(l, workers)
	}
	l.end()
	return parts.empty()
}

// source is a part and a move. It is a source of the part to which the move takes most of its
// positions.
type source struct{ part, move int }

// findSources lists the sources of each part of fore.
func (s *search[K]) findSources() {
	l := s.fore
	s.sources = make([][]source, len(l.parts))
	for at := range l.parts {
		for v := range len(lifts) {
			to := at
			if l.lead != nil && at != int(l.lead.hole) {
				to = int(s.f.rolls[v][at].to)
			}
			s.sources[to] = append(s.sources[to], source{at, v})
		}
	}
}

// pull adds to part to the positions found from its sources, and holds those that belong to other
// parts.
func (w *worker[K]) pull(l *layers[K], to int, sources []source) {
	p := &l.parts[to]
	age := ageOf(l.depth + 1)
	for _, from := range sources {
		v := from.move
		newest := l.parts[from.part].newest
		w.tried += int64(len(newest))
		for _, k := range newest {
			idle := k[0] >> keyBits
			if idle>>v&1 != 0 {
				continue
			}
			k = bare(k)
			next, ok := w.tilt(k, v)
			if !ok {
				continue
			}
			mark := uint64(1) << v
			if !w.dropped {
				mark |= 1 << (3 - v)
			}
			if l.part(&next) != to {
				w.hold(l, next, mark)
				continue
			}
			w.pulled = append(w.pulled, marked(next, mark))
			if len(w.pulled) == cap(w.pulled) {
				p.next = p.set.add(w.pulled, age, p.next)
				w.pulled = w.pulled[:0]
			}
		}
	}
	p.next = p.set.add(w.pulled, age, p.next)
	w.pulled = w.pulled[:0]
}

// growBack adds a layer of un-tilted positions. If that costs more than limit, it returns false and
// leaves the layer incomplete for the next call to continue. It also returns false if a position
// has more predecessors than a thread can hold: that layer is never completed, and the search
// continues from the start alone.
//
// It works in rounds. In each, all threads un-tilt pieces of the newest layer until none is left or
// a thread holds enough, and then add the positions that they hold to the layer.
func (s *search[K]) growBack(limit int64) bool {
	l := s.back
	l.begin()
	workers := s.team(int(min(limit, l.spent/int64(l.total)*int64(l.newest)) / tiltCost))
	enough := enough[K](len(workers))
	var spent atomic.Int64
	spent.Store(l.spent)
	for more := true; more && len(l.begun) > 0; {
		var done atomic.Int64
		s.share(workers, newQueue(len(l.begun), len(workers)), func(w *worker[K], i int) bool {
			before := w.un.work
			w.un.limit = before + limit - spent.Load()
			done.Add(w.goBack(l, &l.begun[i], 2*enough, s.shapes))
			spent.Add(w.un.work - before)
			return w.held < enough && !w.exhausted()
		})
		s.sortIn(l, workers)
		l.begun = slices.DeleteFunc(l.begun, func(p piece) bool { return p.from == p.to })
		more = done.Load() > 0
	}
	l.spent = spent.Load()
	if len(l.begun) > 0 {
		return false
	}
	l.end()
	return true
}

// goBack un-tilts the positions of a piece and holds the results, until the work reaches its limit
// or it holds `most` positions. It leaves out those that the shapes rule out. It returns how many
// positions are done; it may hold some results of the next position, too.
func (w *worker[K]) goBack(l *layers[K], p *piece, most int, shapes *shapes[K]) (done int64) {
	for ; p.from < p.to; p.from++ {
		w.load(l.parts[p.part].newest[p.from])
		w.un.work++
		for v := range len(lifts) {
			w.untilt(v, func(k K) {
				if shapes.rulesOut(k) {
					w.un.work += tiltCost
					return
				}
				w.hold(l, k, 0)
				if w.held >= most || w.meter.full() {
					w.un.limit = 0 // ends this un-tilt because no more results can be held
				}
			})
		}
		if w.exhausted() {
			break
		}
		done++
	}
	w.tried += done
	return done
}

// common returns the positions that are in the newest layers of both ends.
func (s *search[K]) common() []K {
	few, many := s.fore, s.back
	if few.newest > many.newest {
		few, many = many, few
	}
	age := ageOf(many.depth)
	return s.gather(few, few.newest, func(_ *worker[K], i int, take func(K)) {
		newest := few.parts[i].newest
		if few.lead == many.lead {
			many.parts[i].set.pick(newest, age, take)
			return
		}
		for _, k := range newest {
			if k = bare(k); many.age(k) == age {
				take(k)
			}
		}
	})
}
