package report

import (
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	for _, tt := range []struct {
		why      string
		v, limit time.Duration
		want     string
	}{
		{"nothing", 0, s, "                  │     "},
		{"a millisecond", ms, s, "                  │     "},
		{"a quarter of the logarithmic scale", 10 * ms, s, "██████            │     "},
		{"the limit", s, s, "██████████████████│     "},
		{"the end of the scale", 10 * s, s, "██████████████████│█████"},
		{"beyond the scale", 100 * s, s, "██████████████████│█████"},
		{"the limit at the end of the scale", ms, 10 * s, "                       │"},
	} {
		if got := bar(tt.v, tt.limit, 10*s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
