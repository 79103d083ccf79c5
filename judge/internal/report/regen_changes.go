package report

import (
	"fmt"
	"strings"

	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/tty"
)

// Detail says how much of the changes of expected outputs is shown.
type Detail uint8

// The details.
const (
	Usual Detail = iota // every change; if there are many, the first of each kind
	Stat                // numbers and names
	Full                // every change
)

const (
	manyChanges = 10 // more changes than this are grouped by kind
	ofEachKind  = 2  // changes of a kind that are shown in full
	maxNames    = 5  // of cases in one line
)

// kind returns a text that is equal for changes of the same kind: the same lines change, only in
// different places.
func kind(c regen.Change) string {
	m := c.Mismatch
	switch {
	case c.New:
		return "new"
	case m == nil:
		return "changed, of which only the hash is kept"
	case len(m.Notes) > 0:
		return m.Notes[0]
	case m.Line == 1:
		return "other from the first line"
	}
	return "other from a later line"
}

// writeChanges shows the changes of a plan.
func writeChanges(p *page, plan *regen.Plan, d Detail) {
	if d == Full || d == Usual && len(plan.Changes) <= manyChanges {
		for _, c := range plan.Changes {
			writeChange(p, plan.Problem, c)
		}
		return
	}
	var kinds []string
	of := map[string][]regen.Change{}
	for _, c := range plan.Changes {
		k := kind(c)
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], c)
	}
	for _, k := range kinds {
		list := of[k]
		p.printf("%s: %s (%s): %s\n", plan.Problem, Count(len(list), "expected output"), k, someCases(list))
		if d == Stat || list[0].Mismatch == nil {
			continue
		}
		for i, c := range list {
			if i == ofEachKind {
				p.printf("%s: and %d more like these (hint: --verbose shows all)\n", plan.Problem, len(list)-i)
				break
			}
			writeChange(p, plan.Problem, c)
		}
	}
}

func writeChange(p *page, problem string, c regen.Change) {
	switch {
	case c.New:
		p.printf("%s/%s: new\n", problem, c.Case)
	case c.Mismatch == nil:
		p.printf("%s/%s: changed (only its hash is kept)\n", problem, c.Case)
	default:
		p.printf("%s\n", tty.Lines(c.Mismatch.Format(tty.Clean(problem+"/"+c.Case))))
	}
}

// someCases names the first cases of a list of changes.
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
