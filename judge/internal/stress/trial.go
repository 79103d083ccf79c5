package stress

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

// A stage is the run that a trial waits for.
type stage uint8

const (
	generate stage = iota
	validate
	refer // to the reference
	first // program in question
	second
	over
)

// A trial is one input on its way through the programs.
type trial struct {
	Source
	stage stage // that it begins with
	Fault

	ended   bool              // by itself: nothing stopped it
	judged  bool              // every program had an opinion
	mute    bool              // the reference or a witness had none
	refusal string            // the input is not valid, for this reason
	failed  error             // one of the problem's own programs is at fault
	refused *casedata.Refusal // in the generator's words, if it is that one
}

// A course is many trials, several at a time, until one of them is what is looked for.
type course struct {
	*Search
	arbiter  *grade.Arbiter
	programs [over]*build.Program  // by stage; nil for a stage that is left out
	holds    func(*trial) bool     // is what is looked for; may be called for several at a time
	told     func(i int, t *trial) // in order, of each up to the one that is found
}

// judged returns a course whose outputs are judged by the reference.
func (s *Search) judged(ctx context.Context) (*course, error) {
	arbiter, err := s.Judge.Arbiter(ctx, s.Task.Problem, s.Task.Show)
	if err != nil {
		return nil, err
	}
	return s.newCourse(ctx, arbiter)
}

// newCourse builds what the stages need. Without an arbiter the reference is not asked,
// and any output is as right as another.
func (s *Search) newCourse(ctx context.Context, arbiter *grade.Arbiter) (*course, error) {
	c := &course{Search: s, arbiter: arbiter}
	m := s.caseData()
	for at, folder := range map[stage]string{generate: m.Problem.Generator, validate: m.Problem.Check, refer: m.Problem.Reference} {
		if at == refer && arbiter == nil {
			continue
		}
		program, err := m.Program(ctx, folder)
		if err != nil {
			return nil, err
		}
		c.programs[at] = program
	}
	c.programs[first] = s.A.Program
	if s.B != nil {
		c.programs[second] = s.B.Program
	}
	return c, nil
}

// run tries n inputs and returns the first in their order that holds, with its number, or
// nil when there is none. next returns the trial of the i-th, or nil to leave it out. Trials
// after the one that is returned may have been made as well. Those in progress stop when
// bound ends, without an opinion.
func (c *course) run(ctx, bound context.Context, n int, next func(i int) *trial) (found *trial, at int, err error) {
	var first atomic.Int64 // that is known to hold
	first.Store(int64(n))
	errFound := errors.New("found")
	err = run.Each(ctx, c.Judge.Pool, n, 1, func(ctx context.Context, w *run.Worker, i int) (*trial, error) {
		if int64(i) > first.Load() || bound.Err() != nil {
			return nil, nil
		}
		t := next(i)
		if t == nil {
			return nil, nil
		}
		if err := c.try(ctx, bound, w, t); err != nil {
			return nil, err
		}
		if c.holds(t) {
			for before := first.Load(); int64(i) < before && !first.CompareAndSwap(before, int64(i)); {
				before = first.Load()
			}
		}
		return t, nil
	}, func(i int, t *trial) error {
		if t == nil {
			return nil
		}
		if c.told != nil {
			c.told(i, t)
		}
		if int64(i) == first.Load() {
			found, at = t, i
			return errFound // whatever comes after it is needless
		}
		return nil
	})
	switch {
	case found != nil:
		return found, at, nil
	case err != nil:
		return nil, 0, err
	}
	return nil, n, nil
}

// try takes a trial through the stages until something is wrong with its input, or bound
// ends. The error is the judge's own.
func (c *course) try(ctx, bound context.Context, w *run.Worker, t *trial) error {
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(bound, cancel)()
	for at := t.stage; at < over; at++ {
		if c.programs[at] == nil {
			continue
		}
		var stdout bytes.Buffer
		job := c.job(t, at)
		job.Program, job.Stdout = c.programs[at], &stdout
		o := w.Run(bounded, job, nil)
		if o.Err != nil || o.Stop == sandbox.Cancelled {
			return o.Err
		}
		goOn, err := c.advance(ctx, t, at, o, stdout.Bytes())
		if err != nil || !goOn {
			t.ended = err == nil
			return err
		}
	}
	t.ended, t.judged = true, true
	return nil
}

