package build

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/regular"
)

// tree reads the files of one folder of sources. It opens every file below a root, out of which no
// symbolic link leads, and takes type and size from the descriptor.
type tree struct {
	root *os.Root
	top  string // slash path of the folder below root
	name string // name of the folder in messages

	program  bool     // a program of a package: follow symbolic links to files below root, skip names with a leading dash
	excluded []string // subfolders, by name, that are not part of the program
}

// openTree opens a folder, which must be trusted, and returns its tree.
func openTree(name string) (*tree, error) {
	f, info, err := regular.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", name, syscall.ENOTDIR)
	}
	return treeOf(name, f)
}

func treeOf(name string, folder *os.File) (*tree, error) {
	root, err := regular.Root(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return &tree{root: root, top: ".", name: name}, nil
}

// reason returns an error without the path that [fs.PathError] adds.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

func (t *tree) close() { t.root.Close() }

// show returns the name of a file in messages.
func (t *tree) show(rel string) string { return filepath.Join(t.name, filepath.FromSlash(rel)) }

// fail adds the name of a file to an error.
func (t *tree) fail(rel string, err error) error {
	return fmt.Errorf("%s: %w", t.show(rel), reason(err))
}

func (t *tree) irregular(rel string) error {
	return fmt.Errorf("%s: %w (hint: a submission must not contain symbolic links or devices)", t.show(rel), regular.ErrIrregular)
}

// open opens a regular file of the folder.
func (t *tree) open(rel string) (*os.File, fs.FileInfo, error) {
	open := regular.OpenPlainIn
	if t.program {
		open = regular.OpenIn
	}
	f, info, err := open(t.root, path.Join(t.top, rel))
	if err == nil && !info.Mode().IsRegular() {
		f.Close()
		err = regular.ErrIrregular
	}
	if errors.Is(err, regular.ErrIrregular) || errors.Is(err, syscall.ELOOP) {
		return nil, nil, t.irregular(rel)
	}
	if err != nil {
		return nil, nil, t.fail(rel, err)
	}
	return f, info, nil
}

// start returns the beginning of a file, which decides its language; nil if it cannot be read.
func (t *tree) start(rel string) []byte {
	f, _, err := t.open(rel)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, startSize)
	n, _ := io.ReadFull(f, start)
	return start[:n]
}

// list returns the entries of a subfolder, sorted by name, without hidden ones. In a program of a
// package it also omits names with a leading dash, which the formats skip.
func (t *tree) list(rel string) ([]fs.DirEntry, error) {
	f, info, err := regular.OpenIn(t.root, path.Join(t.top, rel))
	if err != nil {
		return nil, t.fail(rel, err)
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, t.fail(rel, regular.ErrChanged)
	}
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, t.fail(rel, err)
	}
	list = slices.DeleteFunc(list, func(d fs.DirEntry) bool {
		return strings.HasPrefix(d.Name(), ".") || t.program && strings.HasPrefix(d.Name(), "-")
	})
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// takes reports whether an entry may be a file of the source.
func (t *tree) takes(rel string, d fs.DirEntry) bool {
	if t.program && d.Type()&fs.ModeSymlink != 0 {
		info, err := t.root.Stat(path.Join(t.top, rel))
		return err == nil && info.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

// files returns the names of the folder's own files.
func (t *tree) files() (map[string]bool, error) {
	list, err := t.list(".")
	if err != nil {
		return nil, err
	}
	files := map[string]bool{}
	for _, d := range list {
		if t.takes(d.Name(), d) {
			files[d.Name()] = true
		}
	}
	return files, nil
}

// walk calls visit for every entry of the folder, and descends into the subfolders for which visit
// returns true.
func (t *tree) walk(visit func(rel string, d fs.DirEntry) (bool, error)) error {
	return t.walkFrom(".", visit)
}

func (t *tree) walkFrom(dir string, visit func(string, fs.DirEntry) (bool, error)) error {
	list, err := t.list(dir)
	if err != nil {
		return err
	}
	for _, d := range list {
		rel := path.Join(dir, d.Name())
		if len(rel) > maxPath {
			return fmt.Errorf("%s: %.40s… has a path of %d bytes, more than %d (hint: nest fewer folders)", t.name, rel, len(rel), maxPath)
		}
		deeper, err := visit(rel, d)
		if err == nil && d.IsDir() && deeper {
			err = t.walkFrom(rel, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
