package sandbox

import (
	"context"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
)

// meter tells what a run has used so far. A zero memory figure means that the
// kernel enforces the limit and nothing has to be polled.
type meter interface {
	used() (cpu time.Duration, memory limits.Bytes)
	// delay returns how long the thread that waited most was ready and had no CPU,
	// and whether that is known.
	delay() (longest time.Duration, known bool)
}

// watchdog stops a run that goes over its limits and records the first cause. It
// holds no goroutine: a timer fires when the CPU limit can be reached at the
// earliest, which for most runs is never.
type watchdog struct {
	meter  meter
	limits limits.Limits
	grace  time.Duration
	poll   time.Duration // 0: only when a limit can be reached
	cpus   []int         // that the run is pinned to; none: any
	cancel context.CancelFunc
	late   func() // called when the wall limit and the grace are over, before the stop; nil for nobody

	mu     sync.Mutex
	timer  *time.Timer
	start  time.Time
	ended  bool
	caused bool
	cause  Stop
	sawMax limits.Bytes  // largest memory polled
	sawCPU time.Duration // largest CPU time polled
	before hostTimes     // of the host, when the run began or a little earlier
	ask    time.Duration // the wall time to look at its waiting next
	waited time.Duration // of a run over its wall limit, see Result
}

const (
	pollFirst = time.Millisecond      // short runs are to be seen at least once
	pollLater = 10 * time.Millisecond // then rarely enough to cost little
	wakeLeast = 5 * time.Millisecond  // between two looks at a CPU clock near its limit
	waitLooks = 8                     // at how long a run has waited, before its wall limit
)

// begin starts the clocks. It returns the moment that wall time counts from.
func (w *watchdog) begin() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.limits.Wall > 0 {
		w.before, w.ask = recentHostTimes(), w.limits.Wall/waitLooks
	}
	w.start = time.Now()
	if wait, ok := w.next(0, 0); ok {
		w.timer = time.AfterFunc(wait, w.look)
	}
	return w.start
}

// next returns how long nothing can happen, given what has been used.
func (w *watchdog) next(wall, cpu time.Duration) (time.Duration, bool) {
	wait, ok := time.Duration(0), false
	sooner := func(d time.Duration) {
		if !ok || d < wait {
			wait, ok = d, true
		}
	}
	if w.limits.Wall > 0 {
		sooner(w.ask - wall)
	}
	if w.limits.CPU > 0 {
		sooner(max((w.limits.CPU+w.grace-cpu)/time.Duration(max(len(w.cpus), 1)), wakeLeast))
	}
	if w.poll > 0 {
		sooner(min(max(wall, pollFirst), w.poll))
	}
	return wait, ok
}

func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.caused {
		return
	}
	cpu, memory := w.meter.used()
	w.sawMax, w.sawCPU = max(w.sawMax, memory), max(w.sawCPU, cpu)
	wall := time.Since(w.start)
	if w.limits.Wall > 0 && wall >= w.ask {
		w.lookAtWaiting(wall, cpu)
	}
	switch {
	case w.limits.Memory > 0 && memory > w.limits.Memory:
		w.stop(OverMemory)
	case w.limits.CPU > 0 && cpu >= w.limits.CPU+w.grace:
		w.stop(OverCPU)
	case w.limits.Wall > 0 && wall >= w.limits.Wall+w.grace:
		if w.late != nil {
			w.mu.Unlock()
			w.late()
			w.mu.Lock()
		}
		w.stop(OverWall)
	default:
		if wait, ok := w.next(wall, cpu); ok {
			w.timer.Reset(wait)
		}
	}
}

// lookAtWaiting measures how long the run has waited for a CPU, and says when to do
// so again: several times before the wall limit, at it, and when the grace is over.
func (w *watchdog) lookAtWaiting(wall, cpu time.Duration) {
	delay, known := w.meter.delay()
	if wall < w.limits.Wall {
		w.ask = min(wall+w.limits.Wall/waitLooks, w.limits.Wall)
		return
	}
	w.ask = w.limits.Wall + w.grace
	steal, pressed := readHostTimes().since(w.before, wall, w.cpus)
	w.waited = waited(wall, cpu, len(w.cpus), delay, known, steal, pressed)
}

// stop records the cause unless there is one, and ends the run. w.mu is held.
func (w *watchdog) stop(cause Stop) {
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

// end stops the clocks and returns the recorded cause, if any. A cancellation of
// the caller's context counts when the watchdog has not acted itself.
func (w *watchdog) end(ctx context.Context) (Stop, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if !w.caused && ctx.Err() != nil {
		return Cancelled, true
	}
	return w.cause, w.caused
}
