//go:build linux

package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRemoveAll removes trees that are hard to remove. Permissions do not bind root, so the rows
// about them prove nothing if the test runs as root.
func TestRemoveAll(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		make func(t *testing.T, dir string)
	}{
		{"no such folder", func(t *testing.T, dir string) { os.Remove(dir) }},
		{"an empty folder", func(*testing.T, string) {}},
		{"more files than one read of the folder returns", func(t *testing.T, dir string) {
			for i := range 1100 {
				os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0)
			}
		}},
		{"folders nested deeper than the longest path", func(t *testing.T, dir string) { nest(t, dir, 2500) }},
		{"folders of one name, which must be lifted to different names", func(t *testing.T, dir string) {
			for _, name := range []string{"a/a/x", "a/.lifted1/x", ".lifted1/.lifted2/x", "b/.lifted1/c/d"} {
				os.MkdirAll(filepath.Join(dir, name), 0o700)
			}
		}},
		{"folders without permissions", func(t *testing.T, dir string) {
			os.MkdirAll(filepath.Join(dir, "a/b/c/d"), 0o700)
			os.WriteFile(filepath.Join(dir, "a/b/file"), nil, 0)
			for _, name := range []string{"a/b/c/d", "a/b/c", "a/b", "a", "."} {
				os.Chmod(filepath.Join(dir, name), 0)
			}
		}},
	} {
		dir := filepath.Join(t.TempDir(), "tree")
		os.Mkdir(dir, 0o700)
		tt.make(t, dir)
		if err := removeAll(dir); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: still there: %v", tt.why, err)
		}
	}
}

// TestRemoveAllFollowsNoLinks checks that the targets of symbolic links stay.
func TestRemoveAllFollowsNoLinks(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), filepath.Join(t.TempDir(), "tree")
	kept := filepath.Join(outside, "kept")
	os.WriteFile(kept, nil, 0o600)
	os.MkdirAll(filepath.Join(dir, "a/b"), 0o700)
	os.Symlink(outside, filepath.Join(dir, "link"))
	os.Symlink(outside, filepath.Join(dir, "a/b/link"))
	if err := removeAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	if err := os.Symlink(outside, dir); err != nil {
		t.Fatal(err)
	}
	if err := removeAll(dir); err == nil {
		t.Error("a link in place of the folder must be an error")
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}

// nest makes a chain of folders below dir.
func nest(t *testing.T, dir string, depth int) {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range depth {
		if err := unix.Mkdirat(fd, "d", 0o700); err != nil {
			t.Fatal(err)
		}
		below, err := unix.Openat(fd, "d", unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(fd)
		fd = below
	}
	unix.Close(fd)
}
