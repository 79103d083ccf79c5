package pkgformat

import (
	"path"
	"slices"
	"strings"
)

// overlay holds made files that a tree shows as if the package held them. No file of the package has
// the path of one of them.
type overlay struct {
	files   map[string]MadeFile
	folders map[string]map[string]bool // names in each folder that has made files below it; true for a folder
}

// newOverlay returns an overlay of the files, by path.
func newOverlay(files map[string]MadeFile) overlay {
	o := overlay{files, map[string]map[string]bool{}}
	for rel := range files {
		for at, isDir := rel, false; at != "."; at, isDir = path.Dir(at), true {
			dir := path.Dir(at)
			if o.folders[dir] == nil {
				o.folders[dir] = map[string]bool{}
			}
			o.folders[dir][path.Base(at)] = isDir
		}
	}
	return o
}

// list returns the entries of a folder in the package and those that the overlay adds, sorted by
// name.
func (o overlay) list(dir string, list []entry) []entry {
	known := map[string]bool{}
	for _, e := range list {
		known[e.name] = true
	}
	for name, isDir := range o.folders[path.Clean(dir)] {
		if known[name] {
			continue
		}
		e := entry{name: name, dir: isDir}
		if !isDir {
			f := o.files[path.Join(dir, name)]
			e.made = &f
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list
}
