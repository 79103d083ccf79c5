package watch

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// setRoots replaces the roots. It compares files that were watched before with their known state,
// and only records the state of the others.
func (f *forest) setRoots(paths []string) error {
	var next []*root
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		r := &root{path: filepath.Clean(p), abs: abs, now: f.known(abs)}
		if !slices.ContainsFunc(next, func(o *root) bool { return o.path == r.path }) {
			next = append(next, r)
		}
	}
	old := f.roots
	f.roots = next
	for _, r := range next {
		before := len(f.found.changes)
		f.scanRoot(r, false)
		f.found.changes = append(f.found.changes[:before], slices.DeleteFunc(f.found.changes[before:], func(c change) bool {
			rel, _ := filepath.Rel(r.path, c.path) // no error, because c.path is below r.path
			abs := filepath.Join(r.abs, rel)
			return !slices.ContainsFunc(old, func(o *root) bool {
				_, watched := within(o.abs, abs)
				return watched
			})
		})...)
	}
	f.prune()
	return nil
}

// known returns the known state of a path: that of the root that contains it, or of the roots below
// it. It is nil if there is neither.
func (f *forest) known(abs string) *node {
	above := &node{stamp: stamp{mode: fs.ModeDir}}
	for _, r := range f.roots {
		if rel, ok := within(r.abs, abs); ok {
			return r.now.lookup(rel)
		}
		if rel, ok := within(abs, r.abs); ok && r.now != nil {
			above.graft(rel, r.now)
		}
	}
	if above.below == nil {
		return nil
	}
	return above
}

// lookup returns the node at the path rel below n, or nil if there is none.
func (n *node) lookup(rel string) *node {
	if rel == "" || n == nil {
		return n
	}
	name, rest, _ := strings.Cut(rel, string(filepath.Separator))
	return n.below[name].lookup(rest)
}

// graft puts top at the path rel below n, and makes the folders above it.
func (n *node) graft(rel string, top *node) {
	if n.below == nil {
		n.below = map[string]*node{}
	}
	name, rest, more := strings.Cut(rel, string(filepath.Separator))
	if !more {
		n.below[name] = top
		return
	}
	if n.below[name] == nil {
		n.below[name] = &node{stamp: stamp{mode: fs.ModeDir}}
	}
	n.below[name].graft(rest, top)
}
