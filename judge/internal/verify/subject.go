package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

// subject is one problem, with what its checks share about it, each thing found out
// when a check first asks for it.
type subject struct {
	*verification
	p       *problem.Problem
	set     *cases.Set
	task    grade.Task
	judge   *grade.Judge
	summary Summary

	prepared  bool
	usable    []cases.Case // see fixtures
	unusable  []error
	validated []validation
	solved    *judged // the reference
	zoo       *zoo
}

func (s *subject) maker() *fixture.Maker { return s.judge.Fixtures }

// path returns a path below the repository's root as messages show it.
func (s *subject) path(below ...string) string {
	return filepath.Join(append([]string{s.bench.Root}, below...)...)
}

// own tells whether the problem has one of its programs, given by its folder.
func (s *subject) own(folder string) bool {
	if repo.Lone(s.p.ID, folder) {
		return exists(s.path(folder)) // which may be scripts
	}
	return build.HasSource(filepath.Join(s.bench.Root, folder), s.judge.Builder.Languages())
}

// missing is what to say of a program that is not there.
func (s *subject) missing(folder string) *yamlstrict.Error {
	return &yamlstrict.Error{File: s.path(folder), Msg: "no program there", Hint: "the problem needs " + s.path(folder, "main.go")}
}

// program builds one of the problem's own programs.
func (s *subject) program(ctx context.Context, folder string) (*build.Program, error) {
	if !s.own(folder) {
		return nil, s.missing(folder)
	}
	return s.maker().Program(ctx, folder)
}

// open reads one of the problem's own programs as if it were a submission. It compiles.
func (s *subject) open(ctx context.Context, folder string) (*build.Source, error) {
	if _, err := s.program(ctx, folder); err != nil {
		return nil, err
	}
	return s.maker().Source(folder)
}

// fixtures returns the cases that programs can be judged by. What is wrong with the
// others, such as a generated input that is not the one in the lock, is found by the
// check that asks first; the others go on without those cases.
func (s *subject) fixtures(ctx context.Context) ([]cases.Case, error) {
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
	m := s.maker()
	list, err := s.able(ctx, s.set.Cases, m.Problem.Generator, m.PrepareInputs, func(c *cases.Case) bool { return c.Generate != nil })
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
	list, err = s.able(ctx, expected, m.Problem.Reference, m.PrepareOutputs, (*cases.Case).Derived)
	if err != nil {
		return err
	}
	for i := range list {
		_, err := m.Make(ctx, &list[i])
		if err == nil {
			s.usable = append(s.usable, list[i])
		} else if err := s.setAside(err); err != nil {
			return err
		}
	}
	s.prepared = true
	return nil
}

// able lets one of the problem's programs prepare the cases that need it, and returns
// those that are ready then: all of the list, or, when the program fails, those that
// do not need it.
func (s *subject) able(ctx context.Context, list []cases.Case, folder string, prepare func(context.Context, []cases.Case) error, needs func(*cases.Case) bool) ([]cases.Case, error) {
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
	_, err := s.program(ctx, folder)
	if err == nil {
		err = prepare(ctx, with)
	}
	if err == nil {
		return list, nil
	}
	return without, s.setAside(err)
}

// setAside keeps an error that tells where the repository is wrong for the checks to
// find, and returns any other.
func (s *subject) setAside(err error) error {
	_, located := errors.AsType[*yamlstrict.Error](err)
	_, failed := errors.AsType[*fixture.FailedError](err)
	if !located && !failed {
		return err
	}
	s.unusable = append(s.unusable, err)
	return nil
}

// judged is what became of one program on the cases.
type judged struct {
	name   string
	source *build.Source
	cases  []grade.Case
	done   grade.Done
}

// grade judges programs under the limits, by the problem's way to compare.
func (s *subject) grade(ctx context.Context, t grade.Task) ([]judged, error) {
	if len(t.Submissions) == 0 {
		return nil, nil
	}
	t.Problem, t.Show = s.p, s.bench.Show
	for v := s.p.Validator; v != nil; v = v.Then {
		if _, err := s.program(ctx, v.Program); err != nil {
			return nil, err
		}
	}
	all, err := s.judge.Collect(ctx, t)
	var list []judged
	for _, j := range all {
		list = append(list, judged{j.Source.Name, j.Source, j.Cases, j.Done})
	}
	return list, err
}

// caseOf returns the case of a name.
func (s *subject) caseOf(name string) *cases.Case {
	for i := range s.set.Cases {
		if c := &s.set.Cases[i]; c.Name == name {
			return c
		}
	}
	return nil
}

// exists reports whether there is something at a path.
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
