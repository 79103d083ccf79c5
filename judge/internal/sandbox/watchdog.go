package sandbox

import (
	"context"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
)

// meter measures what a run has used so far. A memory figure of 0 means that the kernel enforces
// the limit and nothing has to be polled.
type meter interface {
	used() (cpu time.Duration, memory limits.Bytes)
}

// watchdog stops a run that goes over its limits, and records the first cause. It has no goroutine:
// a timer fires when the CPU limit can be reached at the earliest, which for most runs is never.
//
// The wall clock stands still while the run waits for a CPU that others have, see [cpuWait], for at
// most waitMost times the limit. So no program can gain more time than that by making itself wait;
// and on a host busier than that a run proves nothing, see [StarvedError].
type watchdog struct {
	meter      meter
	limits     limits.Limits
	grace      time.Duration
	interval   time.Duration // interval of polls; 0: poll only when a limit can be reached
	cpus       []int         // the CPUs that the run is pinned to; none: any
	cancel     context.CancelFunc
	onOverWall func() // Command.OnOverWall; may be nil

	mu       sync.Mutex
	timer    *time.Timer
	pid      int // process number of the run's first process
	start    time.Time
	ended    bool
	caused   bool
	cause    StopReason
	denied   string        // the denied call, with Forbidden
	sawMax   limits.Bytes  // largest memory polled
	sawCPU   time.Duration // largest CPU time polled
	from     time.Duration // when the wall limit began to count, since start
	nextPoll time.Duration // wall time at which to poll waits next
	waits    cpuWait
	stuck    func() bool  // reports whether the run cannot write until the judge reads; may be nil
	stderr   func() int64 // returns how many bytes of standard error were read so far
}

const (
	pollFirst = time.Millisecond      // short enough that short runs are polled at least once
	pollLater = 10 * time.Millisecond // later interval, long enough to cost little
	firstPoll = 5 * time.Millisecond  // the first poll of waits: most runs are over by then
	wakeLeast = 5 * time.Millisecond  // shortest time between two reads of a CPU clock near its limit
	waitMost  = 10                    // how long a run may wait for a CPU, in wall limits
	waitLeast = 10 * time.Second      // how long a run may wait even if its wall limit is short
)

// begin starts the clocks of a run whose first process is about to begin. It returns the moment
// from which wall time counts.
func (w *watchdog) begin(pid int) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start, w.pid = time.Now(), pid
	if w.limits.Wall > 0 {
		w.limitWall(w.limits.Wall, 0)
		w.from = 0 // limitWall has added the nanoseconds since start
	}
	if wait, ok := w.next(0, 0); ok {
		w.timer = time.AfterFunc(wait, w.poll)
	}
	return w.start
}

// limitWall makes a wall limit count from now on. cpu is the run's CPU time so far. w.mu must be
// held.
func (w *watchdog) limitWall(limit, cpu time.Duration) {
	w.limits.Wall = limit
	w.from = time.Since(w.start)
	w.waits.begin(cpu)
	w.nextPoll = min(limit/8, firstPoll)
}

// next returns the time until a limit can be reached or a poll is due, whichever is sooner, given
// what the run has used. ok is false if nothing has to be watched.
func (w *watchdog) next(wall, cpu time.Duration) (time.Duration, bool) {
	wait, ok := time.Duration(0), false
	sooner := func(d time.Duration) {
		if !ok || d < wait {
			wait, ok = d, true
		}
	}
	if w.limits.Wall > 0 {
		sooner(w.nextPoll - wall)
	}
	if w.limits.CPU > 0 {
		sooner(max((w.limits.CPU+w.grace-cpu)/time.Duration(max(len(w.cpus), 1)), wakeLeast))
	}
	if w.interval > 0 {
		sooner(min(max(wall, pollFirst), w.interval))
	}
	return wait, ok
}

func (w *watchdog) poll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.caused {
		return
	}
	cpu, memory := w.meter.used()
	w.sawMax, w.sawCPU = max(w.sawMax, memory), max(w.sawCPU, cpu)
	wall := time.Since(w.start) - w.from
	counted := time.Duration(0) // wall time that counts against the limit
	if w.limits.Wall > 0 {
		counted = w.updateWait(wall, cpu)
	}
	switch {
	case w.limits.Memory > 0 && memory > w.limits.Memory:
		w.stop(OverMemory)
	case w.limits.Output > 0 && w.sentToPartner() > int64(w.limits.Output):
		w.stop(OverOutput)
	case w.limits.CPU > 0 && cpu >= w.limits.CPU+w.grace:
		w.stop(OverCPU)
	case w.limits.Wall > 0 && counted >= w.limits.Wall+w.grace:
		if w.onOverWall != nil {
			w.mu.Unlock()
			w.onOverWall()
			w.mu.Lock()
		}
		w.stop(OverWall)
	case w.limits.Wall > 0 && max(w.waits.total, wall-w.waits.at) > max(waitMost*w.limits.Wall, waitLeast):
		w.stop(starved)
	default:
		if wait, ok := w.next(wall, cpu); ok {
			w.timer.Reset(wait)
		}
	}
}

// stop records the cause, unless there is one already, and ends the run. w.mu must be held.
func (w *watchdog) stop(cause StopReason) {
	if !w.ended && !w.caused {
		w.caused, w.cause = true, cause
		w.cancel()
	}
}

// overOutput ends the run because it wrote too much.
func (w *watchdog) overOutput() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop(OverOutput)
}

// end stops the clocks of a run that took wall since its begin, and returns the recorded cause, if
// any. The end of the caller's context is a cause if there is no other.
//
// A run that ended by itself did so some time after the last poll. The judge may have noticed late,
// because it too waits for a CPU, and the run must not suffer from that. So a run is over its wall
// limit only if a poll has found it so.
func (w *watchdog) end(ctx context.Context, wall time.Duration) (StopReason, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if over := wall - w.from - w.waits.total - w.limits.Wall; !w.caused && w.limits.Wall > 0 && over > 0 {
		w.waits.total += min(over, max(wall-w.from-w.waits.at, 0))
	}
	w.waits.total = min(w.waits.total, max(wall-w.from, 0)) // the last poll may have come after the end
	if !w.caused && ctx.Err() != nil {
		return Cancelled, true
	}
	return w.cause, w.caused
}
