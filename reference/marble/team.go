package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// worker is what one thread needs for itself.
type worker[K key] struct {
	*roller[K]
	found  [][]K   // by part, to be sorted in
	held   int     // how many
	pulled []K     // to be added to the part that is worked on
	tried  int64   // positions, ever, some of them by several moves one by one
	room   int     // for how many, about
	left   []piece // that were not done
	meter  *meter
}

func newWorker[K key](f *field, m *meter) *worker[K] {
	var one K
	return &worker[K]{roller: newRoller[K](f), pulled: make([]K, 0, max(4, 256/len(one))), meter: m}
}

// hold keeps a position until it can be sorted in.
func (w *worker[K]) hold(l *layers[K], k K, mark uint64) {
	p := &w.found[l.part(&k)]
	before := cap(*p)
	*p = append(*p, marked(k, mark))
	w.held++
	if cap(*p) != before { // more than was prepared for
		w.meter.room.Add(int64(cap(*p)-before) * 8 * int64(len(k)))
	}
}

// enough is how many positions a thread should hold at most.
func (w *worker[K]) enough(threads int) int {
	var one K
	return max(1, heldBytes/(8*len(one))/threads)
}

// extend adds to the layer after the newest until it is complete, or expand,
// called by several threads at once, does none of the keys that it is given. It
// reports whether the layer is complete.
//
// It goes in rounds. First all threads expand pieces, until there are none or
// a thread holds enough; then they sort what was found into the parts, each
// of which belongs to one thread. So no locks are needed, and what the layer
// holds in the end does not depend on who was faster.
func (s *search[K]) extend(l *layers[K], expand func(w *worker[K], keys []K) int) bool {
	l.begin()
	workers := s.team(l.newest)
	for _, w := range workers {
		w.prepare(len(l.parts), min(w.enough(len(workers)), 3*l.newest/len(workers)))
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
				done := expand(w, l.parts[p.part].newest[p.from:p.to])
				if p.from += done; p.from < p.to {
					w.left = append(w.left, p)
				}
				if done == 0 {
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

// prepare makes room to hold so many positions, should they be found evenly.
func (w *worker[K]) prepare(parts, positions int) {
	if len(w.found) >= parts && w.room >= positions {
		return
	}
	before := 0
	for _, p := range w.found {
		before += cap(p)
	}
	// The next layer will want more. But most stay far below what may be held.
	parts, w.room = max(parts, len(w.found)), max(positions, min(2*w.room, 2*positions))
	each := w.room/parts + w.room/parts/8 + 8
	all := make([]K, parts*each)
	hugePages(all)
	w.found = make([][]K, parts)
	for i := range w.found {
		w.found[i] = all[i*each:][:0:each]
	}
	w.meter.room.Add(int64(len(all)-before) * 8 * int64(len(all[0])))
}

// team returns the workers that should share so many positions. To wake a
// thread may take milliseconds where the processors are busy.
func (s *search[K]) team(size int) []*worker[K] {
	if size <= aloneSize {
		return s.workers[:1]
	}
	for len(s.workers) < runtime.GOMAXPROCS(0) {
		s.workers = append(s.workers, newWorker[K](s.f, s.meter))
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

// gather returns, in no particular order, the positions that look takes. It is
// called with the number of each part of l, by several threads at once if so many
// positions are worth it.
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
