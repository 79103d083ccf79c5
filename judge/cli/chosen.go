package cli

import (
	"fmt"
	"slices"

	"tribunal/judge/internal/cases"
)

// MaxRepeat is the largest value of --repeat.
const MaxRepeat = 100

// ChosenCases returns the cases that match one of the globs of the flag --case, in their order, or all if there are none.
func ChosenCases(globs []string, list []cases.Case) ([]cases.Case, error) {
	chosen, err := Matching(globs, list)
	if err != nil {
		return nil, Usage(fmt.Errorf("--case: %w", err))
	}
	return chosen, nil
}

// Matching returns a new list of the cases that match one of the patterns, in case order, or the list
// itself if there are no patterns.
func Matching(globs []string, list []cases.Case) ([]cases.Case, error) {
	if len(globs) == 0 {
		return list, nil
	}
	chosen := map[string]bool{}
	for _, glob := range globs {
		matched, err := cases.Match(glob, list)
		if err != nil {
			return nil, err
		}
		for _, c := range matched {
			chosen[c.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(c cases.Case) bool { return !chosen[c.Name] }), nil
}
