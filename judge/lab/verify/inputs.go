package verify

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// validation holds the result of all input validators on one input.
type validation struct {
	c       *cases.Case
	must    bool     // every validator must accept the input; if false, at least one must refuse it
	valid   bool     // every validator accepts the input
	extents []extent // the quantities that check -input printed
}

// checkInputs finds inputs that a validator refuses, and invalid inputs that no validator refuses.
func checkInputs(ctx context.Context, s *subject) error {
	_, err := s.validate(ctx)
	return err
}

// validate runs all input validators on the inputs of cases and of test data, and returns the
// results for the cases. It reports mistakes as findings of the check that calls it first.
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
	validators, err := s.runInputValidators(ctx, list, all)
	if err != nil {
		return nil, err
	}
	if s.usesCheck() {
		validators++
		if err := s.runCheck(ctx, list, all); err != nil {
			return nil, err
		}
	} else if len(s.p.InputValidators) == 0 {
		s.note("not checked: inputs, because there is no input validator")
	}
	for _, v := range all[n:] {
		if validators > 0 && !v.must && v.valid {
			s.findAt(v.c.File, "", "no input validator refuses it")
		}
	}
	s.validated = all[:n]
	return s.validated, nil
}

// usesCheck reports whether check -input validates the inputs. Only a problem of the repository
// without other input validators must have a check.
func (s *subject) usesCheck() bool {
	return s.own(s.p.Check) || !s.p.Foreign() && len(s.p.InputValidators) == 0
}

// runInputValidators runs the problem's input validators other than check on the inputs of list,
// and records their results in all. It returns the number of validators that could run.
func (s *subject) runInputValidators(ctx context.Context, list []cases.Case, all []validation) (validators int, err error) {
	for _, validator := range s.p.InputValidators {
		some, of := list, make([]*validation, 0, len(all))
		if validator.Some {
			some = nil
		}
		for i := range list {
			if validator.Validates(&list[i]) {
				of = append(of, &all[i])
				if validator.Some {
					some = append(some, list[i])
				}
			}
		}
		results, err := s.caseData().ValidateWith(ctx, validator, some)
		if err != nil {
			if err := s.settleMissing(err); err != nil {
				return validators, err
			}
			continue
		}
		validators++
		name := filepath.Base(validator.Program)
		refused := s.findRefusesAll(validator.Program, results, of)
		for i, r := range results {
			v := of[i]
			switch {
			case v.must && refused:
			case r.Failure != "" && v.must:
				s.find(located(v.c.Errorf("input", "", "%s does not accept it: %s", name, r.Failure)))
			case r.Failure != "":
				s.find(located(v.c.Errorf("input", "an input validator must refuse an invalid input, and not fail on it", "%s: %s", name, r.Failure)))
			case r.Invalid != nil && v.must:
				s.find(located(r.Invalid))
			}
			v.valid = v.valid && r.Valid
		}
	}
	return validators, nil
}

// findRefusesAll reports a validator that accepts none of three or more valid inputs as one finding,
// because the fault is most likely its own. It returns whether that is so.
func (s *subject) findRefusesAll(program string, results []casedata.Validation, all []*validation) bool {
	var places []string
	cause := ""
	for i, r := range results {
		switch {
		case !all[i].must:
		case r.Valid:
			return false
		default:
			places, cause = append(places, all[i].c.Name), cmp.Or(cause, r.Failure, r.Reason)
		}
	}
	if len(places) < 3 {
		return false
	}
	s.findAt(s.path(program), "correct the validator, or the settings that it depends on", "accepts none of %s, the first because: %s; %s", plural(len(places), "input"), oneLine(cause), some(places))
	return true
}

// settleMissing reports a validator that cannot be built as a finding, so that the other validators
// still run. It is a note if the compiler is missing, or if no language of this judge has such files,
// like a template beside the validators of a package. settleMissing returns any other error.
func (s *subject) settleMissing(err error) error {
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	unknown, noLanguage := errors.AsType[*build.ExtensionError](err)
	if located, ok := errors.AsType[*yamlstrict.Error](err); ok && noLanguage && s.p.Foreign() {
		s.note("%s is skipped: %s", located.File, unknown.Cause())
		return nil
	}
	return s.settle(err)
}

// runCheck runs check -input on the inputs of list, and records in all the results and the
// quantities that it prints.
func (s *subject) runCheck(ctx context.Context, list []cases.Case, all []validation) error {
	results, err := s.caseData().Validate(ctx, list)
	if err != nil {
		return err
	}
	for i, r := range results {
		v := &all[i]
		v.valid = v.valid && r.Valid
		switch {
		case r.Valid:
			if v.extents, err = parseExtents(r.Stdout); err != nil {
				v.valid = false
				s.findAt(s.path(s.p.Check), "for a valid input it must print a line NAME LO HI for each quantity in bounds", "on %s: %v", v.c.Name, err)
			}
		case r.Invalid == nil:
			s.findAt(s.path(s.p.Check), "exit status 42 means valid, 43 invalid", "on %s: %s", v.c.Name, r.Failure)
		case v.must:
			s.find(located(r.Invalid))
		}
	}
	return nil
}
