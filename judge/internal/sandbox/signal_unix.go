//go:build unix

package sandbox

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName returns the name of a signal, such as SIGSEGV; "" if it has none.
func signalName(s syscall.Signal) string { return unix.SignalName(s) }
