//go:build unix

package system

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// NoFollow is a flag for os.OpenFile: if the last part of the name is a symbolic link, the error is
// ELOOP.
const NoFollow = syscall.O_NOFOLLOW

// How files are locked, as of flock(2).
const (
	Shared    = syscall.LOCK_SH
	Exclusive = syscall.LOCK_EX
	NoWait    = syscall.LOCK_NB // added to one of the others: EWOULDBLOCK if another process holds the file
	// Unlock releases the lock, even if a child process that has not executed its program yet still has
	// the file open. Closing the file would not.
	Unlock = syscall.LOCK_UN
)

// IdentityOf returns the identity of a file, given its information.
func IdentityOf(info fs.FileInfo) Identity {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	}
	modified, changed := times(s)
	return Identity{uint64(s.Dev), s.Ino, s.Size, modified, changed}
}

// ProcessTime returns the CPU time that this process has used.
func ProcessTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Owner returns the accounts that own a file, given its information, or -1 and -1 if that is not known.
func Owner(info fs.FileInfo) (uid, gid int) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid), int(s.Gid)
	}
	return -1, -1
}

// Flock locks an open file or folder. It retries when a signal interrupts it.
func Flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err == nil {
			return nil
		} else if err != syscall.EINTR {
			return lockError(f, err)
		}
	}
}

// Free returns the free bytes of the file system of a folder: 0 if no file can be made there.
func Free(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	if s.Files > 0 && s.Ffree == 0 {
		return 0, nil
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// Writable returns an error unless files may be made in a folder.
func Writable(dir string) error { return unix.Access(dir, unix.W_OK) }

// EndSignals lists the signals that ask a program to end: an interrupt, SIGTERM and, unless it is
// ignored, SIGHUP.
func EndSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores SIGHUP, and so must the judge
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// StartPoller makes the runtime open the two descriptors through which it waits for files, and returns an error if
// there are none. A program that does without it ends with a dump of its goroutines if descriptors run out before
// it opens its first file.
func StartPoller() error {
	var spare []int
	var err error
	for len(spare) < 3 && err == nil { // with the one of the file
		var fd int
		if fd, err = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
			spare = append(spare, fd)
		}
	}
	for _, fd := range spare {
		_ = unix.Close(fd)
	}
	if err != nil {
		return err
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	return f.Close()
}

// IgnoreBrokenPipes makes writes to pipes without a reader fail with EPIPE, also on standard output.
func IgnoreBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// BrokenPipe reports whether an error says that nothing reads a pipe any more.
func BrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// Group makes a command run in a process group of its own, which is killed when its context ends.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// OpenFolder opens a folder, with further flags.
func OpenFolder(dir string, flags int) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|flags, 0)
}
