package grade

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// checker asks a validator. It runs in the jail like any program. It is safe for
// concurrent use. A nil one is asked nothing.
type checker struct {
	pool      *run.Pool
	validator problem.Validator
	program   *build.Program // its own; stays open with the judge's CaseData
	then      *checker       // of validator.Then; nil if there is none
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
	number int           // from 0
	input  []byte        // in place of the case's, unless it is the first
	notes  []runner.File // of the validator, in its feedback folder
}

// Where a validator finds what it is shown, and what it writes. It has no other folder
// but the temporary ones of every box.
const (
	checkDir   = "/check" // inside the box
	checkSize  = 2 * limits.GiB
	feedback   = "feedback" // in checkDir
	maxMessage = 4 << 10
)

// checkFolder is the folder that it has.
var checkFolder = sandbox.Folder{Path: checkDir, Size: checkSize, Mode: 0o755}

// checker returns what asks a validator, nil where bytes decide.
func (j *Judge) checker(ctx context.Context, v *problem.Validator) (*checker, error) {
	if v == nil {
		return nil, nil
	}
	program, err := j.CaseData.Program(ctx, v.Program)
	if err != nil {
		return nil, err
	}
	c := newChecker(j.Pool, *v, program)
	c.then, err = j.checker(ctx, v.Then)
	return c, err
}

// newChecker returns what asks the program of a validator alone.
func newChecker(pool *run.Pool, v problem.Validator, program *build.Program) *checker {
	if v.Limits == (limits.Limits{}) {
		v.Limits = limits.Validator
	}
	return &checker{pool: pool, validator: v, program: program}
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
func (c *checker) comparer(f casedata.Data, o diff.Options) *diff.Comparer {
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

// check asks about the output of a pass, which it fetches: this checker and those after it,
// up to the first that finds it wrong or asks for another pass. An error means that one of
// them failed: it crashed, ran out of its limits or answered what its protocol does not know.
func (c *checker) check(ctx context.Context, f casedata.Data, p pass, output func() (content.Content, error)) (answer, error) {
	a := answer{right: true}
	for one := c; one != nil && a.right && a.next == nil; one = one.then {
		if f.Asked != "" && f.Asked != one.validator.Name {
			continue
		}
		b, err := one.ask(ctx, f, p, output)
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

// ask asks this checker alone.
func (c *checker) ask(ctx context.Context, f casedata.Data, p pass, fetch func() (content.Content, error)) (a answer, err error) {
	output, err := fetch()
	if err != nil {
		return a, err
	}
	l, args := c.validator.Limits, icpcArgs
	job := run.Job{Program: c.program, Folder: checkFolder, Input: output, Limits: l, StderrEnds: true}
	job.In, job.Out = c.shown(f, p)
	switch c.validator.Protocol {
	case problem.Answers:
		args = args[:1]
	case problem.Testlib:
		job.In = append(job.In, runner.File{Name: "output", Mode: 0o444, Content: output})
		job.Input, args = content.Content{}, []string{icpcArgs[0], inside("output"), icpcArgs[1]}
	}
	job.Args = slices.Concat(args, c.validator.Flags, f.Flags)
	o := c.pool.Run(ctx, job)
	if o.Err != nil {
		return a, o.Err
	}
	defer func() { err = errors.Join(err, o.Copies.Close()) }()
	said := quote.Of(o.Stderr)
	switch o.Stop {
	case sandbox.Exited:
	case sandbox.OverCPU, sandbox.OverWall:
		return a, &lateError{failure(o.Cause(l), said)}
	default:
		return a, failure(o.Cause(l), said)
	}
	if a, err = c.answer(o.ExitCode, said, &o.Copies); err != nil {
		return a, err
	}
	a.next, err = c.another(a, p, &o.Copies)
	return a, err
}

// shown returns what a validator is shown of a case in the pass p, and what is wanted of
// what it leaves.
func (c *checker) shown(f casedata.Data, p pass) (in []runner.File, out []runner.CopyOut) {
	if p.number > 0 {
		f.Input = content.Of(p.input)
	}
	in = append([]runner.File{
		{Name: "input", Mode: 0o444, Content: f.Input},
		{Name: "answer", Mode: 0o444, Content: f.Want},
		{Name: feedback, Mode: fs.ModeDir | 0o777},
	}, p.notes...)
	want := func(name string, most limits.Bytes) {
		out = append(out, runner.CopyOut{Name: path.Join(feedback, name), Most: most})
	}
	if c.validator.Protocol != problem.Testlib {
		want(judgeMessage, maxMessage)
		want(teamMessage, maxMessage)
		want(scoreFile, maxScore+1) // one more shows that it is too long
		want(multiplierFile, maxScore+1)
	} else if c.validator.Interactive {
		want(interactorOutput, checkSize)
	}
	if c.validator.Passes > 1 {
		want(nextPass, maxNext+1)
		out = append(out, runner.CopyOut{Name: feedback, Most: maxNotes + maxNext, Files: maxNoteFiles})
	}
	return in, out
}

// icpcArgs are the arguments of the ICPC protocol. A validator appends names of files to that
// of the folder.
var icpcArgs = []string{inside("input"), inside("answer"), inside(feedback) + "/"}

// inside returns what a validator calls a file that it is shown.
func inside(name string) string { return sandbox.Anywhere.Path(checkDir + "/" + name) }

// another returns the pass after p, if the validator left an input for one.
func (c *checker) another(a answer, p pass, left *runner.Copies) (*pass, error) {
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

// What a validator takes from one pass to the next is bounded, besides nextPass.
const (
	maxNotes     = 64 * limits.MiB
	maxNoteFiles = 1000
)

// notesOf returns the files that a validator has left in its feedback folder for the
// next pass, where it may change them.
func notesOf(left *runner.Copies) (notes []runner.File, err error) {
	folder := left.Get(feedback)
	for _, note := range folder.Files {
		if note.Name == nextPass {
			continue
		}
		note.Name, note.Mode = path.Join(feedback, note.Name), note.Mode|0o666
		if note.Mode.IsDir() {
			note.Mode |= 0o777
		}
		notes = append(notes, note)
	}
	return notes, folder.Err
}
