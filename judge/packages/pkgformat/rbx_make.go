package pkgformat

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

// rbxOutcomes maps what rbx calls an expected outcome, without blanks and marks, to the verdicts that
// it means: unlike the Kattis formats, rbx does not take one failure for another. No verdict of a
// submission matches judgefailed.
var rbxOutcomes = sync.OnceValue(func() map[string]verdict.Set {
	m, o := verdict.SetOf(verdict.MLE), verdict.SetOf(verdict.OLE)
	late, crash := verdict.SetOf(verdict.TLE, verdict.ILE), verdict.SetOf(verdict.RTE, verdict.SV)
	all := map[string]verdict.Set{}
	for _, of := range []struct {
		set   verdict.Set
		names string
	}{
		{anyCase, "any"},
		{accepted, "accepted ac correct"},
		{accepted | late, "acceptedortimelimitexceeded acceptedortle acortle ac/tle ac+tle"},
		{wrong, "wronganswer wa"},
		{wrong | crash | m | o | late, "incorrect fail"},
		{crash, "runtimeerror rte re"},
		{late, "timelimitexceeded timeout tle tl"},
		{m, "memorylimitexceeded mle ml"},
		{o, "outputlimitexceeded ole ol"},
		{late | crash, "tleorrte tle/rte tle+rte tleorre tle+re"},
		{verdict.SetOf(verdict.JE), "judgefailed jf"},
		{failed, "compilationerror ce"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			all[name] = of.set
		}
	}
	return all
})

// rbxOutcome reads an expected outcome. Blanks, marks, upper and lower case do not matter.
func rbxOutcome(n node) (verdict.Set, error) {
	text, err := n.text()
	if err != nil {
		return 0, err
	}
	set, known := rbxOutcomes()[strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "", ".", "", ":", "", ";", "", ",", "").Replace(text))]
	if !known {
		return 0, n.wrong("such as accepted, wrong answer, tle or incorrect", "unknown outcome %s", quote.Name(text))
	}
	return set, nil
}

// outcome reads an expected outcome of a solution. rbx does not limit what one writes to an interactor:
// it is killed at the time limit.
func (r *rbxReader) outcome(n node) (verdict.Set, error) {
	set, err := rbxOutcome(n)
	if r.communication && set.Has(verdict.TLE) {
		set |= verdict.SetOf(verdict.OLE)
	}
	return set, err
}

// rbxRule returns what an outcome promises for the cases that a pattern matches, "" for all: that each
// is accepted or has it, and that one has it. ok is false if it promises nothing.
func rbxRule(set verdict.Set, cases, from string) (problem.Rule, bool) {
	r := problem.Rule{Cases: cases, Permitted: set | accepted, Required: set, From: from}
	return r, set != anyCase
}

// rbxBuiltin maps the checkers that rbx downloads to how they compare.
var rbxBuiltin = map[string]diff.Options{
	"wcmp.cpp": {Mode: diff.Tokens}, "ncmp.cpp": {Mode: diff.Tokens}, "icmp.cpp": {Mode: diff.Tokens}, "hcmp.cpp": {Mode: diff.Tokens},
	"yesno.cpp": {Mode: diff.Tokens, FoldCase: true}, "nyesno.cpp": {Mode: diff.Tokens, FoldCase: true},
	"dcmp.cpp": {Mode: diff.Float, Abs: 1e-6, Rel: 1e-6}, "rcmp.cpp": {Mode: diff.Float, Abs: 1.5e-6}, "acmp.cpp": {Mode: diff.Float, Abs: 1.5e-6},
	"rncmp.cpp": {Mode: diff.Float, Abs: 1.5e-5}, "rcmp4.cpp": {Mode: diff.Float, Abs: 1e-4, Rel: 1e-4},
	"rcmp6.cpp": {Mode: diff.Float, Abs: 1e-6, Rel: 1e-6}, "rcmp9.cpp": {Mode: diff.Float, Abs: 1e-9, Rel: 1e-9},
}

