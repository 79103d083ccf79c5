package mutate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// slowdown is the factor by which the unmutated schema may exceed the problem's time limits,
// because the guards at its sites take time.
const slowdown = 8

// measured is the result of the unmutated schema on one case.
type measured struct {
	took   run.Outcome // outcome of the run that does not report sites
	output []byte      // output of the run that does not report sites
	sites  []byte      // bit set of the reached sites, from the run that reports them
	err    error
}

// unmutated runs the unmutated schema twice on each case: once as it is, and, unless its mutants are
// separate programs, once to report the sites that it reaches.
func (w *work) unmutated(ctx context.Context, on []casedata.Data, l limits.Limits, memo *run.Memo) ([]measured, error) {
	list := make([]measured, len(on))
	runs := 2
	if w.schema.Separate { // which reports no sites
		runs = 1
	}
	err := run.Each(ctx, w.judge.Pool, runs*len(on), l.CPUs, func(ctx context.Context, worker *run.Worker, i int) (measured, error) {
		var output bytes.Buffer
		f := &on[i/runs]
		job := run.Job{Program: w.program, Args: f.Args, Files: f.Files, ReadOnly: w.o.Task.Problem.ReadOnly, Input: f.Input, Stdout: &output, Limits: l}
		if i%runs == 0 {
			o := worker.Run(ctx, job, memo)
			return measured{took: o, output: output.Bytes()}, nil
		}
		job.Env = env(Sites)
		var m measured
		if o := worker.Run(ctx, job, memo); o.Err != nil {
			m.err = o.Err
		} else if o.OK(l) {
			m.sites, m.err = w.sitesOf(o.Stderr)
		}
		return m, nil
	}, func(i int, m measured) error {
		if i%runs == 0 {
			list[i/runs] = m
		} else {
			list[i/runs].sites, list[i/runs].err = m.sites, m.err
		}
		return nil
	})
	return list, err
}

// baseLimits returns the limits of the unmutated schema.
func (w *work) baseLimits() limits.Limits {
	l := w.o.Task.Limits
	l.CPU, l.Wall = slowdown*l.CPU, slowdown*l.Wall
	l.CPUs = w.judge.Pool.Width(l.CPUs)
	return l
}

// sitesOf parses the line in which a schema reports the sites that it reached.
func (w *work) sitesOf(stderr []byte) ([]byte, error) {
	lines := strings.Split(strings.TrimRight(string(stderr), "\n"), "\n")
	text, found := strings.CutPrefix(lines[len(lines)-1], SitesMark)
	sites, err := hex.DecodeString(text)
	if !found || err != nil || 8*len(sites) < w.schema.Sites {
		return nil, fmt.Errorf("the unmutated schema did not report its sites when it exited, but wrote %q", lines[len(lines)-1])
	}
	return sites, nil
}

// baseline runs the unmutated schema on every case. It returns an error unless the schema is
// accepted on all of them.
func (w *work) baseline(ctx context.Context) error {
	w.emit.Stage("running the unmutated schema")
	list, err := w.unmutated(ctx, w.data, w.baseLimits(), w.judge.Memo)
	if err != nil {
		return err
	}
	w.trials = make([]trial, len(list))
	for i, m := range list {
		if w.trials[i], err = w.trial(ctx, &w.data[i], m, w.baseLimits()); err != nil {
			return fmt.Errorf("%s: %s: %w", w.report.Problem, w.data[i].Name, err)
		}
		c := &w.report.Cases[i]
		c.Time, c.Limit = m.took.CPU, w.trials[i].limits.CPU
		c.Left = w.o.Slow > 0 && c.Time > w.o.Slow
		for site := range w.schema.Sites {
			if w.trials[i].passes(site) {
				c.Sites++
			}
		}
	}
	return nil
}

// trial makes a trial from the result of the unmutated schema under limits l.
func (w *work) trial(ctx context.Context, f *casedata.Data, m measured, l limits.Limits) (trial, error) {
	judgement, err := w.evaluator.Evaluate(ctx, l, *f, m.took, m.output)
	switch {
	case err != nil:
		return trial{}, err
	case judgement.Verdict != verdict.AC:
		return trial{}, fmt.Errorf("the unmutated schema does not behave like the reference: %v, %s", judgement.Verdict, judgement.Cause)
	case m.err != nil:
		return trial{}, m.err
	case m.sites == nil && w.schema.Sites > 0:
		return trial{}, errors.New("the unmutated schema does not exit by itself when it reports its sites")
	}
	l = bound(w.o.Task.Limits, m.took.CPU, w.o.Patient)
	l.CPUs = w.judge.Pool.Width(l.CPUs)
	return trial{Data: f, limits: l, cost: max(m.took.CPU, m.took.Wall), passed: m.sites, every: w.schema.Separate}, nil
}
