package main

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"tribunal/reference/marble/disk"
)

// diskSizes bound what a search with files does at a time. Tests change them, so that small boards
// take all paths.
var diskSizes = disk.DefaultSizes

// external is a search from both ends that keeps its positions in files. It needs memory only for
// buffers, and for the lists of blocks.
//
// A position is stored with its idle axes: a bit for east and west, and one for north and south. It
// is set if the moves along the axis need not be tried.
type external[K key] struct {
	f       *field
	start   K
	home    K
	store   *disk.Store[K]
	fore    *disk.Layers[K]
	back    *disk.Layers[K]
	spent   int64        // cost of all layers from home
	rollers []*roller[K] // by number of the thread
	lead    *lead
	meter   *meter
	shapes  filter // of those that can be reached; empty if they are not known
}

// searchExternally is shortest with the positions in files. The lead decides the parts.
func searchExternally[K key](f *field, lead *lead, m *meter) (moves string, ok bool, err error) {
	if f.useful == nil && !f.prune() {
		return "", false, nil
	}
	debug.SetGCPercent(littleGarbage)
	m.positions.Store(0)
	m.room.Store(0)
	e := &external[K]{f: f, start: pack[K](f, f.start), home: pack[K](f, f.holes), lead: lead, meter: m}
	plan := disk.Plan{
		Dir: m.scratch, Threads: runtime.GOMAXPROCS(0), Memory: m.limit - m.limit/filterShare, Parts: f.n * f.n, Width: f.width,
		Sizes: diskSizes, Used: &m.disk, Keys: &m.positions,
	}
	for _, s := range f.slots {
		plan.Digits = append(plan.Digits, disk.Digit{Word: s.word, Shift: s.shift})
	}
	e.newRollers(plan.Threads)
	if e.store, err = disk.Open[K](plan); err != nil {
		return "", false, err
	}
	defer e.store.Close()
	if ok, err := e.findShapes(); !ok || err != nil {
		return "", false, err
	}
	if e.fore, err = e.begin(e.start); err != nil {
		return "", false, err
	}
	defer e.fore.Close()
	if e.back, err = e.begin(e.home); err != nil {
		return "", false, err
	}
	defer e.back.Close()
	met, err := e.meet()
	if err != nil || len(met) == 0 {
		return "", false, err
	}
	moves = route(e, e.rollers[0], met)
	if err := e.store.Err(); err != nil {
		return "", false, err
	}
	return moves, true, nil
}

// newRollers makes a roller for each thread.
func (e *external[K]) newRollers(threads int) {
	e.rollers = nil
	for range threads {
		e.rollers = append(e.rollers, newRoller[K](e.f))
	}
}

// findShapes finds all shapes and keeps a filter of them. It returns false if home's shape is not
// among them.
func (e *external[K]) findShapes() (found bool, err error) {
	if len(e.start) > 1 {
		return true, nil
	}
	all := *e
	all.f = e.f.forShapes()
	all.newRollers(len(e.rollers))
	all.start[0] = all.f.shapeOf(all.start[0])
	if all.fore, err = e.begin(all.start); err != nil {
		return false, err
	}
	defer all.fore.Close()
	for all.fore.Newest().Len() > 0 {
		if err := all.growFore(); err != nil {
			return false, err
		}
		found = found || all.inFore(all.fore.Depth(), e.home)
	}
	if !found {
		return false, e.store.Err()
	}
	e.shapes = newFilter(min(e.meter.limit/filterShare, 2*e.meter.positions.Load()))
	for d := range all.fore.Depth() {
		layer := all.fore.Layer(d)
		e.store.Each(layer, func(t *disk.Thread[K], part int) {
			for k := range t.All(layer, part) {
				e.shapes.add(hash(&k))
			}
		})
	}
	return true, e.store.Err()
}

// A filter knows most of the hashes that are not in a set, in some bits for each that is. The search
// from home may keep positions that cannot be reached, so it needs no more.
type filter []atomic.Uint64

// filterShare is the share of the memory that the filter may take: one in so many bytes.
const filterShare = 8

func newFilter(bytes int64) filter { return make(filter, bytes/8+1) }

// place returns a word of the filter and the bits of a hash in it.
func (f filter) place(h uint64) (word *atomic.Uint64, mask uint64) {
	at, _ := bits.Mul64(h, uint64(len(f)))
	return &f[at], 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63)
}

// add adds a hash to the set. Several threads may call it at once.
func (f filter) add(h uint64) {
	word, mask := f.place(h)
	word.Or(mask)
}

// rulesOut reports whether a hash is known not to be in the set.
func (f filter) rulesOut(h uint64) bool {
	word, mask := f.place(h)
	return word.Load()&mask != mask
}

// begin makes layers of which the first has one position.
func (e *external[K]) begin(first K) (*disk.Layers[K], error) {
	return e.store.Begin(squareOf(e.lead, &first), first)
}

// hold keeps a position, marked with idle axes, for the layer being added.
func (e *external[K]) hold(t *disk.Thread[K], k K, idle uint64) {
	t.Hold(squareOf(e.lead, &k), k, idle)
}

