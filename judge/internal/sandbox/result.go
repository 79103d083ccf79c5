package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// OK reports whether a run ended by itself, with status 0, within the limits.
func (r Result) OK(l limits.Limits) bool {
	return r.Stop == Exited && r.ExitCode == 0 && !r.over(l.CPU, r.CPU) && !r.over(l.Wall, r.Wall)
}

func (r Result) over(limit, used time.Duration) bool { return limit > 0 && used > limit }

// Cause says in one line why a run did not end well; it is "" when OK. It holds no
// measured figure, so that it is the same whenever the run ends the same way. What
// wins when several causes meet follows the order of the verdicts.
func (r Result) Cause(l limits.Limits) string {
	switch {
	case r.Stop == Cancelled:
		return "cancelled"
	case r.Stop == OverOutput && r.Stderr > int64(errorSize):
		return fmt.Sprintf("wrote more than %v to standard error", errorSize)
	case r.Stop == OverOutput:
		return fmt.Sprintf("wrote more than %v", l.Output)
	case r.Stop == OverMemory:
		return fmt.Sprintf("used more memory than %v", l.Memory)
	case r.Stop == OverCPU, r.over(l.CPU, r.CPU):
		return fmt.Sprintf("used more CPU time than %v", l.CPU)
	case r.Stop == OverWall, r.over(l.Wall, r.Wall):
		return fmt.Sprintf("took longer than %v of wall time", l.Wall)
	case r.Stop == Forbidden:
		return "made a system call that the sandbox denies (SIGSYS)"
	case r.Stop == Signalled && r.StackOverflow:
		return "killed by " + SignalName(r.Signal) + ", probably a stack overflow"
	case r.Stop == Signalled:
		return "killed by " + SignalName(r.Signal)
	case r.ExitCode != 0:
		return fmt.Sprintf("ended with status %d", r.ExitCode)
	}
	return ""
}

// noteStack sets StackOverflow.
func (r *Result) noteStack(l limits.Limits) {
	r.StackOverflow = r.Stop == Signalled && r.Signal == unix.SIGSEGV && l.Memory > 0 && r.Memory >= stackSize(l)-limits.MiB
}

// SignalName returns a signal's name and meaning, such as "SIGSEGV (segmentation
// fault)".
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return fmt.Sprintf("%s (%v)", name, s)
	}
	return fmt.Sprintf("signal %d", int(s))
}

// MemFile returns a file in memory that holds data and that nobody can change,
// opened for reading from its start. It can be executed. The caller closes it.
func MemFile(data []byte) (*os.File, error) { return MemCopy(bytes.NewReader(data)) }

// MemCopy is MemFile for what r holds.
func MemCopy(r io.Reader) (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	// Said outright since Linux 6.3, where vm.memfd_noexec may make the default another.
	fd, err := unix.MemfdCreate("input", flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate("input", flags)
	}
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	write := os.NewFile(uintptr(fd), "input")
	defer write.Close()
	if _, err := io.Copy(write, r); err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	const mode = 0x20 // F_SEAL_EXEC keeps it executable, from Linux 6.3 on
	_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals|mode)
	if errors.Is(err, unix.EINVAL) {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	}
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	// A second opening has its own position and cannot be written through.
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", fd))
}
