package main

import (
	"fmt"
	"maps"
	"slices"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
)

// promises are what a package says of those of its own submissions that are judged, by
// their indices.
type promises map[int]*promise

// promise is what is known of one of them.
type promise struct {
	name   string
	expect problem.Expect
	cases  []grade.Case
	broken []string
}

// promised reports whether the problem says more of what becomes of a submission than its verdict.
func promised(p *problem.Problem, name string) bool {
	own := problem.Find(p.Submissions, p.Root, name)
	if p.Format == "" { // otherwise the folder names the verdict, see expected
		return own != nil && own.Expect.Partial
	}
	return own != nil && (own.Expect.Final != 0 || own.Expect.Partial || own.Expect.Score != nil || len(own.Expect.Rules) > 0)
}

// promises returns what a package says of submissions, if that is to be expected. Where it
// has rules, all cases have to be judged.
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

// see takes a case into account.
func (p promises) see(c *grade.Case) {
	if one := p[c.Submission]; one != nil {
		one.cases = append(one.cases, *c)
		one.cases[len(one.cases)-1].Transcript = nil // which may be long
	}
}

// settle puts into the verdict on a submission whether it is what was promised.
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

// tell writes which promises were broken.
func (p promises) tell(std stdio) {
	for _, i := range slices.Sorted(maps.Keys(p)) {
		for _, what := range p[i].broken {
			std.note("%s: %s", p[i].name, what)
		}
	}
}
