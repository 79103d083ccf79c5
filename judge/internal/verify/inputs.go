package verify

import (
	"context"
	"errors"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// validation is what the input validators say about one input.
type validation struct {
	c       *cases.Case
	must    bool // they must all accept it; otherwise one of them must refuse it
	valid   bool
	extents []extent
}

// inputs finds inputs that a validator refuses, and invalid ones that none does.
func inputs(ctx context.Context, s *subject) error {
	_, err := s.validate(ctx)
	return err
}

// validate has all inputs looked at by all validators, and returns what they say about those
// of cases. What is wrong is found by the check that asks first.
func (s *subject) validate(ctx context.Context) ([]validation, error) {
	if s.validated != nil {
		return s.validated, nil
	}
	list, err := s.usableCases(ctx)
	if err != nil {
		return nil, err
	}
	n := len(list)
	tests, err := s.tests()
	if err != nil {
		return nil, err
	}
	list = list[:n:n]
	all := make([]validation, n, n+len(tests))
	for i := range all {
		all[i].must = true
	}
	for _, t := range tests {
		if t.Valid || t.Of == problem.TestedInput {
			list, all = append(list, t.Case), append(all, validation{must: t.Valid})
		}
	}
	for i := range all {
		all[i].c, all[i].valid = &list[i], true
	}
	asked, err := s.validateBy(ctx, list, all)
	if err != nil {
		return nil, err
	}
	if s.checks() {
		asked++
		if err := s.validateByCheck(ctx, list, all); err != nil {
			return nil, err
		}
	} else if len(s.p.InputValidators) == 0 {
		s.note("not checked: inputs, as there is no validator")
	}
	for _, v := range all[n:] {
		if asked > 0 && !v.must && v.valid {
			s.at(v.c.File, "", "no input validator refuses it")
		}
	}
	s.validated = all[:n]
	return s.validated, nil
}

// checks reports whether check -input looks at inputs. It need not where the problem has
// other input validators, or others wrote it.
func (s *subject) checks() bool {
	return s.own(s.p.Check) || !s.p.Foreign() && len(s.p.InputValidators) == 0
}

// validateBy has inputs looked at by the problem's input validators besides check, which say
// nothing of quantities, and returns how many could be asked.
func (s *subject) validateBy(ctx context.Context, list []cases.Case, all []validation) (asked int, err error) {
	for _, by := range s.p.InputValidators {
		said, err := s.caseData().ValidateWith(ctx, by, list)
		if err != nil {
			if err := s.unable(err); err != nil {
				return asked, err
			}
			continue
		}
		asked++
		name := filepath.Base(by.Program)
		for i, one := range said {
			v := &all[i]
			switch {
			case one.Failure != "" && v.must:
				s.find(located(v.c.Errorf("input", "", "%s does not accept it: %s", name, one.Failure)))
			case one.Failure != "":
				s.find(located(v.c.Errorf("input", "it has to refuse what is not valid", "%s: %s", name, one.Failure)))
			case one.Invalid != nil && v.must:
				s.find(located(one.Invalid))
			}
			v.valid = v.valid && one.Valid
		}
	}
	return asked, nil
}

// unable settles that a validator cannot be asked, so that the others are. Its compiler may be
// missing here.
func (s *subject) unable(err error) error {
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	return s.settle(err)
}

// validateByCheck has inputs looked at by check -input.
func (s *subject) validateByCheck(ctx context.Context, list []cases.Case, all []validation) error {
	said, err := s.caseData().Validate(ctx, list)
	if err != nil {
		return err
	}
	for i, one := range said {
		v := &all[i]
		v.valid = v.valid && one.Valid
		switch {
		case one.Valid:
			if v.extents, err = parseExtents(one.Stdout); err != nil {
				v.valid = false
				s.at(s.path(s.p.Check), "of a valid input it prints lines NAME LO HI, one for each of bounds", "on %s: %v", v.c.Name, err)
			}
		case one.Invalid == nil:
			s.at(s.path(s.p.Check), "42 is valid, 43 not", "on %s: %s", v.c.Name, one.Failure)
		case v.must:
			s.find(located(one.Invalid))
		}
	}
	return nil
}
