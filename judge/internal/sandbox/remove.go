//go:build linux

package sandbox

import (
	"errors"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// removeAll removes a folder and everything below it. Programs with this user's rights made it.
// They may have taken its permissions away, or nested folders so deep that os.RemoveAll, which
// keeps a descriptor open for every level, would run out of descriptors, and so would the runs
// beside it. removeAll follows no symbolic link. A folder that does not exist is no error.
func removeAll(dir string) error {
	root, err := openFolder(unix.AT_FDCWD, dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &os.PathError{Op: "remove", Path: dir, Err: err}
	}
	defer root.Close()
	if err := emptyFolder(root); err != nil {
		return &os.PathError{Op: "remove below", Path: dir, Err: err}
	}
	return os.Remove(dir)
}

// emptyFolder removes everything in a folder, as removeAll does.
func emptyFolder(root *os.File) error {
	r := remover{root: int(root.Fd())}
	for range maxLevels {
		if left, err := r.empty(root); err != nil || !left {
			return err
		}
	}
	return unix.ENOTEMPTY
}

// maxLevels bounds the work if a process is still alive and keeps writing.
const maxLevels = 1 << 20

// remover empties the folder root. It moves folders that are not empty up into root, so that it
// never has more than two open.
type remover struct {
	root   int
	serial int // number of the last folder that was moved up
}

// empty removes the files and empty folders in a folder. Other folders are emptied if they are in
// root, and moved into root if not. left reports whether the folder was not empty.
func (r *remover) empty(dir *os.File) (left bool, err error) {
	if _, err := dir.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	fd := int(dir.Fd())
	for {
		names, err := dir.Readdirnames(1024)
		if err == io.EOF {
			return left, nil
		}
		if err != nil {
			return left, err
		}
		left = true
		for _, name := range names {
			if err := r.remove(fd, name); err != nil {
				return left, err
			}
		}
	}
}

func (r *remover) remove(fd int, name string) error {
	err := unix.Unlinkat(fd, name, 0)
	if err == unix.EACCES || err == unix.EPERM { // the folder's permissions deny writing
		if unix.Fchmod(fd, 0o700) == nil {
			err = unix.Unlinkat(fd, name, 0)
		}
	}
	if err == nil || err == unix.ENOENT {
		return nil
	}
	if err != unix.EISDIR {
		return err
	}
	if err := unix.Unlinkat(fd, name, unix.AT_REMOVEDIR); err != unix.ENOTEMPTY {
		return err
	}
	if fd != r.root {
		return r.lift(fd, name)
	}
	dir, err := openFolder(fd, name)
	if err != nil {
		return err
	}
	_, err = r.empty(dir)
	dir.Close()
	if err != nil {
		return err
	}
	return unix.Unlinkat(fd, name, unix.AT_REMOVEDIR)
}

// lift moves a folder into root, under a name that is not taken.
func (r *remover) lift(fd int, name string) error {
	for {
		r.serial++
		to := ".lifted" + strconv.Itoa(r.serial)
		err := unix.Renameat2(fd, name, r.root, to, unix.RENAME_NOREPLACE)
		if err == unix.EACCES { // moving a folder writes to it
			if err = unix.Fchmodat(fd, name, 0o700, 0); err == nil {
				err = unix.Renameat2(fd, name, r.root, to, unix.RENAME_NOREPLACE)
			}
		}
		if err != unix.EEXIST {
			return err
		}
	}
}

// openFolder opens a folder and, if need be, gives this user the permission to read and change it.
func openFolder(at int, name string) (*os.File, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(at, name, flags, 0)
	if err == unix.EACCES {
		if err = unix.Fchmodat(at, name, 0o700, 0); err == nil {
			fd, err = unix.Openat(at, name, flags, 0)
		}
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
