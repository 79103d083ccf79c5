//go:build linux

package doctor

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

func (j weakJail) Mechanisms() sandbox.Mechanisms {
	if j.claims != nil {
		return *j.claims
	}
	return j.Jail.Mechanisms()
}

func (j weakJail) NewBox(s sandbox.Spec) (sandbox.Box, error) {
	if j.spec != nil {
		j.spec(&s)
	}
	b, err := j.Jail.NewBox(s)
	return weakBox{b, j}, err
}

// Run drops a limit. It stops attacks that would then never end, as a caller would.
func (b weakBox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	strict := cmd.Limits
	if b.jail.limits != nil {
		b.jail.limits(&cmd.Limits)
	}
	if slices.Contains(b.jail.endless, cmd.Args[1]) && (cmd.Limits.CPU == 0 && strict.CPU < time.Second || cmd.Limits.Wall == 0 && strict.Wall < time.Second) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 600*time.Millisecond) // twice the strict limits
		defer cancel()
	}
	return b.Box.Run(ctx, cmd)
}

func (bareJail) Mechanisms() sandbox.Mechanisms {
	return sandbox.Mechanisms{Mode: sandbox.Container, Memory: "cgroup", Processes: "cgroup"}
}
func (j bareJail) Temp() string                             { return filepath.Dir(j.dir) }
func (bareJail) Notes() []string                            { return nil }
func (j bareJail) NewBox(sandbox.Spec) (sandbox.Box, error) { return j, nil }
func (bareJail) Path(inside string) string                  { return inside }
func (bareJail) Close() error                               { return nil }

// Remains returns an empty folder, because an attack leaves its files on the host.
func (j bareJail) Remains() (*sandbox.Remains, error) {
	empty, err := os.MkdirTemp(filepath.Dir(j.dir), "empty-")
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(empty) // stays open until the test ends
	return sandbox.NewRemains(dir, empty), err
}

// Run stops what would go on for ever: a program whose limits are short, and one that writes more
// than it may.
func (j bareJail) Run(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	patience := time.Minute
	if c.Limits.CPU < time.Second || c.Limits.Wall < time.Second {
		patience = 500 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.Stdout = &overflow{to: c.Stdout, left: 2 * int(c.Limits.Output), end: cancel}
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Env, cmd.Dir, cmd.Stdout = c.Args, c.Env, j.dir, c.Stdout
	if c.Stdin != nil {
		cmd.Stdin = c.Stdin
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return sandbox.Result{Stop: sandbox.Cancelled}, nil
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		return sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(exit.Sys().(syscall.WaitStatus).Signal())}, nil
	case errors.As(err, &exit):
		return sandbox.Result{ExitCode: exit.ExitCode()}, nil
	}
	return sandbox.Result{}, err
}

// overflow calls end once more than left bytes have been written.
type overflow struct {
	to   io.Writer
	left int
	end  func()
}

func (o *overflow) Write(p []byte) (int, error) {
	if o.left -= len(p); o.left < 0 {
		o.end()
	}
	return o.to.Write(p)
}

func (j failingJail) NewBox(sandbox.Spec) (sandbox.Box, error) { return j, nil }
func (j failingJail) Run(context.Context, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{Stop: j.stop}, j.err
}

func (j scriptedJail) NewBox(s sandbox.Spec) (sandbox.Box, error) {
	b, err := j.Jail.NewBox(s)
	return scriptedBox{b, j}, err
}

func (b scriptedBox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	if cmd.Args[1] == b.jail.payload {
		return b.jail.end(cmd)
	}
	return b.Box.Run(ctx, cmd)
}

// crowdedJail is a jail beside which many threads of the account run, until the program begins.
type crowdedJail struct{ Jail }

type crowdedBox struct{ sandbox.Box }

func (j crowdedJail) NewBox(s sandbox.Spec) (sandbox.Box, error) {
	b, err := j.Jail.NewBox(s)
	return crowdedBox{b}, err
}

func (b crowdedBox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	const crowd = 400
	var running sync.WaitGroup
	running.Add(crowd)
	leave := make(chan struct{})
	threads := make(chan int, crowd)
	for range crowd {
		go func() {
			runtime.LockOSThread() // the thread ends with the goroutine
			threads <- unix.Gettid()
			running.Done()
			<-leave
		}()
	}
	running.Wait()
	cmd.OnStart = func(context.Context, *sandbox.Running) {
		close(leave)
		for range crowd {
			for tid := <-threads; tid != os.Getpid() && unix.Tgkill(os.Getpid(), tid, 0) == nil; { // Go never ends the first thread
				runtime.Gosched()
			}
		}
	}
	return b.Box.Run(ctx, cmd)
}
