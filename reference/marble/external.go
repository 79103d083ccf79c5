package main

import (
	"runtime/debug"
	"slices"
	"sync/atomic"
	"unsafe"
)

// external is a search from both ends that keeps its positions in files. It needs memory only for
// buffers, and for the lists of blocks.
//
// It finds duplicates late, and by sorting. To add a layer, each thread reads parts of the newest
// layer, and holds the positions that it finds. Whenever it can hold no more, it sorts them and
// writes them to a stream. At the end of the layer, each thread merges parts of all these streams,
// and leaves out what the streams of earlier layers have. Any earlier layer can have it, because
// tilts cannot be undone. Everything is read and written in order.
//
// Neither the memory nor the threads decide which positions a layer has: those that are one move
// from the layer before and in no earlier layer.
type external[K key] struct {
	start   K
	home    K
	fore    *archive[K]
	back    *archive[K]
	threads sorters[K]
	lead    *lead
	spill   *scratchFile // positions found for the layer being added
	blocks  int          // of all streams
	meter   *meter
}

// searchExternally is shortest with the positions in files. The lead decides the parts.
func searchExternally[K key](f *field, lead *lead, m *meter) (moves string, ok bool, err error) {
	if f.useful == nil && !f.prune() {
		return "", false, nil
	}
	debug.SetGCPercent(littleGarbage)
	dir := &scratch{m.scratch, &m.disk}
	e := &external[K]{start: pack[K](f, f.start), home: pack[K](f, f.holes), lead: lead, meter: m}
	if e.spill, err = dir.create(); err != nil {
		return "", false, err
	}
	defer e.spill.close()
	m.positions.Store(0)
	m.room.Store(0)
	e.threads = newSorters[K](f, lead, e.spill, m.limit-m.limit/blockShare)
	if e.fore, err = e.begin(dir, e.start); err != nil {
		return "", false, err
	}
	defer e.fore.close()
	if e.back, err = e.begin(dir, e.home); err != nil {
		return "", false, err
	}
	defer e.back.close()
	met, err := e.meet()
	if err != nil || len(met) == 0 {
		return "", false, err
	}
	moves = route(e, e.threads[0].roller, met)
	if err := e.threads.failed(); err != nil {
		return "", false, err
	}
	return moves, true, nil
}

