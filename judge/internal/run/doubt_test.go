package run

import (
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

func TestDoubtful(t *testing.T) {
	t.Parallel()
	const ms, grace = time.Millisecond, 300 * time.Millisecond
	usual := limits.Limits{CPU: 1000 * ms, Wall: 3000 * ms}
	for _, tt := range []struct {
		why    string
		limits limits.Limits
		result sandbox.Result
		want   bool
	}{
		{"far from any limit", usual, sandbox.Result{CPU: 799 * ms, Wall: 900 * ms}, false},
		{"CPU time a fifth below its limit", usual, sandbox.Result{CPU: 800 * ms, Wall: 900 * ms}, true},
		{"CPU time a fifth above its limit", usual, sandbox.Result{CPU: 1200 * ms, Wall: 1300 * ms}, true},
		{"CPU time well above its limit, within a long grace", usual, sandbox.Result{CPU: 1201 * ms, Wall: 1300 * ms}, false},
		{"wall time below its limit", usual, sandbox.Result{CPU: 10 * ms, Wall: 2990 * ms}, false},
		{"wall time below its limit without the wait for a CPU", usual, sandbox.Result{CPU: 10 * ms, Wall: 29990 * ms, CPUWait: 27000 * ms}, false},
		{"wall time above its limit", usual, sandbox.Result{CPU: 10 * ms, Wall: 3100 * ms}, true},
		{"a crash near the CPU limit: a moment later it would have been too late", usual, sandbox.Result{Stop: sandbox.Signalled, CPU: 990 * ms}, true},
		{"without limits, nothing is near one", limits.Limits{}, sandbox.Result{CPU: time.Hour, Wall: time.Hour}, false},
		{"an endless loop", usual, sandbox.Result{Stop: sandbox.OverCPU, CPU: 1301 * ms, Wall: 1400 * ms}, false},
		{"asleep", usual, sandbox.Result{Stop: sandbox.OverWall, CPU: 2 * ms, Wall: 3300 * ms}, false},
		{"asleep, after a wait for a CPU of less than a tenth", usual, sandbox.Result{Stop: sandbox.OverWall, CPU: 2 * ms, Wall: 3300 * ms, CPUWait: 329 * ms}, false},
		{"crowded out", usual, sandbox.Result{Stop: sandbox.OverWall, CPU: 200 * ms, Wall: 3300 * ms, CPUWait: 330 * ms}, true},
		{"a wait shorter than the grace", limits.Limits{Wall: 1000 * ms}, sandbox.Result{Stop: sandbox.OverWall, Wall: 1300 * ms, CPUWait: 299 * ms}, false},
		{"crowded out, but done within the grace", limits.Limits{Wall: 1000 * ms}, sandbox.Result{CPU: 9 * ms, Wall: 1590 * ms, CPUWait: 300 * ms}, true},
		{"over the memory limit, which does not depend on time", usual, sandbox.Result{Stop: sandbox.OverMemory, CPU: 1000 * ms, Wall: 3000 * ms, CPUWait: time.Hour}, false},
		{"over the output limit, which does not depend on time", usual, sandbox.Result{Stop: sandbox.OverOutput, CPU: 1000 * ms, Wall: 3000 * ms}, false},
		{"a denied call", usual, sandbox.Result{Stop: sandbox.Forbidden, CPU: 1000 * ms, Wall: 3000 * ms}, false},
		{"cancelled", usual, sandbox.Result{Stop: sandbox.Cancelled, CPU: 1000 * ms, Wall: 3000 * ms}, false},
	} {
		if got := Doubtful(tt.limits, grace, tt.result); got != tt.want {
			t.Errorf("%s: got %v", tt.why, got)
		}
	}
}
