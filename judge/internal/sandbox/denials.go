//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denials receives reports of the calls that the filter of one container denies.
//
// That a process died of SIGSYS proves little: it may have sent the signal to itself, and only the
// parent learns of a child's death. So a denied call waits in the kernel, which reports it to the
// judge through a descriptor (seccomp_unotify(2)), and the judge ends the run without answering. If
// the judge dies first, the kernel refuses the call.
type denials struct {
	file *os.File

	mu    sync.Mutex
	watch *watchdog // the watchdog of the current run; nil between runs
}

// listenForDenials starts to listen on a file and takes ownership of it.
func listenForDenials(file *os.File) *denials {
	d := &denials{file: file}
	go d.listen()
	return d
}

// reportTo sets the watchdog that denied calls are reported to; nil is none. It does nothing if d
// is nil.
func (d *denials) reportTo(w *watchdog) {
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
		for d.receive(fd) {
		}
		return false
	})
}

// receive reports one denied call to the watchdog. It returns false if none is waiting.
func (d *denials) receive(fd uintptr) bool {
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
	// A call that still waits belongs to the current run: the processes of the run before
	// are dead.
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