func (c *course) job(t *trial, at stage) run.Job {
	switch at {
	case generate:
		return t.Source.job()
	case validate:
		return casedata.ValidateJob(content.Of(t.Input))
	case refer:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.Task.Limits)}
	case first:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.A.Limits)}
	}
	return run.Job{Input: content.Of(t.Input), Limits: narrow(c.B.Limits)}
}

// advance takes in what a run of a stage came to, and reports whether there is reason for
// the next. The error is the judge's own.
func (c *course) advance(ctx context.Context, t *trial, at stage, o run.Outcome, stdout []byte) (bool, error) {
	m := c.caseData()
	switch at {
	case generate:
		if l := t.Source.job().Limits; !o.OK(l) {
			said := casedata.Refusal{Reason: casedata.Cause(o, l), Hint: "judge gen " + m.Problem.ID + " lists the families"}
			if t.refused = m.GeneratorRefusal(o); t.refused != nil {
				said = *t.refused
			}
			t.failed = &yamlstrict.Error{File: m.Problem.Generator, Msg: t.Source.String() + ": " + said.Reason, Hint: said.Hint}
			return false, nil
		}
		t.Input = stdout
	case validate:
		valid, refusal, failure := casedata.ValidationResult(o)
		t.refusal = refusal
		if failure != "" {
			t.failed = &yamlstrict.Error{File: m.Problem.Check, Msg: "-input: " + failure, Hint: "it was asked about what " + t.from(m) + " prints"}
		}
		if !valid {
			return false, nil
		}
	case refer:
		l := narrow(c.Task.Limits)
		if v, _ := grade.Classify(l, o.Result, grade.Comparison{}); v.OverLimit() {
			t.mute = true
			return false, nil
		}
		if !o.OK(l) {
			t.failed = &yamlstrict.Error{File: m.Problem.Reference, Msg: casedata.Cause(o, l), Hint: "its input was what " + t.from(m) + " prints"}
			return false, nil
		}
		t.Want = stdout
		if c.A.Program == nil {
			if err := c.rule(ctx, t, first, o, stdout); err != nil {
				return false, err
			}
		}
	case first, second:
		if err := c.rule(ctx, t, at, o, stdout); err != nil {
			return false, err
		}
		if side := c.side(at); side.Witness && t.answer(at).Verdict.OverLimit() {
			t.mute = true
			return false, nil
		}
	}
	return true, nil
}

// side returns the program in question of a stage.
func (c *course) side(at stage) *Side {
	if at == first {
		return &c.A
	}
	return c.B
}

// answer returns what it said.
func (t *trial) answer(at stage) *Answer {
	if at == first {
		return &t.A
	}
	return t.B
}

// rule notes what a run of one of the programs in question is worth.
func (c *course) rule(ctx context.Context, t *trial, at stage, o run.Outcome, output []byte) error {
	l := narrow(c.side(at).Limits)
	if c.arbiter == nil {
		t.A = Answer{CPU: o.CPU}
		t.A.Verdict, t.A.Cause = grade.Classify(l, o.Result, grade.Comparison{})
		return o.Err
	}
	ruling, err := c.arbiter.Rule(ctx, l, casedata.Data{Input: content.Of(t.Input), Want: content.Of(t.Want)}, o, output)
	if err != nil {
		return err
	}
	answer := Answer{
		Verdict: ruling.Verdict, Cause: ruling.Cause, Mismatch: ruling.Mismatch, Message: document.Text(ruling.Message),
		Stderr: o.Stderr, Output: output, CPU: o.CPU, Wall: o.Wall, Memory: o.Memory,
	}
	if at == first {
		t.A = answer
	} else {
		t.B = &answer
	}
	return nil
}

// from names the command that prints the input.
func (t *trial) from(m *casedata.Provider) string {
	if t.Generate == nil {
		return "a smaller one"
	}
	return "judge gen " + m.Problem.ID + " " + t.Source.String()
}
