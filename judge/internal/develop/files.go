package develop

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
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				f.read(path)
			}
			return nil // what cannot be read is not there
		})
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
		_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				all = append(all, path)
			}
			return nil
		})
		for _, file := range all {
			if f.read(file) {
				changed = append(changed, file)
			}
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed)
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
