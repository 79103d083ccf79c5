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
}

// watchdog stops a run that goes over its limits and records the first cause. It
// holds no goroutine: a timer fires when the CPU limit can be reached at the
// earliest, which for most runs is never.
//
// The wall clock stands still while the run waits for a CPU that others have, see [waits].
// It does so for waitMost times the limit at most: no program can buy more by making
// itself wait, and on a host that is so busy a run shows nothing, see [StarvedError].
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
	pid    int // the run's first process
	start  time.Time
	ended  bool
	caused bool
	cause  Stop
	denied string        // the call, with Forbidden
	sawMax limits.Bytes  // largest memory polled
	sawCPU time.Duration // largest CPU time polled
	from   time.Duration // since start, when the wall limit began to count
	ask    time.Duration // the wall time to look at its waiting next
	waits  waits
	beside *side        // for whose CPU the run waits as well; nil: nobody's
	stuck  func() bool  // whether it can write no more before the judge has read; nil: no
	stderr func() int64 // how much of its standard error has been read
}

const (
	pollFirst = time.Millisecond      // short runs are to be seen at least once
	pollLater = 10 * time.Millisecond // then rarely enough to cost little
	wakeLeast = 5 * time.Millisecond  // between two looks at a CPU clock near its limit
	waitMost  = 10                    // wall limits that a run may wait for a CPU
	waitLeast = 10 * time.Second      // that it may in any case
)

// begin starts the clocks of a run, whose first process is about to begin. It returns the
// moment that wall time counts from.
func (w *watchdog) begin(r *runState, pid int) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start, w.pid = time.Now(), pid
	w.waits = waits{cpus: w.cpus, sides: []*side{{run: r}}}
	if w.beside != nil {
		w.waits.sides = append(w.waits.sides, w.beside)
	}
	if w.limits.Wall > 0 {
		w.limitWall(w.limits.Wall, 0)
		w.from = 0 // and not the nanoseconds since
	}
	if wait, ok := w.next(0, 0); ok {
		w.timer = time.AfterFunc(wait, w.look)
	}
	return w.start
}

// limitWall has a limit of wall time count from now on, when the run has used so much CPU
// time. w.mu is held.
func (w *watchdog) limitWall(limit, cpu time.Duration) {
	w.limits.Wall = limit
	w.from = time.Since(w.start)
	w.waits.begin(cpu, recentHostTimes())
	w.ask = min(limit/8, firstLook)
}

// limitRest is limitWall for a run in progress.
func (w *watchdog) limitRest(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.caused {
		return
	}
	cpu, _ := w.meter.used()
	w.limitWall(limit, cpu)
	for _, s := range w.waits.sides {
		s.look(0, 0, 1) // so that what came before does not count
	}
	wait, _ := w.next(0, cpu)
	if w.timer == nil {
		w.timer = time.AfterFunc(wait, w.look)
	} else {
		w.timer.Reset(wait)
	}
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
	wall := time.Since(w.start) - w.from
	counted := time.Duration(0) // wall time against the limit
	if w.limits.Wall > 0 {
		counted = w.lookAtWaiting(wall, cpu)
	}
	switch {
	case w.limits.Memory > 0 && memory > w.limits.Memory:
		w.stop(OverMemory)
	case w.limits.Output > 0 && w.said() > int64(w.limits.Output):
		w.stop(OverOutput)
	case w.limits.CPU > 0 && cpu >= w.limits.CPU+w.grace:
		w.stop(OverCPU)
	case w.limits.Wall > 0 && counted >= w.limits.Wall+w.grace:
		if w.late != nil {
			w.mu.Unlock()
			w.late()
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

// lookAtWaiting brings the account of waiting up to date, if that is due, and returns how
// much wall time counts so far. It says when to look again: before the limit can be
// reached, at it, and when the grace is over.
//
// Who starts the program and who learns of its end wait for a CPU like all others. A process
// that has not become the program yet has used up nothing, and one that has ended needs no
// more: nobody looks on until its end is told, see end.
func (w *watchdog) lookAtWaiting(wall, cpu time.Duration) time.Duration {
	if wall < w.ask {
		return min(wall, w.waits.at) - w.waits.total
	}
	first, err := readStat(w.pid)
	switch {
	case err == nil && first.dead:
		w.ask = wall + wakeLeast
		return w.waits.at - w.waits.total
	case err == nil && first.forked:
		w.waits.nothing(wall, cpu)
		w.ask = wall + laterLook
		return wall - w.waits.total
	}
	settle := wall-w.waits.total >= w.limits.Wall
	again := w.waits.look(wall, cpu, w.stuck != nil && w.stuck(), settle)
	counted := wall - w.waits.total
	for _, end := range []time.Duration{w.limits.Wall, w.limits.Wall + w.grace} {
		if left := end - counted; left > 0 {
			again = min(again, left)
		}
	}
	w.ask = wall + again
	return counted
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

// end stops the clocks of a run that took so long since its begin and returns the recorded
// cause, if any. A cancellation of the caller's context counts when the watchdog has not
// acted itself.
//
// A run that ended by itself did so some time after the last look. That the judge, which
// waits for a CPU like all others, noticed late is not held against it: it is over its
// wall limit only if a look has found it so.
func (w *watchdog) end(ctx context.Context, wall time.Duration) (Stop, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if over := wall - w.from - w.waits.total - w.limits.Wall; !w.caused && w.limits.Wall > 0 && over > 0 {
		w.waits.total += min(over, max(wall-w.from-w.waits.at, 0))
	}
	w.waits.total = min(w.waits.total, max(wall-w.from, 0)) // a last look may have come after the end
	if !w.caused && ctx.Err() != nil {
		return Cancelled, true
	}
	return w.cause, w.caused
}
