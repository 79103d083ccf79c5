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

// Ruling is what a finished run is worth.
type Ruling struct {
	Verdict    verdict.Verdict
	Cause      string         // one line; "" when accepted
	Mismatch   *diff.Mismatch // for WA, PE and NO
	Message    string         // the checker's words, if it was asked and said something
	Score      *float64       // what the validator gave the output; nil if it told none
	Multiplier *float64       // likewise, in parts of the most there are for the case
	Late       bool           // for TLE and ILE: it ended by itself, and nothing but its time was wrong

	next *pass // right so far: the pass that the validator asks for; nil if this was the last
}

// Arbiter rules on runs that are no part of a Grade, by the same rules. It is safe for
// concurrent use.
type Arbiter struct {
	compare diff.Options
	checker *checker // nil where bytes decide
}

// Arbiter returns the arbiter of a problem, which shows as much of a difference as show says.
func (j *Judge) Arbiter(ctx context.Context, p *problem.Problem, show diff.Options) (*Arbiter, error) {
	c, err := j.checker(ctx, p.Validator)
	if err != nil {
		return nil, err
	}
	return &Arbiter{compare: p.Options(show), checker: c}, nil
}

// Rule rules on a run under limits l, which may be others than the task's, on the
// case with the data f. The error is the judge's own: the outcome's, or that the checker failed.
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
	return a.checker.rule(ctx, exhibit{limits: l, result: o.Result, mismatch: m, data: f, output: func() (content.Content, error) { return content.Of(output), nil }})
}

// Blames reports whether an error of [Arbiter.Rule] says that the validator has failed, by
// its own fault, and not the judge.
func Blames(err error) bool {
	return err != nil && !sandbox.Retryable(err) && !sandbox.Exhausted(err)
}

// exhibit is a run that has ended, and what it left to rule on.
type exhibit struct {
	limits   limits.Limits
	result   sandbox.Result
	mismatch *diff.Mismatch // with the expected output; nil for none
	data     casedata.Data
	pass     pass
	output   func() (content.Content, error)
}

// rule asks the checker, if there is one, about an output that differs, or about any
// where it decides alone, and classifies the run. If the checker wants another pass, that is
// the ruling's next; nothing is decided before the last.
//
// The output of a run that ended by itself over its time is looked at as well: whether it is
// Late says whether another run of the same program is worth anything, see [newTrial].
func (c *checker) rule(ctx context.Context, e exhibit) (Ruling, error) {
	compared := Comparison{Mismatch: e.mismatch}
	if c.always() {
		compared.Mismatch = nil // nobody has compared
	}
	ruling := Ruling{}
	ruling.Verdict, ruling.Cause = Classify(e.limits, e.result, compared)
	if ruling.Verdict.Is(verdict.TooSlow) && e.result.Stop == sandbox.Exited {
		e.limits.CPU, e.limits.Wall = 0, 0
		right, err := c.rule(ctx, e) // and no pass after it
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
			compared.Message = "" // the tokens of a right answer: a presentation error all the same
		}
		ruling.Verdict, ruling.Cause = Classify(e.limits, e.result, compared)
	}
	if ruling.Verdict.Is(verdict.WrongOutput) {
		ruling.Mismatch = compared.Mismatch
	}
	return ruling, nil
}
