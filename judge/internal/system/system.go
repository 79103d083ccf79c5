// Package system has the calls of operating systems that differ between them: what Linux, macOS and
// Windows have in common of files, locks, signals and measurements.
//
// On Windows there are no flags against symbolic links and waiting, because making links needs a
// privilege there and pipes are no files; folders are not locked, so that one judge at a time should
// use a cache.
package system

import (
	"io/fs"
	"os"
)

// Identity identifies a file in one state. Two identities of a path are equal if it is the same file
// and nothing has been written to it through its file system in between.
type Identity struct {
	Device, Inode uint64 // 0 on Windows
	Size          int64
	Modified      int64 // in ns
	Changed       int64 // time of the last change of content or metadata, in ns
}

func Identify(f *os.File) (Identity, error) {
	info, err := f.Stat()
	if err != nil {
		return Identity{}, err
	}
	return IdentityOf(info), nil
}

// lockError returns the error about a file that cannot be locked.
func lockError(f *os.File, err error) error {
	return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
}
