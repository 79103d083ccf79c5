package sandbox

import "syscall"

// signalName returns "", because nothing is killed by signals on Windows.
func signalName(syscall.Signal) string { return "" }
