package watch

import (
	"maps"
	"slices"
	"time"
)

// Batch is what changed between two looks of the reader.
type Batch struct {
	// Paths are the files that were changed, created or removed since the batch
	// received before, sorted. They begin with the root they are in, as it was
	// given. A folder stands for nothing but the files in it, unless it is a root
	// that came or went. A file that came and went in between is left out; one that
	// was removed may be told of again.
	Paths []string

	// Settled is closed once files have been quiet for Options.Quiet. It never is
	// if another batch comes before that.
	Settled <-chan struct{}

	// Lost tells that anything else may have changed too: there were more changes
	// than could be counted.
	Lost bool
}

// change is one path that is not as it was: whether it was there, and whether it is.
// When neither, something may have come and gone there, or, in a folder, below it.
type change struct {
	path    string
	was, is bool
}

// news is what one look at the files found.
type news struct {
	changes []change
	lost    bool
	unsure  bool // whether files are quiet: only the next look will tell
}

func (n news) empty() bool { return len(n.changes) == 0 && !n.lost }

// flood is after how many times the quiet period a batch is delivered although
// there was no lull in all that time.
const flood = 20

// A batcher gathers news into batches. It knows nothing of files, and has no timer
// running when nothing is to be told.
type batcher struct {
	quiet, lull time.Duration
	in          <-chan news
	out         chan<- Batch

	next   map[string]change // the batch to come, by path; was is about the batch before
	gone   map[string]bool   // what the reader was told of and is not there
	lost   bool
	unsure bool
	first  time.Time     // of the news of the batch to come
	last   time.Time     // of all news
	due    time.Time     // when the batch to come may go
	open   chan struct{} // Settled of the batch that was received last; nil once closed
}

// run ends when in is closed.
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

// waiting tells whether there is a batch to come.
func (b *batcher) waiting() bool { return len(b.next) > 0 || b.lost }

func (b *batcher) add(n news, now time.Time) {
	if b.unsure = n.unsure; n.empty() {
		return
	}
	if !b.waiting() || !now.Before(b.first.Add(flood*b.quiet)) {
		b.first = now // of a new batch, or of one that the reader did not want yet
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
		return // which is in the batch anyway
	}
	if known {
		c.was = before.was
	}
	// A reader that is told of a file looks after that: it may have found what was
	// there for a moment, unseen by us.
	c.was = c.was || b.gone[c.path]
	if c.was || c.is {
		b.next[c.path] = c
	} else {
		delete(b.next, c.path) // it came and went
	}
}

// received begins the next batch.
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
