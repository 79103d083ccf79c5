package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

// subject is the problem being checked, with the results that its checks share. Each is computed
// when a check first asks for it.
type subject struct {
	*verification
	set     *cases.Set
	judge   *grade.Judge
	summary Summary

	prepared  bool
	usable    []cases.Case // see usableCases
	unusable  []error
	limited   bool
	runs      limits.Limits // see limits
	tested    bool
	testData  []problem.Test // see tests
	validated []validation
	solved    *judged         // see solve
	results   *exampleResults // see judgeExamples
}

// The functions lacks of [Check]: each returns why the problem has nothing to check, or "".

func (s *subject) noStatement() string {
	if s.p.Statement == "" && len(s.p.Texts) == 0 {
		return "there is no statement"
	}
	return ""
}

func (s *subject) noFolders() string {
	if s.set.Given() {
		return "a package is not in the folders of the repository; the check " + documents + " notes what is not read of it"
	}
	return ""
}

func (s *subject) noLock() string {
	if s.set.Given() {
		return "the answers are given, and there is no lock; the check outputs looks at them"
	}
	return ""
}

func (s *subject) noAnswers() string {
	if !s.set.Given() && len(s.p.AnswerValidators) == 0 {
		return "no answers are given, and no validator looks at answers; the check lock looks at the expected outputs"
	}
	return ""
}

func (s *subject) noGenerator() string { return s.lacking(problem.Generator) }

func (s *subject) noBounds() string { return s.lacking(problem.Check) }

func (s *subject) noBrute() string { return s.lacking(problem.Brute) }

func (s *subject) noReference() string {
	if !s.p.HasReference() {
		return "there is no reference besides the submissions; the check examples judges those"
	}
	return ""
}

// lacking returns "" if this kind of problem can have a program for the role.
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
		return exists(s.path(folder)) // as a program or as scripts
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

// limits returns the limits of one run. If the problem gives no time limit, it is derived from the
// submissions, which limits notes.
func (s *subject) limits(ctx context.Context) (limits.Limits, error) {
	if s.limited {
		return s.runs, nil
	}
	list, err := s.usableCases(ctx)
	if err != nil {
		return s.runs, err
	}
	l, from, err := s.env.Limits(ctx, s.judge, grade.Task{Problem: s.p, Cases: list, Show: s.env.Show})
	if errors.Is(err, calibrate.ErrNoLimit) {
		return l, s.p.Errorf("limits", "give limits: time_limit, or an accepted submission", "%v", calibrate.ErrNoLimit)
	}
	if err != nil {
		return l, err
	}
	if from != "" {
		s.note("time limit %v, %s", l.CPU, from)
	}
	s.limited, s.runs = true, l
	return l, nil
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

// usableCases returns the cases on which programs can be judged. The mistakes in the others, such
// as a generated input that differs from the one in the lock, become findings of the first check
// that calls it; later checks do without those cases.
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

func (s *subject) prepare(ctx context.Context) error {
	m := s.caseData()
	list, err := s.prepareBy(ctx, s.set.Cases, m.Problem.Generator, m.PrepareInputs, func(c *cases.Case) bool { return c.Generate != nil })
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

// prepareBy makes the program in folder prepare the cases that need it, and returns those that are
// ready then: the whole list, or, if the program fails, the cases that do not need it.
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

// setAside keeps an error that is the problem's fault for usableCases to report, and returns any
// other.
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
	name string // in messages
	grade.Judged
}

// grade judges programs on the cases of t, as the problem compares outputs.
func (s *subject) grade(ctx context.Context, t grade.Task) ([]judged, error) {
	if len(t.Submissions) == 0 {
		return nil, nil
	}
	t.Problem, t.Show = s.p, s.env.Show
	if err := s.buildValidators(ctx); err != nil {
		return nil, err
	}
	all, err := s.judge.Collect(ctx, t)
	var list []judged
	for _, j := range all {
		list = append(list, judged{j.Source.Name, j})
	}
	return list, err
}

// caseOf returns the case with a name, nil if there is none.
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
