// Package run executes programs on inputs on the machine's CPU slots, delivering
// in input order.
package run

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// DefaultGrace is how far over a limit a run may go before it is stopped.
const DefaultGrace = 300 * time.Millisecond

// Job is one run of a program.
type Job struct {
	Program *build.Program
	Args    []string // added to the program's own
	Env     []string // KEY=value, added to the program's own or in place of those of the same name
	// Files are those that the program finds where it starts, by slash path, beside its own
	// or in place of them. They must not change while the job runs.
	Files map[string][]byte
	// Folder is one that the program has besides the one where it starts, In what it is given
	// there, and Out what is copied out after its end. Arguments name it as
	// [sandbox.Anywhere] does.
	Folder sandbox.Folder
	In     []runner.File
	Out    []runner.CopyOut
	// Input is the standard input and must not change while the job runs. It may be
	// a file that is mapped into memory: a large one is not copied.
	Input  content.Content
	Stdout Sink // gets at most Limits.Output bytes; from one goroutine. It may be nil.
	// Limits are those of the run. CPUs is how many slots it gets: all there are, if there
	// are fewer.
	Limits limits.Limits
	// Interactor, when not nil, runs beside the program, the two talking to each other:
	// Input and Stdout are not used then, nor is the memo.
	Interactor *Interactor
	// StderrEnds has more kept of standard error, of a program that answers there: see
	// [sandbox.Ends].
	StderrEnds bool
	// Exclusive has the job run in a new box, with no other run of the pool meanwhile.
	Exclusive bool
	// Starving has a run that could not get a CPU end with a [*sandbox.StarvedError] at once.
	// Otherwise it is made once more, exclusively, before that is returned.
	Starving bool
}

// Sink takes the standard output of a run. Reset makes it forget what it was given, because
// the run begins anew.
type Sink interface {
	io.Writer
	Reset()
}

// Interactor is a second program that a job runs beside its own: see [runner.Interactor].
type Interactor struct {
	Program *build.Program
	Args    []string // as a job's, and so on
	Env     []string
	Folder  sandbox.Folder
	In      []runner.File
	Out     []runner.CopyOut
	Limits  limits.Limits

	Decides    bool
	Accepts    []int
	Transcript limits.Bytes
}

// request returns what a runner is asked for.
func (j *Job) request() runner.Request {
	// Exclusive may be the same input again: what the program learned, such as from the numbers
	// that its container gives processes and files, must be of no use.
	r := runner.Request{Program: asked(j.Program, j.Limits, j.Args, j.Env), Input: j.Input, Fresh: j.Exclusive}
	r.Box.Folder, r.In, r.Out, r.StderrEnds = j.Folder, j.In, j.Out, j.StderrEnds
	switch {
	case r.Files == nil:
		r.Files = j.Files
	case j.Files != nil:
		r.Files = build.Overlay(r.Files, j.Files)
	}
	if p := j.Interactor; p != nil {
		r.Interactor = &runner.Interactor{Program: asked(p.Program, p.Limits, p.Args, p.Env), Decides: p.Decides, Accepts: p.Accepts, Transcript: p.Transcript}
		r.Interactor.Box.Folder, r.Interactor.In, r.Interactor.Out = p.Folder, p.In, p.Out
	}
	return r
}

// asked is a program with what a job adds to it.
func asked(p *build.Program, l limits.Limits, args, env []string) runner.Program {
	cmd := p.Command(sandbox.Anywhere, l, args...)
	return runner.Program{Box: p.Spec(), Exe: cmd.Exe, Args: cmd.Args, Env: overlay(cmd.Env, env), Files: cmd.Files, Limits: l}
}

// Outcome is what became of one job. What was copied out is to be closed.
type Outcome struct {
	runner.Reply
	Cached bool  // taken from the memo: it was run earlier
	Err    error // the judge failed; nothing else means anything, and there is no Interaction
}

// Run runs a job as soon as there are CPUs for it. When ctx ends, the job is stopped, or not
// begun, and its outcome is Cancelled.
//
// A run that came to nothing by the fault of neither the program nor its input is made once
// more, exclusively: see [runner.Retry], and [Job] for an exception.
func (p *Pool) Run(ctx context.Context, job Job) (o Outcome) {
	_ = runner.Retry(ctx, func(again bool) error {
		if again {
			job.Exclusive = true
			if job.Stdout != nil {
				job.Stdout.Reset()
			}
		}
		o = p.once(ctx, job)
		if _, starved := errors.AsType[*sandbox.StarvedError](o.Err); starved && job.Starving {
			return nil
		}
		return o.Err
	})
	return o
}

// once runs a job.
func (p *Pool) once(ctx context.Context, job Job) Outcome {
	s, err := p.acquire(ctx, p.Width(job.Limits.CPUs), job.Exclusive)
	if err != nil {
		return cancelled
	}
	defer s.release()
	r := job.request()
	r.CPUs, r.Grace = s.cpus(), p.grace
	reply, err := p.runner.Run(ctx, r, job.Stdout)
	return Outcome{Reply: reply, Err: err}
}

// cancelled is what a job comes to that was not begun.
var cancelled = Outcome{Reply: runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}}

// overlay returns an environment with others laid over it, each name once: of two
// values programs do not agree which one counts.
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
