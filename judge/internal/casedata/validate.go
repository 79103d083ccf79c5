package casedata

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
)

// Validation is the judgement of an input validator on the input of one case.
type Validation struct {
	Case    *cases.Case
	Valid   bool
	Invalid error  // why the validator rejects the input, located at the case; nil if it accepts
	Reason  string // the same without the place and the validator's name; only from ValidateWith
	Failure string // why there is no judgement, such as a crash, in one line; "" if there is one
	Stdout  []byte // standard output of the validator
}

// Validate runs the problem's input validator, check -input, on the inputs of the cases, which must
// be prepared, and returns its judgements in their order.
func (p *Provider) Validate(ctx context.Context, list []cases.Case) ([]Validation, error) {
	var results []Validation
	err := p.RunAll(ctx, p.Problem.Check, list, func(c *cases.Case) (run.Job, error) {
		input, _, err := p.input(ctx, c)
		return ValidateJob(input), err
	}, func(c *cases.Case, o run.Outcome, stdout []byte) error {
		v := Validation{Case: c, Stdout: stdout}
		var reason string
		if v.Valid, reason, v.Failure = ValidationResult(o); reason != "" {
			v.Invalid = c.Errorf("input", "", "%s", reason)
		}
		results = append(results, v)
		return nil
	})
	return results, err
}

// ValidateWith is like Validate with one of the input validators of a package, which runs beside
// the case's files. Any exit status except the one for acceptance rejects the input. It accepts the
// input of a case that it does not read.
func (p *Provider) ValidateWith(ctx context.Context, by problem.InputValidator, list []cases.Case) ([]Validation, error) {
	results := make([]Validation, len(list))
	var read []cases.Case
	var at []int // indices of read in list
	for i := range list {
		if only := list[i].InputValidators; only != nil && !slices.Contains(only, by.Name) {
			results[i] = Validation{Case: &list[i], Valid: true}
			continue
		}
		read, at = append(read, list[i]), append(at, i)
	}
	l := cmp.Or(by.Limits, limits.Validator)
	err := p.RunAll(ctx, by.Program, read, func(c *cases.Case) (run.Job, error) {
		input, _, err := p.input(ctx, c)
		if err != nil {
			return run.Job{}, err
		}
		files, err := c.Beside()
		return run.Job{Args: by.Args(c), Files: files, Input: input, Limits: l}, err
	}, func(c *cases.Case, o run.Outcome, _ []byte) error {
		v := &results[at[0]]
		v.Case, at = &list[at[0]], at[1:]
		switch {
		case o.Stop != sandbox.Exited:
			v.Failure = Cause(o, l)
		case o.ExitCode == by.Accepts():
			v.Valid = true
		default:
			v.Reason = Cause(o, l)
			v.Invalid = c.Errorf("input", "", "%s does not accept it: %s", filepath.Base(by.Program), v.Reason)
		}
		return nil
	})
	return results, err
}

// ValidateJob returns a run of the problem's input validator on an input; the caller sets the
// program.
func ValidateJob(input content.Content) run.Job {
	return run.Job{Args: []string{"-input"}, Input: input, Limits: limits.Validator}
}

// ValidationResult interprets the outcome of a [ValidateJob]: the input is valid, or rejected for a
// reason, or the validator failed. Reason and failure are one line each.
func ValidationResult(o run.Outcome) (valid bool, reason, failure string) {
	switch {
	case o.Stop == sandbox.Exited && o.ExitCode == problem.ExitAccepts:
		return true, "", ""
	case o.Stop == sandbox.Exited && o.ExitCode == problem.ExitRefuses:
		return false, withMessage("the input is not valid", o.Stderr), ""
	}
	return false, "", Cause(o, limits.Validator)
}

// ReduceJob returns a run of the problem's input validator that prints smaller inputs; the caller
// sets the program. docs/generators.md has the protocol.
func ReduceJob(input []byte) run.Job {
	l := limits.Validator
	l.Output = maxOffers
	return run.Job{Args: []string{"-reduce"}, Input: content.Of(input), Limits: l}
}

// maxOffers is the output limit of a run that prints smaller inputs.
const maxOffers = 64 * limits.MiB
