// Package flock locks files and folders against other processes.
//
// The kernel lets go of a lock when the last descriptor of the open file is closed, however
// the process ends. So what can be locked is what nobody uses any more.
package flock

import (
	"io/fs"
	"os"
	"syscall"
)

// Folder opens a folder and locks it as flock(2) does, by LOCK_SH or LOCK_EX. Closing it
// lets go of it. With LOCK_NB it does not wait: while somebody holds the folder, the error
// is an EWOULDBLOCK. A folder that is removed or replaced before the lock is got counts as
// not there, an [fs.ErrNotExist], because whoever removes one holds its lock.
func Folder(dir string, how int) (*os.File, error) {
	f, err := os.OpenFile(dir, flags, 0)
	if err != nil {
		return nil, err
	}
	return lock(f, how, os.Stat)
}

// PlainFolder is Folder, but a link at the end of the name is an error.
func PlainFolder(dir string, how int) (*os.File, error) {
	f, err := os.OpenFile(dir, flags|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return lock(f, how, os.Lstat)
}

const flags = os.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NONBLOCK

// lock locks what was opened, if look still sees it at its name, and closes it if not.
func lock(f *os.File, how int, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	err := File(f, how)
	if err == nil && !stays(f, look) {
		err = &fs.PathError{Op: "lock", Path: f.Name(), Err: fs.ErrNotExist}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Stays reports whether an open folder is still at the name by which it was opened.
func Stays(f *os.File) bool { return stays(f, os.Stat) }

func stays(f *os.File, look func(string) (fs.FileInfo, error)) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := look(f.Name())
	return err == nil && os.SameFile(held, now)
}

// File locks an open file or folder, as Folder does. A signal to this process is no reason
// to fail.
func File(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err == nil {
			return nil
		} else if err != syscall.EINTR {
			return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
