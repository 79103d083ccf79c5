// Package watch turns file events into batches of changed paths, delivered when files are quiet.
//
// It watches folders, never files: most editors save by renaming a new file over the old one. An
// event is only a hint where to look. Changes are found by comparing the files with their last
// known state, so it does not matter which editor causes which events, or whether there are any: if
// the kernel has no watches left, the same comparison is made at intervals.
//
// Links are followed to the roots, not below them. The kernel does not report writes through memory
// maps, or by other machines to a network file system: see Options.Poll for the latter.
//
// watch.go is the watcher; forest.go compares the files, and batch.go collects the changes.
package watch

import (
	"os"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// DefaultQuiet is the default of Options.Quiet.
const DefaultQuiet = 100 * time.Millisecond

// Options say when a batch is ready and which files to ignore.
type Options struct {
	Quiet time.Duration // how long files must not change until a batch has settled; 0 is DefaultQuiet
	Lull  time.Duration // how long until a batch is delivered, at most Quiet, so that the reader can begin work that only reads; 0 is Quiet/10

	// Ignore reports whether to ignore a file below the roots, or a folder before it is entered.
	// Temporary files of editors, the folders of version control and .regen* are always ignored. It
	// is called by one goroutine at a time. Nil ignores nothing else.
	Ignore func(path string) bool

	Poll time.Duration // interval of polling all files instead of waiting for events; 0 polls only if there is no other way
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

// request asks run to watch other roots.
type request struct {
	roots []string
	err   chan<- error
}

// New watches files and folders, including everything below the folders. They need not exist yet.
// Every change after New has returned is in a batch. If files have to be polled, that is not an
// error but a note.
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
	found := make(chan findings)
	b := &batcher{quiet: o.Quiet, lull: min(o.Lull, o.Quiet), in: found, out: w.out}
	w.closed.Go(b.run)
	w.closed.Go(func() {
		defer close(found)
		w.run(f, newClock(o), found)
	})
	return w, nil
}

// run scans on events, ticks and requests until the watcher is closed.
func (w *Watcher) run(f *forest, c *clock, found chan<- findings) {
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
			f.handle(e)
		case <-lost:
			f.scanAll()
			f.found.lost = true
		case <-tick:
			cost := cpuTime(f.scanAll)
			c.scanned(cost, !f.found.empty())
		case r := <-w.set:
			r.err <- f.set(r.roots)
		}
		n := f.take()
		n.unsure = f.kernel == nil && c.soon > 0
		if !n.empty() || n.unsure != unsure {
			found <- n
		}
		unsure = n.unsure
	}
}

// Batches returns the channel of changes. A batch that is not received yet takes in later changes:
// no change is lost, however slow the reader is. Close closes the channel.
func (w *Watcher) Batches() <-chan Batch { return w.out }

// Notes returns what the user should know about the watching itself, one sentence each, such as
// that files are polled and why. New ones may come with any batch.
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

// Set watches other roots instead. No change below both the old and the new roots is lost, and
// changes not received yet are still delivered. Below a new root, every change after Set has
// returned is in a batch.
func (w *Watcher) Set(roots []string) error {
	err := make(chan error, 1)
	select {
	case w.set <- request{slices.Clone(roots), err}:
		return <-err
	case <-w.close:
		return os.ErrClosed
	}
}

// Close ends the watch. Changes not received yet are dropped. Closing twice is harmless.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.close) })
	w.closed.Wait()
	return nil
}
