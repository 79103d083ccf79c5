package rime

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// promises adds the submissions. One without challenge_cases must be accepted.
func (r *reader) promises() error {
	model := ""
	for _, one := range r.solutions {
		dir := path.Dir(one.rel)
		s := problem.Submission{Path: one.rel, Entrypoint: one.mainClass}
		s.Language = r.Known(one.rel).Language
		s.Expect = problem.Expect{Final: draft.Rejected, From: fmt.Sprintf("%s:%d", one.file, one.call.line)}
		if one.challenges == nil {
			s.Expect.Final = draft.Accepted
			if model == "" && r.reference == "" || r.reference == dir {
				model, s.Model = dir, true
			}
		} else if r.reference == dir {
			model, s.Model = dir, true
		}
		r.Submissions = append(r.Submissions, s)
	}
	if r.reference != "" && model == "" {
		return r.Tree.Errorf(rimeProblem, 0, "name the folder of a solution", "the reference solution %s does not exist", quote.Name(r.reference))
	}
	return nil
}

// expect completes the promises of a wrong solution, when the cases are known.
func (r *reader) expect(one *program, s *problem.Submission) error {
	promised := draft.Rejected
	for _, c := range one.calls {
		switch c.name {
		case "expected_verdicts":
			a := c.get(0, "verdicts")
			if a == nil {
				continue
			}
			items, _ := a.value.([]any)
			promised = 0
			for _, v := range items {
				name, _ := v.(pyName)
				set, known := verdicts[name]
				if !known {
					return r.Tree.Errorf(one.file, a.line, "they are AC, WA, TLE and RE", "expected_verdicts has something else than verdicts")
				}
				promised |= set
			}
			promised &^= draft.Accepted // never what a wrong solution may get
		case "expected_score":
			if a := c.get(0, "score"); a != nil && r.Scoring {
				score, ok := a.value.(float64)
				if !ok {
					return r.Tree.Errorf(one.file, a.line, "write expected_score(30)", "expected_score must be a number")
				}
				s.Expect = problem.Expect{Score: &[2]float64{score, score}, From: s.Expect.From}
				return nil
			}
		default:
			r.Note(one.file, c.line, "not read: %s", quote.Name(c.name))
		}
	}
	if one.challenges == nil || promised == 0 {
		return nil
	}
	s.Expect.Final = promised
	var names []string
	for _, pattern := range words(one.challenges.value) {
		found := 0
		for _, c := range r.Cases {
			file := path.Base(c.Input)
			if ok := file == pattern; !ok && (r.strict || !draft.Fnmatch(pattern, file)) {
				continue
			}
			found++
			if !slices.Contains(names, c.Name) && !strings.ContainsAny(c.Name, "{},*") && len(names) < problem.MaxAlternatives {
				names = append(names, c.Name)
			}
		}
		if found == 0 {
			r.Note(one.file, one.challenges.line, "there is no challenge case %s", quote.Name(pattern))
		}
	}
	rule := func(list ...string) problem.Rule {
		pattern := list[0]
		if len(list) > 1 {
			pattern = "{" + strings.Join(list, ",") + "}"
		}
		return problem.Rule{Cases: pattern, Permitted: draft.AnyCase, Required: promised, From: s.Expect.From}
	}
	if len(names) > 0 {
		s.Expect.Final = 0
	}
	switch {
	case len(names) == 0:
	case !r.strict:
		s.Expect.Rules = []problem.Rule{rule(names...)}
	default:
		for _, name := range names {
			s.Expect.Rules = append(s.Expect.Rules, rule(name))
		}
	}
	return nil
}

