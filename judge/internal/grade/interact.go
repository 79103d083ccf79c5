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
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// interactive reports whether the validator runs beside the program.
func (c *checker) interactive() bool { return c != nil && c.validator.Interactive }

// interactor returns the validator set up to run beside the program in the pass p. transcript
// is how much is kept of what they say.
func (c *checker) interactor(f casedata.Data, p pass, transcript limits.Bytes) *run.Interactor {
	args, accepts := icpcArgs, []int{problem.ExitAccepts}
	if c.validator.Protocol == problem.Testlib {
		args = []string{icpcArgs[0], inside(feedback + "/" + interactorOutput), icpcArgs[1]}
		accepts = []int{testlibRight, testlibPoints}
	}
	in, out := c.shown(f, p)
	return &run.Interactor{
		Program: c.program, Args: slices.Concat(args, c.validator.Flags, f.Flags), Folder: checkFolder, In: in, Out: out,
		Limits: c.validator.Limits, Transcript: transcript, Decides: true, Accepts: accepts,
	}
}

// interactorOutput is what an interactor writes for the checker, in the feedback folder,
// where it may.
const interactorOutput = "output"

// role is what messages call the validator.
func (c *checker) role() string {
	if c.validator.Protocol == problem.Testlib {
		return "interactor"
	}
	return "validator"
}

// blame says that an error is about the validator.
func (c *checker) blame(err error) error { return fmt.Errorf("%s: %w", c.role(), err) }

// interaction is a run of a program under limits and of the validator beside it on a case.
type interaction struct {
	limits  limits.Limits
	data    casedata.Data
	outcome run.Outcome
	pass    pass
}

// judgeInteraction decides the verdict of an interactive run. What an interactor found nothing
// wrong with it asks the checker about. An error is the validator's failure, or the judge's.
//
// Who ended first is to blame for what became of the other by that. So a program that
// failed before the validator's end gets the verdict of its own end, whatever the
// validator said; one that failed after the validator had found it wrong is wrong.
func (c *checker) judgeInteraction(ctx context.Context, i interaction) (Ruling, error) {
	h, err := c.heard(i)
	if err != nil {
		return Ruling{}, c.blame(err)
	}
	if c.then != nil && h.Verdict == verdict.AC {
		if err := h.ask(ctx, c.then, i); err != nil {
			return Ruling{}, err
		}
	}
	h.Ruling.Score, h.Ruling.Multiplier, h.Ruling.next = h.answer.score, h.answer.multiplier, h.answer.next
	return h.Ruling, nil
}

// hearing is what became of a pass of an interactive problem.
type hearing struct {
	Ruling
	answer answer
}

// ask has the checker decide about what an interactor has written, if it has.
func (h *hearing) ask(ctx context.Context, c *checker, i interaction) error {
	a, err := c.check(ctx, i.data, pass{}, func() (content.Content, error) {
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

// decide takes an answer about a program that ended well under limits l. What is told
// while a program talks is a log, in which the reason stands last.
func (h *hearing) decide(l limits.Limits, a answer) {
	h.answer, h.Message = a, a.words
	if !a.right {
		h.Verdict, h.Cause = Classify(l, sandbox.Result{}, Comparison{Refused: true, Format: a.format, Message: quote.Last(a.words)})
	}
}

// interrupted reports whether a validator ended since nobody listened to it any more: by
// SIGPIPE, or, where its language takes that for an error like any other, without an
// answer and with the system's words for it.
func (c *checker) interrupted(r sandbox.Result, said string) bool {
	if r.Stop == sandbox.Signalled {
		return r.Signal == sandbox.Signal(syscall.SIGPIPE)
	}
	answered := c.validator.Protocol == problem.Testlib || r.ExitCode == problem.ExitAccepts || r.ExitCode == problem.ExitRefuses
	return r.Stop == sandbox.Exited && !answered && strings.Contains(strings.ToLower(said), syscall.EPIPE.Error())
}

// heard is judgeInteraction without what comes after the validator.
func (c *checker) heard(i interaction) (h hearing, err error) {
	l, o, d := i.limits, i.outcome, i.outcome.Interaction
	h.Verdict, h.Cause = Classify(l, o.Result, Comparison{})
	if h.Verdict == verdict.None && !d.Decided {
		return h, nil // stopped together with its interactor
	}
	h.Late = h.Verdict.Is(verdict.TooSlow) && o.Stop == sandbox.Exited && o.ExitCode == 0 &&
		d.Interactor.Stop == sandbox.Exited && c.accepts(d.Interactor.ExitCode)
	failed := h.Verdict != verdict.AC
	if failed && d.First == runner.SubmissionSide {
		switch {
		case h.Verdict == verdict.ILE && d.Stalled:
			h.Cause += ": it and the " + c.role() + " waited for each other"
		case h.Verdict == verdict.ILE && d.Interactor.CPU > o.Wall/2:
			return h, fmt.Errorf("kept the program waiting: it computed for %v", d.Interactor.CPU)
		}
		return h, nil
	}
	r := d.Interactor
	said := quote.Of(d.Stderr)
	if d.First == runner.SubmissionSide && c.interrupted(r, said) {
		h.Verdict, h.Cause = verdict.WA, "ended before the "+c.role()+" had said all"
		return h, nil
	}
	if r.Stop != sandbox.Exited {
		return h, failure(r.Cause(c.validator.Limits), said)
	}
	a, err := c.answer(r.ExitCode, said, &d.Copies)
	if err != nil {
		return h, err
	}
	h.decide(l, a)
	if h.Verdict != verdict.AC && h.answer.right {
		return h, nil
	}
	h.answer.next, err = c.another(h.answer, i.pass, &d.Copies)
	return h, err
}
