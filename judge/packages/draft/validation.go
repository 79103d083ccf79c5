package draft

import (
	"path"
	"slices"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
)

const (
	Viva          = ".viva" // extension of validators for VIVA, which is not supported
	Checktestdata = ".ctd"  // extension of validators in Checktestdata
)

// ValidatorProtocol returns the protocol of the input or answer validator rel. It is usual, the
// protocol of the package, except that Checktestdata programs always have the exit statuses of the ICPC formats.
func ValidatorProtocol(rel string, usual problem.Protocol) problem.Protocol {
	if path.Ext(rel) == Checktestdata && usual.Rules().Valid != problem.ExitAccepts {
		return problem.ICPC
	}
	return usual
}

// validatorsAt returns the input or answer validators at the given paths, except unsupported ones.
// Cases refer to them by path.
func (p *Draft) validatorsAt(list []string, protocol problem.Protocol) (all []problem.InputValidator) {
	for _, rel := range list {
		if path.Ext(rel) != Viva {
			all = append(all, problem.InputValidator{
				Name: rel, Program: rel, Protocol: ValidatorProtocol(rel, protocol), Limits: p.ValidatorLimits(),
				Some: protocol.Rules().Some,
			})
		}
	}
	return all
}

// argsOf maps the given paths of validators to their arguments in args. It leaves out validators
// without arguments, and returns nil if none has any.
func argsOf(list []string, args InputArgs) map[string][]string {
	var all map[string][]string
	for _, rel := range list {
		if own := args.Of(rel); len(own) > 0 {
			if all == nil {
				all = map[string][]string{}
			}
			all[rel] = own
		}
	}
	return all
}

// tests returns the cases that test the validators. Its errors are those of [Draft.Given].
func (p *Draft) tests() ([]problem.Test, error) {
	var all []problem.Test
	for _, kind := range []struct {
		list  []*Case
		of    problem.Tested
		right bool
	}{
		{p.ValidInput, problem.TestedInput, true},
		{p.InvalidInput, problem.TestedInput, false},
		{p.ValidOutput, problem.TestedOutput, true},
		{p.ShownOutput, problem.TestedOutput, true},
		{p.InvalidOutput, problem.TestedOutput, false},
		{p.InvalidAnswer, problem.TestedAnswer, false},
	} {
		for _, c := range kind.list {
			given, err := p.Given(c)
			if err != nil {
				return nil, err
			}
			rel := map[problem.Tested]string{
				problem.TestedInput: c.Input, problem.TestedAnswer: c.Answer, problem.TestedOutput: c.Output,
			}[kind.of]
			all = append(all, problem.Test{
				Case: given, Of: kind.of, Right: kind.right, File: p.Show(rel),
				Valid: kind.of == problem.TestedInput && kind.right || kind.of != problem.TestedInput && !p.LooseTests,
				Read:  func() (content.Content, error) { return p.Content(rel) },
			})
		}
	}
	return slices.Clip(all), nil
}
