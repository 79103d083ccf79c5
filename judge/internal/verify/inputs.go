package verify

import (
	"context"
	"errors"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// validation is the opinion of all input validators on one input.
type validation struct {
	c       *cases.Case
	must    bool // whether all of them must accept it; otherwise one of them must refuse it
	valid   bool // whether all of them accept it
	extents []extent
}

// checkInputs finds inputs that a validator refuses, and invalid ones that none does.
func checkInputs(ctx context.Context, s *subject) error {
	_, err := s.validate(ctx)
	return err
}

// validate runs all input validators on the inputs of cases and of test data, and returns the
// results for the cases. Mistakes become findings of the check that calls it first.
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
	asked, err := s.runInputValidators(ctx, list, all)
	if err != nil {
		return nil, err
	}
	if s.usesCheck() {
		asked++
		if err := s.runCheck(ctx, list, all); err != nil {
			return nil, err
		}
	} else if len(s.p.InputValidators) == 0 {
		s.note("not checked: inputs, because there is no input validator")
	}
	for _, v := range all[n:] {
		if asked > 0 && !v.must && v.valid {
			s.findAt(v.c.File, "", "no input validator refuses it")
		}
	}
	s.validated = all[:n]
	return s.validated, nil
}

// usesCheck reports whether check -input validates inputs. Foreign problems, and those with other
// input validators, need not have a check.
func (s *subject) usesCheck() bool {
	return s.own(s.p.Check) || !s.p.Foreign() && len(s.p.InputValidators) == 0
}

// runInputValidators runs the problem's input validators other than check, which report no
// quantities, and returns how many of them could run.
func (s *subject) runInputValidators(ctx context.Context, list []cases.Case, all []validation) (asked int, err error) {
	for _, by := range s.p.InputValidators {
		said, err := s.caseData().ValidateWith(ctx, by, list)
		if err != nil {
			if err := s.settleMissing(err); err != nil {
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
				s.find(located(v.c.Errorf("input", "an input validator must refuse an invalid input, and not fail on it", "%s: %s", name, one.Failure)))
			case one.Invalid != nil && v.must:
				s.find(located(one.Invalid))
			}
			v.valid = v.valid && one.Valid
		}
	}
	return asked, nil
}

// settleMissing turns the error of a validator that cannot be built into a finding, or into a note
// if its compiler is missing here, so that the other validators still run.
func (s *subject) settleMissing(err error) error {
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	return s.settle(err)
}

// runCheck runs check -input on the inputs, and reads the quantities that it prints.
func (s *subject) runCheck(ctx context.Context, list []cases.Case, all []validation) error {
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
				s.findAt(s.path(s.p.Check), "for a valid input it must print a line NAME LO HI for each quantity in bounds", "on %s: %v", v.c.Name, err)
			}
		case one.Invalid == nil:
			s.findAt(s.path(s.p.Check), "status 42 means valid, 43 invalid", "on %s: %s", v.c.Name, one.Failure)
		case v.must:
			s.find(located(one.Invalid))
		}
	}
	return nil
}
