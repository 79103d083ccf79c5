package cache

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree fills an entry with one or more files of each kind: small, large, empty, executable, in
// folders, with a strange name, and a symbolic link.
func tree(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "small"), []byte("a line\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "program"), bytes.Repeat([]byte("0123456789abcdef"), largeFile/16+1), 0o755),
		os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600),
		os.MkdirAll(filepath.Join(dir, "folder", "below"), 0o755),
		os.WriteFile(filepath.Join(dir, "folder", "it is \"called\" this\n"), []byte("b"), 0o600),
		os.Symlink("small", filepath.Join(dir, "link")),
	)
}

// damage is one way to damage a file or folder of an entry.
type damage struct {
	name string
	do   func(path string, info fs.FileInfo) error // returns errImpossible for a file of another type
}

// flip returns a damage that flips one bit of the byte at the offset at(size).
func flip(at func(size int64) int64) func(string, fs.FileInfo) error {
	return func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		b := make([]byte, 1)
		_, err = f.ReadAt(b, at(info.Size()))
		b[0] ^= 4
		_, again := f.WriteAt(b, at(info.Size()))
		return errors.Join(err, again, f.Close())
	}
}

// cut returns a damage that shortens a file to to(size) bytes.
func cut(to func(size int64) int64) func(string, fs.FileInfo) error {
	return func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		return os.Truncate(path, to(info.Size()))
	}
}

var errImpossible = errors.New("a file of this type cannot be damaged in this way")

var damages = []damage{
	{"the file is missing", func(path string, _ fs.FileInfo) error { return os.RemoveAll(path) }},
	{"the file is empty, as after a crash", cut(func(int64) int64 { return 0 })},
	{"the second half is missing", cut(func(size int64) int64 { return size / 2 })},
	{"all bytes are 0, as if the block was never written", func(path string, info fs.FileInfo) error {
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return errImpossible
		}
		return errors.Join(os.Truncate(path, 0), os.Truncate(path, info.Size()))
	}},
	{"a bit of the first byte flipped", flip(func(int64) int64 { return 0 })},
	{"a bit of the middle byte flipped", flip(func(size int64) int64 { return size / 2 })},
	{"a bit of the last byte flipped", flip(func(size int64) int64 { return size - 1 })},
	{"a byte or a file was added", func(path string, info fs.FileInfo) error {
		if info.IsDir() {
			return os.WriteFile(filepath.Join(path, "more"), nil, 0o600)
		}
		if !info.Mode().IsRegular() {
			return errImpossible
		}
		return os.WriteFile(path, bytes.Repeat([]byte("0"), int(info.Size()+1)), 0)
	}},
	{"the permissions of the group changed", func(path string, info fs.FileInfo) error {
		if info.Mode()&fs.ModeSymlink != 0 || filepath.Base(path) == manifestName {
			return errImpossible // symbolic links have no permissions; those of the manifest do not count
		}
		return os.Chmod(path, info.Mode().Perm()^0o050)
	}},
	{"a folder stands in place of a file, or a file in place of a folder", func(path string, info fs.FileInfo) error {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if info.IsDir() {
			return os.WriteFile(path, nil, 0o600)
		}
		return os.Mkdir(path, 0o700)
	}},
	{"a symbolic link to another file stands in its place", func(path string, info fs.FileInfo) error {
		return errors.Join(os.RemoveAll(path), os.Symlink("/etc/passwd", path))
	}},
}

// paths returns the paths, relative to dir, of all files and folders below it.
func paths(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			list = append(list, path[len(dir)+1:])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestDamage damages each file of an entry in every possible way: Get must find no entry, Damaged
// must return one line, and Put must store the entry again.
func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, dir, 0)
	place := c.path(key("k"))
	store := func() {
		t.Helper()
		e, err := c.Put(key("k"), tree)
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
	}
	store()
	tried := 0
	for _, name := range paths(t, place) {
		if name == filesName {
			continue // the manifest does not hold the permissions of the folder of all files
		}
		for _, d := range damages {
			path := filepath.Join(place, name)
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := d.do(path, info); errors.Is(err, errImpossible) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			tried++
			for _, judge := range []*Cache{c, open(t, dir, 0)} { // the judge that stored the entry, and another
				if e, err := judge.Get(key("k")); e != nil || err != nil {
					t.Fatalf("%s: %s: Get returns the damaged entry (%v)", name, d.name, err)
				}
				list := judge.Damaged()
				if judge == c && (len(list) != 1 || !strings.HasPrefix(list[0], "entry "+string(key("k"))+": ")) || judge != c && len(list) > 0 {
					t.Errorf("%s: %s: damage %q, want one line from the judge that finds it first", name, d.name, list)
				}
			}
			store()
			e, err := c.Get(key("k"))
			if err != nil || e == nil {
				t.Fatalf("%s: %s: after another Put: no entry (%v)", name, d.name, err)
			}
			if text, err := e.Read("small"); err != nil || string(text) != "a line\n" {
				t.Errorf("%s: %s: after another Put: small is %q (%v)", name, d.name, text, err)
			}
			e.Close()
		}
	}
	if tried < 40 {
		t.Errorf("only %d pairs of file and damage were tried", tried)
	}
	if left := paths(t, c.making()); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestDamageInUse damages an entry while it is open, then stores it again: its paths must lead to
// the new files.
func TestDamageInUse(t *testing.T) {
	t.Parallel()
	c := open(t, t.TempDir(), 0)
	held, err := c.Put(key("k"), tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(held.Path("small"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := held.Read("small"); err == nil {
		t.Errorf("Read of a damaged file: %q, want an error", text)
	}
	if e, err := c.Get(key("k")); e != nil || err != nil {
		t.Fatalf("Get returns a damaged entry (%v)", err)
	}
	e, err := c.Put(key("k"), tree)
	if err != nil {
		t.Fatalf("Put while the damaged entry is open: %v", err)
	}
	defer e.Close()
	for name, e := range map[string]*Entry{"the old entry": held, "the new entry": e} {
		if text, err := e.Read("small"); err != nil || string(text) != "a line\n" {
			t.Errorf("%s: Read: %q (%v)", name, text, err)
		}
	}
	held.Close()
	open(t, c.dir, 0)
	if left := paths(t, c.making()); len(left) > 0 {
		t.Errorf("not swept, though no process holds them: %q", left)
	}
}
