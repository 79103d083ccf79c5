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

// exampleResults holds the results of a problem's example submissions.
type exampleResults struct {
	judgeable bool // the problem has usable cases and limits
	judged    []example
	absent    map[verdict.Verdict]int // number of examples that could not be built on this machine, by expected verdict
}

// example is a submission of the problem with its result.
type example struct {
	judged
	path    string // of the submission, as in the problem
	promise problem.Expect
	broken  []string        // messages about the parts of promise that do not hold
	want    verdict.Verdict // the promised verdict; None if the promise allows several
	over    bool            // it exceeds even the larger CPU limit of [limits.Beyond]
}

// checkExamples finds submissions that break their promise. It notes those that fail only in
// optional groups.
func checkExamples(ctx context.Context, s *subject) error {
	results, err := s.judgeExamples(ctx)
	if err != nil {
		return err
	}
	var lenient []string // names of submissions that fail only in optional groups
	for _, e := range results.judged {
		if c := s.caseOf(e.Done.First); c != nil && c.Optional { // optional groups are judged last
			lenient = append(lenient, strings.TrimPrefix(e.name, s.path(repo.Submissions(s.p.ID))+"/"))
		}
		const hint = "correct the cases, or the promise"
		for _, message := range e.broken {
			s.findAt(e.name, hint, "%s", message)
		}
		if p := e.Done.Points; p != nil && e.want == verdict.AC && e.promise.Score == nil && e.Done.Verdict == verdict.AC && p.Points < float64(p.Best) {
			s.findOrNote(&yamlstrict.Error{File: e.name, Msg: fmt.Sprintf("is accepted, but gets %.10g points of %.10g", p.Points, float64(p.Best)), Hint: hint})
		}
	}
	if len(lenient) > 0 {
		slices.Sort(lenient)
		s.note("accepted except in optional groups: %s", strings.Join(lenient, ", "))
	}
	none := !slices.ContainsFunc(results.judged, func(e example) bool { return e.Done.Verdict == verdict.AC })
	if results.judgeable && none && !s.choice.partial() && !s.p.HasReference() && s.summary.Unchecked == 0 && s.p.Time.Fallback == 0 {
		s.findAt(s.path("submissions"), "", "no submission is accepted")
	}
	return nil
}

// judgeExamples judges the example submissions when first called. If they cannot be judged, the
// reason is a finding of the check examples, whichever check calls it.
func (s *subject) judgeExamples(ctx context.Context) (*exampleResults, error) {
	if s.results == nil {
		running := s.check
		s.check, s.results = "examples", &exampleResults{absent: map[verdict.Verdict]int{}}
		err := s.settle(s.collectExamples(ctx, s.results))
		if s.check = running; err != nil {
			return nil, err
		}
		s.summary.Examples = len(s.results.judged)
	}
	return s.results, nil
}

// collectExamples judges the example submissions into results.
func (s *subject) collectExamples(ctx context.Context, results *exampleResults) error {
	if err := s.buildValidators(ctx); err != nil {
		if s.summary.Unchecked = len(s.submissions); s.summary.Unchecked > 0 {
			s.note("not checked: %s, which cannot be judged without the output validator", plural(s.summary.Unchecked, "submission"))
		}
		return err
	}
	list, err := s.readExamples(ctx, results)
	if err != nil {
		return err
	}
	usable, err := s.usableCases(ctx)
	if err != nil || len(usable) == 0 || len(list) == 0 && s.p.Time.Fallback > 0 {
		return err
	}
	l, err := s.limits(ctx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e example) bool { return slices.Contains(s.tooSlow, e.path) }) // they are findings already
	results.judgeable = true
	return s.judgeInRounds(ctx, results, list, grade.Task{Cases: usable, Limits: l})
}

