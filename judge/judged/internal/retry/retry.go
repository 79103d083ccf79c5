// Package retry tries again what fails while something is away, and says so without filling the log.
package retry

import (
	"context"
	"errors"
	"log/slog"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// Effort is an attempt to do something that is repeated until it succeeds. Several goroutines may make the same
// effort: their failures are counted together. What, Log and Pause must be set.
type Effort struct {
	What  string // what is tried, as the log names it: "taking answers"
	Log   *slog.Logger
	Pause time.Duration                                    // between a failure and the next try
	Wait  func(ctx context.Context, d time.Duration) error // by default [Wait]

	failures Streak
	logging  sync.Mutex // so that lines come in the order of their numbers, whichever goroutine has failed
}

// Streak counts failures in a row. The first, second, fourth, eighth and so on are to be logged, so that an outage
// of an hour takes about fifteen lines. The zero value has none. It is safe for concurrent use.
type Streak struct{ n atomic.Int64 }

// Failed counts a failure, and returns how many there are and whether to log this one.
func (s *Streak) Failed() (n int64, log bool) {
	n = s.n.Add(1)
	return n, bits.OnesCount64(uint64(n)) == 1
}

// Succeeded ends the streak, and returns how many failures it had.
func (s *Streak) Succeeded() int64 { return s.n.Swap(0) }

// Wait waits for d. If ctx ends before, it returns the error of ctx.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Until calls try until it succeeds, and returns nil; until final reports that the error of the nth try is the
// result, and returns that error; or until ctx ends, and returns its error joined with that of the last try.
func (e *Effort) Until(ctx context.Context, try func() error, final func(n int, err error) bool) error {
	for n := 1; ; n++ {
		err := try()
		if err != nil && final(n, err) {
			return err
		}
		if ended := e.After(ctx, err); ended != nil {
			return errors.Join(ended, err)
		}
		if err == nil {
			return nil
		}
	}
}

// Always calls step until ctx ends, and returns the error of ctx.
func (e *Effort) Always(ctx context.Context, step func() error) error {
	for ctx.Err() == nil {
		if err := e.After(ctx, step()); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// After logs a failed try and pauses. It returns an error only if ctx ends meanwhile. Failures because ctx has
// ended are not logged, and of failures in a row only some are, see [Streak].
func (e *Effort) After(ctx context.Context, err error) error {
	if err == nil {
		e.Succeeded()
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e.logging.Lock()
	if n, log := e.failures.Failed(); log {
		e.Log.Warn(e.What+" failed, trying again", "failures", n, "error", err)
	}
	e.logging.Unlock()
	wait := e.Wait
	if wait == nil {
		wait = Wait
	}
	return wait(ctx, e.Pause)
}

// Succeeded logs that a try has succeeded after failures.
func (e *Effort) Succeeded() {
	if n := e.failures.Succeeded(); n > 0 {
		e.Log.Info(e.What+" works again", "failures", n)
	}
}
