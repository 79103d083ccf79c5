package pkgformat

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
)

// promises adds the submissions. One without challenge_cases must be accepted.
func (r *rimeReader) promises() error {
	p := r.p
	model := ""
	for _, one := range r.solutions {
		dir := path.Dir(one.rel)
		s := problem.Submission{Path: one.rel, Entrypoint: one.mainClass}
		s.Language = p.known(one.rel).language
		s.Expect = problem.Expect{Final: rejected, From: fmt.Sprintf("%s:%d", one.file, one.call.line)}
		if one.challenges == nil {
			s.Expect.Final = accepted
			if model == "" && r.reference == "" || r.reference == dir {
				model, s.Model = dir, true
			}
		} else if r.reference == dir {
			model, s.Model = dir, true
		}
		p.Submissions = append(p.Submissions, s)
	}
	if r.reference != "" && model == "" {
		return p.files.errorf(rimeProblem, 0, "name the folder of a solution", "the reference solution %s does not exist", quote.Name(r.reference))
	}
	return nil
}

// expect completes the promises of a wrong solution, when the cases are known.
func (r *rimeReader) expect(one *rimeProgram, s *problem.Submission) error {
	p := r.p
	promised := rejected
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
				set, known := rimeVerdicts[name]
				if !known {
					return p.files.errorf(one.file, a.line, "they are AC, WA, TLE and RE", "expected_verdicts has something else than verdicts")
				}
				promised |= set
			}
			promised &^= accepted // never what a wrong solution may get
		case "expected_score":
			if a := c.get(0, "score"); a != nil && p.Scoring {
				score, ok := a.value.(float64)
				if !ok {
					return p.files.errorf(one.file, a.line, "write expected_score(30)", "expected_score must be a number")
				}
				s.Expect = problem.Expect{Score: &[2]float64{score, score}, From: s.Expect.From}
				return nil
			}
		default:
			p.note(one.file, c.line, "not read: %s", quote.Name(c.name))
		}
	}
	if one.challenges == nil || promised == 0 {
		return nil
	}
	s.Expect.Final = promised
	var names []string
	for _, pattern := range words(one.challenges.value) {
		found := 0
		for _, c := range p.Cases {
			file := path.Base(c.Input)
			if ok := file == pattern; !ok && (r.strict || !fnmatch(pattern, file)) {
				continue
			}
			found++
			if !slices.Contains(names, c.Name) && !strings.ContainsAny(c.Name, "{},*") && len(names) < problem.MaxAlternatives {
				names = append(names, c.Name)
			}
		}
		if found == 0 {
			p.note(one.file, one.challenges.line, "there is no challenge case %s", quote.Name(pattern))
		}
	}
	rule := func(list ...string) problem.Rule {
		pattern := list[0]
		if len(list) > 1 {
			pattern = "{" + strings.Join(list, ",") + "}"
		}
		return problem.Rule{Cases: pattern, Permitted: anyCase, Required: promised, From: s.Expect.From}
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
func (r *rimeReader) make() error {
	p := r.p
	if err := r.generate(); err != nil {
		return err
	}
	held, err := p.files.list(r.tests)
	if err != nil {
		return err
	}
	var inputs []string
	for _, e := range held {
		if !e.dir {
			inputs = append(inputs, e.name)
		}
	}
	for _, rel := range p.Made() {
		inputs = append(inputs, path.Base(rel))
	}
	slices.SortFunc(inputs, func(a, b string) int { return strings.Compare(rimeOrder(a), rimeOrder(b)) })
	groups := []*Group{{Name: "sample"}, {Name: "tests"}}
	for _, name := range inputs {
		stem := strings.TrimSuffix(name, path.Ext(name))
		c := &Case{Input: path.Join(r.tests, name)}
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
			p.InvalidInput = append(p.InvalidInput, c)
			if err := p.sizes(c); err != nil {
				return err
			}
		}
	}
	for _, g := range groups {
		if len(g.Cases) > 0 {
			p.Data.Groups = append(p.Data.Groups, g)
			p.Cases = append(p.Cases, g.Cases...)
		}
	}
	if err := r.answers(); err != nil {
		return err
	}
	if err := r.points(); err != nil {
		return err
	}
	for i, one := range r.solutions {
		if err := r.expect(one, &p.Submissions[i]); err != nil {
			return err
		}
	}
	return nil
}

// rimeOrder returns a key that sorts the names of tests as Rime does: digits as numbers.
func rimeOrder(name string) string {
	var key strings.Builder
	for name != "" {
		n := digits(name)
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
func (r *rimeReader) generate() error {
	p := r.p
	files := map[string]string{}
	err := p.files.walk(r.tests, func(rel string, e *entry) (bool, error) {
		if !e.dir {
			files[strings.TrimPrefix(rel, r.tests+"/")] = rel
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	var steps []Step
	for i, one := range r.generators {
		steps = append(steps, Step{
			Program: one.rel, Files: files, LeftIn: fmt.Sprintf("%s/%d", rimeLeft, i),
			From: fmt.Sprintf("%s:%d", one.file, one.call.line),
		})
	}
	if err := p.make(steps); err != nil {
		return err
	}
	for _, left := range p.Made() {
		f := p.made[left]
		delete(p.made, left)
		name := strings.TrimPrefix(left, rimeLeft+"/")
		_, name, _ = strings.Cut(name, "/")
		if strings.Contains(name, "/") || !slices.Contains([]string{".in", ".diff", ".invalid"}, path.Ext(name)) || files[name] != "" {
			continue
		}
		p.made[path.Join(r.tests, name)] = f
	}
	return nil
}

// answers makes the answers that neither the package holds nor a generator made.
func (r *rimeReader) answers() error {
	return r.p.makeAnswers(r.p.modelSolution(), func(c *Case) error {
		return r.p.files.errorf(c.Input, 0, "add "+path.Base(c.Answer)+", or a solution without challenge_cases", "no solution makes its answer")
	})
}

// points gives the cases to the subtasks.
func (r *rimeReader) points() error {
	p := r.p
	if len(r.subtasks) == 0 {
		return nil
	}
	p.Scoring = true
	list := make([]subtask, len(r.subtasks))
	for i, s := range r.subtasks {
		has := func(c *Case) bool {
			return slices.ContainsFunc(s.patterns, func(pattern string) bool { return fnmatch(pattern, path.Base(c.Input)) })
		}
		list[i] = subtask{s.name, s.points, has, 16 * len(strings.Join(s.patterns, " "))}
	}
	return p.divide(path.Join(r.tests, rimeTestset), list)
}

// flags reads the flags of a compiler. Those that define macros count; the others are replaced by
// those of the judge.
func (r *rimeReader) flags(rel, file string, a *pyArg) {
	list, unused := macros(words(a.value))
	for _, flag := range unused {
		r.p.note(file, a.line, "the flag %s is not used", quote.Name(flag))
	}
	if list != nil {
		r.p.program(rel).macros = list
	}
}

// rimeLeft is the folder for what generators leave, until it is sorted. No package has it.
const rimeLeft = ".made/left"
