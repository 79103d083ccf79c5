package cms

import (
	"fmt"
	"math"
	"path"
	"slices"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
)

// points arranges the cases into groups with points: a group for each subtask, or all tests in one
// if there are none. A first subtask without points holds samples.
func (r *reader) points() error {
	p := r.p
	total := 0.0
	for _, part := range r.parts {
		total += part.points
	}
	if math.Abs(total-100) > 1e-6 && r.kind == "" && r.parts != nil {
		p.Note(r.listed, 0, "the points of all subtasks are %v, but CMS wants 100", total)
	}
	if r.parts == nil {
		total = r.total
	}
	aggregation := "min"
	if r.whole {
		aggregation = "sum"
	}
	secret := &draft.Group{Name: "secret", Settings: draft.Settings{Aggregation: "sum", MaxScore: &total}}
	for i := range r.parts {
		part := &r.parts[i]
		g := &draft.Group{Name: r.group(i), Settings: draft.Settings{Aggregation: aggregation, MaxScore: &part.points}}
		if g.Name == "sample" {
			g.Settings = draft.Settings{}
			p.Data.Groups = append(p.Data.Groups, g)
		} else {
			secret.Groups = append(secret.Groups, g)
		}
		r.add(g, part.tests)
	}
	if r.parts == nil {
		all := make([]int, len(r.tests))
		for i := range all {
			all[i] = i
		}
		r.add(secret, all)
	}
	p.Data.Groups = append(p.Data.Groups, secret)
	p.Scoring = total > 0
	return nil
}

// group returns the name of the group of a subtask, by its index.
func (r *reader) group(i int) string {
	if i == 0 && r.parts[i].points == 0 && len(r.parts) > 1 {
		return "sample"
	}
	return fmt.Sprintf("secret/%d", i+1)
}

// inherit adds to each subtask the tests of those that it depends on.
func (r *reader) inherit() error {
	on := make([][]int, len(r.parts))
	given := false
	for i, part := range r.parts {
		for _, name := range part.on {
			j := slices.IndexFunc(r.parts, func(p cmsPart) bool { return p.name == name && name != "*" })
			switch {
			case name == "*":
				for j := range r.parts {
					on[i] = append(on[i], j)
				}
			case j < 0:
				return r.p.Tree.Errorf(r.listed, part.line, "a subtask gets its name by STNAME", "depends on %s, but no subtask has this name", quote.Name(name))
			default:
				on[i] = append(on[i], j)
			}
		}
		given = given || on[i] != nil
	}
	if !given {
		return nil
	}
	total := 0
	all := make([][]int, len(r.parts))
	for i := range r.parts {
		seen := map[int]bool{}
		var visit func(i int)
		visit = func(at int) {
			if !seen[at] {
				seen[at] = true
				all[i] = append(all[i], r.parts[at].tests...)
				for _, next := range on[at] {
					visit(next)
				}
			}
		}
		visit(i)
		slices.Sort(all[i])
		if all[i] == nil {
			return r.p.Tree.Errorf(r.listed, r.parts[i].line, "", "subtask %d has no tests", i+1)
		}
		if total += len(all[i]); total > 10*draft.MaxListed {
			return r.p.Tree.Errorf(r.listed, r.parts[i].line, "", "more than %d tests of all subtasks together", 10*draft.MaxListed)
		}
	}
	for i := range r.parts {
		r.parts[i].tests = all[i]
	}
	return nil
}

// add adds the tests with these numbers to a group. A test that is in several subtasks is a case in
// each.
func (r *reader) add(g *draft.Group, numbers []int) {
	for _, i := range numbers {
		c := &draft.Case{
			Name: fmt.Sprintf("%s/%03d", g.Name, i), Group: g.Name,
			Input: fmt.Sprintf("input/input%d.txt", i), Answer: fmt.Sprintf("output/output%d.txt", i),
		}
		if r.manager != "" {
			c.Answer = ""
			if r.io == "fifo_io" {
				c.Args = []string{"/dev/stdin", "/dev/stdout"}
			}
		}
		if r.p.OutputOnly {
			c.Submitted = fmt.Sprintf("output_%03d.txt", i)
		}
		c.InputArgs = r.validation(r.tests[i])
		g.Cases = append(g.Cases, c)
		r.p.Cases = append(r.p.Cases, c)
	}
}

// validation returns the arguments of the validators for a test.
func (r *reader) validation(t test) draft.InputArgs {
	if r.listed == cases && t.subtask > 0 {
		part := r.parts[t.subtask-1]
		if part.validator == "" {
			return draft.InputArgs{}
		}
		return draft.InputArgs{By: map[string][]string{path.Base(part.validator): part.args}}
	}
	return draft.InputArgs{All: []string{"/dev/stdin", fmt.Sprint(max(t.subtask, 1))}} // without subtasks all is one
}
