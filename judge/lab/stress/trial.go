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

// stage is a step of a trial. Each runs one program.
type stage uint8

const (
	generate stage = iota
	validate
	reference
	first  // runs program A
	second // runs program B
	stages // number of stages
)

// trial is one input and the results of the programs on it.
type trial struct {
	Source
	stage stage // the first stage to run
	Fault

	ended   bool              // it was completed, not cancelled
	judged  bool              // all stages were run
	mute    bool              // the reference or a Witness exceeded its limits
	refusal string            // why the input is not valid; "" if it is
	failed  error             // the error of one of the problem's own programs
	refused *casedata.Refusal // the generator's refusal of its arguments, if that is why it failed
}

// pipeline runs trials, several at a time, until holds accepts one.
type pipeline struct {
	*Search
	evaluator *grade.Evaluator
	programs  [stages]*build.Program // the program of each stage; nil skips the stage
	holds     func(*trial) bool      // reports whether to stop at this trial; called concurrently
	onTrial   func(i int, t *trial)  // called for each trial in order, up to the accepted one; may be nil
}

// judging returns a pipeline that judges outputs by comparison with the reference's.
func (s *Search) judging(ctx context.Context) (*pipeline, error) {
	evaluator, err := s.Judge.Evaluator(ctx, s.Task.Problem, s.Task.Show)
	if err != nil {
		return nil, err
	}
	return s.newPipeline(ctx, evaluator)
}

// newPipeline returns a pipeline, and builds the problem's own programs for it. If evaluator is nil,
// the reference does not run and every output counts as right.
func (s *Search) newPipeline(ctx context.Context, evaluator *grade.Evaluator) (*pipeline, error) {
	c := &pipeline{Search: s, evaluator: evaluator}
	m := s.caseData()
	for at, folder := range map[stage]string{generate: m.Problem.Generator, validate: m.Problem.Check, reference: m.Problem.Reference} {
		if at == reference && evaluator == nil || at == generate && s.Given {
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

// run runs n trials and returns the first of them that c.holds accepts, with its number from 0; or
// nil and n if there is none. next returns the i-th trial, or nil to skip it. Some trials after the
// returned one may have run as well. When bound ends, run cancels the trials in progress.
func (c *pipeline) run(ctx, bound context.Context, n int, next func(i int) *trial) (found *trial, at int, err error) {
	var first atomic.Int64 // smallest number of an accepted trial so far
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
			return errFound // ends the loop; later trials are not needed
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

// try runs the stages of a trial until advance ends it, or bound ends. An error is a failure of the
// judge, not of a program.
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
		more, err := c.advance(ctx, t, at, o, stdout.Bytes())
		if err != nil || !more {
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
		return run.Job{Input: content.Of(t.Input), ReadOnly: c.Task.Problem.ReadOnly, Limits: narrow(c.Task.Limits)}
	case first:
		return run.Job{Input: content.Of(t.Input), ReadOnly: c.Task.Problem.ReadOnly, Limits: narrow(c.A.Limits)}
	}
	return run.Job{Input: content.Of(t.Input), ReadOnly: c.Task.Problem.ReadOnly, Limits: narrow(c.B.Limits)}
}

// advance records the outcome of a stage in the trial, and reports whether to run the next stage.
// An error is a failure of the judge, not of a program.
func (c *pipeline) advance(ctx context.Context, t *trial, at stage, o run.Outcome, stdout []byte) (bool, error) {
	m := c.caseData()
	switch at {
	case generate:
		if l := t.Source.job().Limits; !o.OK(l) {
			refusal := casedata.Refusal{Reason: casedata.Cause(o, l), Hint: "judge gen " + m.Problem.ID + " lists the families"}
			if t.refused = m.GeneratorRefusal(o); t.refused != nil {
				refusal = *t.refused
			}
			t.failed = &yamlstrict.Error{File: m.Problem.Generator, Msg: t.Source.String() + ": " + refusal.Reason, Hint: refusal.Hint}
			return false, nil
		}
		t.Input = stdout
	case validate:
		valid, refusal, failure := casedata.ValidationResult(o)
		t.refusal = refusal
		if failure != "" {
			t.failed = &yamlstrict.Error{File: m.Problem.Check, Msg: "-input: " + failure, Hint: t.inputHint(m)}
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
			t.failed = &yamlstrict.Error{File: m.Problem.Reference, Msg: casedata.Cause(o, l), Hint: t.inputHint(m)}
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

// side returns the program under test that a stage runs.
func (c *pipeline) side(at stage) *Side {
	if at == first {
		return &c.A
	}
	return c.B
}

// answer returns the answer of the program under test that a stage ran.
func (t *trial) answer(at stage) *Answer {
	if at == first {
		return &t.A
	}
	return t.B
}

// rule judges the run of a program under test and records its answer in t.
func (c *pipeline) rule(ctx context.Context, t *trial, at stage, o run.Outcome, output []byte) error {
	l := narrow(c.side(at).Limits)
	if c.evaluator == nil {
		t.A = Answer{CPU: o.CPU}
		t.A.Verdict, t.A.Cause = grade.Classify(l, o.Result, grade.Comparison{})
		return o.Err
	}
	judgement, err := c.evaluator.Evaluate(ctx, l, casedata.Data{Input: content.Of(t.Input), Want: content.Of(t.Want)}, o, output)
	if err != nil {
		return err
	}
	answer := Answer{
		Verdict: judgement.Verdict, Cause: judgement.Cause, Mismatch: judgement.Mismatch, Message: document.Text(judgement.Message),
		Stderr: o.Stderr, Output: output, CPU: o.CPU, Wall: o.Wall, Memory: o.Memory,
	}
	if at == first {
		t.A = answer
	} else {
		t.B = &answer
	}
	return nil
}

// inputHint returns a hint that names the command that prints the input.
func (t *trial) inputHint(m *casedata.Provider) string {
	if t.Generate == nil {
		return "the input was shrunk from a generated one"
	}
	return "judge gen " + m.Problem.ID + " " + t.Source.String() + " prints its input"
}
