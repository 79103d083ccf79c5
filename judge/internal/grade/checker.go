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

// checker runs an output validator or an interactor, in the jail like any program. It is safe for
// concurrent use. A nil checker accepts what the comparison accepts.
type checker struct {
	pool      *run.Pool
	memo      *run.Memo // outcomes of earlier runs of the validator; may be nil
	validator problem.Validator
	program   *build.Program // of the validator; stays open as long as the judge's CaseData
	then      *checker       // asked if this one accepts (validator.Then); nil if there is none
}

// answer is a validator's decision about an output.
type answer struct {
	right      bool
	format     bool     // the output is wrong only in its format
	message    string   // never "" if the output is wrong
	score      *float64 // points for the output; nil if the validator gave none
	multiplier *float64 // fraction of the points of the case; nil if the validator gave none
	next       *pass    // the next pass, if the validator asked for one; else nil
}

// pass is one of the runs that a multi-pass validator asks for on a case. The zero value is the
// first, and without such a validator the only one.
type pass struct {
	number int           // from 0
	input  []byte        // replaces the input of the case, except in the first pass
	notes  []runner.File // files that the validator left in its feedback folder in earlier passes
	facts  facts         // about the submission, for a validator that reads them
}

const (
	checkDir   = "/check" // a validator's folder in the box
	checkSize  = 2 * limits.GiB
	feedback   = "feedback" // the feedback folder, in checkDir
	maxMessage = 4 << 10    // bytes of a validator's message that are kept
)

// checkFolder is the folder for a validator's files, in addition to the temporary folders of a box.
var checkFolder = sandbox.Folder{Path: checkDir, Size: checkSize, Mode: 0o755}

// checker returns the checker for a validator and those after it; nil if v is nil.
func (j *Judge) checker(ctx context.Context, v *problem.Validator) (*checker, error) {
	if v == nil {
		return nil, nil
	}
	if rules := v.Protocol.Rules(); v.Interactive && rules.Interactor == "" {
		return nil, fmt.Errorf("%s: the protocol %s has no interactors", v.Program, v.Protocol)
	}
	program, err := j.CaseData.Program(ctx, v.Program)
	if err != nil {
		return nil, err
	}
	c := newChecker(j.Pool, j.Memo, *v, program)
	c.then, err = j.checker(ctx, v.Then)
	return c, err
}

// newChecker returns the checker for one validator. Its field then is not set.
func newChecker(pool *run.Pool, memo *run.Memo, v problem.Validator, program *build.Program) *checker {
	if v.Limits == (limits.Limits{}) {
		v.Limits = limits.Validator
	}
	return &checker{pool: pool, memo: memo, validator: v, program: program}
}

// decidesAlone reports whether outputs are not compared with the expected ones.
func (c *checker) decidesAlone() bool { return c != nil && c.validator.Always }

func (c *checker) multipass() bool { return c != nil && c.validator.Passes > 1 }

// mustAsk reports whether the checker must be asked after this provisional verdict.
func (c *checker) mustAsk(v verdict.Verdict) bool {
	return c != nil && (v.Is(verdict.WrongOutput) || v == verdict.AC && c.validator.Always)
}

// comparer returns a comparer for the output of a case. If the checker decides alone, its result
// must be ignored.
func (c *checker) comparer(f casedata.Data, o diff.Options) *diff.Comparer {
	if f.Compare != nil {
		lines, size := o.Lines, o.Bytes
		o = *f.Compare
		o.Lines, o.Bytes = lines, size
	}
	want := f.Want
	if c.decidesAlone() {
		want = content.Content{} // the comparer stops at the first byte that differs
	}
	if data, held := want.Held(); held {
		return diff.New(data, o)
	}
	return diff.NewFrom(want.Open(), o)
}

// check asks this checker and those after it about the output of a pass, up to the first that
// refuses the output or asks for another pass. An error means that a checker failed: it crashed,
// exceeded its limits or gave an answer that its protocol does not know.
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
		if b.right && b.message == "" {
			b.message = a.message // from the previous checker
		}
		if b.score == nil {
			b.score = a.score
		}
		a = b
	}
	return a, nil
}

