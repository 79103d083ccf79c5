package doctor

import (
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

// foreignCalls are calls of the other architectures that an amd64 kernel speaks.
// Their numbers mean other calls, which a filter must not mistake.
func foreignCalls(group string) []attack {
	return []attack{
		{name: "x32-calls", group: group, what: "an x32 system call", want: "denied", do: calls(unix.SYS_GETPID | 0x40000000)},
		{name: "32-bit-calls", group: group, what: "a 32-bit system call", want: "denied", do: call32, stops: []sandbox.Stop{sandbox.Signalled}},
	}
}

// getpid32 asks for the process number by the 32-bit convention.
func getpid32() int32

// call32 also dies by SIGSEGV, where the kernel speaks no 32-bit calls at all: that
// is no answer of the filter, and nothing got through.
func call32(*world) outcome {
	if n := getpid32(); n < 0 {
		return refused(unix.Errno(-n))
	}
	return broke("allowed")
}
