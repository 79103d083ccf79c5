package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	pieceSize = 1 << 7  // positions that a thread takes to work on at a time
	heldBytes = 8 << 20 // of found positions that a thread holds before they are sorted in
	aloneSize = 1 << 13 // layers up to this size are not worth waking other threads for
)

// search looks for a shortest way from both ends, a whole layer at a time.
type search[K key] struct {
	f       *field
	fore    *layers[K] // layer d: the positions d moves from the start and no fewer
	back    *layers[K] // layer d: those d moves from home and no fewer, the start perhaps missing
	home    K
	workers []*worker[K]
}

// worker is what one thread needs for itself.
type worker[K key] struct {
	*roller[K]
	found [][len(lifts)][]K // by shard and by move, to be sorted in
	held  int               // how many
}

// shortest returns the moves that bring every marble home: the fewest, and of
// these the alphabetically first. It reports false if there are none.
func shortest[K key](f *field) (string, bool) {
	s := &search[K]{f: f, home: pack[K](f, f.holes)}
	start := pack[K](f, f.start)
	if start == s.home {
		return "", true
	}
	for range runtime.GOMAXPROCS(0) {
		s.workers = append(s.workers, &worker[K]{roller: newRoller[K](f)})
	}
	s.fore, s.back = newLayers(start), newLayers(s.home)
	met := s.meet()
	if len(met) == 0 {
		return "", false
	}
	return s.route(start, met), true
}

// meet adds layers, at whichever end the next promises to cost less, until
// the newest of both ends have a position in common. Then the depths add up
// to the length of a shortest way: a layer holds all positions at exactly its
// distance, so every shorter way would have shown itself before. It returns
// these positions, or none if a layer stays empty: then there is no way.
//
// The start need not be the outcome of a move, so un-tilting might miss it.
// Therefore the first layer is one from the start.
func (s *search[K]) meet() []K {
	// Un-tilting can find overwhelmingly many positions, most of which cannot
	// be reached. So a layer from home gets an allowance in proportion to
	// what the next one from the start would cost; if it needs more, it is
	// dropped, and tried again when that has grown.
	//
	// Costs are counted in squares that an un-tilt tries. To tilt a position
	// in all directions and to sort in what comes of it takes about as long
	// as tiltCost of them.
	const tiltCost, allowance, least = 16, 2, 1 << 12
	costBack := int64(1)
	for {
		costFore := tiltCost * int64(s.fore.newest)
		if s.fore.depth == 0 || costFore <= costBack {
			s.grow(s.fore)
		} else {
			before := int64(s.back.newest)
			limit := max(least, allowance*costFore)
			work, ok := s.growBack(limit)
			if !ok {
				costBack = 2 * limit
				continue
			}
			costBack = work / before * int64(s.back.newest)
		}
		if s.fore.newest == 0 || s.back.newest == 0 {
			return nil
		}
		if met := s.common(); len(met) > 0 {
			return met
		}
	}
}

// grow adds a layer of tilted positions.
func (s *search[K]) grow(l *layers[K]) {
	s.layer(l, func(w *worker[K], keys []K, last int8) bool {
		for _, k := range keys {
			w.load(k)
			for v := range len(lifts) {
				if v == int(last) {
					continue // the same side again changes nothing
				}
				if next, ok := w.tilt(v); ok && next != k {
					w.find(l, next, v)
				}
			}
		}
		return true
	})
}

// growBack adds a layer of un-tilted positions and tells what work it was. If
// it would be more than limit, it adds nothing and reports false.
func (s *search[K]) growBack(limit int64) (int64, bool) {
	l := s.back
	var spent atomic.Int64
	ok := s.layer(l, func(w *worker[K], keys []K, _ int8) bool {
		begun := w.un.work
		w.un.limit = begun + limit - spent.Load()
		for _, k := range keys {
			w.load(k)
			w.un.work++
			for v := range len(lifts) {
				w.untilt(v, func(k K) { w.find(l, k, 0) })
			}
			if w.exhausted() {
				break
			}
		}
		return spent.Add(w.un.work-begun) <= limit
	})
	if !ok {
		l.drop()
	}
	return spent.Load(), ok
}

