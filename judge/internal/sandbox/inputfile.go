//go:build linux

package sandbox

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// InputFile returns a file in memory that holds the size bytes of r, for the standard input of a
// program that is pinned to CPUs, if any. It is opened for reading from its start, has no name, and
// nobody else can change it. The caller closes it.
//
// A large file consists of huge pages, if the judge may mount file systems: filling and reading one
// of 20 MiB takes 4 ms instead of 10, because most of that time goes into single pages. A MemFile has
// none unless the host is set up for it, so the large file is on a file system of the judge.
// It is filled on the CPUs of the program, which would be idle meanwhile, because filling it on others
// would slow the programs that run there.
func InputFile(r io.Reader, size int64, cpus []int) (*os.File, error) {
	if size < hugePage {
		return MemCopy(r)
	}
	if len(cpus) > 0 {
		place := joinCPUs(cpus)
		defer place.leaveCPUs()
	}
	views, err := memoryFiles()
	if err != nil {
		return MemCopy(r)
	}
	write, read, err := views.create(0o444)
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	defer write.Close()
	// The kernel takes a huge page only where the file already has the size for it.
	err = write.Truncate(size)
	if err == nil {
		var n int64
		if n, err = io.Copy(write, r); n < size {
			err = cmp.Or(err, io.ErrUnexpectedEOF)
		}
	}
	if err != nil {
		read.Close()
		return nil, fmt.Errorf("memory file: %w", err)
	}
	return read, nil
}

// hugePage is the usual size of a huge page in bytes.
const hugePage = 2 << 20

// fileViews is a file system in memory, mounted twice but nowhere in the tree of files, so that only
// its descriptors lead to it. A file that was opened in the read-only view cannot be changed through
// that descriptor or through /proc, not even by its owner.
type fileViews struct {
	mu              sync.Mutex // held while a file has a name
	writable, fixed int        // descriptors of the root folders
}

// memoryFiles returns the file system for files in memory, with huge pages. It stays mounted until the process ends. It
// counts neither its blocks nor its files, because programs could see in the counts what runs beside them.
var memoryFiles = sync.OnceValues(func() (*fileViews, error) {
	fs, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fs)
	for _, option := range [][2]string{{"huge", "within_size"}, {"size", "0"}, {"nr_inodes", "0"}, {"mode", "0700"}} {
		if err := unix.FsconfigSetString(fs, option[0], option[1]); err != nil {
			return nil, err
		}
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return nil, err
	}
	writable, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV)
	if err != nil {
		return nil, err
	}
	fixed, err := unix.OpenTree(writable, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH)
	if err != nil {
		unix.Close(writable)
		return nil, err
	}
	if err := unix.MountSetattr(fixed, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		unix.Close(writable)
		unix.Close(fixed)
		return nil, err
	}
	return &fileViews{writable: writable, fixed: fixed}, nil
})

// create returns an empty file without a name, opened in each view. mode lets all users read it, because
// programs may open their standard input again.
func (v *fileViews) create(mode uint32) (write, read *os.File, err error) {
	const name = "input" // the same for all: a program can read it in /proc
	v.mu.Lock()
	defer v.mu.Unlock()
	fd, err := unix.Openat(v.writable, name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	write = os.NewFile(uintptr(fd), name)
	err = unix.Fchmod(fd, mode) // whatever the umask
	if err == nil {
		fd, err = unix.Openat(v.fixed, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	if removed := unix.Unlinkat(v.writable, name, 0); err == nil && removed != nil {
		unix.Close(fd)
		err = removed
	}
	if err != nil {
		write.Close()
		return nil, nil, err
	}
	return write, os.NewFile(uintptr(fd), name), nil
}