// judgeInRounds judges submissions in up to three rounds:
//  1. Submissions that must exceed the CPU limit are judged with a larger one. Exceeding the larger
//     limit settles them.
//  2. Submissions that promise only a verdict, or that some case gets one, are judged up to the
//     first case that is not accepted.
//  3. Submissions that are still unsettled are judged on all cases.
func (s *subject) judgeInRounds(ctx context.Context, results *exampleResults, list []example, task grade.Task) error {
	beyond, whole := task, task
	beyond.Limits.CPU = limits.Beyond(task.Limits.CPU)
	beyond.Limits.Wall = max(task.Limits.Wall, 2*beyond.Limits.CPU)
	whole.All = true
	slow := func(e *example) bool { return e.want == verdict.TLE && len(e.promise.Rules) == 0 }
	list, err := s.judgeSome(ctx, results, list, beyond, slow, func(e *example) bool {
		e.over = e.Done.Verdict == verdict.TLE
		return e.over
	})
	if err != nil {
		return err
	}
	list, err = s.judgeSome(ctx, results, list, task, func(e *example) bool { return brieflyKept(e.promise) }, func(e *example) bool {
		return len(e.broken) == 0 || len(e.promise.Rules) == 0 // a later case may still fulfil a rule
	})
	if err != nil {
		return err
	}
	all := func(*example) bool { return true }
	_, err = s.judgeSome(ctx, results, list, whole, all, all)
	return err
}

// judgeSome judges the examples of list for which selected returns true. It moves those for which
// settled then returns true to results, and returns the rest of list.
func (s *subject) judgeSome(ctx context.Context, results *exampleResults, list []example, task grade.Task, selected, settled func(*example) bool) (rest []example, err error) {
	var chosen []example
	for _, e := range list {
		if selected(&e) {
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
			results.judged = append(results.judged, e)
		} else {
			rest = append(rest, chosen[i])
		}
	}
	return rest, nil
}

// readExamples reads the example submissions. It notes those whose language is unknown or not
// installed here.
func (s *subject) readExamples(ctx context.Context, results *exampleResults) (list []example, err error) {
	for i := range s.submissions {
		sub := &s.submissions[i]
		e := example{judged: judged{name: s.p.Show(sub.Path)}, path: sub.Path, promise: sub.Expect, want: sub.Expect.Main()}
		source, err := s.p.Own(sub, s.judge.Builder.Languages())
		if err == nil {
			_, err = s.judge.Builder.Key(ctx, source)
			if err != nil && ctx.Err() != nil {
				return nil, ctx.Err()
			}
		} else if foreign, ok := errors.AsType[*build.ForeignError](err); ok {
			err = fmt.Errorf("%s is not a configured language", foreign.Language)
		} else if unknown, ok := errors.AsType[*build.ExtensionError](err); ok && s.p.Foreign() {
			s.note("%s is skipped: no language has files that end in %q (hint: --lang .EXT=LANGUAGE)", e.name, unknown.Extension)
			continue
		} else {
			at := filepath.Join(s.p.Root, filepath.FromSlash(sub.Path))
			found := build.Located(at, err)
			if below, ok := strings.CutPrefix(found.File, at); ok {
				found.File = e.name + below
			}
			if strings.Contains(found.Hint, "--lang") {
				found.Hint = "give it the file name extension of its language, or add --lang .EXT=LANGUAGE"
			}
			s.find(found)
			continue
		}
		if err != nil { // the language is not configured, or a tool is missing
			s.note("not checked: %s: %v", e.name, err)
			s.summary.Unchecked++
			results.absent[e.want]++
			continue
		}
		e.Submission = grade.Submission{Source: source, Expected: e.want}
		list = append(list, e)
	}
	return list, nil
}

// brieflyKept reports whether judging up to the first case that is not accepted can show that a
// submission keeps its promise: no rule restricts the verdicts of later cases, or is about points.
func brieflyKept(e problem.Expect) bool {
	for _, r := range e.Rules {
		if verdict.OfCase()&^r.Permitted != 0 || r.Score != nil {
			return false
		}
	}
	return true
}

// accepted returns the first submission that is accepted on all cases, as it promises, or nil.
func (results *exampleResults) accepted() *example {
	for i := range results.judged {
		if e := &results.judged[i]; e.Done.Verdict == verdict.AC && len(e.broken) == 0 {
			return e
		}
	}
	return nil
}
