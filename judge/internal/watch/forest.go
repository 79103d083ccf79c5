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

// node is a file or folder as it was last looked at.
type node struct {
	stamp
	fresh bool             // something might still happen without changing the times
	below map[string]*node // of a folder, by name
}

func (n *node) folder() bool { return n != nil && n.mode.IsDir() }

// same reports whether two looks found the same, or both found nothing.
func (n *node) same(was *node) bool {
	if n == nil || was == nil {
		return n == was
	}
	return n.stamp.same(was.stamp)
}

// A forest is what is known of the files below the roots. Whatever the kernel says,
// or a clock, is but a hint where to look: what has changed is found by comparing
// what is there with what was. It is used by one goroutine.
type forest struct {
	ignore func(path string) bool
	note   func(text string)

	roots   []*root
	kernel  *kernel           // nil when files are polled
	watched map[string]fileID // folders that were added to the kernel, by their one name
	names   map[fileID]string // the reverse
	found   news              // since it was last taken
}

// take returns what was found since it was called before.
func (f *forest) take() news {
	n := f.found
	f.found = news{}
	return n
}

func (f *forest) report(path string, was, is bool) {
	f.found.changes = append(f.found.changes, change{path, was, is})
}

// happened looks at what an event of the kernel is about.
func (f *forest) happened(e fsnotify.Event) {
	// Nothing but attributes: they tell by themselves whether they are others.
	moved := e.Op&^fsnotify.Chmod != 0
	path := filepath.Clean(e.Name) // in the root folder it begins with two slashes
	if e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		f.unwatch(path) // if it was a folder; what is there now may be another one
	}
	stray := false
	for _, r := range f.roots {
		if r.concerns(path) {
			f.root(r, moved)
			stray = true
		} else if rel, ok := within(r.real, path); ok {
			f.inside(r, rel, moved)
		}
	}
	if stray {
		f.prune()
	}
}

// all looks at everything, without a hint. What the kernel still watches is not known
// when events were lost, so all folders are added to it again.
func (f *forest) all() {
	for dir := range f.watched {
		f.unwatch(dir)
	}
	for _, r := range f.roots {
		f.root(r, false)
	}
}

// root looks at a whole root. Where files were moved even those are reported that
// look the same: they have been away.
func (f *forest) root(r *root, moved bool) {
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
	above, _ := look(filepath.Dir(r.real), r.above, false)
	r.now = f.look(r.path, r.real, was, moved)
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

// inside looks at one path below a root.
func (f *forest) inside(r *root, rel string, moved bool) {
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
		// What is below a folder that is not known yet comes with it.
		if i < len(names)-1 && was.folder() {
			at = was
			continue
		}
		if now := f.look(path, real, was, moved); now != nil {
			at.below[name] = now
		} else {
			delete(at.below, name)
		}
		if moved {
			f.report(path, false, false) // perhaps by a folder that is not there any more
		}
		return
	}
}

// look reports how what is at path differs from what was, and returns it. Real is
// where to find it.
func (f *forest) look(path, real string, was *node, moved bool) *node {
	var before stamp
	if was != nil {
		before = was.stamp
	}
	at := time.Now()
	s, ok := look(real, before, f.kernel == nil)
	if !ok {
		f.gone(path, was)
		return nil
	}
	now := &node{stamp: s.aged(at), fresh: s.fresh(at)}
	if now.folder() {
		return f.folder(path, real, now, was, moved)
	}
	if was.folder() {
		f.gone(path, was)
		was = nil
	}
	if was == nil || moved || !s.same(was.stamp) {
		f.report(path, was != nil, true)
	}
	return now
}

func (f *forest) folder(path, real string, now, was *node, moved bool) *node {
	if was != nil && !was.folder() {
		f.gone(path, was)
		was = nil
	}
	// What comes after the watch is told, what was there before is in the list.
	f.watch(real)
	list, err := os.ReadDir(real)
	switch {
	case errors.Is(err, fs.ErrPermission):
		f.note(path + " is not watched: permission denied")
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		f.found.lost = true
		return was // better what was known than nothing
	}
	now.below = make(map[string]*node, len(list))
	var old map[string]*node
	if was != nil {
		old = maps.Clone(was.below)
		if !now.same(was) || f.kernel == nil && was.fresh {
			f.report(path, false, false) // perhaps by what is not there any more
		}
	}
	for _, l := range list {
		name := l.Name()
		below := filepath.Join(path, name)
		if f.ignored(below) {
			continue
		}
		if n := f.look(below, filepath.Join(real, name), old[name], moved); n != nil {
			now.below[name] = n
		}
		delete(old, name)
	}
	for name, n := range old {
		f.gone(filepath.Join(path, name), n)
	}
	return now
}

// gone reports the files of what is not there any more.
func (f *forest) gone(path string, was *node) {
	switch {
	case was == nil:
	case was.folder():
		for name, n := range was.below {
			f.gone(filepath.Join(path, name), n)
		}
	default:
		f.report(path, true, false)
	}
}

func (f *forest) ignored(path string) bool {
	return dropping(filepath.Base(path)) || f.ignore != nil && f.ignore(path)
}
