//go:build !linux

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// memory is the folder of the copies that stand for files in memory, while any host is open.
var memory struct {
	sync.Mutex
	dir   string // "" until there is a copy
	hosts int
}

// MemFile returns a file that holds data, opened for reading from its start. The caller closes it.
func MemFile(data []byte) (*os.File, error) { return MemCopy(bytes.NewReader(data)) }

// MemCopy is MemFile for the content of r.
func MemCopy(r io.Reader) (*os.File, error) {
	name, err := memoryCopy(r)
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// Executable is MemCopy for a program.
func Executable(r io.Reader) (*os.File, error) { return MemCopy(r) }

// InputFile is MemCopy for an input, which is removed when it is closed: there may be many of them.
func InputFile(r io.Reader, _ int64, _ []int) (*os.File, error) {
	name, err := memoryCopy(r)
	if err != nil {
		return nil, err
	}
	return openOnce(name)
}

// memoryCopy writes the content of r to a new file, and returns its name.
func memoryCopy(r io.Reader) (string, error) {
	dir, err := memoryFolder()
	if err != nil {
		return "", err
	}
	w, err := os.CreateTemp(dir, "file-*.exe")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(w, r)
	if err := errors.Join(err, w.Close(), os.Chmod(w.Name(), 0o700)); err != nil {
		return "", errors.Join(err, os.Remove(w.Name()))
	}
	return w.Name(), nil
}

func memoryFolder() (_ string, err error) {
	memory.Lock()
	defer memory.Unlock()
	if memory.dir == "" {
		memory.dir, err = os.MkdirTemp("", "tribunal-memory-")
	}
	return memory.dir, err
}

// Remains gives access to the files that a run has left in the Folder of its box.
type Remains struct{ dir string }

// NewRemains returns the Remains in an open folder.
func NewRemains(dir *os.File, _ string) *Remains { return &Remains{dir.Name()} }

// Open opens a regular file for reading, by its slash path, without following links out of the folder.
// The error wraps fs.ErrNotExist if there is nothing of that name, and ErrNotFile if it is something
// other than a regular file.
func (r *Remains) Open(name string) (*os.File, error) {
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name = filepath.FromSlash(name)
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotFile}
	}
	return root.Open(name)
}

// Walk calls visit for the regular files and folders below a folder, without following links; see the
// version for Linux.
func (r *Remains) Walk(folder string, b Bounds, visit func(name string, info fs.FileInfo, data io.Reader) error) error {
	top := filepath.Join(r.dir, filepath.FromSlash(folder))
	left, files := int64(b.Bytes), b.Files
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || path == top {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
			return err
		}
		if files--; files < 0 {
			return &ExcessError{fmt.Sprintf("more than %d files", b.Files)}
		}
		rel, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return visit(filepath.ToSlash(rel), info, nil)
		}
		if left -= info.Size(); left < 0 {
			return &ExcessError{fmt.Sprintf("more than %v", b.Bytes)}
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return visit(filepath.ToSlash(rel), info, f)
	})
}
