//go:build unix

package system

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLockFolder checks that one process holds a folder alone, or several share it, and that it can be
// locked again after its release.
func TestLockFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		why         string
		held, asked int
		free        bool
	}{
		{"two exclusive locks", syscall.LOCK_EX, syscall.LOCK_EX, false},
		{"a shared lock while an exclusive one is held", syscall.LOCK_EX, syscall.LOCK_SH, false},
		{"an exclusive lock while a shared one is held", syscall.LOCK_SH, syscall.LOCK_EX, false},
		{"two shared locks", syscall.LOCK_SH, syscall.LOCK_SH, true},
	} {
		held, err := LockFolder(dir, tt.held)
		if err != nil {
			t.Fatal(err)
		}
		f, err := LockPlainFolder(dir, tt.asked|syscall.LOCK_NB)
		if tt.free != (err == nil) || err != nil && (f != nil || !errors.Is(err, syscall.EWOULDBLOCK)) {
			t.Errorf("%s: %v", tt.why, err)
		}
		if err == nil {
			f.Close()
		}
		held.Close()
		if f, err = LockFolder(dir, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			t.Fatalf("%s: still held: %v", tt.why, err)
		}
		f.Close()
	}
}

// TestLockOther checks that LockFolder fails if the folder is replaced before it is locked.
func TestLockOther(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, file, link := filepath.Join(root, "dir"), filepath.Join(root, "file"), filepath.Join(root, "link")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(file, nil, 0o600), os.Symlink(dir, link)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		lock func(string, int) (*os.File, error)
		name string
		want error
	}{
		{"nothing is there", LockFolder, filepath.Join(root, "none"), fs.ErrNotExist},
		{"a file", LockFolder, file, syscall.ENOTDIR},
		{"a link is followed", LockFolder, link, nil},
		{"or not", LockPlainFolder, link, syscall.ENOTDIR},
	} {
		f, err := tt.lock(tt.name, syscall.LOCK_EX)
		if !errors.Is(err, tt.want) || (f == nil) != (tt.want != nil) {
			t.Errorf("%s: %v", tt.why, err)
		}
		f.Close()
	}
	for why, change := range map[string]func() error{
		"removed":          func() error { return os.Remove(dir) },
		"replaced":         func() error { return errors.Join(os.Rename(dir, dir+"-old"), os.Mkdir(dir, 0o700)) },
		"replaced by link": func() error { return errors.Join(os.Rename(dir, dir+"-older"), os.Symlink(dir+"-older", dir)) },
	} {
		_ = os.Remove(dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if f, err := lock(f, syscall.LOCK_EX, os.Lstat); f != nil || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s between its opening and its lock: %v, %v", why, f, err)
		}
		if _, err := f.Stat(); err == nil {
			t.Errorf("%s: it stays open", why)
		}
	}
}
