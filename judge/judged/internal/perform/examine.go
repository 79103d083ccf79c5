package perform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/lab/doctor"
)

// Health checks whether a worker's host can be trusted.
type Health struct {
	// Doctor makes the first examination attack the jail; a jail that does not hold takes no tasks.
	Doctor bool
	// Reference returns how long the reference runs take on the host whose speed counts as 1: the first worker of
	// the service. It is called once, with the time that they take here.
	Reference func(ctx context.Context, here time.Duration) (time.Duration, error)

	first time.Duration // what the reference runs took at the first examination; 0 before
	slow  int           // examinations in a row whose reference runs were slow
}

// If the reference runs take drift times as long as at first in patience examinations in a row, the worker takes no
// tasks any more.
const (
	drift    = 1.8
	patience = 2
)

// Examine implements worker.Performer. The first examination attacks the jail and measures how fast this
// host is; further ones find out whether it still is as fast.
func (p *Performer) Examine(ctx context.Context) error {
	if err := p.tidy(); err != nil {
		return err
	}
	if p.health.first == 0 && p.health.Doctor {
		if err := p.attack(ctx); err != nil {
			return err
		}
	}
	took, err := p.reference(ctx)
	if err != nil {
		return fmt.Errorf("the reference runs: %w", err)
	}
	if p.health.first == 0 {
		unit := took
		if p.health.Reference != nil {
			if unit, err = p.health.Reference(ctx, took); err != nil {
				return err
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.health.first, p.factor = took, float64(took)/float64(unit)
		return nil
	}
	if float64(took) <= drift*float64(p.health.first) {
		p.health.slow = 0
		return nil
	}
	if p.health.slow++; p.health.slow < patience {
		return nil
	}
	return fmt.Errorf("the reference runs take %v, and took %v when this worker started: the host has become slower", took.Round(time.Millisecond), p.health.first.Round(time.Millisecond))
}

// tidy keeps the cache below its cap and, if no task is being performed, lets other judges have the CPUs.
func (p *Performer) tidy() error {
	if p.tasks.TryLock() {
		defer p.tasks.Unlock()
		return p.engine.Rest()
	}
	return p.engine.Cache.Trim()
}

// attack has the doctor attack the jail.
func (p *Performer) attack(ctx context.Context) error {
	r, err := doctor.Examine(ctx, doctor.Options{
		Jail: p.engine.Host, Asked: p.engine.Config.Mode, Places: map[string]string{doctor.TempFolder: os.TempDir()},
		Emit: func(event.Event) {},
	})
	if err != nil {
		return fmt.Errorf("the doctor: %w", err)
	}
	if r.Count.Broken > 0 {
		return fmt.Errorf("the jail does not hold: %s (hint: judge doctor says more)", r.Total())
	}
	return nil
}

// The reference run reads many numbers with a Checktestdata program, which the judge itself interprets in the jail,
// so that it needs no tools.
const (
	referenceProgram = "REP(60000) INT(0,1000000000) NEWLINE END EOF\n"
	referenceNumbers = 60_000
	referenceRuns    = 5
)

// reference returns the median CPU time of the reference runs.
func (p *Performer) reference(ctx context.Context) (time.Duration, error) {
	program, err := p.referenceProgram(ctx)
	if err != nil {
		return 0, err
	}
	defer program.Close()
	var input bytes.Buffer
	for i := range uint64(referenceNumbers) {
		input.WriteString(strconv.FormatUint(i*2654435761%1_000_000_001, 10))
		input.WriteByte('\n')
	}
	times := make([]time.Duration, referenceRuns)
	for i := range times {
		o := p.engine.Pool.Run(ctx, run.Job{
			Program: program, Input: content.Of(input.Bytes()), Stdout: &discard{},
			Limits: limits.Limits{CPU: time.Minute, Wall: 5 * time.Minute, Memory: limits.GiB, Output: limits.MiB, Processes: limits.Processes, CPUs: 1},
		})
		if err := errors.Join(ctx.Err(), o.Err); err != nil {
			return 0, err
		}
		if o.Result.Stop != sandbox.Exited {
			return 0, fmt.Errorf("a reference run ended with %v", o.Result.Stop)
		}
		times[i] = o.Result.CPU
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func (p *Performer) referenceProgram(ctx context.Context) (*build.Program, error) {
	dir, err := os.MkdirTemp(p.engine.Host.Temp(), "reference-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	const name = "reference.ctd"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(referenceProgram), 0o600); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	source, err := build.OpenProgram(root, name, name, p.engine.Config.Build.Languages)
	if err != nil {
		return nil, err
	}
	return p.engine.Builder.Build(ctx, source)
}

// discard is a sink that keeps nothing.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return io.Discard.Write(p) }
func (discard) Reset()                      {}
