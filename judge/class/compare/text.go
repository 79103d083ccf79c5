package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
)

// Text writes what differs between two judgings as text. It returns the error of w.
func Text(w io.Writer, r *Report, o layout.Options) error {
	p := &layout.Page{Color: o.Color}
	var rows [][]layout.Cell
	for _, c := range r.Verdicts {
		change := layout.Code(c.Old.Verdict) + " → " + layout.Code(c.New.Verdict)
		if c.Old.Points != nil && c.New.Points != nil && *c.Old.Points != *c.New.Points {
			change += fmt.Sprintf(", %s → %s points", layout.Points(*c.Old.Points), layout.Points(*c.New.Points))
		}
		why := layout.Word(cmp.Or(c.New.First, c.New.Wrong))
		if c.Old.Verdict == c.New.Verdict { // so that the points have changed
			why = casesText(c.Cases, why)
		}
		rows = append(rows, []layout.Cell{c.named(), {Text: layout.Word(c.Problem)}, {Text: change, Look: layout.LookOf(c.New.Verdict)}, {Text: why}})
	}
	for _, c := range r.Cases {
		change := layout.Code(c.New.Verdict)
		if c.Old.Passed != c.New.Passed {
			change += fmt.Sprintf(" %d → %d of %d accepted", c.Old.Passed, c.New.Passed, c.New.Total)
		}
		rows = append(rows, []layout.Cell{c.named(), {Text: layout.Word(c.Problem)}, {Text: change}, {Text: casesText(c.Cases, layout.Word(c.New.First))}})
	}
	for _, times := range []struct {
		list []Change
		as   layout.Look
		word string
	}{{r.Slower, layout.Bad, "slower"}, {r.Faster, layout.Good, "faster"}} {
		for _, c := range times.list {
			rows = append(rows, []layout.Cell{
				c.named(), {Text: layout.Word(c.Problem)}, {Text: times.word, Look: times.as},
				{Text: fmt.Sprintf("cpu %s → %s, %.2f×", layout.Duration(c.Old.CPU), layout.Duration(c.New.CPU), c.Factor())},
			})
		}
	}
	for _, only := range []struct {
		list []Name
		word string
	}{{r.Added, "new"}, {r.Gone, "gone"}} {
		all := map[string]int{} // by problem
		for _, n := range only.list {
			all[n.Problem]++
		}
		for _, n := range only.list {
			who := layout.Word(n.Submission)
			if many := all[n.Problem]; r.whole[n.Problem] && many > 1 {
				who = fmt.Sprintf("all %d", many)
				all[n.Problem] = 0
			} else if many == 0 {
				continue
			}
			rows = append(rows, []layout.Cell{{Text: who, Look: layout.Strong}, {Text: layout.Word(n.Problem)}, {Text: only.word}})
		}
	}
	p.Table("", rows)
	if len(rows) > 0 {
		p.Printf("\n")
	}
	renamed := ""
	if r.Renamed > 0 {
		renamed = fmt.Sprintf(", %d under another name", r.Renamed)
	}
	p.Printf("%s changed, %d in cases only, %d slower, %d faster, %d new, %d gone, %d as before%s\n",
		layout.Count(len(r.Verdicts), "verdict"), len(r.Cases), len(r.Slower), len(r.Faster), len(r.Added), len(r.Gone), r.Same, renamed)
	return p.Write(w)
}

// named returns a cell with the name of a submission, or both its names.
func (c Change) named() layout.Cell {
	name := layout.Word(c.Submission)
	if c.Was != "" {
		name = layout.Word(c.Was) + " → " + name
	}
	return layout.Cell{Text: name, Look: layout.Strong}
}

// casesText lists cases with their old and new verdicts; first if there are none.
func casesText(list []CaseChange, first string) string {
	const most = 3
	var parts []string
	for i, c := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		parts = append(parts, layout.Word(c.Case)+" "+layout.Code(c.Old)+" → "+layout.Code(c.New))
	}
	return cmp.Or(strings.Join(parts, ", "), first)
}