// make runs the generators and lists the cases.
func (r *reader) make() error {
	if err := r.generate(); err != nil {
		return err
	}
	held, err := r.Tree.List(r.tests)
	if err != nil {
		return err
	}
	var inputs []string
	for _, e := range held {
		if !e.Dir {
			inputs = append(inputs, e.Name)
		}
	}
	for _, rel := range r.Made() {
		inputs = append(inputs, path.Base(rel))
	}
	slices.SortFunc(inputs, func(a, b string) int { return strings.Compare(order(a), order(b)) })
	groups := []*draft.Group{{Name: "sample"}, {Name: "tests"}}
	for _, name := range inputs {
		stem := strings.TrimSuffix(name, path.Ext(name))
		c := &draft.Case{Input: path.Join(r.tests, name)}
		switch path.Ext(name) {
		case ".in":
			g := groups[1]
			if strings.Contains(name, "sample") { // as for Rime's export to DOMjudge
				g = groups[0]
			}
			c.Name, c.Group, c.Answer = g.Name+"/"+stem, g.Name, path.Join(r.tests, stem+".diff")
			g.Cases = append(g.Cases, c)
		case ".invalid":
			c.Name = "invalid/" + stem
			r.InvalidInput = append(r.InvalidInput, c)
			if err := r.Sizes(c); err != nil {
				return err
			}
		}
	}
	for _, g := range groups {
		if len(g.Cases) > 0 {
			r.Data.Groups = append(r.Data.Groups, g)
			r.Cases = append(r.Cases, g.Cases...)
		}
	}
	if err := r.answers(); err != nil {
		return err
	}
	if err := r.points(); err != nil {
		return err
	}
	for i, one := range r.solutions {
		if err := r.expect(one, &r.Submissions[i]); err != nil {
			return err
		}
	}
	return nil
}

// order returns a key that sorts the names of tests as Rime does: digits as numbers.
func order(name string) string {
	var key strings.Builder
	for name != "" {
		n := draft.Digits(name)
		if n == 0 {
			key.WriteByte(name[0])
			name = name[1:]
			continue
		}
		key.WriteString(strings.Repeat(" ", max(0, 8-n)) + name[:n])
		name = name[n:]
	}
	return key.String()
}

// generate runs the generators in the folder of the tests. They leave inputs there, and answers if
// they like. What the package holds is not made again.
func (r *reader) generate() error {
	files := map[string]string{}
	err := r.Tree.Walk(r.tests, func(rel string, e *tree.Entry) (bool, error) {
		if !e.Dir {
			files[strings.TrimPrefix(rel, r.tests+"/")] = rel
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	var steps []draft.Step
	for i, one := range r.generators {
		steps = append(steps, draft.Step{
			Program: one.rel, Files: files, LeftIn: fmt.Sprintf("%s/%d", rimeLeft, i),
			From: fmt.Sprintf("%s:%d", one.file, one.call.line),
		})
	}
	if err := r.Make(steps); err != nil {
		return err
	}
	for _, left := range r.Made() {
		f := r.MadeFiles[left]
		delete(r.MadeFiles, left)
		name := strings.TrimPrefix(left, rimeLeft+"/")
		_, name, _ = strings.Cut(name, "/")
		if strings.Contains(name, "/") || !slices.Contains([]string{".in", ".diff", ".invalid"}, path.Ext(name)) || files[name] != "" {
			continue
		}
		r.MadeFiles[path.Join(r.tests, name)] = f
	}
	return nil
}

// answers makes the answers that neither the package holds nor a generator made.
func (r *reader) answers() error {
	return r.MakeAnswers(r.ModelSolution(), func(c *draft.Case) error {
		return r.Tree.Errorf(c.Input, 0, "add "+path.Base(c.Answer)+", or a solution without challenge_cases", "no solution makes its answer")
	})
}

// points gives the cases to the subtasks.
func (r *reader) points() error {
	if len(r.subtasks) == 0 {
		return nil
	}
	r.Scoring = true
	list := make([]draft.Subtask, len(r.subtasks))
	for i, s := range r.subtasks {
		has := func(c *draft.Case) bool {
			return slices.ContainsFunc(s.patterns, func(pattern string) bool { return draft.Fnmatch(pattern, path.Base(c.Input)) })
		}
		list[i] = draft.Subtask{Name: s.name, Points: s.points, Has: has, Steps: 16 * len(strings.Join(s.patterns, " "))}
	}
	return r.Divide(path.Join(r.tests, testset), list)
}

// flags reads the flags of a compiler. Those that define macros count; the others are replaced by
// those of the judge.
func (r *reader) flags(rel, file string, a *pyArg) {
	list, unused := draft.Macros(words(a.value))
	for _, flag := range unused {
		r.Note(file, a.line, "the flag %s is not used", quote.Name(flag))
	}
	if list != nil {
		r.Describe(rel).Macros = list
	}
}

// rimeLeft is the folder for what generators leave, until it is sorted. No package has it.
const rimeLeft = ".made/left"
