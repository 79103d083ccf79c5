package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/calibrate"
)

// subject is the problem being checked, with the results that its checks share. Each result is
// computed when a check first needs it.
type subject struct {
	*verification
	set         *cases.Set
	cases       []cases.Case         // the chosen cases of set, on which programs run
	submissions []problem.Submission // the chosen example submissions
	judge       *grade.Judge
	summary     Summary

	prepared  bool         // usable and unusable are set; see usableCases
	usable    []cases.Case // cases on which programs can be judged
	unusable  []error      // why the other cases cannot be used
	limited   bool         // runs is set; see limits
	runs      limits.Limits
	tooSlow   []string // paths of submissions that are too slow to derive the time limit from
	tested    bool     // testData is set; see tests
	testData  []problem.Test
	validated []validation    // results of validate
	solved    *judged         // result of solve
	results   *exampleResults // results of judgeExamples
	failures  []failure       // not yet reported by findFailures
	failed    map[string]bool // keys of the failures that are findings
}

// The skip functions of [Check]: each returns why the problem has nothing to check, or "".

func (s *subject) noStatement() string {
	if s.p.Statement == "" && len(s.p.Texts) == 0 {
		return "there is no statement"
	}
	return ""
}

func (s *subject) noFolders() string {
	if s.set.Given() {
		return "a package lies outside the repository's folders; the check " + documents + " notes the parts of it that are not read"
	}
	return ""
}

func (s *subject) noLock() string {
	if s.set.Given() {
		return "the package gives its answers and has no lock; the check outputs checks the answers"
	}
	return ""
}

func (s *subject) noAnswers() string {
	if !s.set.Given() && len(s.p.AnswerValidators) == 0 {
		return "there are neither given answers nor answer validators; the check lock checks the expected outputs"
	}
	return ""
}

func (s *subject) noGenerator() string { return s.lacking(problem.Generator) }

func (s *subject) noBounds() string { return s.lacking(problem.Check) }

func (s *subject) noBrute() string { return s.lacking(problem.Brute) }

func (s *subject) noDrawings() string {
	if s.p.Draw == "" || !exists(s.path(s.p.Draw)) {
		return "there is no " + string(problem.Draw)
	}
	return ""
}

func (s *subject) noReference() string {
	if !s.p.HasReference() {
		return "there is no reference; the check examples judges the submissions"
	}
	return ""
}

// lacking returns a message if this kind of problem cannot have a program for the role, and "" if
// it can.
func (s *subject) lacking(role problem.Role) string {
	if s.p.Need(role) != nil {
		return "there is no " + string(role)
	}
	return ""
}

func (s *subject) caseData() *casedata.Provider { return s.judge.CaseData }

// own reports whether the program in one of the problem's folders exists.
func (s *subject) own(folder string) bool {
	switch {
	case folder == "":
		return false
	case repo.Standalone(s.p.ID, folder):
		return exists(s.path(folder)) // a program or a folder of scripts
	}
	return build.HasSource(filepath.Join(s.p.Root, folder), s.judge.Builder.Languages())
}

// open builds one of the problem's own programs, and returns its source to be judged like a
// submission.
func (s *subject) open(ctx context.Context, folder string) (*build.Source, error) {
	if _, err := s.caseData().Program(ctx, folder); err != nil {
		return nil, err
	}
	return s.caseData().Source(folder)
}

// maxTooSlow is the largest number of submissions that are too slow to derive a time limit from,
// and are left out so that the others can be judged. Each takes up to [calibrate.Longest].
const maxTooSlow = 3

// limits returns the limits of one run. If the problem gives no time limit, it derives one from the
// submissions and notes it. It finds submissions that are too slow for that, and derives the limit
// from the others.
func (s *subject) limits(ctx context.Context) (limits.Limits, error) {
	if s.limited {
		return s.runs, nil
	}
	list, err := s.usableCases(ctx)
	if err != nil {
		return s.runs, err
	}
	if len(s.choice.cases) > 0 && s.set.Given() {
		list = s.set.Cases // the limit is that of the whole problem
	}
	of := *s.p
	for {
		l, from, err := s.env.Limits(ctx, s.judge, grade.Task{Problem: &of, Cases: list, Show: s.env.Show})
		slow, isSlow := errors.AsType[*calibrate.TooSlowError](err)
		switch {
		case isSlow && len(s.tooSlow) < maxTooSlow:
			s.tooSlow = append(s.tooSlow, slow.Path)
			if err := s.settle(slow); err != nil {
				return l, err
			}
			of.Submissions = slices.DeleteFunc(slices.Clone(of.Submissions), func(sub problem.Submission) bool { return sub.Path == slow.Path })
			continue
		case errors.Is(err, calibrate.ErrNoLimit) && len(s.tooSlow) == 0:
			return l, s.p.Errorf("limits", "give limits: time_limit, or an accepted submission", "%v", calibrate.ErrNoLimit)
		case isSlow || errors.Is(err, calibrate.ErrNoLimit):
			s.summary.Unchecked = len(s.submissions)
			return l, s.p.Errorf("limits", "set limits: time_limit in problem.yaml", "no submission is judged, because the accepted ones are too slow to derive a time limit from")
		case err != nil:
			return l, err
		}
		if from != "" && len(s.tooSlow) > 0 {
			from += ", without " + strings.Join(s.tooSlow, ", ")
		}
		if from != "" {
			s.note("time limit %v, %s", l.CPU, from)
		}
		s.limited, s.runs = true, l
		return l, nil
	}
}

