//go:build linux

package doctor

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fate is the behaviour of a forked child until it is killed.
type fate uint8

const (
	fatePause  fate = iota // sleep
	fateSpin               // use CPU time
	fateBomb               // fork without end, as all its children do
	fateDaemon             // leave its session and parent, and sleep
	fateSwap               // like fateDaemon, but exchange two files for some seconds
)

// fork creates a child process and returns its process number. The child is a copy without the
// other threads of the Go runtime: it may only make raw system calls on the stack that it has, so
// its whole life is in this function.
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
	case fateDaemon, fateSwap:
		unix.RawSyscall6(unix.SYS_SETSID, 0, 0, 0, 0, 0, 0)
		if pid, _ := rawFork(); pid != 0 {
			unix.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
		}
		if f == fateSwap {
			here := unix.AT_FDCWD
			for range swaps {
				unix.RawSyscall6(unix.SYS_RENAMEAT2, uintptr(here), uintptr(unsafe.Pointer(&swapped[0][0])), uintptr(here), uintptr(unsafe.Pointer(&swapped[1][0])), unix.RENAME_EXCHANGE, 0)
			}
			unix.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0) // so that it ends even if the jail does not kill it
		}
	}
	for {
		unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
}

// swapped are the names of the files that fateSwap exchanges, each with a zero byte at the end.
var swapped [2][64]byte

const swaps = 1 << 21 // how often fateSwap exchanges the files

//go:nosplit
func rawFork() (uintptr, unix.Errno) {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	return pid, errno
}

// useCPU spins for ever.
//
//go:nosplit
func useCPU() {
	for n := 0; ; n++ {
		runtime.KeepAlive(n)
	}
}
