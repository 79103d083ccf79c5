package system

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// NoFollow is no flag, because Windows has none for this.
const NoFollow = 0

// How files are locked. NoWait is added to one of the first two.
const (
	Shared    = 1
	Exclusive = 2
	NoWait    = 4
	Unlock    = 8
)

// IdentityOf returns the identity of a file, given its information.
func IdentityOf(info fs.FileInfo) Identity {
	id := Identity{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if d, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		id.Changed = d.CreationTime.Nanoseconds()
	}
	return id
}

// Owner returns -1 and -1, because files have no owners by number.
func Owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

// Flock locks an open file; folders are not locked.
func Flock(f *os.File, how int) error {
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return err
	}
	// The last byte that a file can have is locked, so that others can still read the file.
	last := &windows.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
	if how == Unlock {
		return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, last)
	}
	var flags uint32
	if how&Exclusive != 0 {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	if how&NoWait != 0 {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, last)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		err = syscall.EWOULDBLOCK
	}
	if err != nil {
		return lockError(f, err)
	}
	return nil
}

// Free returns the free bytes of the file system of a folder.
func Free(dir string) (int64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return int64(free), err
}

// Writable returns an error unless files may be made in a folder.
func Writable(dir string) error {
	f, err := os.CreateTemp(dir, ".writable-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// EndSignals lists the signals that ask a program to end.
func EndSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// StartPoller does nothing: there is no limit of handles that a process could be started with.
func StartPoller() error { return nil }

// IgnoreBrokenPipes does nothing, because writes to pipes without a reader fail anyway.
func IgnoreBrokenPipes() {}

// BrokenPipe reports whether an error says that nothing reads a pipe any more.
func BrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// Group does nothing: a command is killed alone when its context ends.
func Group(*exec.Cmd) {}

// Alone returns an error: there are no namespaces.
func Alone(*exec.Cmd, int) error { return errors.ErrUnsupported }

// ThreadTime returns the CPU time that this process has used.
func ThreadTime() time.Duration { return ProcessTime() }

// ProcessTime returns the CPU time that this process has used.
func ProcessTime() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	ns := func(t windows.Filetime) int64 { return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * 100 }
	return time.Duration(ns(kernel) + ns(user))
}

// Exchange returns an error, because files cannot be exchanged in one step.
func Exchange(_, _ string) error { return errors.ErrUnsupported }

// Touch sets the times of an open folder to the present.
func Touch(folder *os.File) {
	now := time.Now()
	_ = os.Chtimes(folder.Name(), now, now)
}

// CopyMapped does nothing: the part must be read and written instead.
func CopyMapped(_, _ *os.File, _ int64, _ int) (int, error) { return 0, nil }

// ErrLibrary is the error of starting a program whose file names a loader that is none.
const ErrLibrary = syscall.ELIBBAD

// OpenFolder opens a folder so that it can still be renamed and removed.
func OpenFolder(dir string, _ int) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	f := os.NewFile(uintptr(handle), dir)
	if info, err := f.Stat(); err != nil || !info.IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return f, nil
}
