// Package sandboxtest provides boxes that play a script instead of running programs, for tests.
package sandboxtest

import (
	"context"
	"io"
	"os"
	"sync"
	"testing"

	"tribunal/judge/internal/sandbox"
)

// Run is one execution as its script sees it.
type Run struct {
	sandbox.Command
	Box   int          // number of its box, from 0 in the order of opening
	Spec  sandbox.Spec // spec of the box
	Input []byte       // the whole standard input
	Dir   string       // host folder in place of the box's Folder, if it has one: files put there are its Remains
}

// Print writes text to the run's standard output, and returns the result of a program that does
// nothing else.
func (r Run) Print(text string) sandbox.Result {
	if r.Stdout != nil {
		io.WriteString(r.Stdout, text)
	}
	return sandbox.Result{Stdout: int64(len(text))}
}

// Script plays one execution in place of [sandbox.Box.Run]. It is called by as many goroutines at a
// time as there are boxes in use.
type Script func(ctx context.Context, r Run) (sandbox.Result, error)

// Host opens boxes that play a script. It is safe for concurrent use.
type Host struct {
	t      testing.TB
	script Script

	mu    sync.Mutex
	boxes []*box
	runs  int
}

// New returns a host whose boxes play script. The test fails if a box is used by two runs at a
// time, is used after it was closed, or is still open when the test ends.
func New(t testing.TB, script Script) *Host {
	h := &Host{t: t, script: script}
	t.Cleanup(func() {
		for i := range h.boxes {
			if h.Open(i) {
				t.Errorf("box %d was not closed", i)
			}
		}
	})
	return h
}

// NewBox never fails.
func (h *Host) NewBox(spec sandbox.Spec) (sandbox.Box, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := &box{host: h, number: len(h.boxes), spec: spec}
	h.boxes = append(h.boxes, b)
	return b, nil
}

// Mechanisms names no mechanism: only the script enforces limits.
func (h *Host) Mechanisms() sandbox.Mechanisms { return sandbox.Mechanisms{Mode: "scripted"} }

func (h *Host) Notes() []string { return nil }

func (h *Host) Runs() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runs
}

// Boxes returns the number of boxes opened so far.
func (h *Host) Boxes() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.boxes)
}

// Open reports whether a box is open.
func (h *Host) Open(number int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.boxes[number].closed
}

// box is one scripted box. Its state is guarded by the host's mutex.
type box struct {
	host   *Host
	number int
	spec   sandbox.Spec
	dir    string   // host folder in place of the spec's Folder, new for each run
	open   *os.File // dir, opened
	busy   bool
	closed bool
}

func (b *box) Run(ctx context.Context, cmd sandbox.Command) (result sandbox.Result, err error) {
	b.enter()
	defer b.leave()
	defer cmd.Close()
	if cmd.OnStart != nil {
		cmd.OnStart(ctx, nil)
	}
	if cmd.OnEnd != nil {
		defer func() {
			cmd.OnEnd(result.Stop == sandbox.Signalled || result.Stop == sandbox.Exited && result.ExitCode != 0)
		}()
	}
	r := Run{Command: cmd, Box: b.number, Spec: b.spec}
	if cmd.Stdin != nil {
		input, err := io.ReadAll(cmd.Stdin)
		if err != nil {
			b.host.t.Errorf("box %d: standard input: %v", b.number, err)
		}
		r.Input = input
	}
	if b.spec.Folder.Path != "" {
		b.renew()
		r.Dir = b.dir
	}
	return b.host.script(ctx, r)
}

func (b *box) enter() {
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	if b.busy {
		b.host.t.Errorf("box %d: two runs at a time", b.number)
	}
	if b.closed {
		b.host.t.Errorf("box %d: run after it was closed", b.number)
	}
	b.busy = true
	b.host.runs++
}

func (b *box) leave() {
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	b.busy = false
}

// renew makes an empty folder for the next run.
func (b *box) renew() {
	dir := b.host.t.TempDir()
	open, err := os.Open(dir)
	if err != nil {
		b.host.t.Errorf("box %d: %v", b.number, err)
	}
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	b.open.Close()
	b.dir, b.open = dir, open
}

// Remains returns what the last run left in the box's folder.
func (b *box) Remains() (*sandbox.Remains, error) {
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	return sandbox.NewRemains(b.open, b.spec.Folder.Path), nil
}

func (b *box) Path(inside string) string { return inside }

func (b *box) Close() error {
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	if b.busy {
		b.host.t.Errorf("box %d: closed during a run", b.number)
	}
	b.closed = true
	b.open.Close()
	return nil
}
