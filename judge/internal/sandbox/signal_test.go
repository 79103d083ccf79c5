//go:build linux

package sandbox

import (
	"syscall"
	"testing"
)

func TestSignal(t *testing.T) {
	t.Parallel()
	for s, want := range map[Signal]string{
		0: "", Signal(syscall.SIGSEGV): "SIGSEGV", Signal(syscall.SIGSYS): "SIGSYS", 32: "SIG32", 33: "SIG33", 34: "SIGRTMIN", 39: "SIGRTMIN+5", 64: "SIGRTMIN+30",
	} {
		if got := s.String(); got != want {
			t.Errorf("signal %d is %q, want %q", int(s), got, want)
		}
		var back Signal
		if err := back.UnmarshalText([]byte(want)); err != nil || back != s {
			t.Errorf("%q is signal %d, %v; want %d", want, int(back), err, int(s))
		}
	}
}

func TestStopReadsBack(t *testing.T) {
	t.Parallel()
	for s := range starved {
		text, _ := s.MarshalText()
		var back StopReason
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%q is stop %d, %v; want %d", text, back, err, s)
		}
	}
	if err := new(StopReason).UnmarshalText([]byte("over_there")); err == nil {
		t.Error("an unknown reason is known")
	}
	if err := new(Signal).UnmarshalText([]byte("SIGNONE")); err == nil {
		t.Error("an unknown signal is known")
	}
}
