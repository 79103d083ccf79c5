package bundle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Longest is how long a submission may take on a case while the time limit is looked for.
const Longest = 60 * time.Second

// ErrNoLimit is what a package has that neither gives a time limit nor has a
// submission to derive one from.
var ErrNoLimit = errors.New("no time limit, and no accepted submission to derive one from")

// Slowest returns the most CPU time that a submission of the package needs on a case that
// the time limit has to leave room for, or ErrNoLimit. complete fills in what the package
// leaves to the machine of its limits. What cannot be read or built here is left out. That
// one needs more than Longest is a [*yamlstrict.Error] about it, told as soon as it is known.
func (b *Bundle) Slowest(ctx context.Context, j *grade.Judge, complete func(limits.Limits) limits.Limits) (time.Duration, error) {
	l := b.Given()
	l.CPU = Longest
	t := b.Task(complete(l))
	t.All = true
	var p pace
	for _, sub := range b.Submissions {
		r := lower(sub.Expect)
		if len(r) == 0 {
			continue
		}
		source, err := b.Own(&sub)
		if err != nil {
			continue
		}
		if _, err := b.builder.Key(ctx, source); err != nil {
			continue
		}
		t.Submissions, p.rules = append(t.Submissions, grade.Submission{Source: source}), append(p.rules, r)
		p.of = append(p.of, b.Show(sub.Path))
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

// pace finds the slowest run that the time limit has to leave room for.
type pace struct {
	of    []string           // what messages call each submission
	rules [][]pkgformat.Rule // about its cases that must not be too slow
	most  time.Duration
	found bool
}

// see takes a run into account. The error is that it was stopped before its end.
func (p *pace) see(c *grade.Case) error {
	if !slices.ContainsFunc(p.rules[c.Submission], func(r pkgformat.Rule) bool { return r.Match(c.Name) }) {
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
func lower(e pkgformat.Expect) []pkgformat.Rule {
	if e.Final == verdict.SetOf(verdict.AC) {
		return []pkgformat.Rule{{}}
	}
	var list []pkgformat.Rule
	for _, r := range e.Rules {
		if r.Bound() == pkgformat.TimeLower {
			list = append(list, r)
		}
	}
	return list
}

// Derive returns the time limit that follows from the slowest of the submissions that
// must not be too slow: the least multiple of the package's resolution that leaves it
// the room asked for.
func (b *Bundle) Derive(slowest time.Duration) time.Duration {
	step := b.Time.Resolution
	if step <= 0 {
		step = time.Second
	}
	need := time.Duration(float64(slowest) * b.Time.ACToLimit)
	return max((need+step-1)/step, 1) * step
}
