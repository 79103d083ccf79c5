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

// The system call filter is installed in the init of a container, once, and all
// that it starts inherits it. Installing it for every run would cost a tenth of
// the run: it is sent, checked, compiled and evaluated for every call there is.
//
// The init needs mount and pivot_root itself until the container is built, and
// go-sandbox tells nobody inside when it is. The last thing it does is to name the
// host, so the init waits for that name; and the judge lets nothing run before
// the kernel confirms the filter.

// The name of the host inside tells the init which filter to take. The namespace
// starts with the outer name, which must be another one.
const (
	jailName  = "tribunal-jail"
	birthName = "tribunal-birth" // of a container whose programs are born in their control group
	openName  = "tribunal-open"  // of a container without the filter, for comparison
)

// sealOf returns the maker of the filter that an init of a container of this name
// installs, nil for none; ok is false while the container is being built.
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

// sealWhenReady installs the filter in the init as soon as the container is built.
// From then on the init is there for the judge's requests.
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
					err = handListener(listener)
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

// defaultSignals undoes what Go and go-sandbox do about signals in the init. Programs
// would inherit what is ignored. And the kernel keeps from an init every signal of
// its own namespace that it has no handler for, which Go has for most: an ordinary
// user's program, which has the init's account, could end it with one.
//
// It does not keep from it one that the first thread blocks at that moment, as it would
// inside of any handler, while it forks or starts a thread: such a signal is queued,
// and when its default is to end the process it does. So there are no handlers at all,
// not even Go's own for SIGCHLD and SIGURG, whose default is nothing, and the first
// thread does nothing but wait.
func defaultSignals() {
	for s := uintptr(1); s <= 64; s++ {
		var standard [4]uint64 // a struct sigaction of the kernel, SIG_DFL
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, s, uintptr(unsafe.Pointer(&standard)), 0, 8, 0, 0)
	}
}

// seal installs a filter in all threads of this process, and returns what listens to the
// calls that it denies, -1 for nothing. It is allowed because the init has every
// capability in its own user namespace.
//
// A kernel gives a process no more than one listener, and some container managers have
// theirs: then a denied call ends its process, and nothing tells of it.
func seal(make func(deny uint32) (seccomp.Filter, error)) (listener int, err error) {
	const all = unix.SECCOMP_FILTER_FLAG_TSYNC
	listener, err = install(make, notify, all|unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH|unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if err != nil {
		listener = -1
		_, err = install(make, kill, all)
	}
	return listener, err
}

func install(make func(deny uint32) (seccomp.Filter, error), deny uint32, flags uintptr) (result int, err error) {
	filter, err := make(deny)
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

// awaitSeal returns when the kernel says that the container's init is filtered.
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
