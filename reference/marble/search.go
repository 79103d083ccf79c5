package main

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

const heldBytes = 32 << 20 // of found positions that all threads together hold before they are sorted in

// How much garbage may gather, in percent of what is in use. That is little at
// first. Later it is a lot, but so few, large tables without pointers that to
// collect the rest costs nearly nothing.
const muchGarbage, littleGarbage = 800, 25

// Numbers of positions. Tests change them, so that small boards go all ways.
var (
	splitAt   = 1 << 14 // from which on a set has parts
	pruneAt   = 1 << 10 // from which on it pays to know what is useful
	aloneSize = 1 << 12 // of a layer up to which it is not worth waking other threads
	pieceSize = 1 << 8  // that a thread takes to work on at a time
)

// search looks for a shortest way from both ends, a whole layer at a time.
type search[K key] struct {
	f       *field
	fore    *layers[K] // layer d: the positions d moves from the start and no fewer
	back    *layers[K] // layer d: those d moves from home and no fewer, the start perhaps missing
	home    K
	workers []*worker[K]
	lead    *lead // once it is chosen
	meter   *meter
	sources [][]source // by part of fore
}

// worker is what one thread needs for itself.
type worker[K key] struct {
	*roller[K]
	found  [][]K   // by part, to be sorted in
	held   int     // how many
	pulled []K     // to be added to the part that is worked on
	tried  int64   // positions, ever, some of them by several moves one by one
	room   int     // for how many, about
	left   []piece // that were not done
}

// A meter tells, while a search goes on, how far it is, and ends it when it needs
// more memory than it may.
type meter struct {
	limit      int64        // bytes
	bytes      atomic.Int64 // of sets and lists
	room       atomic.Int64 // bytes of what is held until it can be sorted in, which is bounded
	positions  atomic.Int64
	fore, back atomic.Int64 // depths
	waits      atomic.Int64 // how often all threads have waited for each other

	tried []int64 // by thread, how many positions; to be read when the search has ended
}

// full tells that there is no memory left.
func (m *meter) full() bool { return m.bytes.Load()+m.room.Load() > m.limit }

// errMemory is the end of a search for want of memory.
var errMemory = errors.New("out of memory")

// shortest returns the moves that bring every marble home: the fewest, and of
// these the alphabetically first. It reports false if there are none.
func shortest[K key](f *field, m *meter) (moves string, ok bool, err error) {
	s := &search[K]{f: f, home: pack[K](f, f.holes), meter: m}
	start := pack[K](f, f.start)
	if start == s.home {
		return "", true, nil
	}
	defer debug.SetGCPercent(muchGarbage)
	s.workers = []*worker[K]{newWorker[K](f)}
	s.fore, s.back = newLayers(f, start), newLayers(f, s.home)
	met, err := s.meet()
	for _, w := range s.workers {
		m.tried = append(m.tried, w.tried)
	}
	if err != nil || len(met) == 0 {
		return "", false, err
	}
	return s.route(start, met), true, nil
}

func newWorker[K key](f *field) *worker[K] {
	var one K
	return &worker[K]{roller: newRoller[K](f), pulled: make([]K, 0, max(4, 256/len(one)))}
}

// meet adds layers, at whichever end the next promises to cost less, until
// the newest of both ends have a position in common. Then the depths add up
// to the length of a shortest way: a layer holds all positions at exactly its
// distance, so every shorter way would have shown itself before. It returns
// these positions, or none if a layer stays empty: then there is no way.
//
// The start need not be the outcome of a move, so un-tilting might miss it.
// Therefore the first layer is one from the start.
func (s *search[K]) meet() ([]K, error) {
	// Un-tilting can find overwhelmingly many positions, most of which cannot
	// be reached. So a layer from home gets an allowance in proportion to
	// what the next one from the start would cost; if it needs more, it is
	// left as it is, and continued when that has grown.
	//
	// Costs are counted in squares that an un-tilt tries. To tilt a position
	// in all directions and to sort in what comes of it takes about as long
	// as tiltCost of them.
	const tiltCost, allowance, least = 8, 2, 1 << 12
	costBack := int64(1)
	for {
		costFore := tiltCost * int64(s.fore.newest)
		if s.fore.depth == 0 || costFore <= costBack {
			s.growFore()
		} else {
			before := int64(s.back.newest)
			limit := max(least, allowance*costFore)
			done := s.growBack(limit)
			if s.meter.full() {
				return nil, errMemory
			}
			if !done {
				costBack = 2 * limit
				continue
			}
			costBack = s.back.spent / before * int64(s.back.newest)
		}
		s.tell()
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
	}
}

