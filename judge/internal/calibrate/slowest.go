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

// Longest is the CPU time limit of a submission on a case while the time limit is being derived.
const Longest = 60 * time.Second

// ErrNoLimit is the error of a package without a time limit and without a submission to derive one
// from.
var ErrNoLimit = errors.New("no time limit, and no accepted submission to derive one from")

// Slowest returns the longest CPU time of any submission on a case on which it must not exceed the
// time limit; the time limit is derived from it. If there is no such submission, the error is
// ErrNoLimit. The task has the cases and all limits except CPU. Submissions that cannot be read or
// built here are skipped. If one exceeds Longest, judging stops with a [*yamlstrict.Error] about
// it.
func Slowest(ctx context.Context, j *grade.Judge, t grade.Task) (time.Duration, error) {
	of := t.Problem
	t.All, t.Submissions = true, nil
	var p pace
	for _, sub := range of.Submissions {
		r := lower(sub.Expect)
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
		p.of = append(p.of, of.Show(sub.Path))
	}
	if len(t.Submissions) == 0 {
		return 0, ErrNoLimit
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var tooSlow error
	err := j.Grade(ctx, t, func(e grade.Event) {
		if c, ok := e.(*grade.Case); ok && tooSlow == nil {
			if tooSlow = p.see(c); tooSlow != nil {
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
	of    []string         // the name of each submission for messages
	rules [][]problem.Rule // of each submission, about cases that must not be too slow
	most  time.Duration
	found bool
}

// see adds a run. The error reports that it exceeded Longest.
func (p *pace) see(c *grade.Case) error {
	if !slices.ContainsFunc(p.rules[c.Submission], func(r problem.Rule) bool { return r.Match(c.Name) }) {
		return nil
	}
	if c.Verdict.Is(verdict.TooSlow) {
		return &yamlstrict.Error{
			File: p.of[c.Submission],
			Msg:  fmt.Sprintf("%s on %s, so that no time limit follows from it", c.Cause, c.Name),
			Hint: "give limits: time_limit in problem.yaml",
		}
	}
	p.most, p.found = max(p.most, c.Result.CPU), true
	return nil
}

// lower returns the rules whose cases must not be too slow.
func lower(e problem.Expect) []problem.Rule {
	if e.Final == verdict.SetOf(verdict.AC) {
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
