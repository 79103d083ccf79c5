package mutate

import (
	"bytes"
	"context"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
)

// ruling is what one run of a mutant is worth.
type ruling struct {
	grade.Ruling
	slow   bool // over a limit of time that is tighter than the problem's
	cached bool
	err    error // the judge failed twice
}

// try runs n mutants, several at a time, each on the trial that pick names with it; nil
// leaves out one. told is called for each that was run, in ascending order. A run that
// the judge failed in, or that ran out of time while others had the CPU, is made again.
func (w *work) try(ctx context.Context, n int, memo *run.Memo, pick func(i int) (*Mutant, *trial), told func(i int, r ruling)) error {
	pool := w.judge.Pool
	outputs, rulings, again := make([]bytes.Buffer, n), make([]ruling, n), make([]bool, n)
	trials := make([]*trial, n)
	return pool.Each(ctx, n, w.o.Task.Limits.CPUs, func(i int) (run.Job, bool, error) {
		m, t := pick(i)
		if m == nil {
			return run.Job{}, false, nil
		}
		trials[i] = t
		outputs[i].Reset()
		return run.Job{Program: w.program, Env: m.env(), Input: t.Input, Stdout: &outputs[i], Limits: t.limits, Memo: memo}, true, nil
	}, func(i int, o run.Outcome) run.Next {
		t := trials[i]
		r := ruling{cached: o.Cached}
		r.Ruling, r.err = w.arbiter.Rule(ctx, t.limits, *t.Fixture, o, outputs[i].Bytes())
		r.slow = late(r.Verdict) && t.limits.CPU < w.o.Task.Limits.CPU
		rulings[i] = r
		if !again[i] && ctx.Err() == nil {
			again[i] = true
			switch {
			case r.err != nil:
				return run.Again
			case late(r.Verdict) && run.Doubtful(t.limits, pool.Grace(), o.Result):
				return run.Alone
			}
		}
		outputs[i] = bytes.Buffer{}
		return run.Done
	}, func(i int, ran bool) {
		if ran {
			told(i, rulings[i])
		}
	})
}
