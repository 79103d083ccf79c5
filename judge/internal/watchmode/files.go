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

// files holds the hashes of files when they were last read, so that a touch, a checkout without
// changes and the watch's own writes do not count as changes.
type files map[string][sha256.Size]byte

// look reads every file below the roots.
func look(roots []string) files {
	f := files{}
	for _, root := range roots {
		walk(root, func(path string) { f.read(path) }, nil)
	}
	return f
}

// read hashes a file, and reports whether its content has changed.
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

// news returns the files among the paths whose content has changed, sorted. A folder stands for the
// files in it, also if it was created or removed.
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

// walk calls file for every file below path, and follows links, as the judge does. If link is not
// nil, walk calls it for each link below path, before the files behind it. Folders that cannot be
// read count as empty.
func walk(path string, file func(path string), link func(path string)) {
	var above []os.FileInfo // the folders on the way, to which a link may lead back
	var enter func(path string, top bool)
	enter = func(path string, top bool) {
		if info, err := os.Lstat(path); err == nil && !top && link != nil && info.Mode().Type() == fs.ModeSymlink {
			link(path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			file(path) // also a link without a target, which read refuses
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

// links returns the links below the paths, sorted.
func links(paths []string) (list []string) {
	for _, path := range paths {
		walk(path, func(string) {}, func(path string) { list = append(list, path) })
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// content returns the hash of a regular file.
func content(path string) (sum [sha256.Size]byte, ok bool) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // do not block on a pipe
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
