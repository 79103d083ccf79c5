package runner

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"tribunal/judge/internal/sandbox"
)

// Runner runs requests. It is safe for concurrent use. The contract of Run is that of
// [Local.Run], and package runnertest checks it.
type Runner interface {
	Run(ctx context.Context, r Request, out io.Writer) (Reply, error)
	Facts() Facts
	Close() error // no run may be in progress
}

// Retry calls run, and calls it once more with again set if the first run failed for a reason
// that lies neither in the program nor in its input: its box died or it got no CPU. Nothing else
// should run during the second run. Retry returns the error of the last run.
func Retry(ctx context.Context, run func(again bool) error) error {
	err := run(false)
	if sandbox.Retryable(err) && ctx.Err() == nil {
		err = run(true)
	}
	return err
}

// Host opens the boxes that programs run in; a *sandbox.Host is one.
type Host interface {
	NewBox(spec sandbox.Spec) (sandbox.Box, error)
	Mechanisms() sandbox.Mechanisms
	Notes() []string
}

// Local runs requests in boxes of a host, and keeps the boxes open for the next requests of the
// same kind. It is safe for concurrent use.
type Local struct {
	// Patience is how long an interactor may sleep before it answers the last output of a
	// submission that has failed. A later answer does not count.
	Patience time.Duration

	boxes boxPool
}

// boxesPerRun is how many boxes of different kinds stay open for each concurrent run.
const boxesPerRun = 4

// NewLocal returns a runner for about slots requests at a time. It also runs more, but then does
// not keep the additional boxes open. The caller closes the host.
func NewLocal(host Host, slots int) *Local {
	return &Local{Patience: 2 * time.Second, boxes: boxPool{host: host, most: boxesPerRun * max(slots, 1)}}
}

// Tidy empties each box right after its run instead of before the next, because the files that
// a program leaves there take memory that is charged to no run. It must be called before any
// run.
func (l *Local) Tidy() { l.boxes.tidy = true }

func (l *Local) Facts() Facts {
	return Facts{Mechanisms: l.boxes.host.Mechanisms(), Notes: l.boxes.host.Notes()}
}

// Close closes all boxes. No run may be in progress.
func (l *Local) Close() error { return l.boxes.close() }

// stderrTail is how much of the end of a program's standard error is kept.
const stderrTail = 4 << 10

// Run runs a request. It writes the program's standard output to out, which may be nil, while the
// program runs, from one goroutine and no more than the limits allow. When ctx ends, Run stops the
// program and the result is Cancelled. The caller must close the copies of the reply.
//
// A non-nil error means that there is no result, and the reply is empty: the runner failed, the
// program could not be started (*sandbox.StartError), its box died (wraps sandbox.ErrDied) or it
// got no CPU (*sandbox.StarvedError). An [InteractorError] wraps an error about the interactor.
func (l *Local) Run(ctx context.Context, r Request, out io.Writer) (reply Reply, err error) {
	box, err := l.boxes.acquire(r.Box, r.CPUs, r.Fresh)
	if err != nil {
		return Reply{}, err
	}
	if r.Interactor != nil {
		return l.runInteraction(ctx, box, r)
	}
	if r.Merged && out != nil {
		out = &oneWriter{to: out}
	}
	defer func() { l.boxes.release(box, err) }()
	cmd := r.command(box)
	cmd.CPUs = r.CPUs
	in, err := openInput(&cmd, r.Input)
	if err != nil {
		return Reply{}, err
	}
	if out != nil {
		cmd.Stdout = out
	}
	stderr := r.stderr()
	cmd.Stderr, cmd.Grace = stderr, r.Grace
	if r.Merged {
		cmd.Stderr = cmd.Stdout
	}
	result, err := box.Run(ctx, cmd)
	if err = errors.Join(err, in.close()); err != nil {
		return Reply{}, err
	}
	reply = Reply{Result: result, Stderr: stderr.Bytes(), Truncated: stderr.Truncated()}
	if r.Box.Folder.Path != "" {
		reply.Folder = box.Path(r.Box.Folder.Path)
	}
	if reply.Copies, err = r.copyOut(box, result); err != nil {
		return Reply{}, err
	}
	return reply, nil
}

func (p *Program) command(box sandbox.Box) sandbox.Command {
	cmd := sandbox.Command{Exe: p.Exe, Args: sandbox.Locate(box, p.Args), Env: sandbox.Locate(box, p.Env), Files: p.Files, Limits: p.Limits}
	for _, in := range p.In {
		cmd.FolderFiles = append(cmd.FolderFiles, sandbox.File{Name: in.Name, Mode: in.Mode, From: in.Content.Reader})
	}
	return cmd
}

// stderr keeps part of a program's standard error.
type stderr interface {
	io.Writer
	Bytes() []byte
	Truncated() bool
}

func (p *Program) stderr() stderr {
	switch {
	case p.StderrMost > 0:
		return &sandbox.Tail{Size: int(p.StderrMost)}
	case p.StderrEnds:
		return &sandbox.Ends{}
	}
	return &sandbox.Tail{Size: stderrTail}
}

// oneWriter serializes writes of several goroutines.
type oneWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
