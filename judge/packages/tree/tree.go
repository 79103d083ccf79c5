// Package tree reads the files of one package, and nothing outside of it but below a folder that the user names.
package tree

import (
	"bytes"
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
	"unicode/utf8"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

const (
	MaxEntries = 1 << 21 // files and folders listed in one package
	MaxDepth   = 32      // levels of nested folders
)

// Tree reads the files of one package. Symbolic links may lead only to other files of the package,
// or below a folder around it that the user names, because [os.Root] does not follow them out of its
// folder. Paths are slash paths relative to the package's folder; a path that leads out of it by
// itself, and not by a link, is an error. Every error is a [*yamlstrict.Error].
type Tree struct {
	Root *os.Root
	Sub  string // slash path of the package's folder below root; "" if it is root, and links may not leave it
	real string // real path of root; "" if the package was extracted from an archive
	from string // the working folder; "" if the user named the package by an absolute path
	Show func(rel string) string
	left int // entries that may still be listed

	effort *effort // nil once the package is open

	// archives are the extracted archives of the package, by path. Their files have paths below it.
	archives map[string]*os.Root
	made     overlay
}

// At returns the path of a file of the package below t.root.
func (t *Tree) At(rel string) string {
	if !filepath.IsLocal(rel) {
		return ".." // t.root reports that it leads out
	}
	return path.Join(t.Sub, rel)
}

// Around returns the tree of the whole folder below which symbolic links may lead, which is the
// package if the user named no folder around it. Its paths are those of at.
func (t *Tree) Around() *Tree {
	outer := *t
	outer.archives, outer.made = nil, overlay{}
	if t.Sub != "" {
		outer.Sub, outer.Show = "", func(rel string) string { return filepath.Join(t.real, rel) }
	}
	return &outer
}

// place returns where a file of the package is: in t.root, or in an extracted archive.
func (t *Tree) place(rel string) (*os.Root, string) {
	for archive, root := range t.archives {
		if inside, ok := strings.CutPrefix(rel+"/", archive+"/"); ok {
			return root, path.Clean(inside)
		}
	}
	return t.Root, t.At(rel)
}

// Open opens a file or a folder of the package.
func (t *Tree) Open(rel string) (*os.File, fs.FileInfo, error) { return regular.OpenIn(t.place(rel)) }

// Stat describes a file or a folder of the package. It follows symbolic links.
func (t *Tree) Stat(rel string) (fs.FileInfo, error) {
	root, at := t.place(rel)
	return root.Stat(at)
}

// Mount adds the folder dir, with what was extracted from the archive rel of the package. The files have paths
// below that of the archive.
func (t *Tree) Mount(rel, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return t.Fail(rel, err)
	}
	if t.archives == nil {
		t.archives = map[string]*os.Root{}
	}
	t.archives[rel] = root
	return nil
}

// Close closes the folder of the package and those of its archives.
func (t *Tree) Close() error {
	var errs []error
	for _, root := range t.archives {
		errs = append(errs, root.Close())
	}
	return errors.Join(append(errs, t.Root.Close())...)
}

// Entry is a file or a folder. For a symbolic link it describes the target.
type Entry struct {
	Name string
	Dir  bool
	info fs.FileInfo // nil unless it is a symbolic link or size was called
	de   fs.DirEntry
	err  error     // why it cannot be read: it is neither a file, nor a folder, nor a link to one
	made *MadeFile // not nil for a file of tree.made; then info and de are nil
}

// Descend makes a subfolder the folder of the package.
func (t *Tree) Descend(dir string) error {
	if t.Sub != "" {
		t.Sub = t.At(dir)
		return nil
	}
	folder, _, err := t.Open(dir)
	if err != nil {
		return t.Fail(dir, err)
	}
	defer folder.Close()
	root, err := regular.Root(folder)
	if err != nil {
		return t.Fail(dir, err)
	}
	if err = t.Root.Close(); err != nil {
		root.Close()
		return t.Fail(".", err)
	}
	t.Root = root
	if t.real != "" {
		t.real = filepath.Join(t.real, dir)
	}
	return nil
}

