package mutate

import (
	"bytes"
	"context"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
)

// judgement is the result of one run of a mutant.
type judgement struct {
	grade.Judgement
	slow   bool  // the run exceeded a time limit that is tighter than the problem's
	cached bool  // the result comes from the memo
	err    error // failure of the judge in the last attempt
}

// try makes up to n runs, several at a time. pick(i) returns the mutant of run i and the trial to
// run it on, or nil to skip the run. try calls done for each run, in ascending order of i. It
// repeats a run alone if the judge failed, or if the run exceeded its time limit while others used
// the CPU.
func (w *work) try(ctx context.Context, n int, memo *run.Memo, pick func(i int) (*Mutant, *trial), done func(i int, r judgement)) error {
	pool := w.judge.Pool
	return run.Each(ctx, pool, n, w.o.Task.Limits.CPUs, func(ctx context.Context, worker *run.Worker, i int) (*judgement, error) {
		m, t := pick(i)
		if m == nil {
			return nil, nil
		}
		var output bytes.Buffer
		program, env, release, err := w.programOf(ctx, m)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return &judgement{err: err}, nil
		}
		defer release()
		job := run.Job{Program: program, Args: t.Args, Files: t.Files, ReadOnly: w.o.Task.Problem.ReadOnly, Env: env, Input: t.Input, Stdout: &output, Limits: t.limits}
		attempt := func() (r judgement) {
			output.Reset()
			o := worker.Run(ctx, job, memo)
			r.cached = o.Cached
			r.Judgement, r.err = w.evaluator.Evaluate(ctx, t.limits, *t.Data, o, output.Bytes())
			r.slow = late(r.Verdict) && t.limits.CPU < w.o.Task.Limits.CPU
			return r
		}
		r := attempt()
		if r.err != nil && ctx.Err() == nil {
			job.Exclusive = true
			r = attempt()
		}
		return &r, nil
	}, func(i int, r *judgement) error {
		if r != nil {
			done(i, *r)
		}
		return nil
	})
}
