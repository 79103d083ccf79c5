//go:build linux

package sandbox

import (
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// TestCauses plays programs that have ended before the judge has read what they wrote, and what a
// kernel may report of them: which cause of the result wins.
func TestCauses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		written int // bytes of standard output, of which 10 are allowed
		kernel  Result
		want    StopReason
	}{
		{"all is well", 10, Result{}, Exited},
		{"too much was written at the end", 11, Result{}, OverOutput},
		{"a death by a signal does not hide that", 11, Result{Stop: Signalled, Signal: Signal(unix.SIGSEGV)}, OverOutput},
		{"too much memory and nothing else", 10, Result{Stop: OverMemory}, OverMemory},
		{"too much output counts before too much memory", 11, Result{Stop: OverMemory}, OverOutput},
	} {
		stdin, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		cmd := Command{Stdin: stdin, Stdout: io.Discard, Limits: limits.Limits{Output: 10}}
		result, err := runOnce(t.Context(), &cmd, func(r *attempt) (Result, error) {
			r.watch.meter = unused{}
			r.begin(os.Getpid())
			r.end(false)
			if _, err := unix.Write(r.streams.fds()[1], make([]byte, tt.written)); err != nil {
				return Result{}, err
			}
			r.streams.wait()
			return tt.kernel, nil
		})
		stdin.Close()
		if err != nil || result.Stop != tt.want || result.Stdout < int64(tt.written) {
			t.Errorf("%s: %+v, %v, want %v", tt.why, result, err, tt.want)
		}
	}
}
