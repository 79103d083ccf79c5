package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why        string
		live, want int64
	}{
		{"little is in use", 10 << 20, leastMemory},
		{"the most for which the least is enough", 300 << 20, leastMemory},
		{"a quarter and some more", 1024 << 20, (1024 + 256 + 32) << 20},
		{"in steps, so that it seldom changes", 1024<<20 + 1000, (1024 + 256 + 32) << 20},
	} {
		if got := memoryLimit(tt.live); got != tt.want {
			t.Errorf("%s: %d MiB, want %d MiB", tt.why, got>>20, tt.want>>20)
		}
	}
}

// TestBoundMemory checks that a limit is set, and that nothing is left of it.
func TestBoundMemory(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "")
	before := debug.SetMemoryLimit(-1)
	stop := meanwhile(t.Context(), boundMemory)
	for debug.SetMemoryLimit(-1) == before && t.Context().Err() == nil {
		runtime.Gosched()
	}
	if got := debug.SetMemoryLimit(-1); got < leastMemory || got > 100*leastMemory {
		t.Errorf("the limit is %d", got)
	}
	stop()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("afterwards the limit is %d, want %d", got, before)
	}
}
