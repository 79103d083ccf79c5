package pkgformat

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

// solutions divides the cases among the subtasks, and reads solutions.json.
func (r *tpsReader) solutions() error {
	p := r.p
	var list []subtask
	for _, name := range r.order {
		p.Scoring = p.Scoring || r.points[name] > 0
		list = append(list, subtask{name: name, points: r.points[name], has: func(c *Case) bool { return r.sets[name].has[c] }})
	}
	if err := p.divide(tpsData, list); err != nil {
		return err
	}
	solutions, err := r.document(tpsSolutions)
	if err != nil {
		return err
	}
	for _, k := range solutions {
		rel := path.Join("solution", k.key)
		if file, _, err := p.files.kind(rel); err != nil {
			return err
		} else if !file {
			p.note(tpsSolutions, k.line, "there is no %s", rel)
			continue
		}
		keys, err := k.value.pairs()
		if err != nil {
			return err
		}
		s := problem.Submission{Path: rel, Expect: problem.Expect{From: fmt.Sprintf("%s:%d", tpsSolutions, k.line)}}
		for _, k := range keys {
			k.value.key = k.key
			switch k.key {
			case "verdict":
				if err := r.promise(&s, k.value); err != nil {
					return err
				}
			case "except":
				parts, err := k.value.pairs()
				if err != nil {
					return err
				}
				for _, part := range parts {
					part.value.key = part.key
					if err := r.except(&s, part); err != nil {
						return err
					}
				}
			}
		}
		p.Submissions = append(p.Submissions, s)
	}
	return r.p.noteUnlisted("solution", tpsSolutions)
}

// verdicts reads a verdict.
func (r *tpsReader) verdicts(v node) (string, verdict.Set, error) {
	name, err := v.text()
	set, known := tpsVerdicts[name]
	if err == nil && !known {
		err = v.wrong("such as correct, incorrect or time_limit", "unknown verdict %s", quote.Name(name))
	}
	return name, set, err
}

// promise adds what a solution promises where no exception is made. A wrong one gets its verdict on
// some case.
func (r *tpsReader) promise(s *problem.Submission, v node) error {
	name, set, err := r.verdicts(v)
	switch {
	case err != nil:
		return err
	case name == "partially_correct":
		s.Expect.Partial = r.p.Scoring
	case set == accepted:
		s.Expect.Final, s.Model = accepted, name == "model_solution"
	default:
		s.Expect.Rules = append(s.Expect.Rules, problem.Rule{Permitted: anyCase, Required: set, From: s.Expect.From})
	}
	return nil
}

// except adds what a solution promises for one subtask.
func (r *tpsReader) except(s *problem.Submission, k pair) error {
	_, set, err := r.verdicts(k.value)
	if err != nil {
		return err
	}
	subtask, known := r.sets[k.key]
	if !known {
		r.p.note(tpsSolutions, k.line, "there is no subtask %s", quote.Name(k.key))
		return nil
	}
	var groups []string
	for _, c := range subtask.cases {
		if !slices.Contains(groups, c.Group) {
			groups = append(groups, c.Group)
		}
	}
	if s.Expect.Final == accepted { // it fails this subtask
		s.Expect.Final = 0
	}
	if set == 0 || len(groups) == 0 || len(groups) > problem.MaxAlternatives {
		return nil
	}
	pattern := groups[0]
	if len(groups) > 1 {
		pattern = "{" + strings.Join(groups, ",") + "}"
	}
	rule := problem.Rule{Cases: pattern, Permitted: set, Required: set, From: s.Expect.From}
	if set != accepted {
		rule.Permitted = anyCase
	}
	s.Expect.Rules = append(s.Expect.Rules, rule)
	return nil
}

// make makes the inputs by the generators, and the answers by the model solution.
func (r *tpsReader) make() error {
	if err := r.p.make(r.inputs); err != nil {
		return err
	}
	if err := r.p.join(r.joined); err != nil {
		return err
	}
	for _, c := range r.p.Cases {
		if file, _, err := r.p.files.kind(c.Answer); err != nil {
			return err
		} else if r.p.Validation.Interactive && !file {
			c.Answer = "" // the manager judges
		}
	}
	if r.p.Validation.Interactive {
		return r.p.measure()
	}
	return r.p.makeAnswers(r.p.modelSolution(), func(c *Case) error {
		return r.p.files.errorf(c.Answer, 0, "give a solution the verdict model_solution in "+tpsSolutions, "no solution makes it")
	})
}
