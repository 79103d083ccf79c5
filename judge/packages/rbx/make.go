package rbx

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
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// outcomes maps what rbx calls an expected outcome, without blanks and marks, to the verdicts that
// it means: unlike the Kattis formats, rbx does not take one failure for another. No verdict of a
// submission matches judgefailed.
var outcomes = sync.OnceValue(func() map[string]verdict.Set {
	m, o := verdict.SetOf(verdict.MLE), verdict.SetOf(verdict.OLE)
	late, crash := verdict.SetOf(verdict.TLE, verdict.ILE), verdict.SetOf(verdict.RTE, verdict.SV)
	all := map[string]verdict.Set{}
	for _, of := range []struct {
		set   verdict.Set
		names string
	}{
		{draft.AnyCase, "any"},
		{draft.Accepted, "accepted ac correct"},
		{draft.Accepted | late, "acceptedortimelimitexceeded acceptedortle acortle ac/tle ac+tle"},
		{draft.Wrong, "wronganswer wa"},
		{draft.Wrong | crash | m | o | late, "incorrect fail"},
		{crash, "runtimeerror rte re"},
		{late, "timelimitexceeded timeout tle tl"},
		{m, "memorylimitexceeded mle ml"},
		{o, "outputlimitexceeded ole ol"},
		{late | crash, "tleorrte tle/rte tle+rte tleorre tle+re"},
		{verdict.SetOf(verdict.JE), "judgefailed jf"},
		{draft.Failed, "compilationerror ce"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			all[name] = of.set
		}
	}
	return all
})

// rbxOutcome reads an expected outcome. Blanks, marks, upper and lower case do not matter.
func rbxOutcome(n yamlloose.Node) (verdict.Set, error) {
	text, err := n.Text()
	if err != nil {
		return 0, err
	}
	set, known := outcomes()[strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "", ".", "", ":", "", ";", "", ",", "").Replace(text))]
	if !known {
		return 0, n.Wrong("such as accepted, wrong answer, tle or incorrect", "unknown outcome %s", quote.Name(text))
	}
	return set, nil
}

// outcome reads an expected outcome of a solution. rbx does not limit what one writes to an interactor:
// it is killed at the time limit.
func (r *reader) outcome(n yamlloose.Node) (verdict.Set, error) {
	set, err := rbxOutcome(n)
	if r.communication && set.Has(verdict.TLE) {
		set |= verdict.SetOf(verdict.OLE)
	}
	return set, err
}

// rule returns what an outcome promises for the cases that a pattern matches, "" for all: that each
// is accepted or has it, and that one has it. ok is false if it promises nothing.
func rule(set verdict.Set, cases, from string) (problem.Rule, bool) {
	r := problem.Rule{Cases: cases, Permitted: set | draft.Accepted, Required: set, From: from}
	return r, set != draft.AnyCase
}

// builtin maps the checkers that rbx downloads to how they compare.
var builtin = map[string]diff.Options{
	"wcmp.cpp": {Mode: diff.Tokens}, "ncmp.cpp": {Mode: diff.Tokens}, "icmp.cpp": {Mode: diff.Tokens}, "hcmp.cpp": {Mode: diff.Tokens},
	"yesno.cpp": {Mode: diff.Tokens, FoldCase: true}, "nyesno.cpp": {Mode: diff.Tokens, FoldCase: true},
	"dcmp.cpp": {Mode: diff.Float, Abs: 1e-6, Rel: 1e-6}, "rcmp.cpp": {Mode: diff.Float, Abs: 1.5e-6}, "acmp.cpp": {Mode: diff.Float, Abs: 1.5e-6},
	"rncmp.cpp": {Mode: diff.Float, Abs: 1.5e-5}, "rcmp4.cpp": {Mode: diff.Float, Abs: 1e-4, Rel: 1e-4},
	"rcmp6.cpp": {Mode: diff.Float, Abs: 1e-6, Rel: 1e-6}, "rcmp9.cpp": {Mode: diff.Float, Abs: 1e-9, Rel: 1e-9},
}

// checker reads the checker: a program of the package, or one that rbx brings.
func (r *reader) checker(n yamlloose.Node) error {
	var fallback *yamlloose.Node
	i, err := r.item(n, map[string]func(yamlloose.Node) error{
		"fallback_to": func(n yamlloose.Node) error { fallback = &n; return nil },
		"mode": func(n yamlloose.Node) error {
			mode, err := n.Text()
			if err == nil && mode != "testlib" {
				err = n.Wrong("write a checker for testlib", "checkers in the mode %s are not supported", quote.Name(mode))
			}
			return err
		},
	})
	if err != nil {
		return err
	}
	if file, _, err := r.Tree.Kind(i.path); err != nil {
		return err
	} else if file {
		r.Validation.Programs, err = []string{i.path}, nil
		if i.language != "" {
			r.Describe(i.path).Language = i.language
		}
		return err
	}
	if fallback != nil {
		return r.checker(*fallback)
	}
	if r.communication {
		return i.at.Wrong("add it", "there is no %s", quote.Name(i.path))
	}
	o, known := builtin[path.Base(i.path)]
	if !known {
		return i.at.Wrong("add it; rbx download checker "+path.Base(i.path)+" may have it", "there is no %s", quote.Name(i.path))
	}
	r.Compare = o
	return nil
}

