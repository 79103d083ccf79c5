package watch

import (
	"maps"
	"slices"
	"time"
)

// Batch is the set of changes since the reader received the previous batch.
type Batch struct {
	// Paths are the files that were changed, created or removed, sorted. Each path begins with its
	// root as it was given. Folders are not in the list, only the files in them; a root that has
	// appeared or vanished is, even if it is a folder. A file that was created and removed again is
	// left out. A removed file may be reported more than once.
	Paths []string

	// Settled is closed once files have been quiet for Options.Quiet. It is never closed if another
	// batch comes before that.
	Settled <-chan struct{}

	// Lost means that any other file may have changed too, because the kernel lost events.
	Lost bool
}

// change is a path whose file has changed: whether there was a file before, and whether there is
// one now. If neither, a file may have been created and removed at the path or, if that is a
// folder, below it.
type change struct {
	path            string
	existed, exists bool
}

// findings are the result of one scan.
type findings struct {
	changes []change
	lost    bool
	unsure  bool // only the next scan can show whether files are quiet
}

func (n findings) empty() bool { return len(n.changes) == 0 && !n.lost }

// floodPeriods bounds the wait for a lull: a batch is delivered after this many quiet periods even
// if files still change.
const floodPeriods = 20

// batcher collects findings into batches. It does not access files. Its timer runs only while a
// batch waits to be delivered or to settle.
type batcher struct {
	quiet, lull time.Duration
	in          <-chan findings
	out         chan<- Batch

	next   map[string]change // changes of the next batch, by path, relative to the previous batch
	gone   map[string]bool   // paths that were reported to the reader and do not exist any more
	lost   bool              // the next batch has Lost set
	unsure bool              // the last findings were unsure
	first  time.Time         // time of the first findings of the next batch
	last   time.Time         // time of the last findings
	due    time.Time         // when the next batch may be delivered
	open   chan struct{}     // Settled of the last received batch; nil once it is closed
}

// run delivers batches until in is closed. It closes out.
func (b *batcher) run() {
	defer close(b.out)
	b.next, b.gone = map[string]change{}, map[string]bool{}
	timer := time.NewTimer(0)
	for {
		now := time.Now()
		due := b.waiting() && !now.Before(b.due)
		quiet := !b.unsure && !now.Before(b.last.Add(b.quiet))
		if quiet && b.open != nil && !b.waiting() {
			close(b.open)
			b.open = nil
		}

		var out chan<- Batch
		var batch Batch
		settled := make(chan struct{})
		if due {
			out = b.out
			batch = Batch{Paths: slices.Sorted(maps.Keys(b.next)), Settled: settled, Lost: b.lost}
			if quiet {
				close(settled)
			}
		}

		timer.Stop()
		switch {
		case b.waiting() && !due:
			timer.Reset(b.due.Sub(now)) // the lull ends before the quiet period
		case (b.waiting() || b.open != nil) && !quiet && !b.unsure:
			timer.Reset(b.last.Add(b.quiet).Sub(now))
		}

		select {
		case n, ok := <-b.in:
			if !ok {
				return
			}
			b.add(n, time.Now())
		case out <- batch:
			b.open = settled
			if quiet {
				b.open = nil
			}
			b.received()
		case <-timer.C:
		}
	}
}

func (b *batcher) waiting() bool { return len(b.next) > 0 || b.lost }

func (b *batcher) add(n findings, now time.Time) {
	if b.unsure = n.unsure; n.empty() {
		return
	}
	if !b.waiting() || !now.Before(b.first.Add(floodPeriods*b.quiet)) {
		b.first = now // the wait for a lull begins, or begins again because the reader is slow
	}
	for _, c := range n.changes {
		b.change(c)
		if c.existed || c.exists {
			continue
		}
		for path := range b.gone {
			if _, ok := within(c.path, path); ok {
				b.change(change{path, false, false})
			}
		}
	}
	b.lost = b.lost || n.lost
	b.last = now
	b.due = now.Add(b.lull)
	if limit := b.first.Add(floodPeriods * b.quiet); limit.Before(b.due) {
		b.due = limit
	}
}

// change merges a change into the next batch.
func (b *batcher) change(c change) {
	before, known := b.next[c.path]
	if known && !c.existed && !c.exists {
		return // the path is in the batch already
	}
	if known {
		c.existed = before.existed
	}
	// The reader opens a path after it was reported. It may have found a file that existed only for
	// a moment, between two scans.
	c.existed = c.existed || b.gone[c.path]
	if c.existed || c.exists {
		b.next[c.path] = c
	} else {
		delete(b.next, c.path) // created and removed again
	}
}

// received starts the next batch, because the reader has received the current one.
func (b *batcher) received() {
	for path, c := range b.next {
		if c.exists {
			delete(b.gone, path)
		} else {
			b.gone[path] = true
		}
	}
	clear(b.next)
	b.lost = false
}
