package watch

import (
	"runtime"
	"syscall"
	"time"
)

// A clock says when polled files are looked at next. Looking costs less than a
// hundredth of a CPU while nothing changes. After a change it is done more often:
// files are quiet only when they were seen to be.
type clock struct {
	timer    *time.Timer
	interval time.Duration
	adapt    bool
	quiet    time.Duration
	often    int // looks to be done soon
}

func newClock(o Options) *clock {
	c := &clock{interval: o.Poll, quiet: o.Quiet, timer: time.NewTimer(time.Hour)}
	if c.timer.Stop(); o.Poll == 0 {
		c.interval, c.adapt = usual, true
	}
	return c
}

// usual is how often files are looked at, if there are not very many.
const usual = 500 * time.Millisecond

// next returns the channel on which the time of the next look comes.
func (c *clock) next() <-chan time.Time {
	if c.often > 0 {
		c.timer.Reset(min(c.interval, c.quiet/2))
	} else {
		c.timer.Reset(c.interval)
	}
	return c.timer.C
}

// looked tells how much CPU time a look took and whether anything had changed.
func (c *clock) looked(cost time.Duration, changed bool) {
	if c.adapt {
		c.interval = max(usual, 100*cost)
	}
	if changed {
		c.often = 2 // the second is a quiet period later
	} else if c.often > 0 {
		c.often--
	}
}

// cpuTime returns how much of it do takes, which goes through files alone: on a busy
// machine, or over a network, most of the time it takes is spent waiting.
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
