package tree

import (
	"crypto/sha256"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/content"
)

// overlay holds made files that a tree shows as if the package held them. No file of the package has
// the path of one of them.
type overlay struct {
	files   map[string]MadeFile
	folders map[string]map[string]bool // names in each folder that has made files below it; true for a folder
}

// Overlay makes t show the files, by path, as if the package held them.
func (t *Tree) Overlay(files map[string]MadeFile) {
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
	t.made = o
}

// list returns the entries of a folder in the package and those that the overlay adds, sorted by
// name.
func (o overlay) list(dir string, list []Entry) []Entry {
	known := map[string]bool{}
	for _, e := range list {
		known[e.Name] = true
	}
	for name, isDir := range o.folders[path.Clean(dir)] {
		if known[name] {
			continue
		}
		e := Entry{Name: name, Dir: isDir}
		if !isDir {
			f := o.files[path.Join(dir, name)]
			e.made = &f
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// MadeOf returns a file with this content.
func MadeOf(text []byte) MadeFile {
	return MadeFile{
		Open: func() (content.Content, error) { return content.Of(text), nil },
		Size: int64(len(text)), Sum: sha256.Sum256(text),
	}
}

// MadeFile is a file of a package that a program of the package made.
type MadeFile struct {
	Open func() (content.Content, error) // returns its content; it may be called at any time, by several goroutines
	Size int64
	Sum  [sha256.Size]byte // of the content
}
