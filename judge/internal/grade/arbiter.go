package grade

import (
	"context"
	"os"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Ruling is what a finished run is worth.
type Ruling struct {
	Verdict    verdict.Verdict
	Cause      string         // one line; "" when accepted
	Mismatch   *diff.Mismatch // for WA and PE
	Message    string         // the checker's words, if it was asked and said something
	Score      *float64       // what the validator gave the output; nil if it told none
	Multiplier *float64       // likewise, in parts of the most there are for the case
	Late       bool           // for TLE and ILE: it ended by itself, and nothing but its time was wrong
}

// Arbiter rules on runs that are no part of a Grade, by the same rules. It is safe for
// concurrent use.
type Arbiter struct {
	task    Task
	temp    string
	checker *checker // nil where bytes decide
}

// Arbiter returns the arbiter of a task, of which limits, comparison and whether there
// is a checker count. It must be closed.
func (j *Judge) Arbiter(ctx context.Context, t Task) (*Arbiter, error) {
	c, err := j.checker(ctx, t)
	if err != nil {
		return nil, err
	}
	return &Arbiter{task: t, temp: j.Host.Temp(), checker: c}, nil
}

// Close lets go of what the checker runs in.
func (a *Arbiter) Close() { a.checker.close() }

// Rule rules on a run under limits l, which may be others than the task's, on the
// fixture f. The error is the judge's own: the outcome's, or that the checker failed.
func (a *Arbiter) Rule(ctx context.Context, l limits.Limits, f fixture.Fixture, o run.Outcome, output []byte) (Ruling, error) {
	if o.Err != nil {
		return Ruling{}, o.Err
	}
	c := a.checker.comparer(f, a.task.Compare)
	if _, err := c.Write(output); err != nil {
		return Ruling{}, err
	}
	open := func() (*os.File, error) {
		k, err := newKept(a.temp, "", "")
		if err != nil {
			return nil, err
		}
		defer k.finish()
		if _, err := k.Write(output); err != nil {
			return nil, err
		}
		return k.open()
	}
	m := c.Close()
	if err := c.Err(); err != nil {
		return Ruling{}, err
	}
	return rule(ctx, a.checker, l, o.Result, m, f, &pass{}, open)
}

// Blames reports whether an error of [Arbiter.Rule] says that the validator has failed, by
// its own fault, and not the judge.
func Blames(err error) bool {
	return err != nil && !sandbox.Lost(err) && !sandbox.Exhausted(err)
}

// rule asks the checker, if there is one, about an output that differs, or about any
// where it decides alone, and classifies the run. open returns the output, which nobody
// else reads from. If the checker wants another pass, p becomes that; nothing is decided
// before the last.
//
// The output of a run that ended by itself over its time is looked at as well: whether it is
// Late says whether another run of the same program is worth anything, see [newTrial].
func rule(ctx context.Context, asked *checker, l limits.Limits, r sandbox.Result, m *diff.Mismatch, f fixture.Fixture, p *pass, open func() (*os.File, error)) (Ruling, error) {
	c := Comparison{Mismatch: m}
	if asked.always() {
		c.Mismatch = nil // nobody has compared
	}
	ruling := Ruling{}
	ruling.Verdict, ruling.Cause = Classify(l, r, c)
	if ruling.Verdict.Is(verdict.TooSlow) && r.Stop == sandbox.Exited {
		l.CPU, l.Wall = 0, 0
		next := *p // it gets none
		right, err := rule(ctx, asked, l, r, m, f, &next, open)
		ruling.Late = err == nil && right.Verdict == verdict.AC
		return ruling, ctx.Err()
	}
	if asked.wanted(ruling.Verdict) {
		answer, err := asked.check(ctx, f, p, open)
		if err != nil {
			return Ruling{}, err
		}
		ruling.Score, ruling.Multiplier, ruling.Message = answer.score, answer.multiplier, answer.words
		c.Accepted, c.Refused, c.Format, c.Message = answer.right, !answer.right, answer.format, answer.words
		if c.Refused && c.Mismatch != nil && c.Mismatch.Whitespace {
			c.Message = "" // the tokens of a right answer: a presentation error all the same
		}
		ruling.Verdict, ruling.Cause = Classify(l, r, c)
	}
	if ruling.Verdict.Is(verdict.WrongOutput) {
		ruling.Mismatch = c.Mismatch
	}
	return ruling, nil
}
