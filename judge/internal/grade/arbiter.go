package grade

import (
	"context"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Ruling is the verdict on a run, with its reasons.
type Ruling struct {
	Verdict    verdict.Verdict
	Cause      string         // one line; "" when accepted
	Mismatch   *diff.Mismatch // for WA, PE and NO
	Message    string         // the checker's message; "" if there is none
	Score      *float64       // the validator's points for the output; nil if it gave none
	Multiplier *float64       // likewise, as a fraction of the points of the case
	Late       bool           // for TLE and ILE: it exited by itself, and only its time was wrong

	next *pass // the next pass that the validator asks for; nil if there is none
}

// Arbiter judges runs outside of a Grade, by the same rules. It is safe for concurrent use.
type Arbiter struct {
	compare diff.Options
	checker *checker // nil if only the comparison decides
}

// Arbiter returns the arbiter of a problem. show bounds how much of a difference it reports.
func (j *Judge) Arbiter(ctx context.Context, p *problem.Problem, show diff.Options) (*Arbiter, error) {
	c, err := j.checker(ctx, p.Validator)
	if err != nil {
		return nil, err
	}
	return &Arbiter{compare: p.Options(show), checker: c}, nil
}

// Rule judges a run on a case under the limits l, which may differ from the task's. The error is a
// failure of the judge: the outcome's, or the checker's.
func (a *Arbiter) Rule(ctx context.Context, l limits.Limits, f casedata.Data, o run.Outcome, output []byte) (Ruling, error) {
	if o.Err != nil {
		return Ruling{}, o.Err
	}
	c := a.checker.comparer(f, a.compare)
	if _, err := c.Write(output); err != nil {
		return Ruling{}, err
	}
	m := c.Close()
	if err := c.Err(); err != nil {
		return Ruling{}, err
	}
	return a.checker.rule(ctx, finishedRun{limits: l, result: o.Result, mismatch: m, data: f, output: func() (content.Content, error) { return content.Of(output), nil }})
}

// ValidatorFailed reports whether an error of [Arbiter.Rule] is the validator's own failure, and not
// the judge's.
func ValidatorFailed(err error) bool {
	return err != nil && !sandbox.Retryable(err) && !sandbox.Exhausted(err)
}

// finishedRun is a run that has ended, with everything that its verdict depends on.
type finishedRun struct {
	limits   limits.Limits
	result   sandbox.Result
	mismatch *diff.Mismatch // with the expected output; nil for none
	data     casedata.Data
	pass     pass
	output   func() (content.Content, error)
}

// rule classifies a run. It asks the checker, if there is one, about an output that differs from
// the expected one, or about any output if the checker decides alone. If the checker wants another
// pass, the ruling is not final.
//
// The checker also sees the output of a run that exited by itself but too late: the ruling is Late
// if the output is right, and only then another run of the program is worth making, see
// [newTrial].
func (c *checker) rule(ctx context.Context, e finishedRun) (Ruling, error) {
	compared := Comparison{Mismatch: e.mismatch}
	if c.always() {
		compared.Mismatch = nil // nothing was compared
	}
	ruling := Ruling{}
	ruling.Verdict, ruling.Cause = Classify(e.limits, e.result, compared)
	if ruling.Verdict.Is(verdict.TooSlow) && e.result.Stop == sandbox.Exited {
		e.limits.CPU, e.limits.Wall = 0, 0
		right, err := c.rule(ctx, e) // without further passes
		ruling.Late = err == nil && right.Verdict == verdict.AC
		return ruling, ctx.Err()
	}
	if c.wanted(ruling.Verdict) {
		answer, err := c.check(ctx, e.data, e.pass, e.output)
		if err != nil {
			return Ruling{}, err
		}
		ruling.Score, ruling.Multiplier, ruling.Message, ruling.next = answer.score, answer.multiplier, answer.words, answer.next
		compared.Accepted, compared.Refused, compared.Format, compared.Message = answer.right, !answer.right, answer.format, answer.words
		if compared.Refused && compared.Mismatch != nil && compared.Mismatch.Whitespace {
			compared.Message = "" // all tokens are right, so it stays a presentation error
		}
		ruling.Verdict, ruling.Cause = Classify(e.limits, e.result, compared)
	}
	if ruling.Verdict.Is(verdict.WrongOutput) {
		ruling.Mismatch = compared.Mismatch
	}
	return ruling, nil
}