// Errorf returns an error located at a file of the package.
func (t *Tree) Errorf(rel string, line int, hint, format string, args ...any) *yamlstrict.Error {
	return &yamlstrict.Error{File: t.Show(rel), Line: line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// Fail converts an error about rel into a located one.
func (t *Tree) Fail(rel string, err error) *yamlstrict.Error {
	switch {
	case strings.Contains(err.Error(), "escapes from parent"):
		return t.escape(rel)
	case errors.Is(err, syscall.ELOOP):
		return t.Errorf(rel, 0, "", "a symbolic link that leads to itself")
	}
	e := yamlstrict.FileError(t.Show(rel), err)
	if pe, ok := errors.AsType[*os.LinkError](err); ok {
		e.Msg, e.Err = pe.Err.Error(), pe.Err
	}
	return e
}

// List returns the entries of a folder, sorted by name. It skips names that begin with a dot or a
// dash, as the formats require, and what macOS adds to archives. A folder that does not exist is empty.
func (t *Tree) List(dir string) ([]Entry, error) {
	return t.ListOr(dir, func(err error) error { return err })
}

// ListOr is like list, but calls bad with the error of an entry that cannot be read. If bad returns
// nil, listOr skips the entry; otherwise it fails with the error that bad returned.
func (t *Tree) ListOr(dir string, bad func(error) error) ([]Entry, error) {
	list, err := t.ListAll(dir)
	if err != nil {
		return nil, err
	}
	readable := list[:0]
	for _, e := range list {
		if e.err == nil {
			readable = append(readable, e)
		} else if err := bad(e.err); err != nil {
			return nil, err
		}
	}
	return readable, nil
}

// ListAll is like list, but includes entries that cannot be read.
func (t *Tree) ListAll(dir string) ([]Entry, error) {
	f, info, err := t.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return t.made.list(dir, nil), nil
	} else if err != nil {
		return nil, t.Fail(dir, err)
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, t.Errorf(dir, 0, "", "not a directory")
	}
	found, err := f.ReadDir(t.left + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, t.Fail(dir, err)
	}
	if t.left -= len(found); t.left < 0 {
		return nil, t.Errorf(dir, 0, "", "more than %d files and folders in the package", MaxEntries)
	}
	list := make([]Entry, 0, len(found))
	for _, de := range found {
		if name := de.Name(); name[0] != '.' && name[0] != '-' && name != "__MACOSX" {
			list = append(list, t.entry(dir, de))
		}
	}
	return t.made.list(dir, list), nil
}

// entry describes an entry of the folder dir.
func (t *Tree) entry(dir string, de fs.DirEntry) Entry {
	e := Entry{Name: de.Name(), de: de, Dir: de.IsDir()}
	rel := path.Join(dir, e.Name)
	mode := de.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := t.Stat(rel)
		if errors.Is(err, fs.ErrNotExist) {
			e.err = t.Errorf(rel, 0, "", "a symbolic link to a file that does not exist")
			return e
		} else if err != nil {
			e.err = t.Fail(rel, err)
			return e
		}
		e.info, e.Dir, mode = info, info.IsDir(), info.Mode().Type()
	}
	if !e.Dir && !mode.IsRegular() {
		e.err = t.Errorf(rel, 0, "", "neither a file nor a folder")
	}
	return e
}

// Size returns the size of a file.
func (t *Tree) Size(dir string, e *Entry) (int64, error) {
	if e.made != nil {
		return e.made.Size, nil
	}
	if e.info == nil {
		info, err := e.de.Info()
		if err != nil {
			return 0, t.Fail(path.Join(dir, e.Name), err)
		}
		e.info = info
	}
	return e.info.Size(), nil
}

