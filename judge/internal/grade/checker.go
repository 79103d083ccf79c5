package grade

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// checker asks a validator. It runs in the jail like any program. It is safe for
// concurrent use. A nil one is asked nothing.
type checker struct {
	host      run.Host
	pool      *run.Pool
	temp      string // folder for temporary files
	validator problem.Validator
	program   *build.Program // its own; stays open with the judge's fixtures
	then      *checker       // of validator.Then; nil if there is none

	mu   sync.Mutex
	idle []sandbox.Box
}

// answer is what a validator said.
type answer struct {
	right      bool
	format     bool     // wrong by its form
	words      string   // what it wrote, and never "" if it is wrong
	score      *float64 // nil where none was told
	multiplier *float64 // likewise
	next       *pass    // right so far: another run of the program; nil if this was the last
}

// pass is one of the runs of a program on a case, and what its check needs of those
// before. The zero value is the first.
type pass struct {
	number int            // from 0
	input  []byte         // in place of the case's, unless it is the first
	notes  []sandbox.File // of the validator, in its feedback folder
}

// Where a validator finds what it is shown, and what it writes. It has no other folder
// but the temporary ones of every box.
const (
	benchDir   = "/check" // inside the box
	benchSize  = 2 * limits.GiB
	feedback   = "feedback" // in benchDir
	maxMessage = 4 << 10
)

// checker returns what asks a validator, nil where bytes decide.
func (j *Judge) checker(ctx context.Context, v *problem.Validator) (*checker, error) {
	if v == nil {
		return nil, nil
	}
	program, err := j.Fixtures.Program(ctx, v.Program)
	if err != nil {
		return nil, err
	}
	c := newChecker(j.Host, j.Pool, j.Host.Temp(), *v, program)
	c.then, err = j.checker(ctx, v.Then)
	return c, err
}

// newChecker returns what asks the program of a validator alone.
func newChecker(host run.Host, pool *run.Pool, temp string, v problem.Validator, program *build.Program) *checker {
	if v.Limits == (limits.Limits{}) {
		v.Limits = limits.Validator
	}
	return &checker{host: host, pool: pool, temp: temp, validator: v, program: program}
}

// always reports whether no output is compared.
func (c *checker) always() bool { return c != nil && c.validator.Always }

// passes reports whether a case may take several runs.
func (c *checker) passes() bool { return c != nil && c.validator.Passes > 1 }

// wanted reports whether what a run came to without it is the checker's matter.
func (c *checker) wanted(v verdict.Verdict) bool {
	return c != nil && (v.Is(verdict.WrongOutput) || v == verdict.AC && c.validator.Always)
}

// comparer returns what compares the output of a case, whether or not that decides.
func (c *checker) comparer(f fixture.Fixture, o diff.Options) *diff.Comparer {
	if f.Compare != nil {
		lines, size := o.Lines, o.Bytes
		o = *f.Compare
		o.Lines, o.Bytes = lines, size
	}
	want := f.Want
	if c.always() {
		want = content.Content{} // which is soon found to differ, for nothing
	}
	if data, held := want.Held(); held {
		return diff.New(data, o)
	}
	return diff.NewFrom(want, o)
}

func (c *checker) close() {
	if c == nil {
		return
	}
	for _, box := range c.idle {
		box.Close()
	}
	c.then.close()
}

// acquire returns an idle box, or a new one when there is none or only a new one will do.
func (c *checker) acquire(fresh bool) (sandbox.Box, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 && !fresh {
		defer c.mu.Unlock()
		box := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return box, nil
	}
	c.mu.Unlock()
	spec := c.program.Spec()
	spec.Folder = sandbox.Folder{Path: benchDir, Size: benchSize, Mode: 0o755}
	return c.host.NewBox(spec)
}

// release returns a box for others to acquire, or closes it: after a failure the next check
// begins anew.
func (c *checker) release(box sandbox.Box, failed bool) {
	if failed {
		box.Close()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, box)
}

