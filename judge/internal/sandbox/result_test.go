//go:build linux

package sandbox

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// TestClassifySignal checks which SIGKILLs come from the kernel's limit of CPU time.
func TestClassifySignal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		limit  time.Duration
		used   time.Duration
		signal unix.Signal
		want   StopReason
	}{
		{"the watchdog was too late", time.Second, 4 * time.Second, unix.SIGKILL, OverCPU},
		{"at the end of the grace", time.Second, 1100 * time.Millisecond, unix.SIGKILL, OverCPU},
		{"within the grace the program did it itself", time.Second, 1099 * time.Millisecond, unix.SIGKILL, Signalled},
		{"there is no limit", 0, time.Hour, unix.SIGKILL, Signalled},
		{"another signal after the limit", time.Second, 4 * time.Second, unix.SIGSEGV, Signalled},
	} {
		r := Result{Stop: Signalled, Signal: Signal(tt.signal), CPU: tt.used}
		r.classifySignal(&Command{Limits: limits.Limits{CPU: tt.limit}, Grace: 100 * time.Millisecond})
		if r.Stop != tt.want || (r.Signal == 0) != (tt.want == OverCPU) {
			t.Errorf("%s: %v by %v", tt.why, r.Stop, r.Signal)
		}
	}
}
