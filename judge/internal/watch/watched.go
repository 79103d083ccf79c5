package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// watch makes the kernel watch a folder. If that fails, files are polled from now on.
func (f *forest) watch(dir string) {
	if f.kernel == nil {
		return
	}
	s, ok := stampOf(dir, stamp{}, false)
	if !ok {
		return
	}
	if id, known := f.watched[dir]; known {
		if id == s.id {
			return
		}
		f.unwatch(dir)
	}
	// The kernel has only one watch per folder, under the path by which the folder was added. If
	// the folder has been moved here, the events of the move are still to come; forget its old path
	// now, or they would end the new watch.
	if old, known := f.names[s.id]; known {
		f.unwatch(old)
	}
	err := f.kernel.add(dir)
	switch {
	case err == nil:
		f.watched[dir], f.names[s.id] = s.id, dir
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		// The folder is gone again; an event of its parent folder will report that.
	case errors.Is(err, fs.ErrPermission):
		f.note(dir + " is not watched: permission denied")
	default:
		f.poll(err)
	}
}

// unwatch ends the watches of a folder and of the folders below it.
func (f *forest) unwatch(dir string) {
	for d, id := range f.watched {
		if _, ok := within(dir, d); !ok {
			continue
		}
		// An error means that the kernel has already ended the watch.
		_ = f.kernel.remove(d)
		delete(f.watched, d)
		delete(f.names, id)
	}
}

// prune ends the watches that no root needs.
func (f *forest) prune() {
	needed := map[string]bool{}
	for _, r := range f.roots {
		for _, p := range r.places {
			needed[filepath.Dir(p)] = true
		}
		r.now.folders(r.real, func(dir string) { needed[dir] = true })
	}
	for dir, id := range f.watched {
		if !needed[dir] {
			_ = f.kernel.remove(dir)
			delete(f.watched, dir)
			delete(f.names, id)
		}
	}
}

// folders calls do for the folder n, which is at path, and every folder below it.
func (n *node) folders(path string, do func(path string)) {
	if !n.folder() {
		return
	}
	do(path)
	for name, b := range n.below {
		b.folders(filepath.Join(path, name), do)
	}
}

// poll switches from events to polling. Pending events are lost, so everything must be scanned.
func (f *forest) poll(err error) {
	f.note("files are polled: " + whyPolled(err))
	_ = f.kernel.close()
	f.kernel = nil
	clear(f.watched)
	clear(f.names)
	f.found.lost = true
}
