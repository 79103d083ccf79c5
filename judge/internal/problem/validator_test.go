package problem

import (
	"testing"
	"time"
)

// TestDerive finds the time limit from the slowest accepted run.
func TestDerive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slowest, want time.Duration
	}{
		{0, time.Second},
		{200 * time.Millisecond, time.Second}, // exactly five times as much
		{201 * time.Millisecond, 2 * time.Second},
		{1500 * time.Millisecond, 8 * time.Second},
	} {
		b := Timing{ACToLimit: 5, Resolution: time.Second}
		if got := b.Derive(tt.slowest); got != tt.want {
			t.Errorf("Derive(%v) = %v, want %v", tt.slowest, got, tt.want)
		}
	}
}
