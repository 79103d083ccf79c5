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

// A stage is a step of a trial, with one run.
type stage uint8

const (
	generate stage = iota
	validate
	reference
	first // program under test
	second
	stages // their number
)

// A trial is one input on its way through the programs.
type trial struct {
	Source
	stage stage // the first one to run
	Fault

	ended   bool              // it was completed, not cancelled
	judged  bool              // every program has an opinion
	mute    bool              // the reference or a witness has none
	refusal string            // why the input is not valid; "" if it is
	failed  error             // the error of one of the problem's own programs
	refused *casedata.Refusal // of the generator, if failed is due to it
}

// A pipeline makes trials, several at a time, until one of them is the one that is searched for.
type pipeline struct {
	*Search
	arbiter  *grade.Arbiter
	programs [stages]*build.Program // by stage; nil skips the stage
	holds    func(*trial) bool      // reports whether the search is for this trial; called concurrently
	onTrial  func(i int, t *trial)  // called in order for each up to the one that is found; may be nil
}

// judging returns a pipeline that judges outputs with the reference.
func (s *Search) judging(ctx context.Context) (*pipeline, error) {
	arbiter, err := s.Judge.Arbiter(ctx, s.Task.Problem, s.Task.Show)
	if err != nil {
		return nil, err
	}
	return s.newPipeline(ctx, arbiter)
}

// newPipeline builds the programs of the stages. Without an arbiter, the reference does not run and
// every output is right.
func (s *Search) newPipeline(ctx context.Context, arbiter *grade.Arbiter) (*pipeline, error) {
	c := &pipeline{Search: s, arbiter: arbiter}
	m := s.caseData()
	for at, folder := range map[stage]string{generate: m.Problem.Generator, validate: m.Problem.Check, reference: m.Problem.Reference} {
		if at == reference && arbiter == nil {
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

// run tries n inputs and returns the first, in their order, that holds, with its number, or nil if
// none does. next returns the trial of the i-th input, or nil to skip it. Trials after the returned
// one may have been made as well. When bound ends, trials in progress are cancelled.
func (c *pipeline) run(ctx, bound context.Context, n int, next func(i int) *trial) (found *trial, at int, err error) {
	var first atomic.Int64 // number of the first trial that holds so far
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
		if c.onTrial != nil {
			c.onTrial(i, t)
		}
		if int64(i) == first.Load() {
			found, at = t, i
			return errFound // no later trial is needed
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

// try runs the stages of a trial until one of them rejects its input, or bound ends. The error is
// the judge's own.
func (c *pipeline) try(ctx, bound context.Context, w *run.Worker, t *trial) error {
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(bound, cancel)()
	for at := t.stage; at < stages; at++ {
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

func (c *pipeline) job(t *trial, at stage) run.Job {
	switch at {
	case generate:
		return t.Source.job()
	case validate:
		return casedata.ValidateJob(content.Of(t.Input))
	case reference:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.Task.Limits)}
	case first:
		return run.Job{Input: content.Of(t.Input), Limits: narrow(c.A.Limits)}
	}
	return run.Job{Input: content.Of(t.Input), Limits: narrow(c.B.Limits)}
}

// advance records the outcome of a stage in the trial, and reports whether the next stage shall
// run. The error is the judge's own.
func (c *pipeline) advance(ctx context.Context, t *trial, at stage, o run.Outcome, stdout []byte) (bool, error) {
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
	case reference:
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

// side returns the program under test of a stage.
func (c *pipeline) side(at stage) *Side {
	if at == first {
		return &c.A
	}
	return c.B
}

// answer returns the answer of the program under test of a stage.
func (t *trial) answer(at stage) *Answer {
	if at == first {
		return &t.A
	}
	return t.B
}

// rule judges a run of one of the programs under test.
func (c *pipeline) rule(ctx context.Context, t *trial, at stage, o run.Outcome, output []byte) error {
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

// from returns the command that prints the input, for messages.
func (t *trial) from(m *casedata.Provider) string {
	if t.Generate == nil {
		return "a smaller one"
	}
	return "judge gen " + m.Problem.ID + " " + t.Source.String()
}