// check asks about the output of a pass, which it opens: this checker and those after it,
// up to the first that finds it wrong or asks for another pass. An error means that one of
// them failed: it crashed, ran out of its limits or answered what its protocol does not know.
func (c *checker) check(ctx context.Context, f fixture.Fixture, p pass, output func() (*os.File, error)) (answer, error) {
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

// askTwice is ask, once more if that came to nothing by no fault of the checker.
func (c *checker) askTwice(ctx context.Context, f fixture.Fixture, p pass, output func() (*os.File, error)) (answer, error) {
	a, err := c.ask(ctx, f, p, output, false)
	if sandbox.Lost(err) && ctx.Err() == nil {
		a, err = c.ask(ctx, f, p, output, true)
	}
	return a, err
}

// ask asks this checker alone, in a fresh box if that is wanted.
func (c *checker) ask(ctx context.Context, f fixture.Fixture, p pass, output func() (*os.File, error), fresh bool) (a answer, err error) {
	slot, err := c.pool.Borrow(ctx)
	if err != nil {
		return a, err
	}
	defer slot()
	box, err := c.acquire(fresh)
	if err != nil {
		return a, err
	}
	defer func() { c.release(box, err != nil) }()
	stdin, err := output()
	if err == nil {
		stdin, err = readable(stdin, c.temp)
	}
	if err != nil {
		return a, err
	}
	defer stdin.Close()
	at := func(name string) string { return box.Path(benchDir + "/" + name) }
	args, shown := icpcArgs(at), p.shown(&f)
	switch c.validator.Protocol {
	case problem.Answers:
		args = args[:1]
	case problem.Testlib:
		whole := func() io.Reader { return io.NewSectionReader(stdin, 0, math.MaxInt64) }
		shown = append(shown, sandbox.File{Name: "output", Mode: 0o444, From: whole})
		args = []string{at("input"), at("output"), at("answer")}
	}
	l := c.validator.Limits
	var stderr sandbox.Ends
	cmd := c.program.Command(box, l, slices.Concat(args, c.validator.Flags, f.Flags)...)
	cmd.Placed, cmd.Stderr = shown, &stderr
	if c.validator.Protocol != problem.Testlib {
		cmd.Stdin = stdin
	}
	r, err := box.Run(ctx, cmd)
	if err != nil {
		return a, err
	}
	said := quote.Of(stderr.Bytes())
	switch r.Stop {
	case sandbox.Exited:
	case sandbox.OverCPU, sandbox.OverWall:
		return a, &lateError{failure(r.Cause(l), said)}
	default:
		return a, failure(r.Cause(l), said)
	}
	left, err := box.Remains()
	if err != nil {
		return a, err
	}
	if a, err = c.answer(r.ExitCode, said, left); err != nil {
		return a, err
	}
	a.next, err = c.another(a, p, left)
	return a, err
}

// shown returns what a validator is shown of a fixture in this pass, whose input becomes
// the fixture's.
func (p pass) shown(f *fixture.Fixture) []sandbox.File {
	if p.number > 0 {
		f.Input = content.Of(p.input)
	}
	return append([]sandbox.File{
		{Name: "input", Mode: 0o444, From: f.Input.Reader},
		{Name: "answer", Mode: 0o444, From: f.Want.Reader},
		{Name: feedback, Mode: fs.ModeDir | 0o777},
	}, p.notes...)
}

// icpcArgs returns the arguments of the ICPC protocol, at being where a validator finds
// what it is shown. It appends names of files to that of the folder.
func icpcArgs(at func(name string) string) []string {
	return []string{at("input"), at("answer"), at(feedback) + "/"}
}

// another returns the pass after p, if the validator left an input for one.
func (c *checker) another(a answer, p pass, left *sandbox.Remains) (*pass, error) {
	if c.validator.Passes <= 1 {
		return nil, nil
	}
	text, there, err := feedbackFile(left, nextPass, maxNext)
	switch {
	case err != nil || !there:
		return nil, err
	case !a.right:
		return nil, fmt.Errorf("asked for another pass (%s) of an output that is wrong", nextPass)
	case p.number+1 >= c.validator.Passes:
		return nil, fmt.Errorf("asked for more than %d passes", c.validator.Passes)
	}
	notes, err := notesOf(left)
	if err != nil {
		return nil, err
	}
	return &pass{number: p.number + 1, input: text, notes: notes}, nil
}

const (
	nextPass = "nextpass.in"
	maxNext  = 64 * limits.MiB
)

// maxNotes bounds what a validator takes from one pass to the next, besides nextPass.
var maxNotes = sandbox.Bounds{Bytes: 64 * limits.MiB, Files: 1000}

// notesOf returns the files that a validator has left in its feedback folder for the
// next pass, where it may change them.
func notesOf(left *sandbox.Remains) (notes []sandbox.File, err error) {
	bounds := maxNotes
	bounds.Bytes += maxNext
	err = left.Walk(feedback, bounds, func(name string, info fs.FileInfo, data io.Reader) error {
		note := sandbox.File{Name: path.Join(feedback, name), Mode: info.Mode() | 0o666}
		switch {
		case name == nextPass:
			return nil
		case info.IsDir():
			note.Mode |= 0o777
		default:
			if note.Data, err = io.ReadAll(data); err != nil {
				return err
			}
		}
		notes = append(notes, note)
		return nil
	})
	return notes, err
}
