package grade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
)

// checker asks a problem's own output validator, by the protocol of the ICPC
// problem package format: check input answer feedback_dir < output, exit 42 for
// right and 43 for wrong, with words in judgemessage.txt or teammessage.txt. It
// runs in the jail like any program. It is safe for concurrent use.
type checker struct {
	host    run.Host
	temp    string // where benches are made
	program *build.Program

	mu   sync.Mutex
	idle []*bench // all, between two checks
}

// bench is a place to check at: a box that shows one folder of the host.
type bench struct {
	dir string
	box sandbox.Box
}

// The exit statuses of the protocol.
const (
	exitRight = 42
	exitWrong = 43
)

const (
	benchDir   = "/check" // inside the box
	maxMessage = 4 << 10
)

var checkerLimits = limits.Limits{
	CPU: 30 * time.Second, Wall: 60 * time.Second, Memory: limits.GiB, Output: limits.MiB, Processes: 256,
}

func newChecker(host run.Host, temp string, program *build.Program) *checker {
	return &checker{host: host, temp: temp, program: program}
}

func (c *checker) close() {
	for _, b := range c.idle {
		b.close()
	}
}

func (b *bench) close() {
	b.box.Close()
	os.RemoveAll(b.dir)
}

// take returns an idle bench, or a new one when there is none or only a new one will
// do.
func (c *checker) take(fresh bool) (*bench, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 && !fresh {
		b := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return b, nil
	}
	dir, err := os.MkdirTemp(c.temp, "check-")
	if err != nil {
		return nil, err
	}
	// Other accounts may enter: the jail's is one when the judge is root.
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	spec := c.program.Spec()
	spec.Mounts = append(spec.Mounts[:len(spec.Mounts):len(spec.Mounts)], sandbox.Mount{Source: dir, Target: benchDir, Writable: true})
	box, err := c.host.NewBox(spec)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &bench{dir: dir, box: box}, nil
}

// check reports whether the output, which it opens, is right, and the checker's words if not. An
// error means that the checker failed: it crashed, ran out of its limits or
// answered with another status. One whose box died is asked once more.
func (c *checker) check(ctx context.Context, f fixture.Fixture, output func() (*os.File, error)) (right bool, words string, err error) {
	right, words, err = c.ask(ctx, f, output, false)
	if errors.Is(err, sandbox.ErrDied) && ctx.Err() == nil {
		return c.ask(ctx, f, output, true)
	}
	return right, words, err
}

// ask is one attempt of check, in a fresh box if asked to.
func (c *checker) ask(ctx context.Context, f fixture.Fixture, output func() (*os.File, error), fresh bool) (right bool, words string, err error) {
	b, err := c.take(fresh)
	if err != nil {
		return false, "", fmt.Errorf("checker: %w", err)
	}
	defer func() {
		if err != nil {
			b.close() // whatever it was: the next check begins anew
			return
		}
		c.mu.Lock()
		c.idle = append(c.idle, b)
		c.mu.Unlock()
	}()
	feedback := filepath.Join(b.dir, "feedback")
	for _, step := range []func() error{
		func() error { return os.RemoveAll(feedback) },
		func() error { return os.Mkdir(feedback, 0o777) },
		func() error { return os.Chmod(feedback, 0o777) },
		func() error { return show(filepath.Join(b.dir, "input"), f.Input) },
		func() error { return show(filepath.Join(b.dir, "answer"), f.Want) },
	} {
		if err := step(); err != nil {
			return false, "", fmt.Errorf("checker: %w", err)
		}
	}
	stdin, err := output()
	if err != nil {
		return false, "", fmt.Errorf("checker: %w", err)
	}
	defer stdin.Close()
	at := func(name string) string { return b.box.Path(benchDir + "/" + name) }
	tail := &sandbox.Tail{Size: maxMessage}
	cmd := c.program.Command(b.box, checkerLimits, at("input"), at("answer"), at("feedback"))
	cmd.Stdin, cmd.Stderr = stdin, tail
	r, err := b.box.Run(ctx, cmd)
	if err != nil {
		return false, "", fmt.Errorf("checker: %w", err)
	}
	switch {
	case r.Stop == sandbox.Exited && r.ExitCode == exitRight:
		return true, "", nil
	case r.Stop == sandbox.Exited && r.ExitCode == exitWrong:
		return false, message(feedback), nil
	case r.Stop == sandbox.Exited && r.ExitCode == 0:
		return false, "", errors.New("checker: ended with status 0, neither 42 (right) nor 43 (wrong)")
	}
	return false, "", fmt.Errorf("checker: %s: %s", r.Cause(checkerLimits), strings.TrimSpace(strings.ToValidUTF8(string(tail.Bytes()), "\uFFFD")))
}

// show writes a file that the jail's account can read, whatever the umask is.
func show(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}

// message returns what the checker wrote for the jury, or else for the team.
func message(feedback string) string {
	for _, name := range []string{"judgemessage.txt", "teammessage.txt"} {
		// The folder was written by a jailed program: no links are followed.
		info, err := os.Lstat(filepath.Join(feedback, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(filepath.Join(feedback, name))
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(io.LimitReader(f, maxMessage))
		f.Close()
		if m := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); m != "" {
			return m
		}
	}
	return "wrong, without a message"
}
