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
		rows = append(rows, []layout.Cell{{Text: layout.Word(c.Submission), Look: layout.Strong}, {Text: layout.Word(c.Problem)}, {Text: change, Look: layout.LookOf(c.New.Verdict)}, {Text: layout.Word(c.New.First)}})
	}
	for _, c := range r.Cases {
		change := layout.Code(c.New.Verdict)
		if c.Old.Passed != c.New.Passed {
			change += fmt.Sprintf(" %d → %d of %d accepted", c.Old.Passed, c.New.Passed, c.New.Total)
		}
		rows = append(rows, []layout.Cell{{Text: layout.Word(c.Submission), Look: layout.Strong}, {Text: layout.Word(c.Problem)}, {Text: change}, {Text: casesText(c.Cases, layout.Word(c.New.First))}})
	}
	for _, times := range []struct {
		list []Change
		as   layout.Look
		word string
	}{{r.Slower, layout.Bad, "slower"}, {r.Faster, layout.Good, "faster"}} {
		for _, c := range times.list {
			rows = append(rows, []layout.Cell{
				{Text: layout.Word(c.Submission), Look: layout.Strong}, {Text: layout.Word(c.Problem)}, {Text: times.word, Look: times.as},
				{Text: fmt.Sprintf("cpu %s → %s, %.2f×", layout.Duration(c.Old.CPU), layout.Duration(c.New.CPU), c.Factor())},
			})
		}
	}
	for _, n := range r.Added {
		rows = append(rows, []layout.Cell{{Text: layout.Word(n.Submission), Look: layout.Strong}, {Text: layout.Word(n.Problem)}, {Text: "new"}})
	}
	for _, n := range r.Gone {
		rows = append(rows, []layout.Cell{{Text: layout.Word(n.Submission), Look: layout.Strong}, {Text: layout.Word(n.Problem)}, {Text: "gone"}})
	}
	p.Table("", rows)
	if len(rows) > 0 {
		p.Printf("\n")
	}
	p.Printf("%s changed, %d in cases only, %d slower, %d faster, %d new, %d gone, %d as before\n",
		layout.Count(len(r.Verdicts), "verdict"), len(r.Cases), len(r.Slower), len(r.Faster), len(r.Added), len(r.Gone), r.Same)
	return p.Write(w)
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
