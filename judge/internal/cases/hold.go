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

	"tribunal/judge/internal/system"
	"tribunal/judge/internal/yamlstrict"
)

// Every account that can read a folder can lock it, and keep it locked. So every wait for a lock is
// bounded. A writer then gives up. A reader needs the lock only to avoid half-written changes, so
// it reads without the lock and then checks whether anything changed.
const (
	lockPatience = 30 * time.Second // how long a writer, or a reader while another process writes, waits
	readPatience = 2 * time.Second  // how long a reader waits for the lock
)

// quietly calls read while no other process writes to the folder. Before that, it completes the
// journal of a writer that was killed. If another process writes nevertheless, it calls read again.
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

// lockPause is the pause between two attempts.
const lockPause = 20 * time.Millisecond

// hold locks a folder against writers before it is read. Before that, it completes the journal of a
// writer that was killed. alone releases the folder and reports whether nothing was written in the
// meantime. If another process keeps the folder locked, hold does not lock it, and alone compares
// the state of the files.
func hold(dir string, wait time.Duration) (alone func() bool, err error) {
	for {
		lock, err := lockWithin(dir, system.Shared, wait)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			if _, err := os.Lstat(filepath.Join(dir, journalFolder)); !errors.Is(err, fs.ErrNotExist) {
				return nil, lockError(dir, syscall.EWOULDBLOCK) // a process is writing, or was killed while it did
			}
			before := stateOf(dir)
			return func() bool { return stateOf(dir) == before }, nil
		}
		if err != nil {
			// There is no such folder, which the reader will report, or the file system has no
			// locks, so that writers cannot be kept out.
			return func() bool { return true }, nil
		}
		begun := false
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			switch {
			case e.Name() == journalFolder:
				begun = true
			case strings.HasPrefix(e.Name(), stagePrefix):
				_ = os.RemoveAll(filepath.Join(dir, e.Name())) // no writer is alive; the folder stays if this account may not remove it
			}
		}
		if !begun {
			return func() bool { lock.Close(); return true }, nil
		}
		lock.Close()
		if lock, err = lockWithin(dir, system.Exclusive, wait); err != nil {
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

// stateOf returns a text that changes whenever a file of the folder does. Stage folders, which
// readers do not see, are left out.
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
		fmt.Fprintln(&b, system.IdentityOf(info))
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

// lockWithin calls [system.LockFolder] until it succeeds, for at most the duration wait.
func lockWithin(dir string, how int, wait time.Duration) (*os.File, error) {
	for end := time.Now().Add(wait); ; time.Sleep(lockPause) {
		f, err := system.LockFolder(dir, how|system.NoWait)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(end) {
			return f, err
		}
	}
}
