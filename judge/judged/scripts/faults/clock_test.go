package faults

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// clock is the clock of this process, which the test can set, as an administrator or NTP does.
var clock jumping

type jumping struct {
	by   atomic.Int64 // ns
	pace atomic.Pointer[pace]
}

// pace lets the time of day pass Times as fast from Since on.
type pace struct {
	Since time.Time
	Times int
}

// Now returns the time of the clock. As after any setting of a clock, only the time of day is another,
// and not what has passed between two times.
func (c *jumping) Now() time.Time {
	now := time.Now()
	by := time.Duration(c.by.Load())
	if p := c.pace.Load(); p != nil {
		by += p.ahead(now)
	}
	return set(now, by)
}

// ahead returns how far the time of day is ahead of that of the host.
func (p *pace) ahead(now time.Time) time.Duration {
	return max(0, now.Round(0).Sub(p.Since)) * time.Duration(p.Times-1)
}

// until returns how long it takes until it is t.
func (p *pace) until(t time.Time) time.Duration {
	now := time.Now()
	return t.Sub(now.Round(0).Add(p.ahead(now))) / time.Duration(p.Times)
}

func (c *jumping) set(by string) {
	if d, err := time.ParseDuration(by); err == nil && canSet() {
		c.by.Store(int64(d))
	}
}

// set returns what a clock that was set by d shows instead of t. Package time has no way to change only
// one of the two readings that a [time.Time] of this process holds; [canSet] checks that this one works.
func set(t time.Time, d time.Duration) time.Time {
	type layout struct {
		wall uint64 // the highest bit, seconds in 33 bits, nanoseconds in 30
		ext  int64  // the monotonic reading
		loc  *time.Location
	}
	const fraction = 30
	(*layout)(unsafe.Pointer(&t)).wall += uint64(int64(d/time.Second) << fraction)
	return t
}

// canSet reports whether times are laid out as set expects.
func canSet() bool {
	if unsafe.Sizeof(time.Time{}) != 2*8+unsafe.Sizeof(uintptr(0)) {
		return false
	}
	t := time.Now()
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		u := set(t, d)
		if u.Sub(t) != 0 || !u.Round(0).Equal(t.Round(0).Add(d)) {
			return false
		}
	}
	return true
}

func TestClock(t *testing.T) {
	if !canSet() {
		t.Error("times are laid out differently, so that the clocks of no schedule jump")
	}
}
