package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// watch has the kernel watch a folder. When it cannot, files are polled from now on.
func (f *forest) watch(dir string) {
	if f.kernel == nil {
		return
	}
	s, ok := look(dir, stamp{}, false)
	if !ok {
		return
	}
	if id, known := f.watched[dir]; known {
		if id == s.id {
			return
		}
		f.unwatch(dir)
	}
	// The kernel has one watch for a folder, under the name that it was added by. If
	// it has been moved here, then the events of that are still to come, and to be
	// ignored: they would end this watch.
	if old, known := f.names[s.id]; known {
		f.unwatch(old)
	}
	err := f.kernel.add(dir)
	switch {
	case err == nil:
		f.watched[dir], f.names[s.id] = s.id, dir
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		// Gone again, which is told by the folder it is in.
	case errors.Is(err, fs.ErrPermission):
		f.note(dir + " is not watched: permission denied")
	default:
		f.poll(err)
	}
}

// unwatch forgets a folder and those below it.
func (f *forest) unwatch(dir string) {
	for d, id := range f.watched {
		if _, ok := within(dir, d); !ok {
			continue
		}
		// It fails for one that the kernel has forgotten by itself.
		_ = f.kernel.remove(d)
		delete(f.watched, d)
		delete(f.names, id)
	}
}

// prune ends the watches that no root needs any more.
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

// folders calls do for every folder from n at path downwards.
func (n *node) folders(path string, do func(path string)) {
	if !n.folder() {
		return
	}
	do(path)
	for name, b := range n.below {
		b.folders(filepath.Join(path, name), do)
	}
}

// poll gives up on the kernel. What it had to tell is lost, so everything is to be
// looked at.
func (f *forest) poll(err error) {
	f.note("files are polled: " + whyPolled(err))
	_ = f.kernel.close()
	f.kernel = nil
	clear(f.watched)
	clear(f.names)
	f.found.lost = true
}
