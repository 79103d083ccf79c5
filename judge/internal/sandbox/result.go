package sandbox

import (
	"fmt"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
)

// OK reports whether the program exited by itself, with status 0 and within the limits.
func (r Result) OK(l limits.Limits) bool {
	return r.Stop == Exited && r.ExitCode == 0 && !r.over(l.CPU, r.CPU) && !r.over(l.Wall, r.Counted())
}

func (r Result) over(limit, used time.Duration) bool { return limit > 0 && used > limit }

// Cause explains in one line why a run is not OK; "" if it is. The text contains no measured
// figure, so that it is the same whenever a run ends the same way. If there are several causes, the
// one with the highest-ranking verdict counts.
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
	case r.Stop == OverWall, r.over(l.Wall, r.Counted()):
		return fmt.Sprintf("took longer than %v of wall time", l.Wall)
	case r.Stop == Forbidden && r.Denied != "":
		return "made a system call that the sandbox denies: " + r.Denied
	case r.Stop == Forbidden:
		return "made a system call that the sandbox denies (SIGSYS)"
	case r.Stop == Signalled && r.StackOverflow:
		return "killed by " + r.Signal.Name() + ", probably a stack overflow"
	case r.Stop == Signalled:
		return "killed by " + r.Signal.Name()
	case r.ExitCode != 0:
		return fmt.Sprintf("exited with status %d", r.ExitCode)
	}
	return ""
}

// starved returns the error of a run that was stopped because it had waited too long for a CPU.
func (r Result) starved() error { return &StarvedError{r.Wall, r.CPU, r.CPUWait} }

// classifySignal refines the cause of a run that was killed by a signal. SIGKILL after the CPU
// limit and the grace means OverCPU: RLIMIT_CPU backs up the watchdog and acts first if the judge
// itself has no CPU. SIGSEGV may mean a stack overflow.
func (r *Result) classifySignal(cmd *Command) {
	l := cmd.Limits
	if r.Stop == Signalled && r.Signal == Signal(syscall.SIGKILL) && l.CPU > 0 && r.CPU >= l.CPU+cmd.Grace {
		r.Stop, r.Signal = OverCPU, 0
	}
	r.StackOverflow = r.Stop == Signalled && r.Signal == Signal(syscall.SIGSEGV) && l.Memory > 0 && r.Memory >= stackSize(l)-limits.MiB
}

// stackSize returns how large the stack of a process may grow: a sixteenth less than the memory
// limit, so that a stack overflow can be distinguished from other memory use.
func stackSize(l limits.Limits) limits.Bytes { return max(l.Memory-l.Memory/16, 8*limits.MiB) }

// Signal is a signal that killed a program; 0 is none.
type Signal syscall.Signal

// Name returns the signal's name and meaning, such as "SIGSEGV (segmentation fault)".
func (s Signal) Name() string {
	if name := signalName(syscall.Signal(s)); name != "" {
		return fmt.Sprintf("%s (%v)", name, syscall.Signal(s))
	}
	return s.String()
}

// firstRealTime is the first signal that has only a number (SIGRTMIN). The kernel's range begins
// two earlier, but C libraries reserve those two.
const firstRealTime = 34

// String returns the signal's name, such as SIGSEGV, or SIGRTMIN+2 for a real-time signal; "" for
// none.
func (s Signal) String() string {
	name := signalName(syscall.Signal(s))
	switch {
	case name != "" || s == 0:
		return name
	case s > firstRealTime:
		return fmt.Sprintf("SIGRTMIN+%d", s-firstRealTime)
	case s == firstRealTime:
		return "SIGRTMIN"
	}
	return fmt.Sprintf("SIG%d", int(s))
}

func (s Signal) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Signal) UnmarshalText(text []byte) error {
	for n := Signal(0); n <= lastSignal; n++ {
		if n.String() == string(text) {
			*s = n
			return nil
		}
	}
	return fmt.Errorf("unknown signal %q", text)
}

// lastSignal is the highest signal of Linux.
const lastSignal = 64
