// Package watch turns file events into quiet batches of changed paths.
//
// Folders are watched, never files: most editors save by renaming a new file over
// the old. An event is only a hint where to look. What changed is found by comparing
// what is there with what was, so that it does not matter which editor sent which
// events, or whether there are any: where the kernel has no watches left, the same
// comparison is made by the clock.
//
// Links are followed to the roots, not below them. What is written through memory
// maps, or by other machines to a network file system, the kernel does not tell: see
// Options.Poll for the latter.
package watch

import (
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// DefaultQuiet is how long files have to be quiet unless Options say otherwise.
const DefaultQuiet = 100 * time.Millisecond

// Options say when a batch is ready and what is no business of the reader's.
type Options struct {
	Quiet time.Duration // how long files have to be quiet until a batch has settled; 0 means DefaultQuiet
	Lull  time.Duration // how long until it is delivered, at most Quiet: work that only reads may begin; 0 means Quiet/10

	// Ignore is asked about files, and folders before they are entered, below the
	// roots. What editors leave, version control and .regen* are ignored anyway.
	// It is called by one goroutine at a time. Nil ignores no more.
	Ignore func(path string) bool

	Poll time.Duration // how often to look at all files instead of waiting for events; 0 means never, unless there is no other way
}

// Watcher watches roots until it is closed. Its methods are safe for concurrent use.
type Watcher struct {
	out    chan Batch
	set    chan request
	close  chan struct{}
	closed sync.WaitGroup
	once   sync.Once

	mu    sync.Mutex
	notes []string
}

// request asks for other roots.
type request struct {
	roots []string
	err   chan<- error
}

// New watches files and folders, those below folders included, also those that do
// not exist yet. What changes after it has returned is in a batch. That files have
// to be polled is no error but a note.
func New(roots []string, o Options) (*Watcher, error) {
	return start(roots, o, inotify)
}

func start(roots []string, o Options, open func() (*kernel, error)) (*Watcher, error) {
	if o.Quiet == 0 {
		o.Quiet = DefaultQuiet
	}
	if o.Lull == 0 {
		o.Lull = o.Quiet / 10
	}
	w := &Watcher{out: make(chan Batch), set: make(chan request), close: make(chan struct{})}
	f := &forest{ignore: o.Ignore, note: w.note, watched: map[string]fileID{}, names: map[fileID]string{}}
	if o.Poll == 0 {
		kernel, err := open()
		if err != nil {
			w.note("files are polled: " + whyPolled(err))
		} else {
			f.kernel = kernel
		}
	}
	if err := f.set(roots); err != nil {
		if f.kernel != nil {
			_ = f.kernel.close()
		}
		return nil, err
	}
	f.take()
	found := make(chan news)
	b := &batcher{quiet: o.Quiet, lull: min(o.Lull, o.Quiet), in: found, out: w.out}
	w.closed.Go(b.run)
	w.closed.Go(func() {
		defer close(found)
		w.run(f, newClock(o), found)
	})
	return w, nil
}

// run looks where it is told to until the watcher is closed.
func (w *Watcher) run(f *forest, c *clock, found chan<- news) {
	defer c.timer.Stop()
	unsure := false
	for {
		var events <-chan fsnotify.Event
		var lost <-chan struct{}
		var tick <-chan time.Time
		if f.kernel != nil {
			events, lost = f.kernel.events, f.kernel.lost
		} else {
			tick = c.next()
		}
		select {
		case <-w.close:
			if f.kernel != nil {
				_ = f.kernel.close()
			}
			return
		case e := <-events:
			f.happened(e)
		case <-lost:
			f.all()
			f.found.lost = true
		case <-tick:
			cost := cpuTime(f.all)
			c.looked(cost, !f.found.empty())
		case r := <-w.set:
			r.err <- f.set(r.roots)
		}
		n := f.take()
		n.unsure = f.kernel == nil && c.often > 0
		if !n.empty() || n.unsure != unsure {
			found <- n
		}
		unsure = n.unsure
	}
}

// Batches delivers what has changed. A batch that is not received yet takes in what
// comes after it: no change is lost, however slow the reader is. The channel is
// closed by Close.
func (w *Watcher) Batches() <-chan Batch { return w.out }

// Notes returns what the user should know about the watching itself, such as that
// files are polled and why, one sentence each. New ones may come with any batch.
func (w *Watcher) Notes() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.notes)
}

func (w *Watcher) note(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.notes, text) {
		w.notes = append(w.notes, text)
	}
}

// Set watches other roots instead. Nothing that changed below both the old roots and
// the new ones is lost, and what has not been received yet is still delivered. Of a
// root that is new, what changes after Set has returned is in a batch.
func (w *Watcher) Set(roots []string) error {
	err := make(chan error, 1)
	select {
	case w.set <- request{slices.Clone(roots), err}:
		return <-err
	case <-w.close:
		return os.ErrClosed
	}
}

// Close ends the watch; what was not received is dropped. Closing twice is harmless.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.close) })
	w.closed.Wait()
	return nil
}
