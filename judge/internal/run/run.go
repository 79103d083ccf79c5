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
	"tribunal/judge/internal/sandbox"
)

// DefaultGrace is how far over a limit a run may go before it is stopped.
const DefaultGrace = 300 * time.Millisecond

// stderrTail is how much of a program's standard error is kept.
const stderrTail = 4 << 10

// Job is one run of a program.
type Job struct {
	Program *build.Program
	Args    []string // added to the program's own
	Env     []string // KEY=value, added to the program's own or in place of those of the same name
	// Files are those that the program finds where it starts, by slash path, beside its own
	// or in place of them. They must not change while the job runs.
	Files map[string][]byte
	// Folder is for what the program is given and leaves elsewhere.
	Folder Folder
	// Input is the standard input and must not change while the job runs. It may be
	// a file that is mapped into memory: a large one is not copied.
	Input  content.Content
	Stdout Sink // gets at most Limits.Output bytes; from one goroutine. It may be nil.
	// Limits are those of the run. CPUs is how many slots it gets: all there are, if there
	// are fewer.
	Limits limits.Limits
	// Partner, when not nil, runs beside the program, the two talking to each other:
	// Input and Stdout are not used then, nor is the memo.
	Partner *Partner
	// Words has more kept of standard error, of a program that answers there: see
	// [sandbox.Ends].
	Words bool
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

// command returns what the job executes in a box.
func (j Job) command(box sandbox.Box) sandbox.Command {
	cmd := command(box, j.Program, j.Limits, j.Folder.args(box, j.Args), j.Env)
	cmd.Placed = j.Folder.placed()
	switch {
	case cmd.Files == nil:
		cmd.Files = j.Files
	case j.Files != nil:
		cmd.Files = build.Overlay(cmd.Files, j.Files)
	}
	return cmd
}

func command(box sandbox.Box, p *build.Program, l limits.Limits, args, env []string) sandbox.Command {
	cmd := p.Command(box, l, args...)
	cmd.Env = overlay(cmd.Env, env)
	return cmd
}

// Outcome is what became of one job.
type Outcome struct {
	sandbox.Result
	Stderr    []byte // the end of what it wrote there, or both ends with Words
	Truncated bool   // there was more before
	Cached    bool   // taken from the memo: it was run earlier
	Copies    Copies // of what the job's folder had at the end, which must be closed if something was wanted
	Duet      *Duet  // of a job with a partner
	Err       error  // the judge failed; Result means nothing, and there is no Duet
}

// Run runs a job as soon as there are CPUs for it. When ctx ends, the job is stopped, or not
// begun, and its outcome is Cancelled.
//
// A run that came to nothing by the fault of neither the program nor its input is made once
// more, in a new box: its container died or, see [Job], it got no CPU. Whoever wants more tries
// than that has to have a reason of its own.
func (p *Pool) Run(ctx context.Context, job Job) Outcome {
	o := p.once(ctx, job)
	if _, starved := errors.AsType[*sandbox.StarvedError](o.Err); starved {
		if job.Starving {
			return o
		}
		job.Exclusive = true
	} else if !errors.Is(o.Err, sandbox.ErrDied) {
		return o
	}
	if ctx.Err() != nil {
		return o
	}
	if job.Stdout != nil {
		job.Stdout.Reset()
	}
	return p.once(ctx, job)
}

// once runs a job. A box that failed is thrown away.
func (p *Pool) once(ctx context.Context, job Job) Outcome {
	spec := job.Folder.spec(job.Program)
	key := boxKey(spec, false)
	s, err := p.acquire(ctx, p.Width(job.Limits.CPUs), job.Exclusive, key)
	if err != nil {
		return Outcome{Result: sandbox.Result{Stop: sandbox.Cancelled}}
	}
	defer s.release()
	if job.Exclusive {
		// The same input again: nothing that the program learned, such as from the numbers
		// that its container gives processes and files, may be of use.
		s.boxes().drop(key)
	}
	if job.Partner != nil {
		return p.runDuet(ctx, s, job)
	}
	box, err := s.boxes().box(p.host, key, spec)
	if err != nil {
		return Outcome{Err: err}
	}
	cmd := job.command(box)
	in, err := openInput(&cmd, job.Input)
	if err != nil {
		return Outcome{Err: err}
	}
	stderr := newStderr(job.Words)
	if job.Stdout != nil {
		cmd.Stdout = job.Stdout
	}
	cmd.Stderr, cmd.CPUs, cmd.Grace = stderr, s.cpus(), p.grace
	result, err := box.Run(ctx, cmd)
	o := Outcome{Result: result, Stderr: stderr.Bytes(), Truncated: stderr.Truncated()}
	if err = errors.Join(err, in.close()); err == nil {
		o.Copies, err = job.Folder.copyOut(box, result)
	}
	if err != nil {
		s.boxes().failed(key, err)
		return Outcome{Err: err}
	}
	return o
}

// stderr keeps what a program writes to its standard error.
type stderr interface {
	io.Writer
	Bytes() []byte
	Truncated() bool
}

func newStderr(words bool) stderr {
	if words {
		return &sandbox.Ends{}
	}
	return &sandbox.Tail{Size: stderrTail}
}

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
