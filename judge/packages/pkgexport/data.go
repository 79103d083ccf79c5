package pkgexport

import (
	"fmt"
	"slices"

	"tribunal/judge/internal/cases"
)

// splitSamples splits the cases into the samples, in the order of the statement, and the others, by
// group in case order.
func (p *plan) splitSamples() (samples []*cases.Case, groups [][]*cases.Case) {
	for _, name := range p.Problem.Samples {
		if i := slices.IndexFunc(p.Cases, func(c cases.Case) bool { return c.Name == name }); i >= 0 {
			samples = append(samples, &p.Cases[i])
		}
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		if slices.Contains(samples, c) {
			continue
		}
		if n := len(groups); n == 0 || groups[n-1][0].Group != c.Group {
			groups = append(groups, nil)
		}
		n := len(groups) - 1
		groups[n] = append(groups[n], c)
	}
	return samples, groups
}

// number formats the index i, below count, as a number from 1. It adds leading zeros so that all
// count names sort like numbers.
func number(i, count int) string {
	width := max(2, len(fmt.Sprint(count)))
	return fmt.Sprintf("%0*d", width, i+1)
}

// numbered returns the names of cases and folders as they are if that is their order in a package, and
// else with numbers before them. So names that have numbers from an earlier export get no more.
func numbered(names []string) []string {
	sorted := true
	for i := 1; i < len(names); i++ { // tools sort the names with and without .in
		sorted = sorted && names[i-1] < names[i] && names[i-1]+".in" < names[i]+".in"
	}
	if sorted {
		return names
	}
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = number(i, len(names)) + "-" + name
	}
	return list
}
