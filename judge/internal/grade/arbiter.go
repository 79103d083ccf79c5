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
	Verdict  verdict.Verdict
	Cause    string         // one line; "" when accepted
	Mismatch *diff.Mismatch // for WA and PE
	Message  string         // the checker's words, if it refused the output
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
	a := &Arbiter{task: t, temp: j.Host.Temp()}
	if t.Checker {
		program, err := j.Fixtures.Program(ctx, j.Fixtures.Checker())
		if err != nil {
			return nil, err
		}
		a.checker = newChecker(j.Host, a.temp, program)
	}
	return a, nil
}

// Close lets go of what the checker runs in.
func (a *Arbiter) Close() {
	if a.checker != nil {
		a.checker.close()
	}
}

// Rule rules on a run under limits l, which may be others than the task's, on the
// fixture f. The error is the judge's own: the outcome's, or that the checker failed.
func (a *Arbiter) Rule(ctx context.Context, l limits.Limits, f fixture.Fixture, o run.Outcome, output []byte) (Ruling, error) {
	if o.Err != nil {
		return Ruling{}, o.Err
	}
	c := diff.New(f.Want, a.task.Compare)
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
	return rule(ctx, a.checker, l, o.Result, c.Close(), f, open)
}

// rule asks the checker, if there is one, about an output that differs, and classifies
// the run. open returns the output, which nobody else reads from.
func rule(ctx context.Context, asked *checker, l limits.Limits, r sandbox.Result, m *diff.Mismatch, f fixture.Fixture, open func() (*os.File, error)) (Ruling, error) {
	c := Comparison{Mismatch: m}
	ruling := Ruling{}
	ruling.Verdict, ruling.Cause = Classify(l, r, c)
	if (ruling.Verdict == verdict.WA || ruling.Verdict == verdict.PE) && asked != nil {
		accepted, message, err := asked.check(ctx, f, open)
		if err != nil {
			return Ruling{}, err
		}
		c.Accepted, c.Message, ruling.Message = accepted, message, message
		if !accepted && m.Whitespace {
			c.Message = "" // the tokens of a right answer: a presentation error all the same
		}
		ruling.Verdict, ruling.Cause = Classify(l, r, c)
	}
	if ruling.Verdict == verdict.WA || ruling.Verdict == verdict.PE {
		ruling.Mismatch = m
	}
	return ruling, nil
}