// checker reads the checker: a program of the package, or one that rbx brings.
func (r *rbxReader) checker(n node) error {
	var fallback *node
	i, err := r.item(n, map[string]func(node) error{
		"fallback_to": func(n node) error { fallback = &n; return nil },
		"mode": func(n node) error {
			mode, err := n.text()
			if err == nil && mode != "testlib" {
				err = n.wrong("write a checker for testlib", "checkers in the mode %s are not supported", quote.Name(mode))
			}
			return err
		},
	})
	if err != nil {
		return err
	}
	if file, _, err := r.p.files.kind(i.path); err != nil {
		return err
	} else if file {
		r.p.Validation.Programs, err = []string{i.path}, nil
		if i.language != "" {
			r.p.program(i.path).language = i.language
		}
		return err
	}
	if fallback != nil {
		return r.checker(*fallback)
	}
	if r.communication {
		return i.at.wrong("add it", "there is no %s", quote.Name(i.path))
	}
	o, known := rbxBuiltin[path.Base(i.path)]
	if !known {
		return i.at.wrong("add it; rbx download checker "+path.Base(i.path)+" may have it", "there is no %s", quote.Name(i.path))
	}
	r.p.Compare = o
	return nil
}

// readSolutions lists the submissions.
func (r *rbxReader) readSolutions() error {
	p := r.p
	for _, item := range r.solutions {
		var outcome, perGroup, score *node
		keep := func(to **node) func(node) error {
			return func(n node) error { *to = &n; return nil }
		}
		i, err := r.item(*item, map[string]func(node) error{
			"outcome": keep(&outcome), "outcomePerGroup": keep(&perGroup), "score": keep(&score), "tags": nil, "inference": nil,
		})
		if err != nil {
			return err
		}
		e := problem.Expect{From: fmt.Sprintf("%s:%d", rbxFile, item.line())}
		set := anyCase
		if outcome != nil {
			if set, err = r.outcome(*outcome); err != nil {
				return err
			}
		}
		if set == verdict.SetOf(verdict.JE) {
			outcome.d.notef(outcome.line(), "not judged: no submission promises that the judge fails")
			continue
		}
		if err := r.promise(&e, set, perGroup, score); err != nil {
			return err
		}
		list := []string{i.path}
		if strings.Contains(i.path, "*") {
			list, err = r.glob(i.path, i.at)
			list = slices.DeleteFunc(list, func(rel string) bool { return i.language == "" && !slices.Contains(programExtensions, path.Ext(rel)) })
		} else if file, _, bad := p.files.kind(i.path); bad != nil || !file {
			if err = bad; err == nil {
				err = i.at.wrong("add it", "there is no %s", quote.Name(i.path))
			}
		}
		if err != nil {
			return err
		}
		for _, rel := range list {
			if slices.ContainsFunc(p.Submissions, func(s problem.Submission) bool { return s.Path == rel }) {
				continue
			}
			model := set == accepted && p.modelSolution() == ""
			p.Submissions = append(p.Submissions, problem.Submission{Path: rel, Language: i.language, Model: model, Expect: e})
		}
	}
	return nil
}

// promise sets what a solution promises.
func (r *rbxReader) promise(e *problem.Expect, set verdict.Set, perGroup, score *node) error {
	if set == accepted {
		e.Final = accepted
	} else if rule, ok := rbxRule(set, "", e.From); ok {
		e.Rules = append(e.Rules, rule)
	}
	if perGroup != nil {
		if err := r.promiseGroups(e, *perGroup); err != nil {
			return err
		}
	}
	if score == nil || !r.p.Scoring {
		return nil
	}
	bounds := [2]float64{0, 1e9}
	ends := score.items()
	if ends == nil {
		ends = []*node{score, score}
	}
	if len(ends) != 2 {
		return score.wrong("write one number, or [30, 60]", "a range needs two numbers")
	}
	for i, end := range ends {
		if end.n == nil {
			continue
		}
		var err error
		if bounds[i], err = end.number(0); err != nil {
			return err
		}
	}
	e.Score = &bounds
	return nil
}

