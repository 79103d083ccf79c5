// Package run executes programs on the machine's CPU slots and delivers outcomes in input order.
// Begin with [Pool.Run] and [Each].
package run

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// DefaultGrace is how far a run may exceed a time limit before it is stopped.
const DefaultGrace = 300 * time.Millisecond

// Job is one run of a program.
type Job struct {
	Program *build.Program
	Args    []string // added to the program's own arguments
	Env     []string // KEY=value, added to the program's environment; replaces settings of the same name
	// Files, by slash path, are put where the program starts; they replace the program's own
	// files of the same name. They must not change while the job runs.
	Files map[string][]byte
	// Folder is a second folder of the program. In is put there before the program starts, and Out
	// is copied from there after it has exited. Args name paths in it by [sandbox.Anywhere].
	Folder sandbox.Folder
	In     []runner.File
	Out    []runner.CopyOut
	// InFolder starts the program in Folder, where Files are put, too, and where what it leaves can be
	// copied from.
	InFolder bool
	// InFile and OutFile are files, where the program starts, that hold its input and output instead of
	// standard input and output; "" for these. With one of them, Folder, In and Out are not used, and
	// there must be no interactor.
	InFile, OutFile string
	// ReadOnly keeps the program from writing files: see [sandbox.Spec].
	ReadOnly bool
	// Input is the standard input and must not change while the job runs. A large file is not read
	// into memory.
	Input  content.Content
	Stdout Sink // gets at most Limits.Output bytes, from one goroutine; may be nil
	// Limits bound the run. CPUs is the number of slots that it gets, at most all of the pool's.
	Limits limits.Limits
	// Interactor, if not nil, runs beside the program, each connected to the other. Input and Stdout
	// are not used then.
	Interactor *Interactor
	// StderrEnds keeps more of standard error, for a validator that answers there: see
	// [sandbox.Ends].
	StderrEnds bool
	// StderrMost, if not 0, keeps all of standard error, up to this size, at most [runner.MaxStderr].
	StderrMost limits.Bytes
	// Exclusive runs the job in a new box, and no other job of the pool at the same time.
	Exclusive bool
	// Known lets a memo answer an exclusive job with the outcome of an earlier exclusive run. A job
	// that repeats a doubtful run must not set it.
	Known bool
	// Starving makes Run return a run that other load on the host may have made fail, and the
	// [*sandbox.StarvedError] of one that got no CPU, for a caller with rules of its own. Otherwise Run
	// first repeats the job, exclusively.
	Starving bool
}

// Sink receives the standard output of a run. Reset drops everything written so far, because the
// run is repeated.
type Sink interface {
	io.Writer
	Reset()
}

// Interactor is the program that runs beside a submission: see [runner.Interactor]. Its fields are
// like those of [Job].
type Interactor struct {
	Program *build.Program
	Args    []string
	Env     []string
	Folder  sandbox.Folder
	In      []runner.File
	Out     []runner.CopyOut
	Limits  limits.Limits

	Decides    bool
	Accepts    []int
	Answers    []int // the exit statuses by which it decides; a memo records no run in which it failed
	Transcript limits.Bytes
}

// request returns the request for a runner, without CPUs and grace.
func (j *Job) request() (r runner.Request, err error) {
	if r.Program, err = programOf(j.Program, j.Limits, j.Args, j.Env); err != nil {
		return r, err
	}
	// An exclusive run may repeat an input. In a fresh box, process and inode numbers tell the
	// program nothing about the earlier run.
	r.Input, r.Fresh = j.Input, j.Exclusive
	r.Box.Folder, r.Box.ReadOnly, r.In, r.Out, r.StderrEnds, r.StderrMost = j.Folder, j.ReadOnly, j.In, j.Out, j.StderrEnds, j.StderrMost
	switch {
	case r.Files == nil:
		r.Files = j.Files
	case j.Files != nil:
		r.Files = build.Overlay(r.Files, j.Files)
	}
	if j.InFolder {
		r.Box.Dir, r.In = j.Folder.Path, slices.Clone(j.In)
		for _, name := range slices.Sorted(maps.Keys(r.Files)) {
			r.In = append(r.In, runner.File{Name: name, Mode: 0o644, Content: content.Of(r.Files[name])})
		}
		r.Files = nil
	}
	if p := j.Interactor; p != nil {
		r.Interactor = &runner.Interactor{Decides: p.Decides, Accepts: p.Accepts, Transcript: p.Transcript}
		if r.Interactor.Program, err = programOf(p.Program, p.Limits, p.Args, p.Env); err != nil {
			return r, err
		}
		r.Interactor.Box.Folder, r.Interactor.In, r.Interactor.Out = p.Folder, p.In, p.Out
	}
	return r, nil
}

