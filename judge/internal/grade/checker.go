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
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Validator is a program that decides about outputs.
type Validator struct {
	Program  *build.Program // stays the caller's, open until the judging is over
	Protocol Protocol
	Always   bool          // it decides alone; otherwise only outputs that differ from the expected one are its matter
	Limits   limits.Limits // of one check; the zero value is what the judge allows its own
}

// Protocol is how a validator is asked and answers.
type Protocol string

const (
	// ICPC is that of the ICPC problem package format: validator input answer
	// feedback_dir flags… < output, exit 42 for right and 43 for wrong, with words in
	// judgemessage.txt or teammessage.txt and, where points are given, score.txt.
	ICPC Protocol = "icpc"

	// Testlib is that of Polygon's checkers: checker input output answer, exit 0 for
	// right, 1 for wrong, 2, 4 and 8 for an output in the wrong form, 3 for a failure of
	// its own, 7 for points, with words on standard error.
	Testlib Protocol = "testlib"
)

// checker asks a validator. It runs in the jail like any program. It is safe for
// concurrent use. A nil one is asked nothing.
type checker struct {
	host      run.Host
	temp      string // where benches are made
	validator Validator

	mu   sync.Mutex
	idle []*bench // all, between two checks
}

// answer is what a validator said.
type answer struct {
	right  bool
	format bool     // wrong by its form
	words  string   // why it is wrong
	score  *float64 // nil where none was told
}

// bench is a place to check at: a box that shows one folder of the host.
type bench struct {
	dir string
	box sandbox.Box
}

const (
	benchDir   = "/check" // inside the box
	maxMessage = 4 << 10
)

var checkerLimits = limits.Limits{
	CPU: 30 * time.Second, Wall: 60 * time.Second, Memory: limits.GiB, Output: limits.MiB, Processes: 256,
}

// checker returns the checker of a task, nil where bytes decide.
func (j *Judge) checker(ctx context.Context, t Task) (*checker, error) {
	if t.Validator != nil {
		return newChecker(j.Host, j.Host.Temp(), *t.Validator), nil
	}
	if !t.Checker {
		return nil, nil
	}
	program, err := j.Fixtures.Program(ctx, j.Fixtures.Checker())
	if err != nil {
		return nil, err
	}
	return newChecker(j.Host, j.Host.Temp(), Validator{Program: program}), nil
}

func newChecker(host run.Host, temp string, v Validator) *checker {
	if v.Limits == (limits.Limits{}) {
		v.Limits = checkerLimits
	}
	return &checker{host: host, temp: temp, validator: v}
}

// always reports whether no output is compared.
func (c *checker) always() bool { return c != nil && c.validator.Always }

// wanted reports whether what a run came to without it is the checker's matter.
func (c *checker) wanted(v verdict.Verdict) bool {
	return c != nil && (v == verdict.WA || v == verdict.PE || v == verdict.AC && c.validator.Always)
}

// comparer returns what compares the output of a case, whether or not that decides.
func (c *checker) comparer(f fixture.Fixture, o diff.Options) *diff.Comparer {
	if f.Compare != nil {
		o = *f.Compare
	}
	want := f.Want
	if c.always() {
		want = nil // which is soon found to differ, for nothing
	}
	return diff.New(want, o)
}

func (c *checker) close() {
	if c == nil {
		return
	}
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
	spec := c.validator.Program.Spec()
	spec.Mounts = append(spec.Mounts[:len(spec.Mounts):len(spec.Mounts)], sandbox.Mount{Source: dir, Target: benchDir, Writable: true})
	box, err := c.host.NewBox(spec)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &bench{dir: dir, box: box}, nil
}

// check asks about the output, which it opens. An error means that the checker failed:
// it crashed, ran out of its limits or answered what its protocol does not know. One
// whose box died is asked once more.
func (c *checker) check(ctx context.Context, f fixture.Fixture, output func() (*os.File, error)) (answer, error) {
	a, err := c.ask(ctx, f, output, false)
	if errors.Is(err, sandbox.ErrDied) && ctx.Err() == nil {
		a, err = c.ask(ctx, f, output, true)
	}
	if err != nil {
		return answer{}, fmt.Errorf("checker: %w", err)
	}
	return a, nil
}

// ask is one attempt of check, in a fresh box if asked to.
func (c *checker) ask(ctx context.Context, f fixture.Fixture, output func() (*os.File, error), fresh bool) (a answer, err error) {
	b, err := c.take(fresh)
	if err != nil {
		return a, err
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
	if err := b.lay(f); err != nil {
		return a, err
	}
	stdin, err := output()
	if err != nil {
		return a, err
	}
	defer stdin.Close()
	at := func(name string) string { return b.box.Path(benchDir + "/" + name) }
	args := []string{at("input"), at("answer"), at("feedback") + "/"} // validators append names to it
	if c.validator.Protocol == Testlib {
		if err := copyTo(filepath.Join(b.dir, "output"), stdin); err != nil {
			return a, err
		}
		stdin, args = nil, []string{at("input"), at("output"), at("answer")}
	}
	l := c.validator.Limits
	tail := &sandbox.Tail{Size: maxMessage}
	cmd := c.validator.Program.Command(b.box, l, append(args, f.Flags...)...)
	cmd.Stdin, cmd.Stderr = stdin, tail
	r, err := b.box.Run(ctx, cmd)
	if err != nil {
		return a, err
	}
	said := strings.TrimSpace(strings.ToValidUTF8(string(tail.Bytes()), "\uFFFD"))
	if r.Stop != sandbox.Exited {
		return a, fmt.Errorf("%s: %s", r.Cause(l), said)
	}
	if c.validator.Protocol == Testlib {
		return testlibAnswer(r.ExitCode, said)
	}
	return icpcAnswer(r.ExitCode, said, filepath.Join(b.dir, "feedback"))
}

// lay puts on the bench what a validator is shown.
func (b *bench) lay(f fixture.Fixture) error {
	feedback := filepath.Join(b.dir, "feedback")
	for _, step := range []func() error{
		func() error { return os.RemoveAll(feedback) },
		func() error { return os.Mkdir(feedback, 0o777) },
		func() error { return os.Chmod(feedback, 0o777) },
		func() error { return show(filepath.Join(b.dir, "input"), f.Input) },
		func() error { return show(filepath.Join(b.dir, "answer"), f.Want) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// show writes a file that the jail's account can read, whatever the umask is.
func show(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}

// copyTo is show for what a file holds.
func copyTo(path string, from *os.File) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Chmod(0o644), f.Close())
}
