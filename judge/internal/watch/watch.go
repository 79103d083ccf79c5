// Package watch turns file events into batches of changed paths, and delivers a batch when files
// are quiet.
//
// It watches folders, never files, because most editors save by renaming a new file over the old
// one. An event is only a hint where to look: the package finds changes by comparing files with
// their last known state. So it does not matter which editor causes which events, or whether there
// are any. If the kernel has no watches left, the package polls: it makes the same comparison at
// intervals.
//
// A root may be a symbolic link; links below a root are not followed. The kernel does not report
// writes through memory maps, or writes of other machines to a network file system. Polling (see
// [Options]) finds the writes of other machines.
//
// watch.go runs the watcher, forest.go compares the files, and batch.go collects the changes.
// set.go and root.go handle the roots, watched.go and inotify.go the kernel's watches, and clock.go
// times the polling.
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

// Options sets when a batch is delivered and which files to ignore.
type Options struct {
	Quiet time.Duration // a batch has settled when files have not changed for this long; 0 is DefaultQuiet

	// Lull is shorter: a batch is delivered when files have not changed for this long, so that
	// its reader can begin work that only reads files. 0 is Quiet/10; more than Quiet means
	// Quiet.
	Lull time.Duration

	// Ignore reports whether to ignore a file or folder below the roots; it is called for a
	// folder before its files. Temporary files of editors, the folders of version control and
	// .regen* are always ignored. One goroutine at a time calls it. Nil ignores nothing else.
	Ignore func(path string) bool

	Poll time.Duration // interval of polling all files instead of waiting for events; 0 polls only if events are not available
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

// request tells run to watch other roots.
type request struct {
	roots []string
	err   chan<- error
}

// New watches files and folders, including everything below the folders. They need not exist yet.
// Every change after New has returned is in a batch. Having to poll files is not an error; Notes
// mentions it.
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
	if err := f.setRoots(roots); err != nil {
		if f.kernel != nil {
			_ = f.kernel.close()
		}
		return nil, err
	}
	f.drain()
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
			r.err <- f.setRoots(r.roots)
		}
		n := f.drain()
		n.unsure = f.kernel == nil && c.shortScans > 0
		if !n.empty() || n.unsure != unsure {
			found <- n
		}
		unsure = n.unsure
	}
}

// Batches returns the channel of batches. A batch collects changes until it is received, so no
// change is lost if the reader is slow. Close closes the channel.
func (w *Watcher) Batches() <-chan Batch { return w.out }

// Notes returns remarks about the watching itself, one sentence each, such as that files are polled
// and why. The list may grow at any time.
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

// Set replaces the roots. No change below a path that was watched before is lost, and changes that
// have not been received yet are still delivered. Every change below a new root after Set has
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

// Close ends the watch and drops changes that have not been received. It may be called repeatedly.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.close) })
	w.closed.Wait()
	return nil
}
