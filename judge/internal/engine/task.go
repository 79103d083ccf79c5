package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/lab/calibrate"
)

// Task returns a task for judging a problem, without cases and submissions.
func Task(c *config.Config, p *problem.Problem) grade.Task {
	return grade.Task{Problem: p, Show: c.Diff, Limits: c.Complete(p.Limits)}
}

// Cases reads the cases of a problem. It is an error if the expected output of one of them is
// unknown.
func Cases(p *problem.Problem) (*cases.Set, error) {
	set, err := p.Cases()
	if err == nil {
		err = set.Missing()
	}
	return set, err
}

// Drawable reports whether the problem has a draw program and its submissions an output for it.
func Drawable(p *problem.Problem) bool {
	if p.Draw == "" || p.Interactive() {
		return false
	}
	_, err := os.Stat(filepath.Join(p.Root, p.Draw))
	return err == nil
}

// DeriveLimits returns the limits of the task's problem, with defaults filled in. If the problem
// has no time limit, DeriveLimits derives one from its submissions, and from is a phrase for
// messages that explains how. If no time limit can be derived, the error is a [UserError].
func (e *Engine) DeriveLimits(ctx context.Context, j *grade.Judge, t grade.Task) (l limits.Limits, from string, err error) {
	p := t.Problem
	if l = p.Limits; l.CPU > 0 {
		return e.Config.Complete(l), "", nil
	}
	l.CPU = calibrate.Longest
	t.Limits = e.Config.Complete(l)
	slowest, err := calibrate.Slowest(ctx, j, t)
	switch {
	case err == nil:
		l.CPU = p.Time.Derive(slowest)
		from = fmt.Sprintf("from the slowest accepted run of %v", slowest.Round(time.Millisecond))
	case errors.Is(err, calibrate.ErrNoLimit) && p.Time.Fallback > 0:
		l.CPU = p.Time.Fallback
		from = "because a plain folder sets none (hint: --limits cpu=1s)"
	case errors.Is(err, calibrate.ErrNoLimit):
		return l, "", UserError{fmt.Errorf("%s: %w (hint: --limits cpu=1s)", p.Path, err)}
	default:
		return l, "", err
	}
	return e.Config.Complete(l), from, nil
}

// MeasureLimits is like DeriveLimits for a problem without a time limit. It reuses results of
// earlier runs, announces the work, and shows the time limit in a note.
func (e *Engine) MeasureLimits(ctx context.Context, m *casedata.Provider, t grade.Task) (limits.Limits, error) {
	defer e.announce("running the package's submissions to derive the time limit")()
	j := e.Judge(m)
	j.Memo = e.NewMemo()
	l, from, err := e.DeriveLimits(ctx, j, t)
	if err == nil {
		e.note("note: time limit %v, %s", l.CPU, from)
	}
	return l, err
}

// Programs builds the programs without which no case of the provider's problem can be judged: the
// output validators and the grader. If one of them does not compile, the error is a [UserError]
// with an [*OutputError].
func (e *Engine) Programs(ctx context.Context, m *casedata.Provider) error {
	p := m.Problem
	var paths []string
	if v := p.Validator; v != nil && v.Always {
		for ; v != nil; v = v.Then {
			paths = append(paths, v.Program)
		}
	}
	if p.Grader != nil {
		paths = append(paths, p.Grader.Program)
	}
	for _, path := range paths {
		_, err := m.Program(ctx, path)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			return UserError{&OutputError{p.Show(path) + ": does not compile", compile.Output}}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Prepare prepares the cases of a provider's problem for judging, and announces that. The first
// time it compiles the generators and the parts of Go's standard library that they need.
func (e *Engine) Prepare(ctx context.Context, m *casedata.Provider, list []cases.Case) error {
	defer e.announce("preparing the inputs of " + m.Problem.ID)()
	return m.Prepare(ctx, list)
}
