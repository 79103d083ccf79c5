package commands

import (
	"fmt"
	"maps"
	"slices"

	"tribunal/judge/cli"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
)

// promises holds the results that the problem declares for submissions, by their indices.
type promises map[int]*promise

// promise is the declared result of one submission, and the results of its cases so far.
type promise struct {
	name   string
	expect problem.Expect
	cases  []grade.Case
	broken []string
}

// promises returns the promises about submissions if --expect was given. If one of them has rules,
// promises makes the task judge all cases.
func (g *gradeOptions) promises(p *problem.Problem, names []string, t *grade.Task) (promises, error) {
	list := promises{}
	if !g.expect {
		return list, nil
	}
	for i, name := range names {
		if !cli.Promised(p, name) {
			continue
		}
		if len(g.globs) > 0 {
			return nil, cli.Usage(fmt.Errorf("%s: --expect and --case exclude each other, because a package declares results for all cases (hint: leave one of them out)", name))
		}
		list[i] = &promise{name: name, expect: problem.Find(p.Submissions, p.Root, name).Expect}
		t.All = t.All || len(list[i].expect.Rules) > 0
	}
	return list, nil
}

// record adds the result of a case.
func (p promises) record(c *grade.Case) {
	if one := p[c.Submission]; one != nil {
		one.cases = append(one.cases, *c)
		one.cases[len(one.cases)-1].Transcript = nil // not needed, and may be large
	}
}

// decide records in d whether the submission kept its promise. Points that the user has given promise nothing.
func (p promises) decide(d *grade.Done, given bool) {
	one := p[d.Submission]
	if one == nil {
		return
	}
	judged := grade.Judged{Cases: one.cases, Done: *d}
	if given {
		judged.Done.Points = nil
	}
	if one.broken = judged.Broken(one.expect); one.broken == nil {
		d.Expected = d.Verdict
	}
	d.AsExpected, one.cases = new(one.broken == nil), nil
}

// print prints a line for each broken promise.
func (p promises) print(std cli.Stdio) {
	for _, i := range slices.Sorted(maps.Keys(p)) {
		for _, reason := range p[i].broken {
			std.Note("%s: %s", p[i].name, reason)
		}
	}
}
