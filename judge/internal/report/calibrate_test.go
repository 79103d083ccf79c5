package report

import (
	"testing"
	"time"

	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/limits"
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
		{"a quarter of the powers", 10 * ms, s, "██████            │     "},
		{"the limit", s, s, "██████████████████│     "},
		{"all", 10 * s, s, "██████████████████│█████"},
		{"more than all", 100 * s, s, "██████████████████│█████"},
		{"the limit is all", ms, 10 * s, "                       │"},
	} {
		if got := bar(tt.v, tt.limit, 10*s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestLimitsLine(t *testing.T) {
	t.Parallel()
	const s = time.Second
	l := limits.Limits{CPU: 1500 * time.Millisecond, Wall: 90 * s, Memory: 64 * limits.MiB, Output: limits.KiB, CPUs: 1}
	two := l
	two.CPUs = 2
	for _, tt := range []struct {
		why  string
		r    calibrate.Report
		want string
	}{
		{"the wall limit is the problem's", calibrate.Report{Proposed: l}, "{cpu: 1500ms, wall: 90s, memory: 64MiB, output: 1KiB}"},
		{"or the machine's", calibrate.Report{Proposed: l, WallFollows: true}, "{cpu: 1500ms, memory: 64MiB, output: 1KiB}"},
		{"two CPUs", calibrate.Report{Proposed: two, WallFollows: true}, "{cpu: 1500ms, memory: 64MiB, output: 1KiB, cpus: 2}"},
	} {
		if got := LimitsLine(&tt.r); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