// programOf returns a program with the limits, arguments and environment of a job.
func programOf(p *build.Program, l limits.Limits, args, env []string) (runner.Program, error) {
	cmd, err := p.Command(sandbox.Anywhere, l, args...)
	return runner.Program{Box: p.Spec(), Exe: cmd.Exe, Args: cmd.Args, Env: overlay(cmd.Env, env), Files: cmd.Files, Limits: l}, err
}

// Outcome is the outcome of one job. The caller must close its copies.
type Outcome struct {
	runner.Reply
	Cached bool  // the memo reported the outcome of an earlier run
	Err    error // the judge failed; all other fields are zero then
	// Busy is not nil if the run failed, and so did its repetitions, because the host has no CPU for it.
	Busy *sandbox.StarvedError
}

// Cause is [sandbox.Result.Cause], or else that the host is too busy, which is not the program's fault.
func (o *Outcome) Cause(l limits.Limits) string {
	if o.Busy != nil {
		return o.Busy.Error()
	}
	return o.Result.Cause(l)
}

// maxAgain is how often a run that may be the host's fault is repeated.
const maxAgain = 3

// Run runs a job as soon as there are CPUs for it. When ctx ends, the job is stopped, or not
// started, and its outcome is Cancelled.
//
// No program is blamed for a busy host. A run that failed, but is [Doubtful], is repeated exclusively
// until one is certain, or a second exclusive one ends like the one before, but no more than three
// times; if it was starved to the last, the outcome is Busy. A run that failed for a reason that lies
// neither in the program nor in its input is repeated once, exclusively: see [runner.Retry], and
// [Job].Starving for an exception.
func (p *Pool) Run(ctx context.Context, job Job) Outcome {
	o := p.retry(ctx, &job)
	if job.Starving {
		return o
	}
	for again := 0; again < maxAgain && p.doubts(job, o) && ctx.Err() == nil; again++ {
		exclusive, before := job.Exclusive, o
		before.close()
		job.again()
		o = p.retry(ctx, &job)
		if exclusive && o.Err == nil && o.Stop == before.Stop && !Starved(job.Limits, p.grace, o.Result) {
			return o
		}
	}
	if o.Err == nil && Starved(job.Limits, p.grace, o.Result) && !o.OK(job.Limits) {
		o.Busy = &sandbox.StarvedError{Wall: o.Wall, CPU: o.CPU, CPUWait: o.CPUWait}
	}
	return o
}

// doubts reports whether a run failed, and other load on the host may be the cause.
func (p *Pool) doubts(job Job, o Outcome) bool {
	return o.Err == nil && !o.OK(job.Limits) && Doubtful(job.Limits, p.grace, o.Result)
}

// again prepares a job for a repetition.
func (j *Job) again() {
	j.Exclusive = true
	if j.Stdout != nil {
		j.Stdout.Reset()
	}
}

// close closes the copies of an outcome that is dropped.
func (o *Outcome) close() {
	o.Copies.Close()
	if o.Interaction != nil {
		o.Interaction.Copies.Close()
	}
}

// retry runs a job, and once more after a failure that is not its own.
func (p *Pool) retry(ctx context.Context, job *Job) (o Outcome) {
	_ = runner.Retry(ctx, func(again bool) error {
		if again {
			job.again()
		}
		o = p.once(ctx, *job)
		if errors.Is(o.Err, sandbox.ErrDied) {
			p.deaths.Add(1)
		}
		if _, starved := errors.AsType[*sandbox.StarvedError](o.Err); starved && job.Starving {
			return nil
		}
		return o.Err
	})
	return o
}

func (p *Pool) once(ctx context.Context, job Job) Outcome {
	s, err := p.acquire(ctx, p.Width(job.Limits.CPUs), job.Exclusive)
	if err != nil {
		return cancelled
	}
	defer s.release()
	if job.named() {
		job.place()
	}
	r, err := job.request()
	if err != nil {
		return Outcome{Err: err}
	}
	r.CPUs, r.Grace = s.cpus(), p.grace
	sink := job.Stdout
	if job.OutFile != "" {
		sink = nil
	}
	reply, err := p.runner.Run(ctx, r, sink)
	if job.OutFile != "" && err == nil {
		err = job.collect(&reply, job.Stdout)
	}
	return Outcome{Reply: reply, Err: err}
}

// cancelled is the outcome of a job that was not started.
var cancelled = Outcome{Reply: runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}}

// overlay returns an environment with settings added or replaced. Each name occurs once, because
// programs disagree about which of two settings counts.
func overlay(env, over []string) []string {
	set := map[string]bool{}
	for _, kv := range over {
		name, _, _ := strings.Cut(kv, "=")
		set[name] = true
	}
	return append(slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return set[name]
	}), over...)
}
