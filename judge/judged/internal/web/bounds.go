package web

import (
	"sync"
	"time"

	"tribunal/judge/internal/limits"
)

// Bounds bound what a client may send and ask for.
type Bounds struct {
	Source   limits.Bytes  // of one source, with its input; 0 means 8 MiB
	Package  limits.Bytes  // of a problem package; 0 means 256 MiB
	Batch    limits.Bytes  // of all lines of a batch; 0 means 4 GiB
	Buffered int64         // bytes of bodies that are in memory at a time, and half as many of one owner; 0 means 640 MiB
	Brief    time.Duration // for a small body to arrive and its answer to be made, large ones have 20 times as long; 0 means 30 s
	Wait     time.Duration // for which a request may wait for a result; 0 means 60 s
	// Beat is how often a stream shows that it is alive, and checks that its client is there and the token still
	// valid; 0 means 15 s.
	Beat   time.Duration
	Limits limits.Limits // the largest that a submission may ask for; the usual ones if zero
}

// usual are the default bounds.
var usual = Bounds{
	Source: 8 * limits.MiB, Package: 256 * limits.MiB, Batch: 4 * limits.GiB, Buffered: 640 << 20, Brief: 30 * time.Second, Wait: time.Minute, Beat: 15 * time.Second,
	Limits: limits.Limits{
		CPU: 30 * time.Second, Wall: time.Minute, Memory: 2 * limits.GiB, Output: 256 * limits.MiB, Processes: 256, CPUs: 8,
	},
}

func (b Bounds) complete() Bounds {
	set(&b.Source, usual.Source)
	set(&b.Package, usual.Package)
	set(&b.Batch, usual.Batch)
	set(&b.Buffered, usual.Buffered)
	set(&b.Brief, usual.Brief)
	set(&b.Wait, usual.Wait)
	set(&b.Beat, usual.Beat)
	set(&b.Limits, usual.Limits)
	return b
}

func set[T comparable](v *T, usual T) {
	if *v == *new(T) {
		*v = usual
	}
}

// budget bounds the bytes of request bodies in memory: those of all owners, and to half of that those of one, so
// that large bodies that arrive slowly do not shut others out.
type budget struct {
	most int64

	mu   sync.Mutex
	used int64
	of   map[string]int64 // by owner, above 0
}

// take takes n bytes for an owner, unless there are too few.
func (b *budget) take(owner string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.most || b.of[owner]+n > b.most/2 {
		return false
	}
	if b.of == nil {
		b.of = map[string]int64{}
	}
	b.used += n
	b.of[owner] += n
	return true
}

// put gives back n bytes of an owner.
func (b *budget) put(owner string, n int64) {
	if n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	if b.of[owner] -= n; b.of[owner] == 0 {
		delete(b.of, owner)
	}
}

// held returns how many bytes are taken.
func (b *budget) held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// lease is the part of a budget that one request holds.
type lease struct {
	from  *budget
	owner string
	held  int64
}

// take takes n more bytes, unless there are too few.
func (l *lease) take(n int) bool {
	ok := l.from.take(l.owner, int64(n))
	if ok {
		l.held += int64(n)
	}
	return ok
}

func (l *lease) give(n int64) {
	l.from.put(l.owner, n)
	l.held -= n
}

func (l *lease) end() {
	l.from.put(l.owner, l.held)
	l.held = 0
}
