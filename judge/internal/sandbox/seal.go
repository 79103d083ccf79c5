package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
	"unsafe"

	"github.com/criyle/go-sandbox/container"
	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/sys/unix"
)

// The system call filter is installed once, in the init of a container, and every process that the
// init starts inherits it. Installing it for every run would take a tenth of the run's time,
// because each time the filter is copied, checked, compiled and evaluated for every call number.
//
// Until the container is built, the init itself needs mount and pivot_root, and go-sandbox does not
// tell the init when it is done. The last thing it does is to set the host name, so the init waits
// for that name; and the judge runs nothing before the kernel confirms the filter.

// The host names of containers, by which the init knows which filter to install. A container starts
// with the host's own name, which must be none of these.
const (
	jailName  = "tribunal-jail"
	birthName = "tribunal-birth" // for containers whose programs are born in their control group
	openName  = "tribunal-open"  // for containers without the filter, for comparison
)

// sealOf returns the function that makes the filter for a container of this name, nil for none. ok
// is false while the container is being built.
func sealOf(name string) (filter func(deny uint32) (seccomp.Filter, error), ok bool) {
	switch name {
	case jailName:
		return callFilter, true
	case birthName:
		return parentFilter, true
	case openName:
		return nil, true
	}
	return nil, false
}

// sealWhenReady installs the filter in the init as soon as the container is built. Then it serves
// the judge's requests.
func sealWhenReady() {
	for {
		var name unix.Utsname
		if err := unix.Uname(&name); err == nil {
			if filter, ok := sealOf(unix.ByteSliceToString(name.Nodename[:])); ok {
				if filter == nil {
					serveLine()
					return
				}
				defaultSignals()
				listener, err := seal(filter)
				if err == nil {
					err = sendListener(listener)
				}
				if err != nil {
					fmt.Fprintf(os.Stderr, "container: system call filter: %v\n", err)
					os.Exit(1)
				}
				serveLine()
				return
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// defaultSignals undoes what Go and go-sandbox do about signals in the init, for two reasons.
// Programs would inherit ignored signals. And the kernel protects an init from the signals of its
// own namespace only if it has no handler for them. Go has handlers for most; so a program that has
// the init's account, because the judge is not root, could kill it with one.
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
func seal(build func(deny uint32) (seccomp.Filter, error)) (listener int, err error) {
	const all = unix.SECCOMP_FILTER_FLAG_TSYNC
	listener, err = install(build, notify, all|unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH|unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if err != nil {
		listener = -1
		_, err = install(build, kill, all)
	}
	return listener, err
}

func install(build func(deny uint32) (seccomp.Filter, error), deny uint32, flags uintptr) (result int, err error) {
	filter, err := build(deny)
	if err != nil {
		return 0, err
	}
	program := filter.SockFprog()
	r, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return 0, errno
	}
	return int(r), nil
}

// sealTimeout is how long an init may take to seal itself on a busy machine.
const sealTimeout = 10 * time.Second

// awaitSeal returns when the kernel reports that the container's init is filtered.
func awaitSeal(env container.Environment) error {
	deadline := time.Now().Add(sealTimeout)
	for time.Now().Before(deadline) {
		files, err := env.Open([]container.OpenCmd{{Path: "/proc/1/status", Flag: os.O_RDONLY}})
		if err != nil {
			return err
		}
		if files[0].Err != nil {
			return files[0].Err
		}
		text, err := io.ReadAll(files[0].File)
		files[0].File.Close()
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("\nSeccomp:\t2\n")) {
			return nil
		}
		time.Sleep(100 * time.Microsecond)
	}
	return errors.New("the system call filter was not installed")
}
