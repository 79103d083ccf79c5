package report

import (
	"fmt"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/tty"
)

// Detail is the level of detail in which changes of expected outputs are shown.
type Detail uint8

// The levels of detail.
const (
	Usual Detail = iota // every change or, if there are many, the first changes of each kind
	Stat                // only the numbers of changes and the names of the cases
	Full                // every change
)

const (
	manyChanges = 10 // more changes than this are grouped by kind
	ofEachKind  = 2  // changes of each kind that are shown in full
	maxNames    = 5  // names of cases in one line
)

// kind returns a description of a change by which similar changes are grouped.
func kind(c regen.Change) string {
	m := c.Mismatch
	switch {
	case c.New:
		return "new"
	case m == nil:
		return "changed, only the hash is kept"
	case len(m.Notes) > 0:
		return m.Notes[0]
	case m.Line == 1:
		return "differs from line 1 on"
	}
	return "differs from a later line on"
}

// writeChanges adds the changes of a plan.
func writeChanges(p *layout.Page, plan *regen.Plan, d Detail) {
	if d == Full || d == Usual && len(plan.Changes) <= manyChanges {
		for _, c := range plan.Changes {
			writeChange(p, plan.Problem, c)
		}
		return
	}
	var kinds []string
	byKind := map[string][]regen.Change{}
	for _, c := range plan.Changes {
		k := kind(c)
		if byKind[k] == nil {
			kinds = append(kinds, k)
		}
		byKind[k] = append(byKind[k], c)
	}
	for _, k := range kinds {
		list := byKind[k]
		p.Printf("%s: %s (%s): %s\n", plan.Problem, layout.Count(len(list), "expected output"), k, someCases(list))
		if d == Stat || list[0].Mismatch == nil {
			continue
		}
		for i, c := range list {
			if i == ofEachKind {
				p.Printf("%s: and %d more like these (hint: --verbose shows all)\n", plan.Problem, len(list)-i)
				break
			}
			writeChange(p, plan.Problem, c)
		}
	}
}

func writeChange(p *layout.Page, problem string, c regen.Change) {
	switch {
	case c.New:
		p.Printf("%s/%s: new\n", problem, c.Case)
	case c.Mismatch == nil:
		p.Printf("%s/%s: changed (only its hash is kept)\n", problem, c.Case)
	default:
		p.Printf("%s\n", tty.Lines(c.Mismatch.Format(tty.Clean(problem+"/"+c.Case))))
	}
}

// someCases lists the names of the first changed cases, and the number of the others.
func someCases(list []regen.Change) string {
	var names []string
	for i, c := range list {
		if i == maxNames {
			names = append(names, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		names = append(names, c.Case)
	}
	return strings.Join(names, ", ")
}
