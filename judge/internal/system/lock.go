package system

import (
	"io/fs"
	"os"
)

// LockFolder opens a folder and locks it as flock(2) does, with [Shared] or [Exclusive].
// Closing the folder releases the lock, and so does the end of the process, however it ends: a folder
// that can be locked is no longer in use. With [NoWait] it does not wait: if another process
// holds the folder, the error is EWOULDBLOCK. If the folder is removed or replaced before it is
// locked, the error is [fs.ErrNotExist]. A locked folder stays in place, because only a holder of the
// lock may remove it. On Windows folders are not locked.
func LockFolder(dir string, how int) (*os.File, error) {
	f, err := OpenFolder(dir, 0)
	if err != nil {
		return nil, err
	}
	return lock(f, how, os.Stat)
}

// LockPlainFolder does what LockFolder does, but fails if the last part of the name is a symbolic link.
func LockPlainFolder(dir string, how int) (*os.File, error) {
	f, err := OpenFolder(dir, NoFollow)
	if err != nil {
		return nil, err
	}
	return lock(f, how, os.Lstat)
}

// lock locks an open folder, if look still finds it at its name. On an error it closes the folder.
func lock(f *os.File, how int, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	err := Flock(f, how)
	if err == nil && !stays(f, look) {
		err = &fs.PathError{Op: "lock", Path: f.Name(), Err: fs.ErrNotExist}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Stays reports whether an open folder is still at the name under which it was opened.
func Stays(f *os.File) bool { return stays(f, os.Stat) }

func stays(f *os.File, look func(string) (fs.FileInfo, error)) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := look(f.Name())
	return err == nil && os.SameFile(held, now)
}
