//go:build linux

package remote

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWriteTree checks that every account can read what a caller has sent for jails to show,
// whatever the service's umask is.
func TestWriteTree(t *testing.T) {
	files := []file{
		{Name: text("one"), Mode: 0o600, Size: 1},
		{Name: text("folder"), Mode: os.ModeDir | 0o700},
		{Name: text("folder/two"), Mode: 0o700, Size: 1},
		{Name: text("not/listed/three"), Mode: 0o640, Size: 1},
		{Name: text("not/listed/empty"), Mode: os.ModeDir | 0o700},
	}
	want := map[string]os.FileMode{
		".": 0o755, "one": 0o444, "folder": 0o755, "folder/two": 0o544,
		"not": 0o755, "not/listed": 0o755, "not/listed/three": 0o444, "not/listed/empty": 0o755,
	}
	for _, umask := range []int{0o022, 0o027, 0o077} {
		old := syscall.Umask(umask)
		dir, err := writeTree(t.TempDir(), files, func(size int64) ([]byte, error) { return make([]byte, size), nil })
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		for name, mode := range want {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != mode {
				t.Errorf("umask %03o: %s has mode %o, want %o", umask, name, info.Mode().Perm(), mode)
			}
		}
	}
}
