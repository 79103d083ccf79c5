package grade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
	Name     string         // by which cases choose one of several and messages call it; may be ""
	Program  *build.Program // stays the caller's, open until the judging is over; nil is the problem's own, see [fixture.Maker.Validator]
	Protocol Protocol
	Always   bool // it decides alone; otherwise only outputs that differ from the expected one are its matter
	Passes   int  // how often it may have the program run on a case; up to 1 is once
	// Interactive validators run beside the program, the two talking to each other; Always
	// goes with it.
	Interactive bool
	// Then is asked once this one has found nothing wrong, and decides: about the same
	// output, in which case neither has Passes, or about what an interactive validator of
	// testlib's, an interactor, has written. nil where this one decides.
	Then   *Validator
	Limits limits.Limits // of one check; the zero value is what the judge allows its own
	Flags  []string      // arguments after those of the protocol, before those of the case
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
	// its own, 7 for points, with words on standard error. An interactor has the same
	// arguments and answers, and writes the output that the checker is asked about.
	Testlib Protocol = "testlib"

	// Answers is that of answer validators, which look at what ICPC validators are told to
	// be right: validator input flags… < answer, exit 42 and 43, with words on standard
	// error.
	Answers Protocol = "answers"
)

// checker asks a validator. It runs in the jail like any program. It is safe for
// concurrent use. A nil one is asked nothing.
type checker struct {
	host      run.Host
	temp      string // where benches are made
	validator Validator
	then      *checker // of Validator.Then; nil if there is none

	mu    sync.Mutex
	idle  []*bench
	taken map[*bench]bool
}

// answer is what a validator said.
type answer struct {
	right      bool
	format     bool     // wrong by its form
	words      string   // what it wrote, and never "" if it is wrong
	score      *float64 // nil where none was told
	multiplier *float64 // likewise
	next       []byte   // right so far: the input for another run of the program; nil where this was the last
}

// pass is one of the runs of a program on a case, and what its check needs of those
// before. The zero value is the first.
type pass struct {
	number int    // from 0
	input  []byte // in place of the case's, unless it is the first
	bench  *bench // with the validator's notes
	asked  bool   // the validator has asked for it, and it has not begun
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
		v := *t.Validator
		if v.Program == nil {
			var err error
			if v.Program, err = j.Fixtures.Program(ctx, j.Fixtures.Validator()); err != nil {
				return nil, err
			}
		}
		return newChecker(j.Host, j.Host.Temp(), v), nil
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
	c := &checker{host: host, temp: temp, validator: v, taken: map[*bench]bool{}}
	if v.Then != nil {
		c.then = newChecker(host, temp, *v.Then)
	}
	return c
}

// always reports whether no output is compared.
func (c *checker) always() bool { return c != nil && c.validator.Always }

// passes reports whether a case may take several runs.
func (c *checker) passes() bool { return c != nil && c.validator.Passes > 1 }

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
	for b := range c.taken { // by a case that was given up between two passes
		b.close()
	}
	c.then.close()
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
		c.taken[b] = true
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
	b := &bench{dir: dir, box: box}
	c.taken[b] = true
	return b, nil
}

// give returns a bench for others to take, or closes it: after a failure the next check
// begins anew.
func (c *checker) give(b *bench, failed bool) {
	c.mu.Lock()
	delete(c.taken, b)
	if !failed {
		c.idle = append(c.idle, b)
	}
	c.mu.Unlock()
	if failed {
		b.close()
	}
}

// check asks about the output of a pass, which it opens: this checker and those after it,
// up to the first that finds it wrong. An error means that one of them failed: it crashed,
// ran out of its limits or answered what its protocol does not know. If there is to be
// another pass, p becomes that.
func (c *checker) check(ctx context.Context, f fixture.Fixture, p *pass, output func() (*os.File, error)) (answer, error) {
	a := answer{right: true}
	for one := c; one != nil && a.right && a.next == nil; one = one.then {
		if f.Asked != "" && f.Asked != one.validator.Name {
			continue
		}
		b, err := one.askTwice(ctx, f, p, output)
		if err != nil {
			return answer{}, fmt.Errorf("%s: %w", strings.TrimSpace("checker "+one.validator.Name), err)
		}
		if b.right && b.words == "" {
			b.words = a.words // nothing to add
		}
		if b.score == nil {
			b.score = a.score
		}
		a = b
	}
	return a, nil
}