// tell tells the meter how far the search is.
func (s *search[K]) tell() {
	s.meter.fore.Store(int64(s.fore.depth))
	s.meter.back.Store(int64(s.back.depth))
	s.meter.bytes.Store(s.fore.bytes() + s.back.bytes())
}

// split cuts what is large into parts. The lead is the same at both ends, so that
// where a part of one is looked up in the other only one part is needed.
func (s *search[K]) split() {
	for _, l := range []*layers[K]{s.fore, s.back} {
		if l.lead != nil || l.total < splitAt || l.begun != nil {
			continue
		}
		if s.lead == nil {
			s.lead = l.chooseLead()
		}
		l.split(s.lead)
		debug.SetGCPercent(littleGarbage)
	}
}

// growFore adds a layer of tilted positions.
//
// A position is marked with the moves that need not be tried on it. One is the
// move that it comes from: made again, it changes nothing. The other is the
// opposite of that, if no marble has dropped. For then the marbles just roll back
// over squares without open holes, and on to where the opposite would have taken
// them at once, which has been tried.
//
// Nearly all positions that a move finds from those of one part lie in one part,
// too: where its lead comes to rest. So the thread to which that part belongs
// makes these moves and adds what they find at once. The others are held.
func (s *search[K]) growFore() {
	l := s.fore
	workers := s.team(l.newest)
	for _, w := range workers {
		s.meter.room.Add(w.prepare(len(l.parts), l.newest/4/len(workers)))
	}
	if s.sources == nil || len(s.sources) != len(l.parts) {
		s.findSources()
	}
	for done := 0; done < len(l.parts) && !s.meter.full(); {
		var next atomic.Int64
		next.Store(int64(done))
		s.each(workers, func(w *worker[K]) {
			for w.held < w.enough(len(workers)) && !s.meter.full() {
				to := int(next.Add(1) - 1)
				if to >= len(l.parts) {
					break
				}
				s.watch(l, to, func() { w.pull(l, to, s.sources[to]) })
			}
		})
		done = int(next.Load())
		s.sortIn(l, workers)
	}
	l.end()
}

// source is a part from which, by a move, most go to the part whose source it is.
type source struct{ part, move int }

// findSources fills sources.
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

