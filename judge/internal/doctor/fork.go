package doctor

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// A fate is what a forked child does for the rest of its life.
type fate uint8

const (
	fatePause  fate = iota // sleep
	fateSpin               // use CPU time
	fateBomb               // fork, as all its children do
	fateDaemon             // leave its session and parent, and sleep
)

// fork makes a child and returns its process number. The child is a copy without
// the other threads of the Go runtime: it may only make raw system calls, on the
// stack it has, so that all of its life is in here.
//
//go:nosplit
func fork(f fate) (int, unix.Errno) {
	pid, errno := rawFork()
	if errno != 0 || pid != 0 {
		return int(pid), errno
	}
	switch f {
	case fateSpin:
		useCPU()
	case fateBomb:
		for {
			rawFork()
		}
	case fateDaemon:
		unix.RawSyscall6(unix.SYS_SETSID, 0, 0, 0, 0, 0, 0)
		if pid, _ := rawFork(); pid != 0 {
			unix.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
		}
	}
	for {
		unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

//go:nosplit
func rawFork() (uintptr, unix.Errno) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	return pid, errno
}

// useCPU never returns.
//
//go:nosplit
func useCPU() {
	for n := 0; ; n++ {
		runtime.KeepAlive(n)
	}
}
