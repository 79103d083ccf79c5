package watch

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// node is a file or folder as of its last scan.
type node struct {
	stamp
	racy  bool             // of a folder: its files might still change without changing its times
	below map[string]*node // of a folder: its files and folders, by name
}

func (n *node) folder() bool { return n != nil && n.mode.IsDir() }

// same reports whether two scans found the same file or folder unchanged, or both found nothing.
func (n *node) same(prev *node) bool {
	if n == nil || prev == nil {
		return n == prev
	}
	return n.stamp.same(prev.stamp)
}

// forest holds the known state of the files below the roots, and finds changes by comparing the
// files with it. Events and ticks are only hints where to look. One goroutine uses it.
type forest struct {
	ignore func(path string) bool
	note   func(text string)

	roots   []*root
	kernel  *kernel           // nil if files are polled
	watched map[string]fileID // folders that the kernel watches, by path
	names   map[fileID]string // the paths of these folders: one for each folder
	found   findings          // since the last call of drain
}

// drain returns the findings since its last call.
func (f *forest) drain() findings {
	n := f.found
	f.found = findings{}
	return n
}

func (f *forest) report(path string, existed, exists bool) {
	f.found.changes = append(f.found.changes, change{path, existed, exists})
}

// handle scans the path of a kernel event, or the roots that the event affects.
func (f *forest) handle(e fsnotify.Event) {
	// The stamp shows a change of attributes. After any other event, the path is reported even if
	// its stamp is the same.
	moved := e.Op&^fsnotify.Chmod != 0
	path := filepath.Clean(e.Name) // a path in / begins with two slashes
	if e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		f.unwatch(path) // if it was a folder, another one may have taken its place
	}
	rescanned := false
	for _, r := range f.roots {
		if r.affected(path) {
			f.scanRoot(r, moved)
			rescanned = true
		} else if rel, ok := within(r.real, path); ok {
			f.scanPath(r, rel, moved)
		}
	}
	if rescanned {
		f.prune()
	}
}

// scanAll scans all roots, because no hint says where to look. It adds all folders to the kernel
// again: if events were lost, it is unknown which of them the kernel still watches.
func (f *forest) scanAll() {
	for dir := range f.watched {
		f.unwatch(dir)
	}
	for _, r := range f.roots {
		f.scanRoot(r, false)
	}
}

// scanRoot scans a whole root. With moved, it reports even files that look the same, because they
// may have been moved away and back.
func (f *forest) scanRoot(r *root, moved bool) {
	// A symbolic link may change before its folder is watched: repeat until it is stable.
	for range 10 {
		r.resolve()
		places := r.places
		for _, p := range places {
			f.watch(filepath.Dir(p))
		}
		if r.resolve(); slices.Equal(places, r.places) {
			break
		}
	}
	prev := r.now
	at := time.Now()
	above, _ := stampOf(filepath.Dir(r.real), r.above, false)
	r.now = f.scan(r.path, r.real, prev, moved)
	if prev.folder() != r.now.folder() {
		f.report(r.path, prev != nil, r.now != nil)
	}
	changed := !r.now.same(prev)
	if r.now == nil && prev == nil {
		changed = !above.same(r.above) || f.kernel == nil && r.racy
	}
	if moved || changed {
		f.report(r.path, false, false)
	}
	r.above, r.racy = above, above.racy(at)
}

func (f *forest) scanPath(r *root, rel string, moved bool) {
	if !r.now.folder() {
		return
	}
	path, real, at := r.path, r.real, r.now
	names := strings.Split(rel, string(filepath.Separator))
	for i, name := range names {
		path, real = filepath.Join(path, name), filepath.Join(real, name)
		if f.ignored(path) {
			return
		}
		prev := at.below[name]
		// If a folder on the way is not known yet, scan it with everything below it.
		if i < len(names)-1 && prev.folder() {
			at = prev
			continue
		}
		if now := f.scan(path, real, prev, moved); now != nil {
			at.below[name] = now
		} else {
			delete(at.below, name)
		}
		if moved {
			f.report(path, false, false) // a folder may have been moved here and be gone by now
		}
		return
	}
}

// scan scans path, reports how it differs from prev, and returns its new node, or nil if there is
// nothing. real is path with all symbolic links resolved.
func (f *forest) scan(path, real string, prev *node, moved bool) *node {
	var before stamp
	if prev != nil {
		before = prev.stamp
	}
	at := time.Now()
	s, ok := stampOf(real, before, f.kernel == nil)
	if !ok {
		f.removed(path, prev)
		return nil
	}
	now := &node{stamp: s.aged(at), racy: s.racy(at)}
	if now.folder() {
		return f.scanFolder(path, real, now, prev, moved)
	}
	if prev.folder() {
		f.removed(path, prev)
		prev = nil
	}
	if prev == nil || moved || !s.same(prev.stamp) {
		f.report(path, prev != nil, true)
	}
	return now
}

// scanFolder sets the files and folders of now, a folder at path, and reports how they differ from
// those of prev. It returns now, or prev if the folder cannot be read.
func (f *forest) scanFolder(path, real string, now, prev *node, moved bool) *node {
	if prev != nil && !prev.folder() {
		f.removed(path, prev)
		prev = nil
	}
	// Watch before listing: events report every file that the list misses.
	f.watch(real)
	list, err := os.ReadDir(real)
	switch {
	case errors.Is(err, fs.ErrPermission):
		f.note(path + " is not watched: permission denied")
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		f.found.lost = true
		return prev // keep the old state, and scan everything again
	}
	now.below = make(map[string]*node, len(list))
	var old map[string]*node
	if prev != nil {
		old = maps.Clone(prev.below)
		if !now.same(prev) || f.kernel == nil && prev.racy {
			f.report(path, false, false) // the cause may be a file that is gone by now
		}
	}
	for _, l := range list {
		name := l.Name()
		below := filepath.Join(path, name)
		if f.ignored(below) {
			continue
		}
		if n := f.scan(below, filepath.Join(real, name), old[name], moved); n != nil {
			now.below[name] = n
		}
		delete(old, name)
	}
	for name, n := range old {
		f.removed(filepath.Join(path, name), n)
	}
	return now
}

// removed reports all files of a node that no longer exists.
func (f *forest) removed(path string, prev *node) {
	switch {
	case prev == nil:
	case prev.folder():
		for name, n := range prev.below {
			f.removed(filepath.Join(path, name), n)
		}
	default:
		f.report(path, true, false)
	}
}

func (f *forest) ignored(path string) bool {
	return temporary(filepath.Base(path)) || f.ignore != nil && f.ignore(path)
}