// askTwice is ask, once more if the box died, unless the checker has notes from earlier
// passes.
func (c *checker) askTwice(ctx context.Context, f fixture.Fixture, p *pass, output func() (*os.File, error)) (answer, error) {
	again := p.bench == nil
	a, err := c.ask(ctx, f, p, output, false)
	if errors.Is(err, sandbox.ErrDied) && ctx.Err() == nil && again {
		a, err = c.ask(ctx, f, p, output, true)
	}
	return a, err
}

// ask asks this checker alone, in a fresh box if that is wanted.
func (c *checker) ask(ctx context.Context, f fixture.Fixture, p *pass, output func() (*os.File, error), fresh bool) (a answer, err error) {
	b := p.bench
	if b == nil {
		if b, err = c.take(fresh); err != nil {
			return a, err
		}
	}
	defer func() {
		if err == nil && a.next != nil {
			*p = pass{p.number + 1, a.next, b, true}
			return
		}
		c.give(b, err != nil)
		p.bench = nil
	}()
	if p.number > 0 {
		f.Input = p.input
	}
	if err := b.lay(f, p.number == 0); err != nil {
		return a, err
	}
	stdin, err := output()
	if err != nil {
		return a, err
	}
	defer stdin.Close()
	at := func(name string) string { return b.box.Path(benchDir + "/" + name) }
	args := icpcArgs(at)
	switch c.validator.Protocol {
	case Answers:
		args = args[:1]
	case Testlib:
		if err := copyTo(filepath.Join(b.dir, "output"), stdin); err != nil {
			return a, err
		}
		stdin, args = nil, []string{at("input"), at("output"), at("answer")}
	}
	l := c.validator.Limits
	tail := &sandbox.Tail{Size: maxMessage}
	cmd := c.validator.Program.Command(b.box, l, slices.Concat(args, c.validator.Flags, f.Flags)...)
	cmd.Stdin, cmd.Stderr = stdin, tail
	r, err := b.box.Run(ctx, cmd)
	if err != nil {
		return a, err
	}
	said := strings.TrimSpace(strings.ToValidUTF8(string(tail.Bytes()), "\uFFFD"))
	if r.Stop != sandbox.Exited {
		return a, failure(r.Cause(l), said)
	}
	feedback := filepath.Join(b.dir, "feedback")
	if a, err = c.validator.answer(r.ExitCode, said, feedback); err != nil {
		return a, err
	}
	return a, c.another(&a, p, feedback)
}

// icpcArgs returns the arguments of the ICPC protocol, at being where a validator finds
// what is on its bench. It appends names of files to that of the folder.
func icpcArgs(at func(name string) string) []string {
	return []string{at("input"), at("answer"), at("feedback") + "/"}
}

// another takes the input for another pass, if the validator left one.
func (c *checker) another(a *answer, p *pass, feedback string) error {
	if c.validator.Passes <= 1 {
		return nil
	}
	text, there, err := feedbackFile(feedback, nextPass, maxNext)
	switch {
	case err != nil || !there:
		return err
	case !a.right:
		return fmt.Errorf("asked for another pass (%s) of an output that is wrong", nextPass)
	case p.number+1 >= c.validator.Passes:
		return fmt.Errorf("asked for more than %d passes", c.validator.Passes)
	case int64(len(text)) == maxNext:
		return fmt.Errorf("%s has %v or more", nextPass, limits.Bytes(maxNext))
	}
	a.next = text
	return nil
}

const (
	nextPass = "nextpass.in"
	maxNext  = 64 << 20
)

// lay puts on the bench what a validator is shown. first is whether it has no notes from
// earlier passes.
func (b *bench) lay(f fixture.Fixture, first bool) error {
	feedback := filepath.Join(b.dir, "feedback")
	steps := []func() error{
		func() error { return os.RemoveAll(feedback) },
		func() error { return os.Mkdir(feedback, 0o777) },
		func() error { return os.Chmod(feedback, 0o777) },
		func() error { return show(filepath.Join(b.dir, "answer"), f.Want) },
		func() error { return show(filepath.Join(b.dir, "input"), f.Input) },
	}
	if !first {
		steps[0] = func() error { return os.RemoveAll(filepath.Join(feedback, nextPass)) }
		steps = append(steps[:1], steps[4])
	}
	for _, step := range steps {
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
