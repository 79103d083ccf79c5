package sandbox

import (
	"context"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
)

// This file is the path of every run. Only the starter differs between the modes.

// linger is how long output is still read after the program has ended, if other processes keep the
// pipes open.
const linger = 200 * time.Millisecond

// errorSize is how much a program may write to standard error. Only the end is kept; the limit is
// more than any program needs for diagnostics, and quickly read.
const errorSize = 64 * limits.MiB

// sigsys is SIGSYS of Linux, the only system on which a run can be Forbidden.
const sigsys Signal = 31

// starter runs the program of an attempt in one mode: it starts the program, waits until all its
// processes have ended, and reads the rest of its output. On the way it calls stopBy, begin and end.
//
// The Result says how the program ended by itself, or OverMemory if the kernel knows that, and what
// it used; the other fields are not set.
type starter func(r *attempt) (Result, error)

// attempt is one run in progress.
type attempt struct {
	cmd     *Command
	caller  context.Context
	ctx     context.Context // derived from caller's; ends when the run must stop
	state   *runState
	watch   *watchdog
	live    *Running
	streams *streams

	start       time.Time
	stopKilling func() // see stopBy; nil before
	wall        time.Duration
	stop        StopReason // why the sandbox stopped the run, if caused
	caused      bool
}

func runOnce(ctx context.Context, cmd *Command, start starter) (Result, error) {
	stoppable, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &attempt{cmd: cmd, caller: ctx, ctx: stoppable, state: &runState{memoryLimit: cmd.Limits.Memory}}
	r.watch = &watchdog{
		meter: r.state, limits: cmd.Limits, grace: cmd.Grace, interval: pollLater, cpus: cmd.CPUs, cancel: cancel, onOverWall: cmd.OnOverWall,
	}
	var err error
	if r.live, err = newRunning(cmd, r.watch, r.state); err != nil {
		return Result{}, err
	}
	defer r.live.stop()
	if r.streams, err = openStreams(cmd, r.watch); err != nil {
		return Result{}, err
	}
	defer r.streams.abandon()

	result, err := start(r)
	if err != nil {
		r.halt()
		return Result{}, err
	}
	result.Wall, result.CPUWait = r.wall, r.watch.waits.total
	result.Stdout, result.Stderr = r.streams.stdoutRead.Load(), r.streams.stderrRead.Load()
	switch {
	case r.caused && r.stop == Cancelled:
	case cmd.Limits.Output > 0 && result.Stdout > int64(cmd.Limits.Output), result.Stderr > int64(errorSize):
		// Perhaps the program ended before its output was read.
		r.stop, r.caused = OverOutput, true
	case r.caused && r.stop == OverOutput:
	case result.Stop == OverMemory: // the kernel's record overrides other causes
		r.stop, r.caused = OverMemory, true
	}
	if r.caused && r.stop == starved {
		return Result{}, result.starved()
	}
	if r.caused {
		// A program that is being stopped may exit or die in several ways, depending on
		// microseconds.
		result.Stop, result.ExitCode, result.Signal = r.stop, 0, 0
	}
	if result.Stop == Forbidden {
		result.Denied, result.Signal = r.watch.denied, sigsys
	}
	result.classifySignal(cmd)
	return result, nil
}

// stopBy calls kill if the run must stop before its end.
func (r *attempt) stopBy(kill func()) {
	killed := make(chan struct{})
	cancel := context.AfterFunc(r.ctx, func() {
		defer close(killed)
		kill()
	})
	r.stopKilling = sync.OnceFunc(func() {
		if !cancel() {
			<-killed // a later kill could hit another process of the same number
		}
	})
}

// begin starts the clocks of a program that is about to begin in process pid.
func (r *attempt) begin(pid int) {
	if r.cmd.OnStart != nil {
		r.cmd.OnStart(r.ctx, r.live)
	}
	r.start = r.watch.begin(pid)
	r.live.begin(pid)
}

// end stops the clocks of a program that has ended. failed reports whether a signal killed it or its
// exit status is not 0.
func (r *attempt) end(failed bool) {
	r.halt()
	r.live.stop()
	if r.cmd.OnEnd != nil {
		r.cmd.OnEnd(failed && !r.caused)
	}
	r.live.release()
}

// halt stops the clocks.
func (r *attempt) halt() {
	r.wall = time.Since(r.start)
	if r.stopKilling != nil {
		r.stopKilling()
	}
	r.stop, r.caused = r.watch.end(r.caller, r.wall)
}
