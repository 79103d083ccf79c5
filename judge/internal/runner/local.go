package runner

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"tribunal/judge/internal/sandbox"
)

// Runner runs requests, several at a time. What the program of one prints goes to out, which
// may be nil, from one goroutine. [Local.Run] says what all runners do.
type Runner interface {
	Run(ctx context.Context, r Request, out io.Writer) (Reply, error)
	Facts() Facts
	Close() error // when no run is in progress
}

// Retry runs something and, if that came to nothing by the fault of neither the program nor
// its input, because its box died or it got no CPU, once more, told so: nothing else should
// run meanwhile. It returns the error of the last run.
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

// Local runs requests in boxes of a host, which it keeps open for the next ones of the same
// kind. It is safe for concurrent use.
type Local struct {
	// Patience is how long an interactor may sleep before it answers what a program said before it
	// failed, for that to count.
	Patience time.Duration

	boxes boxes
}

// boxesPerRun is how many boxes of different kinds are kept for each run at a time.
const boxesPerRun = 4

// NewLocal returns a runner of so many requests at a time as a rule: of more, it keeps no more
// boxes open. The host stays the caller's.
func NewLocal(host Host, slots int) *Local {
	return &Local{Patience: 2 * time.Second, boxes: boxes{host: host, most: boxesPerRun * max(slots, 1)}}
}

// Tidy has boxes emptied as soon as a run has ended, not before the next: what a program leaves in
// them is memory that nobody is charged for any more. It must be called before any run.
func (l *Local) Tidy() { l.boxes.tidy = true }

// Facts returns those of the host.
func (l *Local) Facts() Facts {
	return Facts{Mechanisms: l.boxes.host.Mechanisms(), Notes: l.boxes.host.Notes()}
}

// Close closes all boxes. No run may be in progress.
func (l *Local) Close() error { return l.boxes.close() }

// stderrTail is how much of a program's standard error is kept.
const stderrTail = 4 << 10

// Run runs a request. What the program prints goes to out, which may be nil, as it comes: at
// most as much as its limits allow, from one goroutine. When ctx ends, the run is stopped, and
// the reply is Cancelled.
//
// A non-nil error means that there was no run that counts, and the reply is empty: the runner
// failed, or the program could not be started (*sandbox.StartError), its box died (it wraps
// sandbox.ErrDied) or it got no CPU (*sandbox.StarvedError). A *InteractorError says that this
// befell the interactor.
func (l *Local) Run(ctx context.Context, r Request, out io.Writer) (reply Reply, err error) {
	box, err := l.boxes.take(r.Box, r.CPUs, r.Fresh)
	if err != nil {
		return Reply{}, err
	}
	if r.Interactor != nil {
		return l.runInteraction(ctx, box, r)
	}
	if r.Merged && out != nil {
		out = &oneWriter{to: out}
	}
	defer func() { l.boxes.give(box, err) }()
	cmd := r.command(box)
	in, err := openInput(&cmd, r.Input)
	if err != nil {
		return Reply{}, err
	}
	if out != nil {
		cmd.Stdout = out
	}
	stderr := r.stderr()
	cmd.Stderr, cmd.CPUs, cmd.Grace = stderr, r.CPUs, r.Grace
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

// command returns what runs the program in a box.
func (p *Program) command(box sandbox.Box) sandbox.Command {
	cmd := sandbox.Command{Exe: p.Exe, Args: sandbox.Locate(box, p.Args), Env: sandbox.Locate(box, p.Env), Files: p.Files, Limits: p.Limits}
	for _, in := range p.In {
		cmd.FolderFiles = append(cmd.FolderFiles, sandbox.File{Name: in.Name, Mode: in.Mode, From: in.Content.Reader})
	}
	return cmd
}

// stderr keeps what a program writes to its standard error.
type stderr interface {
	io.Writer
	Bytes() []byte
	Truncated() bool
}

func (p *Program) stderr() stderr {
	if p.StderrEnds {
		return &sandbox.Ends{}
	}
	return &sandbox.Tail{Size: stderrTail}
}

// oneWriter lets one of several goroutines write at a time.
type oneWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