// begin makes an archive with the layer of one position.
func (e *external[K]) begin(dir *scratch, first K) (*archive[K], error) {
	file, err := dir.create()
	if err != nil {
		return nil, err
	}
	a := &archive[K]{file: file}
	e.threads[0].hold(first, 0)
	if err := e.add(a); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// blockShare is the share of the memory that the lists of blocks may take: one in so many bytes.
// The threads share the rest.
const blockShare = 8

// add makes the positions that the threads hold a layer.
func (e *external[K]) add(a *archive[K]) error {
	before := a.blocks()
	if err := a.add(e.threads, e.meter); err != nil {
		return err
	}
	e.blocks += a.blocks() - before
	bytes, share := int64(e.blocks)*int64(unsafe.Sizeof(block[K]{})), e.meter.limit/blockShare
	e.meter.bytes.Store(e.meter.limit - share + bytes)
	if bytes > max(share, 1<<20) {
		return errMemory
	}
	return e.spill.clear()
}

// axis returns the number of the axis of a move.
func axis(v int) int { return min(v, 3-v) }

// growFore adds a layer of tilted positions. growFore of a search in memory says why moves along an
// idle axis need not be tried. If several moves lead to a position, that holds for each.
func (e *external[K]) growFore() error {
	newest := e.fore.newest()
	e.threads.each([]*stream[K]{newest}, func(w *sorter[K], part int) {
		r := w.read(0, newest, newest.partOf(part))
		for ; !r.ended(); r.next() {
			for v := range len(lifts) {
				if r.idle>>axis(v)&1 != 0 {
					continue
				}
				next, ok := w.tilt(r.cur, v)
				switch {
				case !ok:
				case w.dropped:
					w.hold(next, 0)
				default:
					w.hold(next, 1<<axis(v))
				}
			}
		}
		w.note(r)
	})
	return e.add(e.fore)
}

// growBack adds a layer of un-tilted positions. If that costs so much that all layers together cost
// more than limit, it adds none and returns false. The limit of the next attempt is at least twice
// as high, so attempts cost in sum no more than the last one.
func (e *external[K]) growBack(limit int64) (bool, error) {
	newest := e.back.newest()
	var spent atomic.Int64
	spent.Store(e.back.spent)
	e.threads.each([]*stream[K]{newest}, func(w *sorter[K], part int) {
		r := w.read(0, newest, newest.partOf(part))
		for ; !r.ended() && spent.Load() <= limit; r.next() {
			before := w.un.work
			w.un.limit = before + limit - spent.Load()
			w.load(r.cur)
			w.un.work++
			for v := range len(lifts) {
				w.untilt(v, func(k K) { w.hold(k, 0) })
			}
			spent.Add(w.un.work - before)
		}
		w.note(r)
	})
	if spent.Load() > limit {
		for _, w := range e.threads {
			w.out.drop()
			w.spilled = nil
		}
		if err := e.threads.failed(); err != nil {
			return false, err
		}
		return false, e.spill.clear()
	}
	e.back.spent = spent.Load()
	return true, e.add(e.back)
}

// meet does what meet of a search in memory does.
func (e *external[K]) meet() ([]K, error) {
	turns := turns{}
	for {
		if fore, allowance := turns.next(e.fore.depth(), e.fore.newest().count); fore {
			if err := e.growFore(); err != nil {
				return nil, err
			}
		} else {
			before := e.back.newest().count
			done, err := e.growBack(allowance)
			if err != nil {
				return nil, err
			}
			if !done {
				turns.exceeded(allowance)
				continue
			}
			turns.grown(e.back.spent, before, e.back.newest().count)
		}
		e.meter.fore.Store(int64(e.fore.depth()))
		e.meter.back.Store(int64(e.back.depth()))
		if e.fore.newest().count == 0 || e.back.newest().count == 0 {
			return nil, nil
		}
		if met := e.common(); len(met) > 0 {
			return met, e.threads.failed()
		}
	}
}

// common returns the positions that are in the newest layers of both ends.
func (e *external[K]) common() []K {
	a, b := e.fore.newest(), e.back.newest()
	return e.gather(a, func(w *sorter[K], part int, take func(K)) {
		r, q := w.read(0, a, a.partOf(part)), w.read(1, b, b.partOf(part))
		for !r.ended() && !q.ended() {
			switch c := compare(&r.cur, &q.cur); {
			case c < 0:
				r.seek(&q.cur)
			case c > 0:
				q.seek(&r.cur)
			default:
				take(r.cur)
				r.next()
				q.next()
			}
		}
		w.note(r, q)
	})
}

// gather calls look with each part of a layer, and returns the positions with which look calls take,
// in no particular order.
func (e *external[K]) gather(layer *stream[K], look func(w *sorter[K], part int, take func(K))) []K {
	return collect(func(take func(K)) {
		e.threads.each([]*stream[K]{layer}, func(w *sorter[K], part int) { look(w, part, take) })
	})
}

// The methods that follow make it a searched.

func (e *external[K]) ends() (start, home K) { return e.start, e.home }

func (e *external[K]) depths() (fore, back int) { return e.fore.depth(), e.back.depth() }

func (e *external[K]) inFore(d int, k K) bool { return e.has(e.fore.layers[d], k) }

func (e *external[K]) inBack(d int, k K) bool { return e.has(e.back.layers[d], k) }

// has reports whether a layer has a bare key. It reads one block.
func (e *external[K]) has(layer *stream[K], k K) bool {
	blocks := layer.partOf(squareOf(e.lead, &k))
	i, _ := slices.BinarySearchFunc(blocks, k, func(b block[K], k K) int { return compare(&b.last, &k) })
	if i == len(blocks) {
		return false
	}
	w := e.threads[0]
	r := w.read(0, layer, blocks[i:i+1])
	r.seek(&k)
	w.note(r)
	return r.cur == k
}

func (e *external[K]) sweep(d int, look func(r *roller[K], k K) bool) []K {
	layer := e.fore.layers[d]
	return e.gather(layer, func(w *sorter[K], part int, take func(K)) {
		r := w.read(0, layer, layer.partOf(part))
		for ; !r.ended(); r.next() {
			if look(w.roller, r.cur) {
				take(r.cur)
			}
		}
		w.note(r)
	})
}

// patience is little, because looking up a position takes much longer than trying a square.
func (e *external[K]) patience() int64 { return max(1<<10, e.meter.positions.Load()/64) }
