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
	fresh bool             // something might still change without changing the times
	below map[string]*node // of a folder: its content by name
}

func (n *node) folder() bool { return n != nil && n.mode.IsDir() }

// same reports whether two scans found the same, or both found nothing.
func (n *node) same(was *node) bool {
	if n == nil || was == nil {
		return n == was
	}
	return n.stamp.same(was.stamp)
}

// forest is the known state of the files below the roots. Events and ticks are only hints where to
// look: changes are found by comparing the files with this state. It is used by one goroutine.
type forest struct {
	ignore func(path string) bool
	note   func(text string)

	roots   []*root
	kernel  *kernel           // nil if files are polled
	watched map[string]fileID // folders that the kernel watches, by their one name
	names   map[fileID]string // the reverse
	found   findings          // since the last take
}

// take returns the findings since its last call.
func (f *forest) take() findings {
	n := f.found
	f.found = findings{}
	return n
}

func (f *forest) report(path string, was, is bool) {
	f.found.changes = append(f.found.changes, change{path, was, is})
}

// handle scans what an event of the kernel is about.
func (f *forest) handle(e fsnotify.Event) {
	// A change of attributes alone shows in the attributes.
	moved := e.Op&^fsnotify.Chmod != 0
	path := filepath.Clean(e.Name) // a path in / begins with two slashes
	if e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		f.unwatch(path) // if it was a folder, another one may have taken its place
	}
	stray := false
	for _, r := range f.roots {
		if r.affected(path) {
			f.scanRoot(r, moved)
			stray = true
		} else if rel, ok := within(r.real, path); ok {
			f.scanPath(r, rel, moved)
		}
	}
	if stray {
		f.prune()
	}
}

// scanAll scans everything. It is called when no hint says where to look. If events were lost, it
// is not known which folders the kernel still watches, so all are added to it again.
func (f *forest) scanAll() {
	for dir := range f.watched {
		f.unwatch(dir)
	}
	for _, r := range f.roots {
		f.scanRoot(r, false)
	}
}

// scanRoot scans a whole root. If files were moved, it reports even files that look the same: they
// have been away.
func (f *forest) scanRoot(r *root, moved bool) {
	// A link may change before its folder is watched.
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
	was := r.now
	at := time.Now()
	above, _ := stampOf(filepath.Dir(r.real), r.above, false)
	r.now = f.scan(r.path, r.real, was, moved)
	if was.folder() != r.now.folder() {
		f.report(r.path, was != nil, r.now != nil)
	}
	changed := !r.now.same(was)
	if r.now == nil && was == nil {
		changed = !above.same(r.above) || f.kernel == nil && r.fresh
	}
	if moved || changed {
		f.report(r.path, false, false)
	}
	r.above, r.fresh = above, above.fresh(at)
}

// scanPath scans one path below a root.
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
		was := at.below[name]
		// A folder that is not known yet is scanned with everything below it.
		if i < len(names)-1 && was.folder() {
			at = was
			continue
		}
		if now := f.scan(path, real, was, moved); now != nil {
			at.below[name] = now
		} else {
			delete(at.below, name)
		}
		if moved {
			f.report(path, false, false) // perhaps a folder was moved that is gone by now
		}
		return
	}
}

// scan reports how what is at path differs from was, and returns it. real is path with all links
// resolved.
func (f *forest) scan(path, real string, was *node, moved bool) *node {
	var before stamp
	if was != nil {
		before = was.stamp
	}
	at := time.Now()
	s, ok := stampOf(real, before, f.kernel == nil)
	if !ok {
		f.removed(path, was)
		return nil
	}
	now := &node{stamp: s.aged(at), fresh: s.fresh(at)}
	if now.folder() {
		return f.scanFolder(path, real, now, was, moved)
	}
	if was.folder() {
		f.removed(path, was)
		was = nil
	}
	if was == nil || moved || !s.same(was.stamp) {
		f.report(path, was != nil, true)
	}
	return now
}

func (f *forest) scanFolder(path, real string, now, was *node, moved bool) *node {
	if was != nil && !was.folder() {
		f.removed(path, was)
		was = nil
	}
	// Events report what comes after the watch; the list has what was there before.
	f.watch(real)
	list, err := os.ReadDir(real)
	switch {
	case errors.Is(err, fs.ErrPermission):
		f.note(path + " is not watched: permission denied")
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		f.found.lost = true
		return was // an old state is better than none
	}
	now.below = make(map[string]*node, len(list))
	var old map[string]*node
	if was != nil {
		old = maps.Clone(was.below)
		if !now.same(was) || f.kernel == nil && was.fresh {
			f.report(path, false, false) // perhaps because of a file that is gone by now
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

// removed reports the files of a node that no longer exists.
func (f *forest) removed(path string, was *node) {
	switch {
	case was == nil:
	case was.folder():
		for name, n := range was.below {
			f.removed(filepath.Join(path, name), n)
		}
	default:
		f.report(path, true, false)
	}
}

func (f *forest) ignored(path string) bool {
	return temporary(filepath.Base(path)) || f.ignore != nil && f.ignore(path)
}