// add makes the positions that the threads hold a layer.
func (e *external[K]) add(layers *disk.Layers[K]) error {
	if err := layers.Add(); err != nil {
		return err
	}
	e.meter.bytes.Store(e.store.Bytes())
	if e.store.Full() {
		return errMemory
	}
	return nil
}

// axis returns the number of the axis of a move.
func axis(v int) int { return min(v, 3-v) }

// growFore adds a layer of tilted positions. growFore of a search in memory says why moves along an
// idle axis need not be tried. If several moves lead to a position, that holds for each.
func (e *external[K]) growFore() error {
	newest := e.fore.Newest()
	e.store.Each(newest, func(t *disk.Thread[K], part int) {
		r := e.rollers[t.Number]
		for k, idle := range t.All(newest, part) {
			for v := range len(lifts) {
				if idle>>axis(v)&1 != 0 {
					continue
				}
				next, ok := r.tilt(k, v)
				switch {
				case !ok:
				case r.dropped:
					e.hold(t, next, 0)
				default:
					e.hold(t, next, 1<<axis(v))
				}
			}
		}
	})
	return e.add(e.fore)
}

// growBack adds a layer of un-tilted positions. If that costs so much that all layers together cost
// more than limit, it adds none and returns false. The limit of the next attempt is at least twice
// as high, so attempts cost in sum no more than the last one.
func (e *external[K]) growBack(limit int64) (bool, error) {
	newest := e.back.Newest()
	var spent atomic.Int64
	spent.Store(e.spent)
	e.store.Each(newest, func(t *disk.Thread[K], part int) {
		r := e.rollers[t.Number]
		for k := range t.All(newest, part) {
			if spent.Load() > limit {
				break
			}
			before := r.un.work
			r.un.limit = before + limit - spent.Load()
			r.load(k)
			r.un.work++
			for v := range len(lifts) {
				r.untilt(v, func(k K) {
					if e.rulesOut(k) {
						r.un.work += tiltCost
						return
					}
					e.hold(t, k, 0)
				})
			}
			spent.Add(r.un.work - before)
		}
	})
	if spent.Load() > limit {
		return false, e.store.Drop()
	}
	e.spent = spent.Load()
	return true, e.add(e.back)
}

// rulesOut reports whether a position is known to be out of reach because of its shape.
func (e *external[K]) rulesOut(k K) bool {
	if len(e.shapes) == 0 {
		return false
	}
	k[0] = e.f.shapeOf(k[0])
	return e.shapes.rulesOut(hash(&k))
}

// meet does what meet of a search in memory does.
func (e *external[K]) meet() ([]K, error) {
	turns := turns{}
	for {
		if fore, allowance := turns.next(e.fore.Depth(), e.fore.Newest().Len()); fore {
			if err := e.growFore(); err != nil {
				return nil, err
			}
		} else {
			before := e.back.Newest().Len()
			done, err := e.growBack(allowance)
			if err != nil {
				return nil, err
			}
			if !done {
				turns.exceeded(allowance)
				continue
			}
			turns.grown(e.spent, before, e.back.Newest().Len())
		}
		e.meter.fore.Store(int64(e.fore.Depth()))
		e.meter.back.Store(int64(e.back.Depth()))
		if e.fore.Newest().Len() == 0 || e.back.Newest().Len() == 0 {
			return nil, nil
		}
		if met := e.common(); len(met) > 0 {
			return met, e.store.Err()
		}
	}
}

// common returns the positions that are in the newest layers of both ends.
func (e *external[K]) common() []K {
	a, b := e.fore.Newest(), e.back.Newest()
	return e.gather(a, func(t *disk.Thread[K], part int, take func(K)) {
		for k := range t.Common(a, b, part) {
			take(k)
		}
	})
}

// gather calls look with each part of a layer, and returns the positions with which look calls take,
// in no particular order.
func (e *external[K]) gather(layer *disk.Stream[K], look func(t *disk.Thread[K], part int, take func(K))) []K {
	return collect(func(take func(K)) {
		e.store.Each(layer, func(t *disk.Thread[K], part int) { look(t, part, take) })
	})
}

// The methods that follow make it a searched.

func (e *external[K]) ends() (start, home K) { return e.start, e.home }

func (e *external[K]) depths() (fore, back int) { return e.fore.Depth(), e.back.Depth() }

func (e *external[K]) inFore(d int, k K) bool { return e.has(e.fore.Layer(d), k) }

func (e *external[K]) inBack(d int, k K) bool { return e.has(e.back.Layer(d), k) }

func (e *external[K]) has(layer *disk.Stream[K], k K) bool {
	return e.store.Has(layer, squareOf(e.lead, &k), k)
}

func (e *external[K]) sweep(d int, look func(r *roller[K], k K) bool) []K {
	layer := e.fore.Layer(d)
	return e.gather(layer, func(t *disk.Thread[K], part int, take func(K)) {
		for k := range t.All(layer, part) {
			if look(e.rollers[t.Number], k) {
				take(k)
			}
		}
	})
}

// patience is little, because looking up a position takes much longer than trying a square.
func (e *external[K]) patience() int64 { return max(1<<10, e.meter.positions.Load()/64) }
