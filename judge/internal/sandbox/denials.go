package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denials hears of the calls that the filter of one container denies.
//
// That a process died of SIGSYS says little: it may have sent the signal to itself, and
// of a child it is known to its parent alone. So a denied call waits in the kernel, which
// tells the judge of it by a descriptor (seccomp_unotify(2)), and the judge ends the run
// without an answer. Should the judge die first, the kernel refuses the call.
type denials struct {
	file *os.File

	mu    sync.Mutex
	watch *watchdog // of the run that goes on; nil between runs
}

// hear starts to listen. The file is the denials' from then on.
func hear(file *os.File) *denials {
	d := &denials{file: file}
	go d.listen()
	return d
}

// attend makes w the one to be told; nil for none. A nil d has nothing to tell.
func (d *denials) attend(w *watchdog) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = w
}

func (d *denials) close() {
	if d != nil {
		d.file.Close()
	}
}

// listen returns when the file is closed.
func (d *denials) listen() {
	raw, err := d.file.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Read(func(fd uintptr) bool {
		for d.take(fd) {
		}
		return false
	})
}

// take tells of a denied call, and reports whether there may be another.
func (d *denials) take(fd uintptr) bool {
	polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if n, err := unix.Poll(polled, 0); errors.Is(err, unix.EINTR) {
		return true
	} else if err != nil || n == 0 || polled[0].Revents&unix.POLLIN == 0 {
		return false
	}
	var call struct { // struct seccomp_notif
		id        uint64
		pid       uint32
		flags     uint32
		number    uint32
		arch      uint32
		at        uint64
		arguments [6]uint64
	}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&call))); errno != 0 {
		return true // the process has ended meanwhile
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// A call that still waits, after this run was named, is one of this run: those of
	// the one before are dead.
	_, _, gone := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&call.id)))
	if gone == 0 && d.watch != nil {
		d.watch.forbid(callName(call.arch, call.number))
	}
	return true
}

// forbid ends the run because it made a call that the sandbox denies.
func (w *watchdog) forbid(call string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended && !w.caused {
		w.denied = call
	}
	w.stop(Forbidden)
}

// callName returns the name of a call that the filter denies.
func callName(arch, number uint32) string {
	switch name, ok := denied[number]; {
	case arch != auditArch, otherCalls != 0 && number&otherCalls != 0:
		return "one of another architecture"
	case ok:
		return name
	case number == unix.SYS_CLONE:
		return "clone with a new namespace"
	case number == unix.SYS_UNSHARE:
		return "unshare"
	case number == unix.SYS_PERSONALITY:
		return "personality"
	}
	return fmt.Sprintf("number %d", number)
}

const didSeal = 's' // comes with the listener, if there is one

// handListener sends the judge what listens to denied calls, from the init, which does
// not keep it.
func handListener(listener int) error {
	var rights []byte
	if listener >= 0 {
		rights = unix.UnixRights(listener)
		defer unix.Close(listener)
	}
	return unix.Sendmsg(int(os.Stderr.Fd()), []byte{didSeal}, rights, nil, 0)
}

// listener receives what handListener sends; nil for nothing.
func (l *line) listener() (*os.File, error) {
	if err := l.SetReadDeadline(time.Now().Add(lineTimeout)); err != nil {
		return nil, err
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	said, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	var n, size, flags int
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		n, size, flags, _, failed = unix.Recvmsg(int(fd), said, rights, unix.MSG_CMSG_CLOEXEC)
		return !errors.Is(failed, unix.EAGAIN) && !errors.Is(failed, unix.EINTR)
	})
	switch {
	case errors.Join(err, failed) != nil:
		return nil, fmt.Errorf("%w: its init: %w", ErrDied, errors.Join(err, failed))
	case flags&unix.MSG_CTRUNC != 0:
		return nil, unix.EMFILE // there was no descriptor to receive it by
	case n == 0 || said[0] != didSeal:
		return nil, ErrDied
	case size == 0:
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(rights[:size])
	if err != nil {
		return nil, err
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fds[0], true); err != nil { // so that it can be waited for
		unix.Close(fds[0])
		return nil, err
	}
	return os.NewFile(uintptr(fds[0]), "denied calls"), nil
}