// readSolutions lists the submissions.
func (r *reader) readSolutions() error {
	for _, item := range r.solutions {
		var outcome, perGroup, score *yamlloose.Node
		keep := func(to **yamlloose.Node) func(yamlloose.Node) error {
			return func(n yamlloose.Node) error { *to = &n; return nil }
		}
		i, err := r.item(*item, map[string]func(yamlloose.Node) error{
			"outcome": keep(&outcome), "outcomePerGroup": keep(&perGroup), "score": keep(&score), "tags": nil, "inference": nil,
		})
		if err != nil {
			return err
		}
		e := problem.Expect{From: fmt.Sprintf("%s:%d", file, item.Line())}
		set := draft.AnyCase
		if outcome != nil {
			if set, err = r.outcome(*outcome); err != nil {
				return err
			}
		}
		if set == verdict.SetOf(verdict.JE) {
			outcome.Doc.Notef(outcome.Line(), "not judged: no submission promises that the judge fails")
			continue
		}
		if err := r.promise(&e, set, perGroup, score); err != nil {
			return err
		}
		list := []string{i.path}
		if strings.Contains(i.path, "*") {
			list, err = r.glob(i.path, i.at)
			list = slices.DeleteFunc(list, func(rel string) bool {
				return i.language == "" && !slices.Contains(draft.ProgramExtensions, path.Ext(rel))
			})
		} else if file, _, bad := r.Tree.Kind(i.path); bad != nil || !file {
			if err = bad; err == nil {
				err = i.at.Wrong("add it", "there is no %s", quote.Name(i.path))
			}
		}
		if err != nil {
			return err
		}
		for _, rel := range list {
			if slices.ContainsFunc(r.Submissions, func(s problem.Submission) bool { return s.Path == rel }) {
				continue
			}
			model := set == draft.Accepted && r.ModelSolution() == ""
			r.Submissions = append(r.Submissions, problem.Submission{Path: rel, Language: i.language, Model: model, Expect: e})
		}
	}
	return nil
}

// promise sets what a solution promises.
func (r *reader) promise(e *problem.Expect, set verdict.Set, perGroup, score *yamlloose.Node) error {
	if set == draft.Accepted {
		e.Final = draft.Accepted
	} else if rule, ok := rule(set, "", e.From); ok {
		e.Rules = append(e.Rules, rule)
	}
	if perGroup != nil {
		if err := r.promiseGroups(e, *perGroup); err != nil {
			return err
		}
	}
	if score == nil || !r.Scoring {
		return nil
	}
	bounds := [2]float64{0, 1e9}
	ends := score.Items()
	if ends == nil {
		ends = []*yamlloose.Node{score, score}
	}
	if len(ends) != 2 {
		return score.Wrong("write one number, or [30, 60]", "a range needs two numbers")
	}
	for i, end := range ends {
		if end.Raw == nil {
			continue
		}
		var err error
		if bounds[i], err = end.Number(0); err != nil {
			return err
		}
	}
	e.Score = &bounds
	return nil
}

// promiseGroups adds what a solution promises about single groups. The key * stands for all that
// have no key of their own.
func (r *reader) promiseGroups(e *problem.Expect, n yamlloose.Node) error {
	list, err := n.Pairs()
	if err != nil {
		return err
	}
	sets, others := map[string]verdict.Set{}, draft.AnyCase
	for _, k := range list {
		k.Value.Key = "outcomePerGroup." + k.Key
		set, err := r.outcome(k.Value)
		if err != nil {
			return err
		}
		if k.Key == "*" {
			others = set
			continue
		}
		if r.byName[k.Key] == nil {
			return k.Value.Wrong("write the name of a group of testcases, or *", "there is no group %s", quote.Name(k.Key))
		}
		sets[k.Key] = set
	}
	for _, g := range r.groups {
		set, own := sets[g.name]
		if !own {
			set = others
		}
		if rule, ok := rule(set, g.name, e.From); ok {
			e.Rules = append(e.Rules, rule)
		}
	}
	return r.CountRules(file, n.Line(), len(r.groups))
}

// points gives the groups their scores.
func (r *reader) points() error {
	total := 0.0
	for _, g := range r.groups {
		total += g.score
	}
	if r.Scoring = r.Scoring && total > 0; !r.Scoring {
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
func (r *reader) requires(g *group, above []string) ([]string, error) {
	if known, done := r.required[g.name]; done {
		return known, nil
	}
	above = append(slices.Clip(above), g.name)
	all, met := []string{}, map[string]bool{}
	for _, name := range g.deps {
		other := r.byName[name]
		switch {
		case other == nil:
			return nil, g.depsAt.Wrong("", "there is no group %s", quote.Name(name))
		case slices.Contains(above, name):
			return nil, g.depsAt.Wrong("", "%s depends on itself", name)
		}
		if err := r.Tree.Spend(file, 16*len(above)); err != nil {
			return nil, err
		}
		more, err := r.requires(other, above)
		if err != nil {
			return nil, err
		}
		if err := r.Tree.Spend(file, 16*len(more)); err != nil {
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
func (r *reader) make() error {
	if err := r.Make(r.steps); err != nil {
		return err
	}
	var steps []draft.Step
	for _, c := range r.Cases {
		g := r.byName[c.Group]
		if g.model == "" || c.Answer == "" {
			continue
		}
		if there, _, err := r.Kind(c.Answer); err != nil {
			return err
		} else if !there {
			steps = append(steps, r.AnswerStep(g.model, c, c.Name))
		}
	}
	if err := r.Make(steps); err != nil {
		return err
	}
	if !r.Validation.Interactive || len(r.Validation.Programs) > 0 {
		return r.MakeAnswers(r.ModelSolution(), func(c *draft.Case) error {
			return r.Tree.Errorf(file, 0, "give a solution the outcome accepted", "no solution makes the answer to %s", c.Name)
		})
	}
	for _, c := range r.Cases {
		if err := r.Sizes(c); err != nil {
			return err
		}
	}
	return nil
}
