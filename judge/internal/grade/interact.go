package grade

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

func (c *checker) interactive() bool { return c != nil && c.validator.Interactive }

// interactor returns the validator set up to run beside the program in the pass p. transcript
// bounds how much is kept of the output of each.
func (c *checker) interactor(f casedata.Data, p pass, transcript limits.Bytes) *run.Interactor {
	rules := c.validator.Protocol.Rules()
	in, out := c.files(f, p)
	return &run.Interactor{
		Program: c.program, Args: slices.Concat(c.formed(rules.Interactor, feedback+"/"+interactorOutput), c.validator.Flags, f.Flags), Folder: checkFolder, In: in, Out: out,
		Limits: c.validator.Limits, Transcript: transcript, Decides: true, Accepts: rules.Accepts, Answers: slices.Concat(rules.Accepts, rules.Refuses),
	}
}

// interactorOutput is the file in the feedback folder that an interactor writes for the checker.
const interactorOutput = "output"

// role returns the name of the validator in messages.
func (c *checker) role() string {
	if c.validator.Protocol.Rules().Plain {
		return "interactor"
	}
	return "validator"
}

// blame wraps an error that the validator caused.
func (c *checker) blame(err error) error { return fmt.Errorf("%s: %w", c.role(), err) }

// interaction is a run of a program and the validator beside it on a case.
type interaction struct {
	limits  limits.Limits
	data    casedata.Data
	outcome run.Outcome
	pass    pass
}

// judgeInteraction judges an interactive run. If the interactor accepts and a checker comes after
// it, the checker decides. An error is a failure of a validator or the judge.
//
// The side that exited first is to blame if the other fails because of that. So a program that
// failed before the validator exited gets the verdict for its own exit, whatever the validator
// answered. A program that failed after the validator had refused it gets the validator's verdict.
func (c *checker) judgeInteraction(ctx context.Context, i interaction) (Judgement, error) {
	h, err := c.judgeExits(i)
	if err != nil {
		return Judgement{}, c.blame(err)
	}
	if c.then != nil && h.Verdict == verdict.AC {
		if err := h.ask(ctx, c.then, i); err != nil {
			return Judgement{}, err
		}
	}
	h.Judgement.Score, h.Judgement.Multiplier, h.Judgement.next = h.answer.score, h.answer.multiplier, h.answer.next
	return h.Judgement, nil
}

// interactionJudgement is the judgement on a pass of an interactive problem, with the last answer
// of a validator.
type interactionJudgement struct {
	Judgement
	answer answer
}

// ask asks the checker about the file that the interactor wrote, or about an empty output if it
// wrote none.
func (h *interactionJudgement) ask(ctx context.Context, c *checker, i interaction) error {
	a, err := c.check(ctx, i.data, i.pass, func() (content.Content, error) {
		output := i.outcome.Interaction.Copies.Get(path.Join(feedback, interactorOutput))
		if errors.Is(output.Err, fs.ErrNotExist) {
			return content.Content{}, nil
		}
		return output.Content, output.Err
	})
	if err != nil {
		return err
	}
	if a.score == nil {
		a.score = h.answer.score
	}
	h.decide(i.limits, a)
	return nil
}

// decide applies an answer about a program that exited with status 0 under limits l. An interactor
// writes its message as a log, so the cause is the last line.
func (h *interactionJudgement) decide(l limits.Limits, a answer) {
	h.answer, h.Message = a, a.message
	if !a.right {
		h.Verdict, h.Cause = Classify(l, sandbox.Result{}, Comparison{Refused: true, Format: a.format, Message: quote.Last(a.message)})
	}
}

// brokenPipe reports whether a validator failed because the program had closed its standard input:
// the validator was killed by SIGPIPE or, in languages that report EPIPE as an error, exited
// without an answer and with that error on standard error.
func (c *checker) brokenPipe(r sandbox.Result, stderr string) bool {
	if r.Stop == sandbox.Signalled {
		return r.Signal == sandbox.Signal(syscall.SIGPIPE)
	}
	rules := c.validator.Protocol.Rules()
	answered := rules.Plain || slices.Contains(slices.Concat(rules.Accepts, rules.Refuses), r.ExitCode)
	return r.Stop == sandbox.Exited && !answered && strings.Contains(strings.ToLower(stderr), syscall.EPIPE.Error())
}

// judgeExits judges the exits of both sides. It does not ask the checker after the interactor.
func (c *checker) judgeExits(i interaction) (h interactionJudgement, err error) {
	l, o, d := i.limits, i.outcome, i.outcome.Interaction
	h.Verdict, h.Cause = Classify(l, o.Result, Comparison{})
	if h.Verdict == verdict.None && (d == nil || !d.Decided) {
		return h, nil // both sides were cancelled, or never started
	}
	if h.Verdict.Is(verdict.TooSlow) && o.Stop == sandbox.Exited && o.ExitCode == 0 && d.Interactor.Stop == sandbox.Exited && slices.Contains(c.validator.Protocol.Rules().Accepts, d.Interactor.ExitCode) {
		h.Untimed = verdict.AC
	}
	failed := h.Verdict != verdict.AC
	if failed && d.First == runner.SubmissionSide {
		switch {
		case h.Verdict == verdict.ILE && d.Stalled:
			h.Cause += ": the program and the " + c.role() + " waited for each other"
		case h.Verdict == verdict.ILE && d.Interactor.CPU > o.Wall/2:
			return h, fmt.Errorf("kept the program waiting while using %v of CPU time", d.Interactor.CPU)
		case d.Interactor.Stop == sandbox.OverWall:
			h.Cause += "; the " + c.role() + " did not end"
		}
		return h, nil
	}
	r := d.Interactor
	stderr := quote.Of(d.Stderr)
	if d.First == runner.SubmissionSide && c.brokenPipe(r, stderr) {
		h.Verdict, h.Cause = verdict.WA, "exited before the "+c.role()+" had written everything"
		return h, nil
	}
	if r.Stop != sandbox.Exited {
		return h, failure(r.Cause(c.validator.Limits), stderr)
	}
	a, err := c.answer(r.ExitCode, "", stderr, &d.Copies)
	if err != nil {
		return h, err
	}
	h.decide(l, a)
	if h.Verdict != verdict.AC && h.answer.right { // it failed, so the points do not count
		h.answer.score, h.answer.multiplier = nil, nil
		return h, nil
	}
	h.answer.next, err = c.nextPass(h.answer, i.pass, &d.Copies)
	return h, err
}
