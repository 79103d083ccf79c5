//go:build linux

package doctor

import (
	"runtime/debug"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

// foreignCalls returns calls of the other architectures that an amd64 kernel implements. Their
// numbers are those of other calls on amd64; the filter must not confuse them.
func foreignCalls(group string) []attack {
	return []attack{
		{name: "x32-calls", group: group, what: "an x32 system call", want: "denied", do: calls(unix.SYS_GETPID | 0x40000000)},
		{name: "32-bit-calls", group: group, what: "a 32-bit system call", want: "denied", do: call32, stops: []sandbox.StopReason{sandbox.Signalled}},
	}
}

// getpid32 makes the 32-bit system call getpid.
func getpid32() int32

// call32 survives the SIGSEGV of a kernel that has no 32-bit calls at all (ia32_emulation=0).
func call32(*hostInfo) (o outcome) {
	debug.SetPanicOnFault(true)
	defer func() {
		if recover() != nil {
			o = refused(unix.ENOSYS) // the filter saw no call, and nothing got through
		}
	}()
	if n := getpid32(); n < 0 {
		return refused(unix.Errno(-n))
	}
	return broke("allowed")
}
