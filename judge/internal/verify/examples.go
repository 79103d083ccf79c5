package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// zoo is what became of the example submissions of a problem.
type zoo struct {
	known  bool // they could be judged
	judged []example
	absent map[verdict.Verdict]int // how many could not be judged here, by what is expected
}

// example is one of them.
type example struct {
	judged
	promise problem.Expect
	broken  []string        // what of that does not hold
	want    verdict.Verdict // that is promised; None if several will do
	over    bool            // stopped even where the CPU limit has reach to spare: [limits.Beyond]
}

// examples finds submissions that do not keep what is promised of them. It notes which of them
// fail in optional groups alone.
func examples(ctx context.Context, s *subject) error {
	z, err := s.examples(ctx)
	if err != nil {
		return err
	}
	var lenient []string // fail where a case need not count
	for _, e := range z.judged {
		if c := s.caseOf(e.Done.First); c != nil && c.Optional { // optional groups are judged last
			lenient = append(lenient, strings.TrimPrefix(e.name, s.path(repo.Submissions(s.p.ID))+"/"))
		}
		const hint = "mend the cases, or what is promised"
		for _, what := range e.broken {
			s.at(e.name, hint, "%s", what)
		}
		if p := e.Done.Points; p != nil && e.want == verdict.AC && e.Done.Verdict == verdict.AC && p.Points < float64(p.Best) {
			s.want(&yamlstrict.Error{File: e.name, Msg: fmt.Sprintf("is accepted, and gets %.10g points of %.10g", p.Points, float64(p.Best)), Hint: hint})
		}
	}
	if len(lenient) > 0 {
		slices.Sort(lenient)
		s.note("accepted without the optional groups: %s", strings.Join(lenient, ", "))
	}
	none := !slices.ContainsFunc(z.judged, func(e example) bool { return e.Done.Verdict == verdict.AC })
	if z.known && none && !s.p.HasReference() && s.summary.Unchecked == 0 && s.p.Time.Fallback == 0 {
		s.at(s.path("submissions"), "", "no submission is accepted")
	}
	return nil
}

// examples judges the example submissions. What keeps them from being judged is found by the
// check examples, whichever asks first.
func (s *subject) examples(ctx context.Context) (*zoo, error) {
	if s.zoo == nil {
		asked := s.check
		s.check, s.zoo = "examples", &zoo{absent: map[verdict.Verdict]int{}}
		err := s.settle(s.fill(ctx, s.zoo))
		if s.check = asked; err != nil {
			return nil, err
		}
		s.summary.Examples = len(s.zoo.judged)
	}
	return s.zoo, nil
}

// fill judges the example submissions.
func (s *subject) fill(ctx context.Context, z *zoo) error {
	if err := s.decides(ctx); err != nil {
		if s.summary.Unchecked = len(s.p.Submissions); s.summary.Unchecked > 0 {
			s.note("not checked: %s, which nobody can judge without the output validator", plural(s.summary.Unchecked, "submission"))
		}
		return err
	}
	list, err := s.submissions(ctx, z)
	if err != nil {
		return err
	}
	judgedBy, err := s.usableCases(ctx)
	if err != nil || len(judgedBy) == 0 || len(list) == 0 && s.p.Time.Fallback > 0 {
		return err
	}
	l, err := s.limits(ctx)
	if err != nil {
		return err
	}
	z.known = true
	return s.judgeAll(ctx, z, list, grade.Task{Cases: judgedBy, Limits: l})
}

// judgeAll judges submissions. Those that must exceed the CPU time get more of it at first: one
// that is stopped there is stopped by the limit as well. Those that promise no more than a
// verdict, or that some case has one, are judged until that is known.
func (s *subject) judgeAll(ctx context.Context, z *zoo, list []example, task grade.Task) error {
	beyond, whole := task, task
	beyond.Limits.CPU = limits.Beyond(task.Limits.CPU)
	beyond.Limits.Wall = max(task.Limits.Wall, 2*beyond.Limits.CPU)
	whole.All = true
	slow := func(e *example) bool { return e.want == verdict.TLE && len(e.promise.Rules) == 0 }
	list, err := s.settleSome(ctx, z, list, beyond, slow, func(e *example) bool {
		e.over = e.Done.Verdict == verdict.TLE
		return e.over
	})
	if err != nil {
		return err
	}
	list, err = s.settleSome(ctx, z, list, task, func(e *example) bool { return brieflyKept(e.promise) }, func(e *example) bool {
		return len(e.broken) == 0 || len(e.promise.Rules) == 0 // a later case may keep it
	})
	if err != nil {
		return err
	}
	all := func(*example) bool { return true }
	_, err = s.settleSome(ctx, z, list, whole, all, all)
	return err
}

// settleSome judges some of a list, keeps those of which nothing is left to be known, and
// returns the others.
func (s *subject) settleSome(ctx context.Context, z *zoo, list []example, task grade.Task, some, settled func(*example) bool) (rest []example, err error) {
	var chosen []example
	for _, e := range list {
		if some(&e) {
			chosen = append(chosen, e)
			task.Submissions = append(task.Submissions, e.Submission)
		} else {
			rest = append(rest, e)
		}
	}
	all, err := s.grade(ctx, task)
	if err != nil {
		return nil, err
	}
	for i, j := range all {
		e := chosen[i]
		e.Judged = j.Judged
		e.broken = e.Broken(e.promise)
		if settled(&e) {
			z.judged = append(z.judged, e)
		} else {
			rest = append(rest, chosen[i])
		}
	}
	return rest, nil
}

// submissions reads the example submissions. One whose language is unknown or not installed
// here is noted.
func (s *subject) submissions(ctx context.Context, z *zoo) (list []example, err error) {
	for i := range s.p.Submissions {
		sub := &s.p.Submissions[i]
		e := example{judged: judged{name: s.p.Show(sub.Path)}, promise: sub.Expect, want: sub.Expect.Main()}
		source, err := s.p.Own(sub, s.judge.Builder.Languages())
		if err == nil {
			_, err = s.judge.Builder.Key(ctx, source)
			if err != nil && ctx.Err() != nil {
				return nil, ctx.Err()
			}
		} else if foreign, ok := errors.AsType[*build.ForeignError](err); ok {
			err = fmt.Errorf("%s is none of the languages here", foreign.Language)
		} else {
			at := filepath.Join(s.p.Root, filepath.FromSlash(sub.Path))
			found := build.Located(at, err)
			if below, ok := strings.CutPrefix(found.File, at); ok {
				found.File = e.name + below
			}
			if strings.Contains(found.Hint, "--lang") {
				found.Hint = "examples have the ending of their language; what is none stands elsewhere"
			}
			s.find(found)
			continue
		}
		if err != nil { // a tool that is not there, or a shim that leads to none
			s.note("not checked: %s: %v", e.name, err)
			s.summary.Unchecked++
			z.absent[e.want]++
			continue
		}
		e.Submission = grade.Submission{Source: source, Expected: e.want}
		list = append(list, e)
	}
	return list, nil
}

// brieflyKept reports whether the cases up to the first that is not accepted may show that
// a promise is kept: no rule of it forbids a later one anything.
func brieflyKept(e problem.Expect) bool {
	for _, r := range e.Rules {
		if verdict.OfCase()&^r.Permitted != 0 || r.Score != nil {
			return false
		}
	}
	return true
}

// solver returns the first submission that is accepted on all cases, as it promises; nil for
// none.
func (z *zoo) solver() *example {
	for i := range z.judged {
		if e := &z.judged[i]; e.Done.Verdict == verdict.AC && len(e.broken) == 0 {
			return e
		}
	}
	return nil
}
