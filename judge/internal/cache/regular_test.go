package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/regular"
)

// TestNotRegular replaces an entry, its manifest or its files with a pipe, a file or a symbolic
// link: Get must report a miss without blocking, and Put must store the entry again.
func TestNotRegular(t *testing.T) {
	t.Parallel()
	pipe := func(path string) error { return unix.Mkfifo(path, 0o600) }
	for _, tt := range []struct {
		why    string
		place  func(e *Entry) string
		put    func(path string) error
		damage string // a part of the line that Damaged must return
	}{
		{"a pipe for the entry", func(e *Entry) string { return e.dir }, pipe, "not a folder"},
		{"a file for the entry", func(e *Entry) string { return e.dir }, func(path string) error { return os.WriteFile(path, nil, 0o600) }, "not a folder"},
		{"a pipe for the manifest", func(e *Entry) string { return filepath.Join(e.dir, manifestName) }, pipe, "not a regular file"},
		{"a symbolic link for the manifest", func(e *Entry) string { return filepath.Join(e.dir, manifestName) }, func(path string) error { return os.Symlink("/dev/zero", path) }, "too many levels of symbolic links"},
		{"a pipe for all files", func(e *Entry) string { return e.Path(".") }, pipe, ""},
	} {
		c := open(t, t.TempDir(), 0)
		e, err := c.Put(key("x"), fill("text"))
		if err != nil {
			t.Fatal(err)
		}
		place := filepath.Clean(tt.place(e))
		e.Close()
		if err := errors.Join(os.RemoveAll(place), tt.put(place)); err != nil {
			t.Fatal(err)
		}
		if e, err := c.Get(key("x")); e != nil || err != nil {
			t.Errorf("%s: %v, %v, want a miss", tt.why, e, err)
		}
		if damaged := strings.Join(c.Damaged(), "; "); !strings.Contains(damaged, tt.damage) || damaged == "" {
			t.Errorf("%s: damage %q, want %q", tt.why, damaged, tt.damage)
		}
		e, err = c.Put(key("x"), fill("again"))
		if err != nil {
			t.Errorf("%s: Put after the damage: %v", tt.why, err)
			continue
		}
		if text := read(t, e); !strings.Contains(text, "again") {
			t.Errorf("%s: holds %q", tt.why, text)
		}
		e.Close()
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := pipe(path); err != nil {
		t.Fatal(err)
	}
	if _, err := readRegular(path); !errors.Is(err, regular.ErrIrregular) {
		t.Errorf("readRegular of a pipe: %v", err)
	}
	if _, err := readRegular(path + "s"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("readRegular of a missing file: %v", err)
	}
}