// ask runs this checker, without those after it, on the output that fetch returns.
func (c *checker) ask(ctx context.Context, f casedata.Data, p pass, fetch func() (content.Content, error)) (a answer, err error) {
	output, err := fetch()
	if err != nil {
		return a, err
	}
	l, rules := c.validator.Limits, c.validator.Protocol.Rules()
	stdout := answerText{}
	job := run.Job{Program: c.program, Folder: checkFolder, Input: output, Limits: l, StderrEnds: true}
	job.In, job.Out = c.files(f, p)
	if !rules.Input {
		job.In = append(job.In, runner.File{Name: "output", Mode: 0o444, Content: output})
		job.Input = content.Content{}
	}
	if rules.Stdout {
		job.Stdout = &stdout
	}
	job.Args = slices.Concat(c.formed(rules.Args, "output"), c.validator.Flags, f.Flags)
	o := c.pool.Recall(ctx, job, c.memo)
	if o.Err != nil {
		return a, o.Err
	}
	defer func() { err = errors.Join(err, o.Copies.Close()) }()
	stderr := quote.Of(o.Stderr)
	switch o.Stop {
	case sandbox.Exited:
	case sandbox.OverCPU, sandbox.OverWall:
		return a, &lateError{failure(o.Cause(l), stderr)}
	default:
		return a, failure(o.Cause(l), stderr)
	}
	if a, err = c.answer(o.ExitCode, stdout.String(), stderr, &o.Copies); err != nil {
		return a, err
	}
	a.next, err = c.nextPass(a, p, &o.Copies)
	return a, err
}

// files returns the files that a validator gets for the pass p of a case, and those to copy out
// afterwards.
func (c *checker) files(f casedata.Data, p pass) (in []runner.File, out []runner.CopyOut) {
	if p.number > 0 {
		f.Input = content.Of(p.input)
	}
	in = append([]runner.File{
		{Name: "input", Mode: 0o444, Content: f.Input},
		{Name: "answer", Mode: 0o444, Content: f.Want},
		{Name: feedback, Mode: fs.ModeDir | 0o777},
	}, p.notes...)
	if c.validator.Source {
		in = append(in, p.facts.files(c.validator.Measured)...)
	}
	want := func(name string, most limits.Bytes) {
		out = append(out, runner.CopyOut{Name: path.Join(feedback, name), Most: most})
	}
	rules := c.validator.Protocol.Rules()
	if c.validator.Interactive && strings.Contains(rules.Interactor, outputFile) {
		want(interactorOutput, checkSize)
	}
	if rules.Feedback {
		want(judgeMessage, maxMessage)
		want(teamMessage, maxMessage)
		want(scoreFile, maxScore+1) // one more byte shows that the file is too long
		want(multiplierFile, maxScore+1)
	}
	if c.validator.Passes > 1 {
		want(nextInput, maxNext+1)
		out = append(out, runner.CopyOut{Name: feedback, Most: maxNotes + maxNext, Files: maxNoteFiles})
	}
	return in, out
}

// outputFile is the place of the output in the arguments of a protocol.
const outputFile = "{output_file}"

// formed returns the arguments of the protocol, or those that replace them. output is the file with the
// output, in checkDir. The path of the feedback folder ends with a slash because validators append file
// names to it.
func (c *checker) formed(args, output string) []string {
	words := c.validator.Form
	if words == nil {
		words = strings.Fields(args)
	}
	paths := strings.NewReplacer("{input_file}", inside("input"), outputFile, inside(output), "{answer_file}", inside("answer"), "{feedback_dir}", inside(feedback)+"/")
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = paths.Replace(word)
	}
	return list
}

// inside returns the path of a file in checkDir as the validator sees it.
func inside(name string) string { return sandbox.Anywhere.Path(checkDir + "/" + name) }

// nextPass returns the pass after p if the validator has written an input for one, and else nil.
func (c *checker) nextPass(a answer, p pass, copies *runner.Copies) (*pass, error) {
	if c.validator.Passes <= 1 {
		return nil, nil
	}
	text, exists, err := feedbackFile(copies, nextInput, maxNext)
	switch {
	case err != nil || !exists:
		return nil, err
	case !a.right:
		return nil, fmt.Errorf("refused the output and asked for another pass (%s)", nextInput)
	case p.number+1 >= c.validator.Passes:
		return nil, fmt.Errorf("asked for more than %d passes", c.validator.Passes)
	}
	notes, err := notesOf(copies)
	if err != nil {
		return nil, err
	}
	return &pass{number: p.number + 1, input: text, notes: notes, facts: p.facts}, nil
}

const (
	nextInput = "nextpass.in"
	maxNext   = 64 * limits.MiB
)

// The largest size and number of the files that a validator keeps from one pass to the next,
// besides nextInput.
const (
	maxNotes     = 64 * limits.MiB
	maxNoteFiles = 1000
)

// notesOf returns the files that a validator left in its feedback folder, except nextInput, with
// permissions to change them in the next pass.
func notesOf(copies *runner.Copies) (notes []runner.File, err error) {
	folder := copies.Get(feedback)
	for _, note := range folder.Files {
		if note.Name == nextInput {
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
