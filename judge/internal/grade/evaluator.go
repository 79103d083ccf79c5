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

// Judgement is the verdict on a run, with its reasons.
type Judgement struct {
	Verdict    verdict.Verdict
	Cause      string         // one line; "" when accepted
	Mismatch   *diff.Mismatch // for WA, PE, NO and OLE
	Message    string         // the checker's message; "" if there is none
	Score      *float64       // the validator's points for the output; nil if it gave none
	Multiplier *float64       // the validator's fraction of the points of the case; nil if it gave none
	// Untimed, for TLE and ILE of a program that ended by itself, is the verdict without time
	// limits; None otherwise. If it is AC, the program was only too late.
	Untimed verdict.Verdict

	next *pass // the next pass, if the validator asked for one; else nil
}

// Evaluator judges single runs by the rules of Grade. It is safe for concurrent use.
type Evaluator struct {
	compare diff.Options
	checker *checker // nil if only the comparison decides
}

// Evaluator returns an evaluator for a problem. show bounds how much of a difference its judgements
// report.
func (j *Judge) Evaluator(ctx context.Context, p *problem.Problem, show diff.Options) (*Evaluator, error) {
	c, err := j.checker(ctx, p.Validator)
	if err != nil {
		return nil, err
	}
	return &Evaluator{compare: p.Options(show), checker: c}, nil
}

// Evaluate judges a run on a case under the limits l, which may differ from the problem's. It
// returns an error, and no verdict, if the run failed (o.Err) or the checker did.
func (e *Evaluator) Evaluate(ctx context.Context, l limits.Limits, f casedata.Data, o run.Outcome, output []byte) (Judgement, error) {
	if o.Err != nil {
		return Judgement{}, o.Err
	}
	c := e.checker.comparer(f, e.compare)
	if _, err := c.Write(output); err != nil {
		return Judgement{}, err
	}
	m := closed(c, o.Result, l)
	if err := c.Err(); err != nil {
		return Judgement{}, err
	}
	return e.checker.evaluate(ctx, finishedRun{limits: l, result: o.Result, mismatch: m, data: f, output: func() (content.Content, error) { return content.Of(output), nil }})
}

// closed returns how the output of a run that has ended differs from the expected one. Of an output over
// its limit only the part within the limit was compared.
func closed(c *diff.Comparer, r sandbox.Result, l limits.Limits) *diff.Mismatch {
	switch {
	case r.Stop != sandbox.OverOutput:
		return c.Close()
	case l.Output > 0 && r.Stdout > int64(l.Output):
		return c.CloseCut()
	}
	c.Close()
	return nil // it was stopped for what it wrote elsewhere
}

// ValidatorFailed reports whether an error of [Evaluator.Evaluate] is a failure of the validator,
// not of the judge.
func ValidatorFailed(err error) bool {
	return err != nil && !sandbox.Retryable(err) && !sandbox.Exhausted(err)
}

// finishedRun is a run that has ended, with everything that its verdict depends on.
type finishedRun struct {
	limits   limits.Limits
	result   sandbox.Result
	mismatch *diff.Mismatch // nil if the output equals the expected one
	data     casedata.Data
	pass     pass
	output   func() (content.Content, error)
}

// evaluate judges a run. It asks the checker, if there is one, about an output that differs from
// the expected one, or about any output if the checker decides alone. If the checker asks for
// another pass, the judgement is not final.
//
// If the program ended by itself but too late, the judgement says what its verdict would have been
// in time, which the checker may have to decide. Only a run that would have been accepted is worth
// repeating, see [newTrial].
func (c *checker) evaluate(ctx context.Context, r finishedRun) (Judgement, error) {
	compared := Comparison{Mismatch: r.mismatch}
	if c.decidesAlone() {
		compared.Mismatch = nil // nothing was compared
	}
	judgement := Judgement{}
	judgement.Verdict, judgement.Cause = Classify(r.limits, r.result, compared)
	if judgement.Verdict.Is(verdict.TooSlow) && (r.result.Stop == sandbox.Exited || r.result.Stop == sandbox.Signalled) {
		r.limits.CPU, r.limits.Wall = 0, 0
		untimed, err := c.evaluate(ctx, r) // a next pass that it asks for is not run
		if err == nil {
			judgement.Untimed = untimed.Verdict
		}
		return judgement, ctx.Err()
	}
	if c.mustAsk(judgement.Verdict) {
		r.pass.facts.result = &r.result
		answer, err := c.check(ctx, r.data, r.pass, r.output)
		if err != nil {
			return Judgement{}, err
		}
		judgement.Score, judgement.Multiplier, judgement.Message, judgement.next = answer.score, answer.multiplier, answer.message, answer.next
		compared.Accepted, compared.Refused, compared.Format, compared.Message = answer.right, !answer.right, answer.format, answer.message
		if compared.Refused && compared.Mismatch != nil && compared.Mismatch.Whitespace {
			compared.Message = "" // all tokens are right, so it stays a presentation error
		}
		judgement.Verdict, judgement.Cause = Classify(r.limits, r.result, compared)
	}
	if judgement.Verdict.Is(verdict.WrongOutput) || judgement.Verdict == verdict.OLE {
		judgement.Mismatch = compared.Mismatch
	}
	return judgement, nil
}
