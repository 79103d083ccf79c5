package sandbox

import (
	"errors"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// removeAll removes a folder and all below it, which programs with this user's
// rights have made: they may have taken its permissions away, and nested folders so
// deep that os.RemoveAll, which keeps a descriptor open for every level, would run
// out of them and take them from the runs beside it. No symbolic link is followed.
// A folder that does not exist is no error.
func removeAll(dir string) error {
	root, err := openFolder(unix.AT_FDCWD, dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &os.PathError{Op: "remove", Path: dir, Err: err}
	}
	defer root.Close()
	r := remover{root: int(root.Fd())}
	for range maxLevels {
		left, err := r.empty(root)
		if err != nil {
			return &os.PathError{Op: "remove below", Path: dir, Err: err}
		}
		if !left {
			return os.Remove(dir)
		}
	}
	return &os.PathError{Op: "remove", Path: dir, Err: unix.ENOTEMPTY}
}

// maxLevels bounds the work where a process that is still alive goes on writing.
const maxLevels = 1 << 20

// remover empties the folder root by lifting folders that are not empty up into it,
// so that never more than two are open.
type remover struct {
	root   int
	serial int // of the folders lifted
}

// empty takes away what is in a folder: files and empty folders are removed; others
// are emptied if they are in root, and moved into root if not. left tells whether
// there was anything.
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
	if err == unix.EACCES || err == unix.EPERM { // the folder it is in denies writing
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

// lift moves a folder into root, under a name that nothing there has.
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

// openFolder opens a folder for reading and writing, giving this user the right to.
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
