package watch

import (
	"runtime"
	"time"

	"tribunal/judge/internal/system"
)

// clock times the scans of polled files. While nothing changes, scanning takes at most a hundredth
// of a CPU. After a change, scans are more frequent, because only a scan that finds no change shows
// that files are quiet.
type clock struct {
	timer      *time.Timer
	interval   time.Duration
	adapt      bool // adapt interval to the cost of a scan
	quiet      time.Duration
	shortScans int // number of scans left to do at short intervals
}

func newClock(o Options) *clock {
	c := &clock{interval: o.Poll, quiet: o.Quiet, timer: time.NewTimer(time.Hour)}
	if c.timer.Stop(); o.Poll == 0 {
		c.interval, c.adapt = defaultInterval, true
	}
	return c
}

// defaultInterval is the interval of scans, unless there are so many files that it must be longer.
const defaultInterval = 500 * time.Millisecond

// next returns a channel that receives the time of the next scan.
func (c *clock) next() <-chan time.Time {
	if c.shortScans > 0 {
		c.timer.Reset(min(c.interval, c.quiet/2))
	} else {
		c.timer.Reset(c.interval)
	}
	return c.timer.C
}

// scanned records how much CPU time a scan took and whether it found changes.
func (c *clock) scanned(cost time.Duration, changed bool) {
	if c.adapt {
		c.interval = max(defaultInterval, 100*cost)
	}
	if changed {
		c.shortScans = 2 // two scans, each after half a quiet period
	} else if c.shortScans > 0 {
		c.shortScans--
	}
}

// cpuTime returns the CPU time that do takes. Wall time would not show the load: on a busy machine,
// or over a network, a scan mostly waits.
func cpuTime(do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := system.ThreadTime()
	do()
	return system.ThreadTime() - before
}