// find holds a position until it can be sorted in.
func (w *worker[K]) find(l *layers[K], k K, move int) {
	shard := hash(k) >> l.shift
	w.found[shard][move] = append(w.found[shard][move], k)
	w.held++
}

// layer adds a layer to l: expand, called by several threads at once, is given
// keys of the newest layer and the move that led to them, and calls find. If
// it returns false the work ends early, and so does layer.
//
// It goes in rounds. First all threads expand pieces, until there are none or
// a thread holds enough; then they sort what was found into the shards, each
// of which belongs to one thread. So no locks are needed, and what the layer
// holds in the end does not depend on who was faster.
func (s *search[K]) layer(l *layers[K], expand func(w *worker[K], keys []K, last int8) bool) bool {
	type piece struct {
		shard int
		streak
	}
	var pieces []piece
	for i := range l.shards {
		for _, r := range l.shards[i].streaks {
			for from := r.from; from < r.to; from += pieceSize {
				pieces = append(pieces, piece{i, streak{from, min(from+pieceSize, r.to), r.move}})
			}
		}
	}
	threads := s.threads(l.newest)
	var one K
	enough := heldBytes / (8 * len(one))
	for _, w := range s.workers[:threads] {
		if len(w.found) != len(l.shards) {
			w.found = make([][len(lifts)][]K, len(l.shards))
		}
	}
	l.open()
	var next, sorted atomic.Int64
	var stop atomic.Bool
	for !stop.Load() && next.Load() < int64(len(pieces)) {
		s.each(threads, func(w *worker[K]) {
			for w.held < enough && !stop.Load() {
				i := next.Add(1) - 1
				if i >= int64(len(pieces)) {
					break
				}
				p := pieces[i]
				if !expand(w, l.shards[p.shard].keys[p.from:p.to], p.move) {
					stop.Store(true)
				}
			}
		})
		sorted.Store(0)
		s.each(threads, func(*worker[K]) {
			for {
				i := sorted.Add(1) - 1
				if i >= int64(len(l.shards)) {
					return
				}
				l.shards[i].sortIn(s.workers[:threads], int(i))
			}
		})
		for _, w := range s.workers {
			w.held = 0
		}
	}
	l.seal()
	return !stop.Load()
}

// sortIn takes over what all workers have found for this shard.
func (s *shard[K]) sortIn(workers []*worker[K], number int) {
	for move := range len(lifts) {
		from := len(s.keys)
		for _, w := range workers {
			found := &w.found[number][move]
			s.addAll(*found)
			*found = (*found)[:0]
		}
		s.note(from, int8(move))
	}
}

// threads tells how many of them should share a layer. To wake one may take
// milliseconds where the processors are busy.
func (s *search[K]) threads(size int) int {
	if size <= aloneSize {
		return 1
	}
	return len(s.workers)
}

// each runs do on so many threads and waits for all of them.
func (s *search[K]) each(threads int, do func(w *worker[K])) {
	var wait sync.WaitGroup
	for _, w := range s.workers[1:threads] {
		wait.Go(func() { do(w) })
	}
	do(s.workers[0])
	wait.Wait()
}

// common returns the positions that the newest layers of both ends share.
func (s *search[K]) common() []K {
	few, many := s.fore, s.back
	if few.newest > many.newest {
		few, many = many, few
	}
	return s.pick(few, few.depth, func(_ *worker[K], k K) bool { return many.isNewest(k) })
}

// pick returns, in no particular order, the positions of layer d of l that
// are wanted, asking from several threads at once.
func (s *search[K]) pick(l *layers[K], d int, wanted func(w *worker[K], k K) bool) []K {
	var next atomic.Int64
	var mutex sync.Mutex
	var all []K
	s.each(s.threads(l.size(d)), func(w *worker[K]) {
		var mine []K
		for {
			i := next.Add(1) - 1
			if i >= int64(len(l.shards)) {
				break
			}
			for _, k := range l.shards[i].layer(d) {
				if wanted(w, k) {
					mine = append(mine, k)
				}
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, mine...)
	})
	return all
}