// pull adds to part to what is found from its sources, and holds what belongs
// into other parts.
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
			if !ok || next == k {
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

// growBack adds a layer of un-tilted positions. If that costs more than limit,
// it is left incomplete, to be continued by the next call, and growBack reports
// false.
func (s *search[K]) growBack(limit int64) bool {
	var spent atomic.Int64
	spent.Store(s.back.spent)
	done := s.extend(s.back, func(w *worker[K], keys []K) int {
		before := w.un.work
		w.un.limit = before + limit - spent.Load()
		done := 0
		for _, k := range keys {
			w.load(bare(k))
			w.un.work++
			w.tried++
			for v := range len(lifts) {
				w.untilt(v, func(k K) { w.hold(s.back, k, 0) })
			}
			if w.exhausted() {
				break
			}
			done++
		}
		spent.Add(w.un.work - before)
		return done
	})
	s.back.spent = spent.Load()
	if done {
		s.back.end()
	}
	return done
}

// hold keeps a position until it can be sorted in.
func (w *worker[K]) hold(l *layers[K], k K, mark uint64) {
	p := &w.found[l.part(&k)]
	*p = append(*p, marked(k, mark))
	w.held++
}

// enough is how many positions a thread should hold at most.
func (w *worker[K]) enough(threads int) int {
	var one K
	return heldBytes / (8 * len(one)) / threads
}

// extend adds to the layer after the newest until it is complete, or expand,
// called by several threads at once, does not do all of the keys that it is
// given. It reports whether the layer is complete.
//
// It goes in rounds. First all threads expand pieces, until there are none or
// a thread holds enough; then they sort what was found into the parts, each
// of which belongs to one thread. So no locks are needed, and what the layer
// holds in the end does not depend on who was faster.
func (s *search[K]) extend(l *layers[K], expand func(w *worker[K], keys []K) int) bool {
	l.begin()
	workers := s.team(l.newest)
	for _, w := range workers {
		s.meter.room.Add(w.prepare(len(l.parts), min(w.enough(len(workers)), 3*l.newest/len(workers))))
	}
	var stop atomic.Bool
	for len(l.begun) > 0 && !stop.Load() && !s.meter.full() {
		var next atomic.Int64
		s.each(workers, func(w *worker[K]) {
			for w.held < w.enough(len(workers)) && !stop.Load() {
				i := next.Add(1) - 1
				if i >= int64(len(l.begun)) {
					break
				}
				p := l.begun[i]
				p.from += expand(w, l.parts[p.part].newest[p.from:p.to])
				if p.from < p.to {
					w.left = append(w.left, p)
					stop.Store(true)
				}
			}
		})
		l.begun = l.begun[min(int(next.Load()), len(l.begun)):]
		s.sortIn(l, workers)
		for _, w := range workers {
			l.begun = append(l.begun, w.left...)
			w.left = w.left[:0]
		}
	}
	return len(l.begun) == 0
}

// watch tells the meter what is added to a part.
func (s *search[K]) watch(l *layers[K], i int, add func()) {
	p := &l.parts[i]
	bytes, positions := p.bytes(), len(p.next)
	add()
	s.meter.bytes.Add(p.bytes() - bytes)
	s.meter.positions.Add(int64(len(p.next) - positions))
}

// sortIn adds what the workers hold to the layer after the newest.
func (s *search[K]) sortIn(l *layers[K], workers []*worker[K]) {
	age := ageOf(l.depth + 1)
	var sorted atomic.Int64
	s.each(workers, func(*worker[K]) {
		for {
			i := sorted.Add(1) - 1
			if i >= int64(len(l.parts)) {
				return
			}
			s.watch(l, int(i), func() {
				p := &l.parts[i]
				for _, w := range workers {
					p.next = p.set.add(w.found[i], age, p.next)
					w.found[i] = w.found[i][:0]
				}
			})
		}
	})
	for _, w := range workers {
		w.held = 0
	}
}

// prepare makes room to hold so many positions, should they be found evenly. It
// returns how many bytes more that takes.
func (w *worker[K]) prepare(parts, positions int) int64 {
	if len(w.found) >= parts && w.room >= positions {
		return 0
	}
	before := w.room
	parts, w.room = max(parts, len(w.found)), max(positions, min(2*w.room, positions*2))
	each := w.room/parts + w.room/parts/8 + 8
	all := make([]K, parts*each)
	hugePages(all)
	w.found = make([][]K, parts)
	for i := range w.found {
		w.found[i] = all[i*each:][:0:each]
	}
	return int64(w.room-before) * 8 * int64(len(all[0]))
}

// team returns the workers that should share so many positions. To wake a
// thread may take milliseconds where the processors are busy.
func (s *search[K]) team(size int) []*worker[K] {
	if size <= aloneSize {
		return s.workers[:1]
	}
	for len(s.workers) < runtime.GOMAXPROCS(0) {
		s.workers = append(s.workers, newWorker[K](s.f))
	}
	return s.workers
}

// each runs do on each of the workers and waits for all of them.
func (s *search[K]) each(workers []*worker[K], do func(w *worker[K])) {
	if len(workers) > 1 {
		s.meter.waits.Add(1)
	}
	var wait sync.WaitGroup
	for _, w := range workers[1:] {
		wait.Go(func() { do(w) })
	}
	do(workers[0])
	wait.Wait()
}

// common returns the positions that the newest layers of both ends share.
func (s *search[K]) common() []K {
	few, many := s.fore, s.back
	if few.newest > many.newest {
		few, many = many, few
	}
	age := ageOf(many.depth)
	return s.gather(few, few.newest, func(_ *worker[K], i int, take func(K)) {
		newest := few.parts[i].newest
		if few.lead == many.lead && few.lead != nil {
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

// gather returns, in no particular order, the positions that look takes from
// the parts of l by their numbers, of which so many are to be looked at, in several threads at
// once.
func (s *search[K]) gather(l *layers[K], size int, look func(w *worker[K], i int, take func(K))) []K {
	var next atomic.Int64
	var mutex sync.Mutex
	var all []K
	s.each(s.team(size), func(w *worker[K]) {
		var mine []K
		for {
			i := next.Add(1) - 1
			if i >= int64(len(l.parts)) {
				break
			}
			look(w, int(i), func(k K) { mine = append(mine, k) })
		}
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, mine...)
	})
	return all
}
