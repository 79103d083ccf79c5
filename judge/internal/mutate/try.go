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
	return run.Each(ctx, pool, n, w.o.Task.Limits.CPUs, func(ctx context.Context, worker *run.Worker, i int) (*ruling, error) {
		m, t := pick(i)
		if m == nil {
			return nil, nil
		}
		var output bytes.Buffer
		job := run.Job{Program: w.program, Args: t.Args, Files: t.Files, Env: m.env(), Input: t.Input, Stdout: &output, Limits: t.limits}
		once := func() (r ruling, o run.Outcome) {
			output.Reset()
			o = worker.Run(ctx, job, memo)
			r.cached = o.Cached
			r.Ruling, r.err = w.arbiter.Rule(ctx, t.limits, *t.Fixture, o, output.Bytes())
			r.slow = late(r.Verdict) && t.limits.CPU < w.o.Task.Limits.CPU
			return r, o
		}
		r, o := once()
		switch {
		case ctx.Err() != nil:
		case r.err != nil, late(r.Verdict) && run.Doubtful(t.limits, pool.Grace(), o.Result):
			job.Exclusive = true
			r, _ = once()
		}
		return &r, nil
	}, func(i int, r *ruling) error {
		if r != nil {
			told(i, *r)
		}
		return nil
	})
}
