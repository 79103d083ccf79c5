package main

import (
	"runtime"
	"sync"
	"unsafe"
)

// worker is the state of one thread.
type worker[K key] struct {
	_ pad

	*roller[K]
	found  [][]K // by part, positions that sortIn will add to it
	held   int   // number of positions in found
	pulled []K   // positions to be added to the current part
	tried  int64 // number of positions tried; pull counts a position once for each move
	meter  *meter

	_ pad
}

// pad keeps the memory that a thread writes to away from all other memory. A processor that writes to
// a cache line takes it from the other processors, and lines are fetched in pairs. So a thread that
// read something beside it would often wait, though the two share no data.
type pad [2 * 64]byte

// private returns a slice for one thread, with that length and capacity, and a pad at both ends.
func private[T any](length, capacity int) []T {
	var one T
	gap := len(pad{})/int(unsafe.Sizeof(one)) + 1
	return make([]T, gap+capacity+gap)[gap:][:length:capacity]
}

func newWorker[K key](f *field, m *meter) *worker[K] {
	var one K
	return &worker[K]{
		roller: newRoller[K](f),
		found:  make([][]K, f.n*f.n),
		pulled: private[K](0, max(4, 256/len(one))),
		meter:  m,
	}
}

// hold keeps a position until sortIn adds it to its part.
func (w *worker[K]) hold(l *layers[K], k K, mark uint64) {
	p := &w.found[l.part(&k)]
	before := cap(*p)
	*p = append(*p, marked(k, mark))
	w.held++
	if cap(*p) != before {
		w.meter.room.Add(int64(cap(*p)-before) * 8 * int64(len(k)))
	}
}

// release frees the memory for positions to hold.
func (w *worker[K]) release() {
	var one K
	for i := range w.found {
		w.meter.room.Add(-int64(cap(w.found[i]) * 8 * len(one)))
		w.found[i] = nil
	}
}

// enough returns how many positions each of the threads should hold at most.
func enough[K key](threads int) int {
	var one K
	return max(1, heldBytes/(8*len(one))/threads)
}

// watch calls add, which adds positions to part i of l, and adds their number and bytes to the meter.
func (s *search[K]) watch(l *layers[K], i int, add func()) {
	p := &l.parts[i]
	bytes, positions := p.bytes(), len(p.next)
	add()
	if len(p.next) > positions { // threads wait for each other to write to the meter
		s.meter.bytes.Add(p.bytes() - bytes)
		s.meter.positions.Add(int64(len(p.next) - positions))
	}
}

// sortIn adds the positions that the workers hold to the layer after the newest. Each part belongs
// to one thread, so no locks are needed, and the resulting layer does not depend on which thread is
// faster.
func (s *search[K]) sortIn(l *layers[K], workers []*worker[K]) {
	age := ageOf(l.depth + 1)
	s.share(workers, newQueue(len(l.parts), len(workers)), func(_ *worker[K], i int) bool {
		s.watch(l, i, func() {
			p := &l.parts[i]
			for _, w := range workers {
				p.next = p.set.add(w.found[i], age, p.next)
				w.found[i] = w.found[i][:0]
			}
		})
		return true
	})
	for _, w := range workers {
		w.held = 0
	}
}

// team returns the workers that handle `size` positions. A small number of positions gets one
// worker, because waking a thread may take milliseconds if the processors are busy.
func (s *search[K]) team(size int) []*worker[K] {
	if size <= aloneSize {
		return s.workers[:1]
	}
	for len(s.workers) < runtime.GOMAXPROCS(0) {
		s.workers = append(s.workers, newWorker[K](s.f, s.meter))
	}
	return s.workers
}

// share calls do with the numbers in a queue, each from one of the workers, and waits until all are
// done. A worker stops once do returns false, so numbers may be left in the queue.
func (s *search[K]) share(workers []*worker[K], numbers queue, do func(w *worker[K], i int) bool) {
	if len(workers) > 1 {
		s.meter.waits.Add(1)
	}
	work := func(self int) {
		for {
			i, ok := numbers.take(self)
			if !ok || !do(workers[self], i) {
				return
			}
		}
	}
	var wait sync.WaitGroup
	for i := 1; i < len(workers); i++ {
		wait.Go(func() { work(i) })
	}
	work(0)
	wait.Wait()
}

// gather calls look with the number of each part of l, and returns the positions with which look
// calls take, in no particular order. If size, the number of positions to look at, is large enough,
// several threads call look at once.
func (s *search[K]) gather(l *layers[K], size int, look func(w *worker[K], i int, take func(K))) []K {
	return collect(func(take func(K)) {
		workers := s.team(size)
		s.share(workers, newQueue(len(l.parts), len(workers)), func(w *worker[K], i int) bool {
			look(w, i, take)
			return true
		})
	})
}

// collect returns the positions with which find calls take. Several threads may call take at once.
func collect[K key](find func(take func(K))) []K {
	var mutex sync.Mutex
	var all []K
	find(func(k K) {
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, k)
	})
	return all
}
