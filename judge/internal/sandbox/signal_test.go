package sandbox

import (
	"syscall"
	"testing"
)

func TestShortSignal(t *testing.T) {
	t.Parallel()
	for s, want := range map[syscall.Signal]string{
		0: "", syscall.SIGSEGV: "SIGSEGV", syscall.SIGSYS: "SIGSYS", 32: "SIG32", 33: "SIG33", 34: "SIGRTMIN", 39: "SIGRTMIN+5", 64: "SIGRTMIN+30",
	} {
		if got := ShortSignal(s); got != want {
			t.Errorf("signal %d is %q, want %q", int(s), got, want)
		}
	}
}
