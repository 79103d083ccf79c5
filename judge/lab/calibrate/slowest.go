package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Longest is the CPU time limit of the runs from which [Slowest] derives a time limit.
const Longest = 60 * time.Second

// ErrNoLimit is the error of a package without a time limit and without a submission to derive one
// from.
var ErrNoLimit = errors.New("no time limit, and no accepted submission to derive one from")

// TooSlowError reports that a submission exceeded the limits of a run from which the time limit
// should be derived. It wraps a [*yamlstrict.Error].
type TooSlowError struct {
	Path string // of the submission, as in the problem
	err  *yamlstrict.Error
}

func (e *TooSlowError) Error() string { return e.err.Error() }

// Unwrap returns the [*yamlstrict.Error].
func (e *TooSlowError) Unwrap() error { return e.err }

// Slowest returns the CPU time from which a package's time limit is derived: the longest time of
// any submission on a case on which it must not exceed the time limit. The CPU limit of the task
// bounds the runs; it is usually [Longest]. Slowest skips submissions that cannot be read, or whose
// compiler is missing. The error is ErrNoLimit if no submission is left, or a [*TooSlowError] as
// soon as a submission exceeds the bound.
func Slowest(ctx context.Context, j *grade.Judge, t grade.Task) (time.Duration, error) {
	of := t.Problem
	t.All, t.Uniform, t.Submissions = true, true, nil
	var p pace
	for _, sub := range of.Submissions {
		r := lowerBounds(sub.Expect, of)
		if len(r) == 0 {
			continue
		}
		source, err := of.Own(&sub, j.Builder.Languages())
		if err != nil {
			continue
		}
		if _, err := j.Builder.Key(ctx, source); err != nil {
			continue
		}
		t.Submissions, p.rules = append(t.Submissions, grade.Submission{Source: source}), append(p.rules, r)
		p.paths, p.show = append(p.paths, sub.Path), of.Show
	}
	if len(t.Submissions) == 0 {
		return 0, ErrNoLimit
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var tooSlow error
	err := j.Grade(ctx, t, func(e grade.Event) {
		if c, ok := e.(*grade.Case); ok && tooSlow == nil {
			if tooSlow = p.add(c); tooSlow != nil {
				stop()
			}
		}
	})
	switch {
	case tooSlow != nil:
		return 0, tooSlow
	case err != nil:
		return 0, err
	case !p.found:
		return 0, ErrNoLimit
	}
	return p.most, nil
}

// pace finds the slowest run that must not exceed the time limit.
type pace struct {
	paths []string // paths of the submissions
	show  func(path string) string
	rules [][]problem.Rule // rules of each submission about cases on which it must not be too slow
	most  time.Duration    // CPU time of the slowest run
	found bool             // there is such a run
}

// add takes a run into account. The error is a [*TooSlowError] if the run was stopped.
func (p *pace) add(c *grade.Case) error {
	if !slices.ContainsFunc(p.rules[c.Submission], func(r problem.Rule) bool { return r.Match(c.Name) }) {
		return nil
	}
	if c.Verdict.Is(verdict.TooSlow) {
		path := p.paths[c.Submission]
		return &TooSlowError{path, &yamlstrict.Error{
			File: p.show(path),
			Msg:  fmt.Sprintf("%s on %s, so no time limit can be derived from it", c.Cause, c.Name),
			Hint: "set limits: time_limit in problem.yaml",
		}}
	}
	p.most, p.found = max(p.most, c.Result.CPU), true
	return nil
}

// lowerBounds returns the rules about cases on which the submission must not be too slow. They
// bound the time limit from below. There are none for a submission that should get only a part of
// the points: it may be as slow as it likes on the cases that it fails.
func lowerBounds(e problem.Expect, of *problem.Problem) []problem.Rule {
	switch {
	case e.Partial, e.Score != nil && of.Scoring && !of.Groups.IsBest(*e.Score):
		return nil
	case e.Final == verdict.SetOf(verdict.AC):
		return []problem.Rule{{}}
	}
	var list []problem.Rule
	for _, r := range e.Rules {
		if r.Bound() == problem.TimeLower {
			list = append(list, r)
		}
	}
	return list
}
