//go:build linux

package sandbox

import (
	"runtime"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/sys/unix"
)

// The system call filter is installed once, in the init of a container, and every process that the
// init starts inherits it. Installing it for every run would take a tenth of the run's time,
// because each time the filter is copied, checked, compiled and evaluated for every call number.

// defaultSignals undoes what Go does about signals in the init, because the kernel protects an init
// from the signals of its own namespace only if it has no handler for them. Go has handlers for
// most; so a program that has the init's account, because the judge is not root, could kill it with
// one.
//
// Even a signal without a handler gets through if the first thread blocks it when it arrives, as Go
// does inside of any handler, while it forks and while it starts a thread: then the signal is
// queued, and if its default is to end the process, it does. So there are no handlers at all, not
// even Go's own for SIGCHLD and SIGURG, which do nothing by default, and the first thread only
// waits.
func defaultSignals() {
	for s := uintptr(1); s <= 64; s++ {
		var standard [4]uint64 // the kernel's struct sigaction with SIG_DFL
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, s, uintptr(unsafe.Pointer(&standard)), 0, 8, 0, 0)
	}
}

// seal installs a filter in all threads of this process, and returns the descriptor that reports
// the calls it denies, -1 for none. The kernel permits it because the init has every capability in
// its own user namespace.
//
// A kernel gives a process no more than one such listener, and some container managers use it. Then
// a denied call ends its process, and nothing reports it.
func seal(filter seccomp.Filter) (listener int, err error) {
	const all = unix.SECCOMP_FILTER_FLAG_TSYNC
	listener, err = install(filter, all|unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH|unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if err != nil {
		listener = -1
		_, err = install(killing(filter), all)
	}
	return listener, err
}

func install(filter seccomp.Filter, flags uintptr) (result int, err error) {
	program := filter.SockFprog()
	r, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return 0, errno
	}
	return int(r), nil
}
