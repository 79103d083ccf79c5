// Package simstore keeps a store in memory, for simulations of the programs that use it.
//
// A simulation has one goroutine, a clock that it sets, and a seed. Actors take turns; each has its own
// view of the store, in which anything can go wrong that a real store allows: see [Fault]. Nothing
// waits: where a real store would, a method returns [ErrIdle]. So a run depends on the seed alone, and
// can be repeated. [Blocking] makes a store without faults that waits, as real ones do.
package simstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"tribunal/judge/judged/internal/store"
)

// ErrIdle means that there is no message to pull, and no record to follow, at this time.
var ErrIdle = errors.New("nothing to do at this time")

// Options are the settings of a world.
type Options struct {
	Now      func() time.Time // the clock; it must not go back
	Seed     uint64           // of what is left to chance
	AckWait  time.Duration    // after which a queue delivers the message of a silent receiver again
	Presence time.Duration    // after which an entry of the board disappears
	Late     time.Duration    // the longest time by which something is [Later]
}

// World is the state that the stores of all actors share.
type World struct {
	o    Options
	wait func(ctx context.Context, changed <-chan struct{}) error // for a change or for time to pass

	mu        sync.Mutex
	random    *rand.Rand
	changed   chan struct{} // is closed at the next change
	pending   []pending     // by time
	logs      map[string]*records
	blobs     contents
	queues    map[string]*waiting
	board     notices
	listeners []*listener
	outbox    []signal // sent, and not yet passed on
}

// pending is an effect that happens later.
type pending struct {
	at     time.Time
	effect func() error
}

func New(o Options) *World {
	w := newWorld(o)
	w.wait = func(context.Context, <-chan struct{}) error { return ErrIdle }
	return w
}

func newWorld(o Options) *World {
	return &World{
		o: o, random: rand.New(rand.NewPCG(o.Seed, 1)), changed: make(chan struct{}),
		logs:   map[string]*records{events: {last: map[string]uint64{}}, tokens: {last: map[string]uint64{}}},
		blobs:  contents{byHash: map[string]content{}, byName: map[string][]byte{}},
		queues: map[string]*waiting{work: {}, results: {}},
		board:  notices{passing: map[string]notice{}, lasting: map[string][]byte{}},
	}
}

// Blocking returns a function that opens a store in memory, each time as a further process would. It
// has no faults, waits as real stores do, and is safe for concurrent use.
func Blocking(ackWait, presence time.Duration) (open func() *store.Store) {
	w := newWorld(Options{Now: time.Now, AckWait: ackWait, Presence: presence})
	w.wait = func(ctx context.Context, changed <-chan struct{}) error {
		var due <-chan time.Time
		if at, ok := w.Next(); ok {
			timer := time.NewTimer(time.Until(at))
			defer timer.Stop()
			due = timer.C
		}
		select {
		case <-changed:
		case <-due:
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	return func() *store.Store { return w.Actor(nil).Store }
}

// Next returns the earliest time after now at which something happens by itself: a late effect, or the
// end of a message's delivery or of an entry. It returns false if nothing will.
func (w *World) Next() (at time.Time, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.o.Now()
	consider := func(t time.Time) {
		if t.After(now) && (!ok || t.Before(at)) {
			at, ok = t, true
		}
	}
	for _, p := range w.pending {
		consider(p.at)
	}
	for _, q := range w.queues {
		for _, m := range q.messages {
			consider(m.free)
		}
	}
	for _, n := range w.board.passing {
		consider(n.ends)
	}
	return at, ok
}

// access runs f, which may use the world, after everything that is due has happened.
func (w *World) access(f func()) {
	defer w.passSignals()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.pending) > 0 && !w.o.Now().Before(w.pending[0].at) {
		effect := w.pending[0].effect
		w.pending = w.pending[1:]
		_ = effect() // its caller has given up
		w.change()
	}
	f()
}

// change wakes those that wait for a change.
func (w *World) change() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// later lets an effect happen at a time left to chance.
func (w *World) later(effect func() error) {
	p := pending{w.o.Now().Add(time.Duration(w.random.Int64N(int64(w.o.Late) + 1))), effect}
	i, _ := slices.BinarySearchFunc(w.pending, p, func(a, b pending) int {
		if a.at.After(b.at) {
			return 1
		}
		return -1 // behind those of the same time
	})
	w.pending = slices.Insert(w.pending, i, p)
}
