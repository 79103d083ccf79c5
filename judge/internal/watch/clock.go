package watch

import (
	"runtime"
	"syscall"
	"time"
)

// clock says when polled files are scanned next. While nothing changes, scanning takes less than a
// hundredth of a CPU. After a change it is done more often: files are quiet only if a scan has
// found them so.
type clock struct {
	timer    *time.Timer
	interval time.Duration
	adapt    bool
	quiet    time.Duration
	soon     int // scans to be done soon
}

func newClock(o Options) *clock {
	c := &clock{interval: o.Poll, quiet: o.Quiet, timer: time.NewTimer(time.Hour)}
	if c.timer.Stop(); o.Poll == 0 {
		c.interval, c.adapt = usual, true
	}
	return c
}

// usual is the interval of scans, unless there are very many files.
const usual = 500 * time.Millisecond

// next returns a channel that receives the time of the next scan.
func (c *clock) next() <-chan time.Time {
	if c.soon > 0 {
		c.timer.Reset(min(c.interval, c.quiet/2))
	} else {
		c.timer.Reset(c.interval)
	}
	return c.timer.C
}

// scanned records how much CPU time a scan took and whether it found changes.
func (c *clock) scanned(cost time.Duration, changed bool) {
	if c.adapt {
		c.interval = max(usual, 100*cost)
	}
	if changed {
		c.soon = 2 // the second is a quiet period later
	} else if c.soon > 0 {
		c.soon--
	}
}

// cpuTime returns how much CPU time do takes. The duration would say little: on a busy machine, or
// over a network, a scan mostly waits.
func cpuTime(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	do()
	return threadTime() - before
}

func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	_ = syscall.Getrusage(thread, &u) // it cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
