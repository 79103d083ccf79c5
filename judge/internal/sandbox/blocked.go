package sandbox

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// transfers are calls that read or write the file whose descriptor is their first argument.
var transfers = []int{unix.SYS_READ, unix.SYS_READV, unix.SYS_WRITE, unix.SYS_WRITEV}

// waitCall is a call that waits for files.
type waitCall struct {
	call    int
	time    int  // index of the argument that says how long
	pointer bool // to a time, and nil is for ever; otherwise a negative number is
}

// waitCalls are those that all architectures have; waitCallsHere are those of this one.
var waitCalls = []waitCall{
	{unix.SYS_PPOLL, 2, true},
	{unix.SYS_PSELECT6, 4, true},
	{unix.SYS_EPOLL_PWAIT, 3, false},
	{unix.SYS_EPOLL_PWAIT2, 3, true},
}

// blockedIn reports whether the thread with this /proc folder waits for one of the run's pipes.
// call is the content of its file "syscall": the number of the call that it is in and its
// arguments, see proc_pid_syscall(5).
func (r *Running) blockedIn(dir string, call []byte) bool {
	number, args, ok := parseCall(call)
	if !ok {
		return false
	}
	for _, n := range transfers {
		if n == number {
			to, err := os.Readlink(dir + "/fd/" + strconv.FormatUint(args[0], 10))
			return err == nil && r.has(to)
		}
	}
	return forEver(number, args) && isMain(dir)
}

// has reports whether one of the run's pipes has this name.
func (r *Running) has(name string) bool {
	for _, p := range r.pipes {
		if p.name == name {
			return true
		}
	}
	return false
}

// parseCall parses the number of a call and its six arguments.
func parseCall(text []byte) (number int, args [6]uint64, ok bool) {
	fields := bytes.Fields(text)
	if len(fields) < 7 {
		return 0, args, false // running, or in no call
	}
	number, err := strconv.Atoi(string(fields[0]))
	for i := range args {
		if err == nil {
			args[i], err = strconv.ParseUint(string(fields[1+i]), 0, 64)
		}
	}
	return number, args, err == nil
}

// forEver reports whether a call waits for files without a timeout.
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

// isMain reports whether a thread is the first of its process. Runtimes have other threads that
// wait for files of their own.
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
