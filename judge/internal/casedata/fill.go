package casedata

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/run"
)

// batch describes the runs of one program whose outputs are stored.
type batch struct {
	folder string                                                // of the program
	title  string                                                // what progress messages call the runs
	key    func(context.Context, *cases.Case) (cache.Key, error) // where to store the output; "" skips the case
	what   func(*cases.Case) string                              // what error messages call a run
	job    func(*cases.Case) (run.Job, error)                    // returns a run, of which fill sets the program and the standard output
	memo   *run.Memo                                             // of its runs; may be nil
	after  time.Time                                             // if not zero, no run begins in that second
}

// fill runs a program for every case whose key is not in the cache and stores its outputs. It
// returns the first failure in case order, a [*ProgramError] or an error of the judge, and starts
// no runs for cases after it, because a program that hangs may hang on all of them.
func (p *Provider) fill(ctx context.Context, list []cases.Case, b batch) error {
	var missing []*cases.Case
	var keys []cache.Key
	for i := range list {
		k, err := b.key(ctx, &list[i])
		if err != nil {
			return err
		}
		if k == "" {
			continue
		}
		has, err := p.has(k)
		if err != nil {
			return err
		}
		if !has {
			missing, keys = append(missing, &list[i]), append(keys, k)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	program, err := p.Program(ctx, b.folder)
	if err != nil {
		return err
	}
	p.stage("running " + b.title)
	if !b.after.IsZero() {
		if err := p.nextSecond(ctx, b.after); err != nil {
			return err
		}
	}
	var first atomic.Int64 // index of the first failure so far
	first.Store(int64(len(missing)))
	return run.Each(ctx, p.Pool, len(missing), p.Limits.CPUs, func(ctx context.Context, w *run.Worker, i int) (failure, err error) {
		if int64(i) > first.Load() {
			return nil, nil
		}
		if failure, err = p.fillOne(ctx, w, b, missing[i], keys[i], program); failure == nil {
			return nil, err
		}
		for f := first.Load(); int64(i) < f && !first.CompareAndSwap(f, int64(i)); {
			f = first.Load()
		}
		return failure, err
	}, func(_ int, failure error) error { return failure })
}

// fillOne runs the program for one case and stores its output. A failure is reported in case order,
// after those of earlier cases; err ends the work at once.
func (p *Provider) fillOne(ctx context.Context, w *run.Worker, b batch, c *cases.Case, key cache.Key, program *build.Program) (failure, err error) {
	job, err := b.job(c)
	if err != nil {
		return nil, err
	}
	output := p.Cache.Spool()
	defer output.Reset()
	job.Program, job.Stdout = program, output
	job.Limits.CPUs = p.Pool.Width(p.Limits.CPUs)
	switch o := w.Run(ctx, job, b.memo); {
	case o.Err != nil:
		return o.Err, nil
	case !o.OK(job.Limits):
		return failed(b, c, job, o, output), nil
	}
	data, err := output.Content()
	if err == nil {
		err = p.store(key, data)
	}
	return err, nil
}

// Kept returns how many of the cases have an output of the present reference in the cache. It runs only what makes
// missing inputs.
func (p *Provider) Kept(ctx context.Context, list []cases.Case) (n int) {
	for i := range list {
		key, err := p.outputKey(ctx, &list[i])
		if err != nil {
			continue
		}
		if known, err := p.has(key); err == nil && known {
			n++
		}
	}
	return n
}

func (p *Provider) stage(what string) {
	if p.Stage != nil {
		p.Stage(what)
	}
}

func (p *Provider) inputKey(ctx context.Context, c *cases.Case) (cache.Key, error) {
	if c.Generate == nil {
		return "", nil
	}
	generator, err := p.Key(ctx, p.Problem.Generator)
	if err != nil {
		return "", c.Errorf("generate", "", "%v", err)
	}
	h := cache.NewHasher("input 1")
	h.Text(string(generator), strconv.FormatUint(*c.Seed, 10))
	h.Text(c.Generate...)
	return h.Key(), nil
}

func (p *Provider) outputKey(ctx context.Context, c *cases.Case) (cache.Key, error) {
	reference, err := p.Key(ctx, p.Problem.Reference)
	if err != nil {
		return "", err
	}
	hash, err := p.InputHash(ctx, c)
	if err != nil {
		return "", err
	}
	h := cache.NewHasher("output 1")
	h.Text(string(reference), hash)
	if p.Problem.ReadOnly {
		h.Text("read-only")
	}
	files, err := c.Beside()
	if err != nil {
		return "", err
	}
	if c.Args != nil || files != nil {
		h.Text("with")
		h.Text(c.Args...)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			h.Text("file", name)
			h.Bytes(files[name])
		}
	}
	return h.Key(), nil
}
