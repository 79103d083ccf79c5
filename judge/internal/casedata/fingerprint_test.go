package casedata

import (
	"testing"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
)

// TestSpelled checks that equal values are spelled alike, wherever they are in memory, and that no
// difference is lost.
func TestSpelled(t *testing.T) {
	t.Parallel()
	group := func(change func(*points.Group)) *points.Group {
		g := &points.Group{Name: "secret", Cases: []int{1, 2}, Rule: points.Legacy{}, Groups: []*points.Group{{Name: "secret/a", Cases: []int{3}}}}
		change(g)
		return g
	}
	validator := func(change func(*problem.Validator)) *problem.Validator {
		v := &problem.Validator{Program: "a", Then: &problem.Validator{Program: "b", Flags: []string{"x", "y"}}}
		change(v)
		return v
	}
	values := []func() any{
		func() any { return nil },
		func() any { return (*points.Group)(nil) },
		func() any { return group(func(*points.Group) {}) },
		func() any { return group(func(g *points.Group) { g.Groups[0].Cases[0] = 4 }) },
		func() any { return group(func(g *points.Group) { g.Groups[0].Rule = points.Polygon{} }) },
		func() any { return group(func(g *points.Group) { g.Rule = points.ICPC2023{} }) },
		func() any { return validator(func(*problem.Validator) {}) },
		func() any { return validator(func(v *problem.Validator) { v.Then.Flags = []string{"x,", "y"} }) },
		func() any { return validator(func(v *problem.Validator) { v.Then.Flags = []string{"xy"} }) },
		func() any { return validator(func(v *problem.Validator) { v.Then = nil }) },
		func() any { return []string{"a", "b"} },
		func() any { return []string{`a",b`} },
		func() any { return map[string][]byte{"a": {1}, "b": {2}, "c": {}} },
		func() any { return map[string][]byte{"a": {1}, "b": {}, "c": {2}} },
		func() any { return [2]float64{0.1, 1} },
		func() any { return [2]float64{0.1, -1} },
	}
	seen := map[string]int{}
	for i, value := range values {
		text := spelled(value())
		for range 20 { // the order of a map varies
			if again := spelled(value()); again != text {
				t.Errorf("%d: %q and %q", i, text, again)
			}
		}
		if other, known := seen[text]; known && i > 1 { // nil is spelled alike in all types
			t.Errorf("%d is spelled like %d: %q", i, other, text)
		}
		seen[text] = i
	}
}