// promiseGroups adds what a solution promises about single groups. The key * stands for all that
// have no key of their own.
func (r *rbxReader) promiseGroups(e *problem.Expect, n node) error {
	list, err := n.pairs()
	if err != nil {
		return err
	}
	sets, others := map[string]verdict.Set{}, anyCase
	for _, k := range list {
		k.value.key = "outcomePerGroup." + k.key
		set, err := r.outcome(k.value)
		if err != nil {
			return err
		}
		if k.key == "*" {
			others = set
			continue
		}
		if r.byName[k.key] == nil {
			return k.value.wrong("write the name of a group of testcases, or *", "there is no group %s", quote.Name(k.key))
		}
		sets[k.key] = set
	}
	for _, g := range r.groups {
		set, own := sets[g.name]
		if !own {
			set = others
		}
		if rule, ok := rbxRule(set, g.name, e.From); ok {
			e.Rules = append(e.Rules, rule)
		}
	}
	return r.p.countRules(rbxFile, n.line(), len(r.groups))
}

// points gives the groups their scores.
func (r *rbxReader) points() error {
	total := 0.0
	for _, g := range r.groups {
		total += g.score
	}
	if r.p.Scoring = r.p.Scoring && total > 0; !r.p.Scoring {
		return nil
	}
	for _, g := range r.groups {
		if g.made == nil {
			continue
		}
		s := &g.made.Settings
		s.Whole, s.Aggregation = g.score, "pass-fail"
		requires, err := r.requires(g, nil)
		if err != nil {
			return err
		}
		for _, name := range requires {
			if r.byName[name].made != nil {
				s.RequirePass = append(s.RequirePass, name)
			}
		}
	}
	return nil
}

// requires returns the groups on which g depends, and those on which they depend. above holds the
// names of the groups that depend on g.
func (r *rbxReader) requires(g *rbxGroup, above []string) ([]string, error) {
	if known, done := r.required[g.name]; done {
		return known, nil
	}
	above = append(slices.Clip(above), g.name)
	all, met := []string{}, map[string]bool{}
	for _, name := range g.deps {
		other := r.byName[name]
		switch {
		case other == nil:
			return nil, g.depsAt.wrong("", "there is no group %s", quote.Name(name))
		case slices.Contains(above, name):
			return nil, g.depsAt.wrong("", "%s depends on itself", name)
		}
		if err := r.p.files.spend(rbxFile, 16*len(above)); err != nil {
			return nil, err
		}
		more, err := r.requires(other, above)
		if err != nil {
			return nil, err
		}
		if err := r.p.files.spend(rbxFile, 16*len(more)); err != nil {
			return nil, err
		}
		for _, one := range append(slices.Clip(more), name) {
			if !met[one] {
				met[one] = true
				all = append(all, one)
			}
		}
	}
	if r.required == nil {
		r.required = map[string][]string{}
	}
	r.required[g.name] = all
	return all, nil
}

// make makes the inputs by the generators, and the answers by the main solution.
func (r *rbxReader) make() error {
	p := r.p
	if err := p.make(r.steps); err != nil {
		return err
	}
	var steps []Step
	for _, c := range p.Cases {
		g := r.byName[c.Group]
		if g.model == "" || c.Answer == "" {
			continue
		}
		if there, _, err := p.kind(c.Answer); err != nil {
			return err
		} else if !there {
			steps = append(steps, p.answerStep(g.model, c, c.Name))
		}
	}
	if err := p.make(steps); err != nil {
		return err
	}
	if !p.Validation.Interactive || len(p.Validation.Programs) > 0 {
		return p.makeAnswers(p.modelSolution(), func(c *Case) error {
			return p.files.errorf(rbxFile, 0, "give a solution the outcome accepted", "no solution makes the answer to %s", c.Name)
		})
	}
	for _, c := range p.Cases {
		if err := p.sizes(c); err != nil {
			return err
		}
	}
	return nil
}
