package stress

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/yamlstrict"
)

// chunk is the number of inputs that are queued at a time.
const chunk = 1 << 14

// Find tries the inputs of climb in order until the programs differ on one, and returns that input.
// It returns nil if bound ends, or after count inputs (0 means no limit). The result does not
// depend on which runs end first. If a program exceeded its time, Find runs the input again alone,
// and drops the fault if it does not repeat.
//
// If one of the problem's own programs fails, or the validator rejects an input of the generator,
// the error is a [*yamlstrict.Error].
func (s *Search) Find(ctx, bound context.Context, climb *Climb, count int) (*Finding, error) {
	c, err := s.judging(ctx)
	if err != nil {
		return nil, err
	}
	c.holds = func(t *trial) bool {
		return t.failed != nil || t.refusal != "" || t.judged && s.differs(&t.Fault)
	}
	for from := 0; bound.Err() == nil && (count == 0 || from < count); {
		n := chunk
		if count > 0 {
			n = min(n, count-from)
		}
		c.onTrial = func(i int, t *trial) {
			s.count(t)
			s.Emit.Send(&Progress{from + i + 1, t.Source})
		}
		t, at, err := c.run(ctx, bound, n, func(i int) *trial { return &trial{Source: climb.At(from + i)} })
		if err != nil {
			return nil, err
		}
		from += min(at+1, n)
		if t == nil {
			continue
		}
		if err := t.programError(s); err != nil {
			return nil, err
		}
		certain, err := c.confirm(ctx, &t.Fault)
		if err != nil {
			return nil, err
		}
		if certain {
			found := NewFinding(t.Source, from, t.Fault)
			s.Emit.Send(found)
			return found, nil
		}
	}
	return nil, nil
}

// On tries an input, and returns it as a finding if the programs differ on it. It returns nil if they
// do not, if the validator refuses the input, or if bound ends.
func (s *Search) On(ctx, bound context.Context, input []byte) (*Finding, error) {
	c, err := s.judging(ctx)
	if err != nil {
		return nil, err
	}
	c.holds = func(t *trial) bool { return t.judged && s.differs(&t.Fault) }
	t, _, err := c.run(ctx, bound, 1, func(int) *trial { return &trial{stage: validate, Fault: Fault{Input: input}} })
	if t == nil || err != nil {
		return nil, err
	}
	return NewFinding(Source{}, 0, t.Fault), nil
}

// programError returns an error if the trial showed that one of the problem's own programs is
// wrong.
func (t *trial) programError(s *Search) error {
	m := s.caseData()
	if t.refusal != "" {
		return &yamlstrict.Error{File: m.Problem.Check, Msg: fmt.Sprintf("-input: %s: %s", t.refusal, t.Source), Hint: "the generator or the validator is wrong: " + t.inputHint(m)}
	}
	return t.failed
}

// Make generates and validates the input of a source. The error wraps [ErrRefused] if the validator
// rejects the input. It is a [*casedata.Refusal] if the generator rejects the source, and a
// [*yamlstrict.Error] if the generator or the validator fails.
func (s *Search) Make(ctx context.Context, source Source) ([]byte, error) {
	c, err := s.newPipeline(ctx, nil)
	if err != nil {
		return nil, err
	}
	c.programs[first], c.programs[second] = nil, nil
	c.holds = func(*trial) bool { return true }
	t, _, err := c.run(ctx, ctx, 1, func(int) *trial { return &trial{Source: source} })
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, ctx.Err()
	case t.refused != nil:
		return nil, t.refused
	case t.refusal != "":
		return nil, fmt.Errorf("%s: %w: %s", s.caseData().Problem.Check, ErrRefused, t.refusal)
	}
	return t.Input, t.failed
}

// ErrRefused means that the problem's validator rejects an input.
var ErrRefused = errors.New("-input")

// confirm reports whether a fault is certain. If a program exceeded its time, confirm runs the
// programs once more, with nothing beside them and all CPUs of the problem, and updates f if the
// fault repeats.
func (c *pipeline) confirm(ctx context.Context, f *Fault) (bool, error) {
	if !f.timed() {
		return true, nil
	}
	again := trial{Fault: *f}
	for _, at := range []stage{first, second} {
		side := c.side(at)
		if side == nil || side.Program == nil {
			continue
		}
		o, stdout, err := c.alone(ctx, side, f.Input)
		if err != nil {
			return false, err
		}
		if err := c.rule(ctx, &again, at, o, stdout); err != nil {
			return false, err
		}
	}
	if !c.same(f, &again.Fault) {
		return false, nil
	}
	*f = again.Fault
	return true, nil
}

// alone runs a program on an input, with no other run of the judge beside it, and returns its
// standard output. The error is that of ctx.
func (s *Search) alone(ctx context.Context, side *Side, input []byte, args ...string) (o run.Outcome, stdout []byte, err error) {
	var out bytes.Buffer
	job := run.Job{Program: side.Program, Args: args, Input: content.Of(input), Stdout: &out, ReadOnly: s.Task.Problem.ReadOnly && !side.Writes, Limits: side.Limits, Exclusive: true}
	job.Limits.CPUs = s.Judge.Pool.Width(side.Limits.CPUs)
	o = s.Judge.Pool.Run(ctx, job)
	return o, out.Bytes(), ctx.Err()
}
