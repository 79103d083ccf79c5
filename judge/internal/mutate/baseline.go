package mutate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// ample is how many times the problem's time the unmutated schema may take: it stops at
// every site to ask what it is.
const ample = 8

// measured is what the unmutated schema did on one input.
type measured struct {
	took   run.Outcome // as it is
	output []byte
	sites  []byte // that it passed
	err    error
}

// unmutated runs the unmutated schema on inputs: as it is, and telling its sites.
func (w *work) unmutated(ctx context.Context, inputs []content.Content, l limits.Limits, memo *run.Memo) ([]measured, error) {
	list := make([]measured, len(inputs))
	outputs := make([]bytes.Buffer, 2*len(inputs))
	died := make([]bool, 2*len(inputs))
	err := w.judge.Pool.Each(ctx, len(outputs), l.CPUs, func(i int) (run.Job, bool, error) {
		outputs[i].Reset()
		j := run.Job{Program: w.program, Input: inputs[i/2], Stdout: &outputs[i], Limits: l, Memo: memo}
		if i%2 == 1 {
			j.Env = env(Sites)
		}
		return j, true, nil
	}, func(i int, o run.Outcome) run.Next {
		if again := run.Lost(o.Err); again != run.Done && !died[i] {
			died[i] = true
			return again
		}
		m := &list[i/2] // of which the two runs fill different fields
		if i%2 == 0 {
			m.took = o
		} else if m.err = o.Err; o.Err == nil && o.OK(l) {
			m.sites, m.err = w.sitesOf(o.Stderr)
		}
		return run.Done
	}, func(int, bool) {})
	for i := range list {
		list[i].output = outputs[2*i].Bytes()
	}
	return list, err
}

// baseLimits are those of the unmutated schema.
func (w *work) baseLimits() limits.Limits {
	l := w.o.Task.Limits
	l.CPU, l.Wall = ample*l.CPU, ample*l.Wall
	l.CPUs = w.judge.Pool.Width(l.CPUs)
	return l
}

// sitesOf reads the line in which a schema tells its sites.
func (w *work) sitesOf(stderr []byte) ([]byte, error) {
	lines := strings.Split(strings.TrimRight(string(stderr), "\n"), "\n")
	text, told := strings.CutPrefix(lines[len(lines)-1], SitesMark)
	sites, err := hex.DecodeString(text)
	if !told || err != nil || 8*len(sites) < w.schema.Sites {
		return nil, fmt.Errorf("the unmutated schema does not tell its sites at its end, but %q", lines[len(lines)-1])
	}
	return sites, nil
}

// baseline runs the unmutated schema on every case, which must be accepted there.
func (w *work) baseline(ctx context.Context) error {
	w.emit(&Stage{"running the unmutated schema"})
	var inputs []content.Content
	for _, f := range w.fixtures {
		inputs = append(inputs, f.Input)
	}
	list, err := w.unmutated(ctx, inputs, w.baseLimits(), w.judge.Memo)
	if err != nil {
		return err
	}
	w.trials = make([]trial, len(list))
	for i, m := range list {
		if w.trials[i], err = w.trial(ctx, &w.fixtures[i], m, w.baseLimits()); err != nil {
			return fmt.Errorf("%s: %s: %w", w.report.Problem, w.fixtures[i].Name, err)
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

// trial makes one of what the unmutated schema did under limits l.
func (w *work) trial(ctx context.Context, f *fixture.Fixture, m measured, l limits.Limits) (trial, error) {
	ruling, err := w.arbiter.Rule(ctx, l, *f, m.took, m.output)
	switch {
	case err != nil:
		return trial{}, err
	case ruling.Verdict != verdict.AC:
		return trial{}, fmt.Errorf("the unmutated schema is not the reference: %v, %s", ruling.Verdict, ruling.Cause)
	case m.err != nil:
		return trial{}, m.err
	case m.sites == nil && w.schema.Sites > 0:
		return trial{}, errors.New("the unmutated schema does not end by itself when it is to tell its sites")
	}
	l = bound(w.o.Task.Limits, m.took.CPU, w.o.Patient)
	l.CPUs = w.judge.Pool.Width(l.CPUs)
	return trial{Fixture: f, limits: l, cost: max(m.took.CPU, m.took.Wall), passed: m.sites}, nil
}
