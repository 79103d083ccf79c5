package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/internal/flock"
	"tribunal/judge/internal/yamlstrict"
)

// Every account that may read a folder can lock it, and keep it locked. So no wait
// for a lock is without end: a writer gives up, and a reader, which needs no lock but for not reading
// half of what is written meanwhile, reads without one and looks whether anything changed.
const (
	lockPatience = 30 * time.Second // of a writer, and of a reader while somebody writes
	readPatience = 2 * time.Second  // of a reader, for the lock
)

// quietly calls read while no other process writes to the folder, after completing a write
// that was killed. It calls read again if there was a write after all.
func quietly[T any](dir string, wait time.Duration, read func() (T, error)) (result T, err error) {
	end := time.Now().Add(lockPatience)
	for {
		alone, err := hold(dir, wait)
		if err == nil {
			result, err = read()
			if alone() {
				return result, err
			}
			err = lockError(dir, syscall.EWOULDBLOCK)
		} else if !errors.Is(err, syscall.EWOULDBLOCK) {
			return result, err
		}
		if time.Now().After(end) {
			return result, err
		}
		time.Sleep(lockPause)
	}
}

// lockPause is how long to wait before another try.
const lockPause = 20 * time.Millisecond

// hold keeps writers away from a folder that is about to be read, after finishing what one of
// them was killed at. alone ends that, and reports whether nobody has written meanwhile: where
// another process keeps the folder locked, that is all that is known.
func hold(dir string, wait time.Duration) (alone func() bool, err error) {
	for {
		lock, err := lockWithin(dir, syscall.LOCK_SH, wait)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			if _, err := os.Lstat(filepath.Join(dir, journalFolder)); !errors.Is(err, fs.ErrNotExist) {
				return nil, lockError(dir, syscall.EWOULDBLOCK) // one is writing, or was killed at it
			}
			before := stateOf(dir)
			return func() bool { return stateOf(dir) == before }, nil
		}
		if err != nil {
			// No such folder, which its reader will tell, or a file system without locks,
			// which nobody can keep from writing meanwhile.
			return func() bool { return true }, nil
		}
		begun := false
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			switch {
			case e.Name() == journalFolder:
				begun = true
			case strings.HasPrefix(e.Name(), stagePrefix):
				_ = os.RemoveAll(filepath.Join(dir, e.Name())) // no writer is alive; who may not write leaves it
			}
		}
		if !begun {
			return func() bool { lock.Close(); return true }, nil
		}
		lock.Close()
		if lock, err = lockWithin(dir, syscall.LOCK_EX, wait); err != nil {
			return nil, lockError(dir, err)
		}
		j := journal{dir: dir}
		err = j.finish(interrupted)
		lock.Close()
		if err != nil {
			return nil, err
		}
	}
}

// stateOf returns what the files of a folder are, so that another text of one makes another
// state. What a writer does not yet show to readers is no part of it.
func stateOf(dir string) string {
	var b strings.Builder
	entries, err := os.ReadDir(dir)
	fmt.Fprintln(&b, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), stagePrefix) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		fmt.Fprintln(&b, e.Name(), err)
		if err != nil {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			fmt.Fprintln(&b, s.Dev, s.Ino, s.Size, s.Mtim, s.Ctim)
		}
	}
	return b.String()
}

// lockError returns the located error for a folder that cannot be locked.
func lockError(dir string, err error) error {
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return yamlstrict.FileError(dir, err)
	}
	return &yamlstrict.Error{File: dir, Msg: "another process keeps it locked", Err: err,
		Hint: "end that process, which fuser " + dir + " names, or wait for it"}
}

// lockWithin is [flock.Folder], again and again for so long.
func lockWithin(dir string, how int, wait time.Duration) (*os.File, error) {
	for end := time.Now().Add(wait); ; time.Sleep(lockPause) {
		f, err := flock.Folder(dir, how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(end) {
			return f, err
		}
	}
}
