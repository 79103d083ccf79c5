package pkgformat

import (
	"path"
	"slices"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
)

// viva is the ending of validators in a language that is not supported.
const viva = ".viva"

// checktestdata is the ending of validators in Checktestdata.
const checktestdata = ".ctd"

// ValidatorProtocol returns the protocol of an input or answer validator in a package whose others
// have the protocol usual. Validators in Checktestdata never answer as testlib's do.
func ValidatorProtocol(rel string, usual problem.Protocol) problem.Protocol {
	if path.Ext(rel) == checktestdata && usual == problem.Testlib {
		return problem.ICPC
	}
	return usual
}

// validatorsAt returns the input or answer validators at some paths, without those that are not
// supported. Cases call them by their paths.
func (p *Package) validatorsAt(list []string, protocol problem.Protocol) (all []problem.InputValidator) {
	for _, rel := range list {
		if path.Ext(rel) != viva {
			all = append(all, problem.InputValidator{Name: rel, Program: rel, Protocol: ValidatorProtocol(rel, protocol), Limits: p.ValidatorLimits()})
		}
	}
	return all
}

// argsOf returns the arguments that a case has for some validators, by their paths.
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

// tests returns the data that tests the validators. An error is that of [Package.Given].
func (p *Package) tests() ([]problem.Test, error) {
	var all []problem.Test
	for _, kind := range []struct {
		list  []*Case
		of    problem.Tested
		right bool
	}{
		{p.ValidInput, problem.TestedInput, true},
		{p.InvalidInput, problem.TestedInput, false},
		{p.ValidOutput, problem.TestedOutput, true},
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
				// Polygon does not want the inputs of its checkers' tests to be valid.
				Valid: kind.of == problem.TestedInput && kind.right || kind.of != problem.TestedInput && p.Format != Polygon,
				Read:  func() (content.Content, error) { return p.Content(rel) },
			})
		}
	}
	return slices.Clip(all), nil
}