// Walk calls visit for every file and folder below dir, for a folder before its entries. It skips
// the entries of a folder for which visit returns false.
func (t *Tree) Walk(dir string, visit func(rel string, e *Entry) (bool, error)) error {
	return t.walkFrom(dir, nil, visit)
}

func (t *Tree) walkFrom(dir string, above []fs.FileInfo, visit func(string, *Entry) (bool, error)) error {
	above, err := t.Enter(dir, above)
	if err != nil {
		return err
	}
	list, err := t.List(dir)
	if err != nil {
		return err
	}
	for i := range list {
		e := &list[i]
		rel := path.Join(dir, e.Name)
		deeper, err := visit(rel, e)
		if err != nil {
			return err
		}
		if e.Dir && deeper {
			if err := t.walkFrom(rel, above, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// Enter returns above, the folders around dir, with dir added. It rejects folders nested too deep,
// and a dir that is a symbolic link to one of the folders around it.
func (t *Tree) Enter(dir string, above []fs.FileInfo) ([]fs.FileInfo, error) {
	info, err := t.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return above, nil
	} else if err != nil {
		return nil, t.Fail(dir, err)
	}
	if len(above) >= MaxDepth {
		return nil, t.Errorf(dir, 0, "", "folders nested more than %d deep", MaxDepth)
	}
	for _, a := range above {
		if os.SameFile(a, info) {
			return nil, t.Errorf(dir, 0, "", "a symbolic link to a folder that contains it")
		}
	}
	return append(slices.Clip(above), info), nil
}

// Kind reports whether rel is a regular file or a folder. It is neither if it does not exist.
func (t *Tree) Kind(rel string) (file, dir bool, err error) {
	info, err := t.Stat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		_, file = t.made.files[rel]
		return file, t.made.folders[rel] != nil, nil
	case err != nil:
		return false, false, t.Fail(rel, err)
	}
	return info.Mode().IsRegular(), info.IsDir(), nil
}

// Read returns the content of a file; nil if the file does not exist. More than max bytes are an
// error.
func (t *Tree) Read(rel string, max int64) ([]byte, error) {
	data, err := t.Head(rel, max+1)
	if err == nil && int64(len(data)) > max {
		return nil, t.Errorf(rel, 0, "", "larger than %d KiB", max>>10)
	}
	return data, err
}

// Head returns the first max bytes of a file; nil if the file does not exist.
func (t *Tree) Head(rel string, max int64) ([]byte, error) {
	if made, ok := t.made.files[rel]; ok {
		c, err := made.Open()
		if err != nil {
			return nil, t.Fail(rel, err)
		}
		data, err := io.ReadAll(io.LimitReader(c.Reader(), max))
		if err != nil {
			return nil, t.Fail(rel, err)
		}
		return data, nil
	}
	f, info, err := t.Open(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, t.Fail(rel, err)
	}
	defer f.Close()
	if !info.Mode().IsRegular() {
		return nil, t.Fail(rel, regular.ErrIrregular)
	}
	data := make([]byte, 0, min(info.Size(), max)+bytes.MinRead)
	buf := bytes.NewBuffer(data)
	if _, err := io.Copy(buf, io.LimitReader(f, max)); err != nil {
		return nil, t.Fail(rel, err)
	}
	return buf.Bytes(), nil
}

// Text checks that a file is UTF-8 without NUL bytes, and returns it without a byte order mark. It
// leaves line ends as they are.
func (t *Tree) Text(rel string, data []byte) ([]byte, error) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			line := 1 + bytes.Count(data[:i], []byte{'\n'})
			return nil, t.Errorf(rel, line, "save the file as UTF-8", "not UTF-8 text: byte 0x%02X at offset %d", data[i], i)
		}
		i += size
	}
	return bytes.TrimPrefix(data, []byte("\uFEFF")), nil
}

// MaxDocument bounds the bytes of a file that describes a package.
const MaxDocument = 4 << 20
