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
	edge    string          // a message if times near the limit decide whether promise holds; else ""
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
		if p := e.Done.Points; p != nil && e.want == verdict.AC && e.promise.Score == nil && e.Done.Verdict == verdict.AC && p.Points < float64(p.Best) {
			s.findOrNote(&yamlstrict.Error{File: e.name, Msg: fmt.Sprintf("is accepted, but gets %.10g points of %.10g", p.Points, float64(p.Best)), Hint: promiseHint})
		}
	}
	if len(lenient) > 0 {
		slices.Sort(lenient)
		s.note("accepted except in optional groups: %s", strings.Join(lenient, ", "))
	}
	none := !slices.ContainsFunc(results.judged, func(e example) bool { return e.Done.Verdict == verdict.AC })
	if results.judgeable && none && len(s.failed) == 0 && !s.choice.partial() && !s.p.HasReference() && s.summary.Unchecked == 0 && s.p.Time.Fallback == 0 {
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
		s.findFailures()
		if s.check = running; err != nil {
			return nil, err
		}
		s.summary.Examples = len(s.results.judged)
	}
	return s.results, nil
}

// collectExamples judges the example submissions, and records what they got in results.
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
	return s.judgeList(ctx, results, list, grade.Task{Cases: usable, Limits: l})
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
			s.note("%s is skipped: %s (hint: --lang .EXT=LANGUAGE)", e.name, unknown.Cause())
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

// accepted returns the first submission that is accepted on all cases, as it promises, or nil.
func (results *exampleResults) accepted() *example {
	for i := range results.judged {
		if e := &results.judged[i]; e.Done.Verdict == verdict.AC && len(e.broken) == 0 {
			return e
		}
	}
	return nil
}
