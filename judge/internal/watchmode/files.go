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

// files holds the hashes of files when they were last read, by path. With them, a touch, a checkout
// without changes or a write of the watch itself does not count as a change.
type files map[string][sha256.Size]byte

func hashFiles(roots []string) files {
	f := files{}
	for _, root := range roots {
		walk(root, func(path string) { f.read(path) }, nil)
	}
	return f
}

// read hashes a file again, and reports whether its content has changed, or whether it has appeared
// or disappeared.
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

// changes hashes files again and returns the paths of those that have changed, sorted. A path may
// be a folder, even one that was just created or removed: it means all files below it.
func (f files) changes(paths []string) (changed []string) {
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

// walk calls file for every file below path. It follows symbolic links, as the judge does; if link
// is not nil, it calls link for each symbolic link below path, before the files behind it. It
// treats a folder that it cannot read as empty.
func walk(path string, file func(path string), link func(path string)) {
	var above []os.FileInfo // the folders on the way, to which a symbolic link may lead back
	var enter func(path string, top bool)
	enter = func(path string, top bool) {
		if info, err := os.Lstat(path); err == nil && !top && link != nil && info.Mode().Type() == fs.ModeSymlink {
			link(path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			file(path) // or a symbolic link without a target, for which read finds no content
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

// links returns the symbolic links below the paths, sorted.
func links(paths []string) (list []string) {
	for _, path := range paths {
		walk(path, func(string) {}, func(path string) { list = append(list, path) })
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// content returns the hash of a file's content. ok is false if path is not a readable regular file.
func content(path string) (sum [sha256.Size]byte, ok bool) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a named pipe must not block
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