// buildValidators builds the output validators and the grader, without which no submission can be
// judged.
func (s *subject) buildValidators(ctx context.Context) error {
	var programs []string
	for v := s.p.Validator; v != nil; v = v.Then {
		programs = append(programs, v.Program)
	}
	if s.p.Grader != nil {
		programs = append(programs, s.p.Grader.Program)
	}
	for _, path := range programs {
		if _, err := s.caseData().Program(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// tests returns the test data for the validators, such as invalid inputs.
func (s *subject) tests() (_ []problem.Test, err error) {
	if !s.tested && s.p.Tests != nil {
		if s.testData, err = s.p.Tests(); err != nil {
			return nil, err
		}
	}
	s.tested = true
	return s.testData, nil
}

// usableCases returns the cases on which programs can be judged. A mistake in any other case, such
// as a generated input that differs from the lock, becomes a finding of the first check that calls
// usableCases; later checks skip that case.
func (s *subject) usableCases(ctx context.Context) ([]cases.Case, error) {
	if !s.prepared {
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
	}
	for _, err := range s.unusable {
		if err := s.settle(err); err != nil {
			return nil, err
		}
	}
	return s.usable, nil
}

// prepare generates inputs and expected outputs, and divides the cases into usable and unusable.
func (s *subject) prepare(ctx context.Context) error {
	m := s.caseData()
	list, err := s.prepareBy(ctx, s.cases, m.Problem.Generator, m.PrepareInputs, func(c *cases.Case) bool { return c.Generate != nil })
	if err != nil {
		return err
	}
	var expected []cases.Case
	for _, c := range list {
		if c.Derived() && c.Lock.Output == "" {
			s.unusable = append(s.unusable, c.Errorf("", "run judge regen "+s.p.ID, "no expected output"))
		} else {
			expected = append(expected, c)
		}
	}
	list, err = s.prepareBy(ctx, expected, m.Problem.Reference, m.PrepareOutputs, (*cases.Case).Derived)
	if err != nil {
		return err
	}
	for i := range list {
		_, err := m.Load(ctx, &list[i])
		if err == nil {
			s.usable = append(s.usable, list[i])
		} else if err := s.setAside(err); err != nil {
			return err
		}
	}
	s.prepared = true
	return nil
}

// prepareBy builds the program in folder and calls prepare with the cases that need it. It returns
// the cases that are ready afterwards: the whole list, or those that do not need the program if it
// fails.
func (s *subject) prepareBy(ctx context.Context, list []cases.Case, folder string, prepare func(context.Context, []cases.Case) error, needs func(*cases.Case) bool) ([]cases.Case, error) {
	var with, without []cases.Case
	for _, c := range list {
		if needs(&c) {
			with = append(with, c)
		} else {
			without = append(without, c)
		}
	}
	if len(with) == 0 {
		return list, nil
	}
	_, err := s.caseData().Program(ctx, folder)
	if err == nil {
		err = prepare(ctx, with)
	}
	if err == nil {
		return list, nil
	}
	return without, s.setAside(err)
}

// setAside stores an error that is the problem's fault, for usableCases to report. It returns any
// other error.
func (s *subject) setAside(err error) error {
	_, located := errors.AsType[*yamlstrict.Error](err)
	_, failed := errors.AsType[*casedata.ProgramError](err)
	if !located && !failed {
		return err
	}
	s.unusable = append(s.unusable, err)
	return nil
}

// judged is the result of one program on the cases.
type judged struct {
	name string // the program, as messages name it
	grade.Judged
}

// grade judges the submissions of t on its cases, as submissions to the problem.
func (s *subject) grade(ctx context.Context, t grade.Task) ([]judged, error) {
	return s.gradeEach(ctx, t, func(int, judged) {})
}

// gradeEach is like grade, and calls done with the result of each submission as soon as it is
// known, in their order.
func (s *subject) gradeEach(ctx context.Context, t grade.Task, done func(i int, j judged)) ([]judged, error) {
	if len(t.Submissions) == 0 {
		return nil, nil
	}
	t.Problem, t.Show = s.p, s.env.Show
	if err := s.buildValidators(ctx); err != nil {
		return nil, err
	}
	list := make([]judged, len(t.Submissions))
	for i, sub := range t.Submissions {
		list[i] = judged{sub.Source.Name, grade.Judged{Submission: sub}}
	}
	err := s.judge.Grade(ctx, t, func(e grade.Event) {
		switch e := e.(type) {
		case *grade.Progress:
			s.advances(e.Done, e.Total)
		case *grade.Case:
			list[e.Submission].Cases = append(list[e.Submission].Cases, *e)
		case *grade.Done:
			list[e.Submission].Done = *e
			done(e.Submission, list[e.Submission])
		}
	})
	return list, err
}

// caseOf returns the case with this name, or nil if there is none.
func (s *subject) caseOf(name string) *cases.Case {
	for i := range s.set.Cases {
		if c := &s.set.Cases[i]; c.Name == name {
			return c
		}
	}
	return nil
}

// exists reports whether there is a file or folder at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// plural returns "1 case" or "2 cases".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
