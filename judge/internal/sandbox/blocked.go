//go:build linux

package sandbox

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// transfers are calls that read or write the file whose descriptor is their first argument.
var transfers = []int{unix.SYS_READ, unix.SYS_READV, unix.SYS_WRITE, unix.SYS_WRITEV}

// waitCall is a system call that waits for file descriptors.
type waitCall struct {
	call    int
	time    int  // index of the timeout among the arguments
	pointer bool // the timeout is a pointer, and nil is for ever; otherwise a number, and negative is for ever
}

// waitCalls are those of all architectures; waitCallsHere are those that only this one has.
var waitCalls = []waitCall{
	{unix.SYS_PPOLL, 2, true},
	{unix.SYS_PSELECT6, 4, true},
	{unix.SYS_EPOLL_PWAIT, 3, false},
	{unix.SYS_EPOLL_PWAIT2, 3, true},
}

// blockedIn reports whether the thread with this /proc folder waits for one of the run's pipes.
// call is the content of the thread's file "syscall", which holds the number of its current call
// and the arguments, see proc_pid_syscall(5).
func (r *Running) blockedIn(dir string, call []byte) bool {
	number, args, ok := parseCall(call)
	if !ok {
		return false
	}
	for _, n := range transfers {
		if n == number {
			to, err := os.Readlink(dir + "/fd/" + strconv.FormatUint(args[0], 10))
			return err == nil && r.hasPipe(to)
		}
	}
	return forEver(number, args) && isMain(dir)
}

func (r *Running) hasPipe(name string) bool {
	for _, p := range r.pipes {
		if p.name == name {
			return true
		}
	}
	return false
}

// parseCall parses a file "syscall": the number of a call and its six arguments. ok is false if the
// thread is in no call.
func parseCall(text []byte) (number int, args [6]uint64, ok bool) {
	fields := bytes.Fields(text)
	if len(fields) < 7 {
		return 0, args, false // the thread is running, or in no call
	}
	number, err := strconv.Atoi(string(fields[0]))
	for i := range args {
		if err == nil {
			args[i], err = strconv.ParseUint(string(fields[1+i]), 0, 64)
		}
	}
	return number, args, err == nil
}

// forEver reports whether a call waits for file descriptors without a timeout.
func forEver(number int, args [6]uint64) bool {
	for _, list := range [][]waitCall{waitCalls, waitCallsHere} {
		for _, w := range list {
			if w.call == number {
				return w.pointer && args[w.time] == 0 || !w.pointer && int32(args[w.time]) < 0
			}
		}
	}
	return false
}

// isMain reports whether a thread is the first of its process. Runtimes have other threads, which
// wait for files of the runtime.
func isMain(dir string) bool {
	text, err := readSmall(dir, "status")
	if err != nil {
		return false
	}
	_, group, _ := bytes.Cut(text, []byte("\nTgid:\t"))
	_, own, _ := bytes.Cut(text, []byte("\nPid:\t"))
	group, _, found := bytes.Cut(group, []byte("\n"))
	own, _, found2 := bytes.Cut(own, []byte("\n"))
	return found && found2 && bytes.Equal(group, own)
}
