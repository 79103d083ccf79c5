package bundle

import (
	"context"
	"errors"
	"slices"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/kattis"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// Longest is how long a submission may take on a case while the time limit is looked for.
const Longest = 60 * time.Second

// ErrNoLimit is what a package has that neither gives a time limit nor has a
// submission to derive one from.
var ErrNoLimit = errors.New("no time limit, and no accepted submission to derive one from")

// Slowest returns the most CPU time that a submission of the package needs on a case that
// the time limit has to leave room for, or ErrNoLimit. complete fills in what the package
// leaves to the machine of its limits. What cannot be read or built here is left out.
func (b *Bundle) Slowest(ctx context.Context, j *grade.Judge, complete func(limits.Limits) limits.Limits) (time.Duration, error) {
	l := b.Given()
	l.CPU = Longest
	t := b.Task(complete(l))
	t.All = true
	var rules [][]kattis.Rule
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
		t.Submissions, rules = append(t.Submissions, grade.Submission{Source: source}), append(rules, r)
	}
	judged, err := j.Collect(ctx, t)
	if err != nil {
		return 0, err
	}
	var most time.Duration
	found := false
	for i, one := range judged {
		for _, c := range one.Cases {
			if slices.ContainsFunc(rules[i], func(r kattis.Rule) bool { return r.Match(c.Name) }) {
				most, found = max(most, c.Result.CPU), true
			}
		}
	}
	if !found {
		return 0, ErrNoLimit
	}
	return most, nil
}

// lower returns the rules whose cases must not be too slow.
func lower(e kattis.Expect) []kattis.Rule {
	if e.Final == verdict.SetOf(verdict.AC) {
		return []kattis.Rule{{}}
	}
	var list []kattis.Rule
	for _, r := range e.Rules {
		if r.Bound() == kattis.TimeLower {
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
