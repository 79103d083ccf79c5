package cases

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/system"
)

// TestFolderStaysLocked keeps the folder locked, as any account that may read it can. Readers must
// still read it as long as no process writes to it.
func TestFolderStaysLocked(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	lock, err := system.LockFolder(dir, syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	reads := 0
	text, err := quietly(dir, 0, func() (string, error) {
		text, err := os.ReadFile(filepath.Join(dir, "dawn.yaml"))
		if reads++; reads == 1 { // another process writes while this one reads
			err = os.WriteFile(filepath.Join(dir, "dawn.yaml"), []byte(next["cases/p/dawn.yaml"]), 0o644)
		}
		return string(text), err
	})
	if err != nil || reads != 2 || text != next["cases/p/dawn.yaml"] {
		t.Errorf("read %d times, at last %q, %v", reads, text, err)
	}
	if alone, err := hold(dir, 0); err != nil || !alone() {
		t.Errorf("no process writes: %v", err)
	}
	if err := (&journal{dir: dir}).stage(edits(root, next, old)); err != nil {
		t.Fatal(err)
	}
	want := dir + ": another process keeps it locked (hint: end that process, which fuser " + dir + " names, or wait for it)"
	if _, err := hold(dir, 0); err == nil || err.Error() != want {
		t.Errorf("after a writer was killed: %v, want %s", err, want)
	}
	if _, err := lockWithin(dir, syscall.LOCK_EX, 0); err == nil || lockError(dir, err).Error() != want {
		t.Errorf("a writer: %v, want %s", err, want)
	}
}

// TestFolderIsLocked checks that a folder is not read while it is written, nor written while it is
// read. Several processes may read it.
func TestFolderIsLocked(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	free := func(how int) bool {
		lock, err := system.LockFolder(dir, how|syscall.LOCK_NB)
		if err == nil {
			lock.Close()
		} else if !errors.Is(err, syscall.EWOULDBLOCK) {
			t.Error(err)
		}
		return err == nil
	}
	release, err := hold(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if free(syscall.LOCK_EX) || !free(syscall.LOCK_SH) {
		t.Error("while a process reads the folder, another can write to it or cannot read it")
	}
	release()
	j := journal{dir: dir, step: func() {
		if free(syscall.LOCK_SH) {
			t.Error("while a process writes to the folder, another can read it")
		}
	}}
	if err := j.replace(edits(root, old, next)); err != nil {
		t.Fatal(err)
	}
	unlocked := make(chan error, 1)
	go func() { // which waits, because a process that another test starts has the lock, too, until it executes its program
		lock, err := system.LockFolder(dir, syscall.LOCK_EX)
		if err == nil {
			lock.Close()
		}
		unlocked <- err
	}()
	select {
	case err := <-unlocked:
		if err != nil {
			t.Error(err)
		}
	case <-tier.Late(t):
		t.Error("a folder stays locked")
	}
}
