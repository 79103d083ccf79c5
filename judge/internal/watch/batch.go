package watch

import (
	"maps"
	"slices"
	"time"
)

// Batch is the set of changes since the reader received the last batch.
type Batch struct {
	// Paths are the files that were changed, created or removed since the last batch, sorted. They
	// begin with the root they are in, as it was given. Folders are not among them, only the files
	// in them, except for a root that appeared or vanished. A file that was created and removed in
	// between is left out; a removed one may be reported again.
	Paths []string

	// Settled is closed once files have been quiet for Options.Quiet. It is never closed if another
	// batch comes before that.
	Settled <-chan struct{}

	// Lost says that other files may have changed too: the kernel lost events.
	Lost bool
}

// change is a path with a change: whether it existed before, and whether it exists now. If neither,
// something may have been created and removed there or, in a folder, below it.
type change struct {
	path    string
	was, is bool
}

// findings are the result of one scan.
type findings struct {
	changes []change
	lost    bool
	unsure  bool // whether files are quiet is known only after the next scan
}

func (n findings) empty() bool { return len(n.changes) == 0 && !n.lost }

// flood is the number of quiet periods after which a batch is delivered even if there was no lull
// in all that time.
const flood = 20

// batcher collects findings into batches. It knows nothing about files, and its timer runs only if
// there is something to deliver.
type batcher struct {
	quiet, lull time.Duration
	in          <-chan findings
	out         chan<- Batch

	next   map[string]change // the next batch, by path; was refers to the batch before
	gone   map[string]bool   // paths that were reported to the reader and do not exist
	lost   bool
	unsure bool
	first  time.Time     // of the findings of the next batch
	last   time.Time     // of all findings
	due    time.Time     // when the next batch may be delivered
	open   chan struct{} // Settled of the batch received last; nil once closed
}

// run returns when in is closed.
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
			timer.Reset(b.due.Sub(now)) // lulls are shorter than quiet periods
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

// waiting reports whether there is a next batch.
func (b *batcher) waiting() bool { return len(b.next) > 0 || b.lost }

func (b *batcher) add(n findings, now time.Time) {
	if b.unsure = n.unsure; n.empty() {
		return
	}
	if !b.waiting() || !now.Before(b.first.Add(flood*b.quiet)) {
		b.first = now // of a new batch, or of one that the reader has not received yet
	}
	for _, c := range n.changes {
		b.change(c)
		if c.was || c.is {
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
	if limit := b.first.Add(flood * b.quiet); limit.Before(b.due) {
		b.due = limit
	}
}

func (b *batcher) change(c change) {
	before, known := b.next[c.path]
	if known && !c.was && !c.is {
		return // the path is in the batch anyway
	}
	if known {
		c.was = before.was
	}
	// The reader opens a file after it was reported. It may have found one that existed only for
	// a moment, between two scans.
	c.was = c.was || b.gone[c.path]
	if c.was || c.is {
		b.next[c.path] = c
	} else {
		delete(b.next, c.path) // created and removed
	}
}

// received starts the next batch.
func (b *batcher) received() {
	for path, c := range b.next {
		if c.is {
			delete(b.gone, path)
		} else {
			b.gone[path] = true
		}
	}
	clear(b.next)
	b.lost = false
}
