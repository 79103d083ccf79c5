package tps

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// solutions divides the cases among the subtasks, and reads solutions.json.
func (r *reader) solutions() error {
	var list []draft.Subtask
	for _, name := range r.order {
		r.Scoring = r.Scoring || r.points[name] > 0
		list = append(list, draft.Subtask{Name: name, Points: r.points[name], Has: func(c *draft.Case) bool { return r.sets[name].has[c] }})
	}
	if err := r.Divide(tpsData, list); err != nil {
		return err
	}
	solutions, err := r.document(tpsSolutions)
	if err != nil {
		return err
	}
	for _, k := range solutions {
		rel := path.Join("solution", k.Key)
		if file, _, err := r.Tree.Kind(rel); err != nil {
			return err
		} else if !file {
			r.Note(tpsSolutions, k.Line, "there is no %s", rel)
			continue
		}
		keys, err := k.Value.Pairs()
		if err != nil {
			return err
		}
		s := problem.Submission{Path: rel, Expect: problem.Expect{From: fmt.Sprintf("%s:%d", tpsSolutions, k.Line)}}
		for _, k := range keys {
			k.Value.Key = k.Key
			switch k.Key {
			case "verdict":
				if err := r.promise(&s, k.Value); err != nil {
					return err
				}
			case "except":
				parts, err := k.Value.Pairs()
				if err != nil {
					return err
				}
				for _, part := range parts {
					part.Value.Key = part.Key
					if err := r.except(&s, part); err != nil {
						return err
					}
				}
			}
		}
		r.Submissions = append(r.Submissions, s)
	}
	return r.NoteUnlisted("solution", tpsSolutions)
}

// verdicts reads a verdict.
func (r *reader) verdicts(v yamlloose.Node) (string, verdict.Set, error) {
	name, err := v.Text()
	set, known := verdicts[name]
	if err == nil && !known {
		err = v.Wrong("such as correct, incorrect or time_limit", "unknown verdict %s", quote.Name(name))
	}
	return name, set, err
}

// promise adds what a solution promises where no exception is made. A wrong one gets its verdict on
// some case.
func (r *reader) promise(s *problem.Submission, v yamlloose.Node) error {
	name, set, err := r.verdicts(v)
	switch {
	case err != nil:
		return err
	case name == "partially_correct":
		s.Expect.Partial = r.Scoring
	case set == draft.Accepted:
		s.Expect.Final, s.Model = draft.Accepted, name == "model_solution"
	default:
		s.Expect.Rules = append(s.Expect.Rules, problem.Rule{Permitted: draft.AnyCase, Required: set, From: s.Expect.From})
	}
	return nil
}

// except adds what a solution promises for one subtask.
func (r *reader) except(s *problem.Submission, k yamlloose.Pair) error {
	_, set, err := r.verdicts(k.Value)
	if err != nil {
		return err
	}
	subtask, known := r.sets[k.Key]
	if !known {
		r.Note(tpsSolutions, k.Line, "there is no subtask %s", quote.Name(k.Key))
		return nil
	}
	var groups []string
	for _, c := range subtask.cases {
		if !slices.Contains(groups, c.Group) {
			groups = append(groups, c.Group)
		}
	}
	if s.Expect.Final == draft.Accepted { // it fails this subtask
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
	if set != draft.Accepted {
		rule.Permitted = draft.AnyCase
	}
	s.Expect.Rules = append(s.Expect.Rules, rule)
	return nil
}

// make makes the inputs by the generators, and the answers by the model solution.
func (r *reader) make() error {
	if err := r.Make(r.inputs); err != nil {
		return err
	}
	if err := r.Join(r.joined); err != nil {
		return err
	}
	for _, c := range r.Cases {
		if file, _, err := r.Tree.Kind(c.Answer); err != nil {
			return err
		} else if r.Validation.Interactive && !file {
			c.Answer = "" // the manager judges
		}
	}
	if r.Validation.Interactive {
		return r.Measure()
	}
	return r.MakeAnswers(r.ModelSolution(), func(c *draft.Case) error {
		return r.Tree.Errorf(c.Answer, 0, "give a solution the verdict model_solution in "+tpsSolutions, "no solution makes it")
	})
}
