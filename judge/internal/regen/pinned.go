package regen

import (
	"context"
	"fmt"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// accepted reports whether the problem takes what the reference prints for right where
// another output is pinned.
func (w *work) accepted(ctx context.Context, c *cases.Case, derived []byte) (bool, error) {
	if w.o.Problem == nil {
		return false, nil
	}
	t := grade.Task{Compare: w.o.Show, Limits: w.m.Limits}
	t.As(w.o.Problem)
	if !t.Checker && t.Validator == nil {
		return diff.Compare([]byte(*c.Output), derived, t.Compare) == nil, nil
	}
	if w.o.Judge == nil {
		return false, nil
	}
	if w.arbiter == nil {
		var err error
		if w.arbiter, err = w.o.Judge.Arbiter(ctx, t); err != nil {
			return false, err
		}
	}
	input, err := w.m.Input(ctx, c)
	if err != nil {
		return false, err
	}
	f := fixture.Fixture{Name: c.Name, Input: input, Want: []byte(*c.Output)}
	r, err := w.arbiter.Rule(ctx, t.Limits, f, run.Outcome{}, derived)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", c.Name, err)
	}
	return r.Verdict == verdict.AC, err
}
