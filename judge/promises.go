package main

import (
	"fmt"
	"maps"
	"slices"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
)

// promises holds what the problem promises of submissions that are judged, by their indices.
type promises map[int]*promise

// promise is the promise about one submission, and what is known about it so far.
type promise struct {
	name   string
	expect problem.Expect
	cases  []grade.Case
	broken []string
}

// promised reports whether the problem promises more about a submission than its folder says.
func promised(p *problem.Problem, name string) bool {
	own := problem.Find(p.Submissions, p.Root, name)
	if p.Format == "" { // the folder names the verdict, see expected
		return own != nil && own.Expect.Partial
	}
	return own != nil && (own.Expect.Final != 0 || own.Expect.Partial || own.Expect.Score != nil || len(own.Expect.Rules) > 0)
}

// promises returns the promises about submissions if --expect was given. If there are rules among
// them, the task will judge all cases.
func (g *gradeOptions) promises(p *problem.Problem, names []string, t *grade.Task) (promises, error) {
	list := promises{}
	if !g.expect {
		return list, nil
	}
	for i, name := range names {
		if !promised(p, name) {
			continue
		}
		if len(g.globs) > 0 {
			return nil, usage(fmt.Errorf("%s: --expect and --case together: what a package promises is about all cases (hint: leave one of them out)", name))
		}
		list[i] = &promise{name: name, expect: problem.Find(p.Submissions, p.Root, name).Expect}
		t.All = t.All || len(list[i].expect.Rules) > 0
	}
	return list, nil
}

// see records the result of a case.
func (p promises) see(c *grade.Case) {
	if one := p[c.Submission]; one != nil {
		one.cases = append(one.cases, *c)
		one.cases[len(one.cases)-1].Transcript = nil // it may be long
	}
}

// settle sets in the verdict on a submission whether the promise was kept.
func (p promises) settle(d *grade.Done) {
	one := p[d.Submission]
	if one == nil {
		return
	}
	if one.broken = (grade.Judged{Cases: one.cases, Done: *d}).Broken(one.expect); one.broken == nil {
		d.Expected = d.Verdict
	}
	d.AsExpected, one.cases = new(one.broken == nil), nil
}

// tell prints the broken promises.
func (p promises) tell(std stdio) {
	for _, i := range slices.Sorted(maps.Keys(p)) {
		for _, what := range p[i].broken {
			std.note("%s: %s", p[i].name, what)
		}
	}
}
