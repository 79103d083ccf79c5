// Package retry tries again what fails while something is away, and says so without filling the log.
package retry

import (
	"context"
	"errors"
	"log/slog"
	"math/bits"
	"sync"
	"time"
)

// Effort is something that is tried until it succeeds. Several goroutines may make the same effort: what
// they log counts together. What, Log and Pause must be set.
type Effort struct {
	What  string // what is tried, as the log names it: "taking answers"
	Log   *slog.Logger
	Pause time.Duration                                    // between a failure and the next try
	Wait  func(ctx context.Context, d time.Duration) error // by default [Wait]

	mu     sync.Mutex
	failed int // tries since the last success
}

// Wait waits, and returns the error of ctx if that ends before.
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

// Until tries until it succeeds, and then returns nil; until final reports that an error of the nth try is
// the result; or until ctx ends, and then returns its error together with that of the last try.
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

// Always takes one step after the other until ctx ends, and returns its error.
func (e *Effort) Always(ctx context.Context, step func() error) error {
	for ctx.Err() == nil {
		if err := e.After(ctx, step()); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// After logs what came of a try, and waits if it failed. It returns an error only if ctx ends meanwhile. What
// failed because ctx has ended is not logged.
//
// Of failures in a row, the first, second, fourth, eighth and so on are logged, so that an outage of an hour takes
// fifteen lines or so.
func (e *Effort) After(ctx context.Context, err error) error {
	if err == nil {
		e.Succeeded()
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e.note(err)
	wait := e.Wait
	if wait == nil {
		wait = Wait
	}
	return wait(ctx, e.Pause)
}

// note counts a failure, and logs it if its number is a power of two. The lines come in the order of their
// numbers, whichever goroutine has failed.
func (e *Effort) note(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed++; bits.OnesCount(uint(e.failed)) == 1 {
		e.Log.Warn(e.What+" failed, trying again", "failures", e.failed, "error", err)
	}
}

// Succeeded logs that a try has succeeded, if others failed before.
func (e *Effort) Succeeded() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed > 0 {
		e.Log.Info(e.What+" works again", "failures", e.failed)
	}
	e.failed = 0
}
