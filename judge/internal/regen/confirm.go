package regen

import (
	"context"
	"os"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
)

// Confirm tests the outputs that Make computed. It runs the reference once more, in another
// environment, on inputs on which it has not run twice on this machine. It then judges the brute,
// if there is one, on the cases whose expected outputs are new or changed. An error is a *Refusal,
// or a failure of the judge. j must use the provider with which the plan was made.
func (p *Plan) Confirm(ctx context.Context, j *grade.Judge) error {
	if len(p.computed) == 0 {
		return nil
	}
	if err := p.rerun(ctx); err != nil {
		return p.w.refuse(err)
	}
	if err := p.crossCheck(ctx, j); err != nil {
		return p.w.refuse(err)
	}
	if len(p.w.o.Globs) > 0 {
		return nil // the lock has entries that were not computed
	}
	l := p.w.current
	l.Cases = p.lock.Cases
	return p.w.recordVerified(&l)
}

// rerun runs the reference a second time, and refuses the plan if an output differs from the first
// run's.
func (p *Plan) rerun(ctx context.Context) error {
	w := p.w
	if !w.m.Problem.Derives() {
		return nil // no output was derived
	}
	if text, err := os.ReadFile("/proc/sys/kernel/randomize_va_space"); err == nil && strings.TrimSpace(string(text)) == "0" {
		p.Notes = append(p.Notes, "this host does not randomise address spaces (kernel.randomize_va_space): a reference whose output depends on addresses may go unnoticed")
	}
	c, second, err := w.m.Repeat(ctx, p.computed)
	if err != nil || c == nil {
		return err
	}
	first, err := w.m.DerivedOutput(ctx, c)
	if err != nil {
		return err
	}
	input, err := w.m.Input(ctx, c)
	if err != nil {
		return err
	}
	return &Refusal{
		Kind: Unstable, Case: c.Name, Mismatch: diff.Compare(first, second, w.o.Show), Kept: w.keep(c, input),
		Err: c.Errorf("", "check what its output depends on: the order of maps, addresses, the time, races between goroutines",
			"the reference is not deterministic: a second run printed something else"),
	}
}
