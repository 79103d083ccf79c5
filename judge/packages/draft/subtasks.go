package draft

import (
	"path"
	"strings"
)

// Subtask is a set of cases that gives points if all of them are accepted. Subtasks may share cases.
type Subtask struct {
	Name   string
	Points float64
	Has    func(*Case) bool
	Steps  int // that has takes, besides a few
}

// Divide arranges the cases into groups so that each subtask gets its points. Cases that belong to
// the same subtasks form a group, named for the first of them; cases of no subtask keep their group.
// The points of a subtask belong to its last group, which requires its others. The groups come in the
// order of the subtasks, after the cases of none. rel is the file that lists the subtasks.
func (p *Draft) Divide(rel string, list []Subtask) error {
	steps := 0
	for _, s := range list {
		steps += 16 + len(s.Name) + s.Steps
	}
	if err := p.Tree.Spend(rel, len(p.Cases)*steps); err != nil {
		return err
	}
	type set struct {
		of    []int // indices of its subtasks
		cases []*Case
	}
	var free []*Case
	sets := map[string]*set{}
	var order []*set
	for _, c := range p.Cases {
		var of []int
		var key strings.Builder
		for i, s := range list {
			if s.Has(c) {
				of = append(of, i)
				key.WriteString(s.Name + "\x00")
			}
		}
		if of == nil {
			free = append(free, c)
			continue
		}
		if sets[key.String()] == nil {
			sets[key.String()] = &set{of: of}
			order = append(order, sets[key.String()])
		}
		sets[key.String()].cases = append(sets[key.String()].cases, c)
	}
	p.Data.Groups, p.Cases = nil, nil
	add := func(name string, cases []*Case) *Group {
		g := &Group{Name: name, Cases: cases}
		for _, c := range cases {
			c.Name = strings.TrimPrefix(c.Name, c.Group+"/")
			c.Group, c.Name = name, path.Join(name, c.Name)
		}
		p.Data.Groups, p.Cases = append(p.Data.Groups, g), append(p.Cases, cases...)
		return g
	}
	for from := 0; from < len(free); {
		to := from
		for to < len(free) && free[to].Group == free[from].Group {
			to++
		}
		add(free[from].Group, free[from:to:to])
		from = to
	}
	parts := make([][]string, len(list)) // names of the groups of each subtask so far
	for i, s := range list {
		var own []*Case
		for _, one := range order {
			if one.of[0] != i {
				continue
			}
			if len(one.of) == 1 {
				own = one.cases
				continue
			}
			name := s.Name
			for _, other := range one.of[1:] {
				name += "+" + list[other].Name
			}
			add(name, one.cases)
			for _, other := range one.of {
				parts[other] = append(parts[other], name)
			}
		}
		g := add(s.Name, own) // after those that it requires; without cases if all are shared
		g.Settings.Whole, g.Settings.RequirePass = s.Points, parts[i]
	}
	return nil
}

// Fnmatch reports whether a pattern of a shell, with *, ? and [a-z], matches a name. A pattern that
// is none matches nothing.
func Fnmatch(pattern, name string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return err == nil && ok
}
