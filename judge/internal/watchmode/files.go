package watchmode

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// files remembers what was in the files when they were last looked at, so that a
// touch, a checkout that changes nothing and what the watch itself writes are no
// news.
type files map[string][sha256.Size]byte

// look reads every file below the roots.
func look(roots []string) files {
	f := files{}
	for _, root := range roots {
		walk(root, func(path string) { f.read(path) }, nil)
	}
	return f
}

// read notes what a file holds, and reports whether that is something else than
// before.
func (f files) read(path string) bool {
	before, known := f[path]
	now, ok := content(path)
	if !ok {
		delete(f, path)
		return known
	}
	f[path] = now
	return !known || before != now
}

// news returns those of the paths whose content has changed, sorted. A folder that
// came or went stands for the files in it.
func (f files) news(paths []string) (changed []string) {
	for _, path := range paths {
		var all []string
		for known := range f {
			if known == path || below(known, path) {
				all = append(all, known)
			}
		}
		walk(path, func(path string) { all = append(all, path) }, nil)
		for _, file := range all {
			if f.read(file) {
				changed = append(changed, file)
			}
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}

// walk calls file for every file that is reached from a path, through links as well: the
// judge follows them. Each link below the path itself is told to link, if that is not
// nil, before what it leads to. What cannot be read is not there.
func walk(path string, file func(path string), link func(path string)) {
	var above []os.FileInfo // the folders on the way: a link may lead back to one
	var enter func(path string, top bool)
	enter = func(path string, top bool) {
		if info, err := os.Lstat(path); err == nil && !top && link != nil && info.Mode().Type() == fs.ModeSymlink {
			link(path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			file(path) // also a link that leads nowhere: it will be read in vain
			return
		}
		if slices.ContainsFunc(above, func(a os.FileInfo) bool { return os.SameFile(a, info) }) {
			return
		}
		above = append(above, info)
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			enter(filepath.Join(path, e.Name()), false)
		}
		above = above[:len(above)-1]
	}
	enter(path, true)
}

// links returns the links that are reached from the paths, sorted.
func links(paths []string) (list []string) {
	for _, path := range paths {
		walk(path, func(string) {}, func(path string) { list = append(list, path) })
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// content returns the hash of a regular file.
func content(path string) (sum [sha256.Size]byte, ok bool) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // not to wait at a pipe
	if err != nil {
		return sum, false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return sum, false
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return sum, false
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}
