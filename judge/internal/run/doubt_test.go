package run

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
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

// TestBlame plays runs that a busy host may have made fail: a program is blamed only if an exclusive run confirms it.
func TestBlame(t *testing.T) {
	t.Parallel()
	const s = time.Second
	right, crash := sandbox.Result{CPU: s}, sandbox.Result{ExitCode: 3, CPU: s}
	late, over := sandbox.Result{CPU: 11 * s}, sandbox.Result{Stop: sandbox.OverCPU, CPU: 12 * s}
	starved := sandbox.Result{Stop: sandbox.OverWall, CPU: s / 50, Wall: 31 * s, CPUWait: 20 * s}
	for _, tt := range []struct {
		why      string
		starving bool
		results  []sandbox.Result // of the runs in order; the last one repeats
		runs     int
		want     sandbox.Result
		busy     bool // the cause is the host
	}{
		{"right", false, []sandbox.Result{right}, 1, right, false},
		{"a crash is certain", false, []sandbox.Result{crash, right}, 1, crash, false},
		{"a loop is certain", false, []sandbox.Result{over, right}, 1, over, false},
		{"starved, and right alone", false, []sandbox.Result{starved, right}, 2, right, false},
		{"starved, and then it crashes", false, []sandbox.Result{starved, crash}, 2, crash, false},
		{"starved to the last", false, []sandbox.Result{starved}, 4, starved, true},
		{"starved twice", false, []sandbox.Result{starved, starved, right}, 3, right, false},
		{"late, and right alone", false, []sandbox.Result{late, right}, 2, right, false},
		{"late, and so alone, twice", false, []sandbox.Result{late}, 3, late, false},
		{"a caller with rules of its own", true, []sandbox.Result{starved, right}, 1, starved, false},
	} {
		w := &watched{}
		host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
			return tt.results[min(len(w.fresh), len(tt.results))-1], nil
		})
		w.Runner = runner.NewLocal(host, 1)
		p := NewPool(w, 1, DefaultGrace)
		t.Cleanup(func() { p.Close() })
		o := p.Run(t.Context(), Job{Program: programs(t, 1)[0], Limits: memoLimits, Starving: tt.starving})
		if busy := strings.HasPrefix(o.Cause(memoLimits), "this host is too busy"); o.Stop != tt.want.Stop || o.ExitCode != tt.want.ExitCode || o.CPU != tt.want.CPU || busy != tt.busy {
			t.Errorf("%s: %+v (%s), want %+v", tt.why, o.Result, o.Cause(memoLimits), tt.want)
		}
		if len(w.fresh) != tt.runs || w.fresh[0] || slices.Contains(w.fresh[1:], false) {
			t.Errorf("%s: exclusive runs: %v, want %d runs, all but the first exclusive", tt.why, w.fresh, tt.runs)
		}
	}
}

// watched notes which requests of a runner are for a fresh box, as those of exclusive jobs are.
type watched struct {
	runner.Runner
	fresh []bool
}

func (w *watched) Run(ctx context.Context, r runner.Request, out io.Writer) (runner.Reply, error) {
	w.fresh = append(w.fresh, r.Fresh)
	return w.Runner.Run(ctx, r, out)
}
