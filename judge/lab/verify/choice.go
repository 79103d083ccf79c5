package verify

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// choice selects the cases and the example submissions of all problems by patterns.
type choice struct {
	cases, submissions []string
	unmatched          map[string]error // for each pattern that has selected nothing so far, the reason
}

// UnmatchedError reports a malformed pattern, or one that selects nothing in any problem.
type UnmatchedError struct {
	Of string // what the pattern selects: case or submission
	error
}

// partial reports whether something is left out, so that nothing can be said about the whole.
func (c *choice) partial() bool { return len(c.cases)+len(c.submissions) > 0 }

// ofCases returns the chosen cases, in their order.
func (c *choice) ofCases(list []cases.Case) []cases.Case {
	if len(c.cases) == 0 {
		return list
	}
	chosen := map[string]bool{}
	for _, pattern := range c.cases {
		matched, err := cases.Match(pattern, list)
		c.record("case", pattern, err)
		for _, m := range matched {
			chosen[m.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(m cases.Case) bool { return !chosen[m.Name] })
}

// ofSubmissions returns the chosen submissions of p, in their order. If only some cases were
// chosen, the submissions promise only what these cases can show.
func (c *choice) ofSubmissions(p *problem.Problem, chosenCases []cases.Case) []problem.Submission {
	list := slices.Clone(p.Submissions)
	if len(c.submissions) > 0 {
		list = c.matched(p)
	}
	if len(c.cases) > 0 {
		for i := range list {
			list[i].Expect = onSome(list[i].Expect, chosenCases)
		}
	}
	return list
}

// onSome returns the part of a promise that some of the cases can break: a verdict that it does not
// allow. It says nothing about points, or verdicts that other cases may get.
func onSome(e problem.Expect, list []cases.Case) problem.Expect {
	if e.Final != 0 {
		e.Final |= verdict.AC.Class()
	}
	e.Partial, e.Score = false, nil
	var rules []problem.Rule
	for _, r := range e.Rules {
		if slices.ContainsFunc(list, func(m cases.Case) bool { return r.Match(m.Name) }) {
			r.Required, r.Message, r.Score = 0, "", nil
			rules = append(rules, r)
		}
	}
	e.Rules = rules
	return e
}

// matched returns the submissions of p that match a pattern, in their order.
func (c *choice) matched(p *problem.Problem) (list []problem.Submission) {
	chosen := map[int]bool{}
	for _, pattern := range c.submissions {
		matched := false
		var names []string
		for i, s := range p.Submissions {
			name := filepath.ToSlash(p.Show(s.Path))
			names = append(names, path.Base(path.Dir(name))+"/"+path.Base(name), path.Base(name))
			if matchesEnd(pattern, name) || matchesEnd(pattern, path.Dir(name)) {
				chosen[i], matched = true, true
			}
		}
		_, err := path.Match(pattern, "")
		switch {
		case err != nil:
			err = fmt.Errorf("bad pattern %q (hint: * and ? stand for letters, [a-z] for one of them; a bracket must be closed)", pattern)
		case !matched:
			hint := "write it like accepted/*.cpp"
			if near := yamlstrict.Nearest(pattern, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			err = fmt.Errorf("no submission matches %q (hint: %s)", pattern, hint)
		}
		c.record("submission", pattern, err)
	}
	for i, s := range p.Submissions {
		if chosen[i] {
			list = append(list, s)
		}
	}
	return list
}

// matchesEnd reports whether a pattern in the syntax of [path.Match] matches the last elements of
// name, as many as the pattern has.
func matchesEnd(pattern, name string) bool {
	parts := strings.Split(name, "/")
	n := min(strings.Count(pattern, "/")+1, len(parts))
	ok, _ := path.Match(pattern, strings.Join(parts[len(parts)-n:], "/"))
	return ok
}

// record notes whether a pattern has selected anything in a problem.
func (c *choice) record(of, pattern string, err error) {
	key := of + " " + pattern
	before, seen := c.unmatched[key]
	switch {
	case err == nil:
		c.unmatched[key] = nil
	case !seen || before != nil:
		c.unmatched[key] = &UnmatchedError{of, err}
	}
}

// err returns the error about the first pattern that has selected nothing in any problem, or nil.
func (c *choice) err() error {
	var keys []string
	for _, pattern := range c.cases {
		keys = append(keys, "case "+pattern)
	}
	for _, pattern := range c.submissions {
		keys = append(keys, "submission "+pattern)
	}
	for _, key := range keys {
		if err := c.unmatched[key]; err != nil {
			return err
		}
	}
	return nil
}
