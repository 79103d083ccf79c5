package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"tribunal/judge/class/compare"
)

// Compare writes what differs between two judgings as text. It returns the error of w.
func Compare(w io.Writer, r *compare.Report, o PageOptions) error {
	p := &page{color: o.Color}
	var rows [][]cell
	for _, c := range r.Verdicts {
		change := short(c.Old.Verdict) + " → " + short(c.New.Verdict)
		if c.Old.Points != nil && c.New.Points != nil && *c.Old.Points != *c.New.Points {
			change += fmt.Sprintf(", %s → %s points", pointsText(*c.Old.Points), pointsText(*c.New.Points))
		}
		rows = append(rows, []cell{{text: word(c.Submission), look: strong}, {text: word(c.Problem)}, {text: change, look: looks(c.New.Verdict)}, {text: word(c.New.First)}})
	}
	for _, c := range r.Cases {
		change := short(c.New.Verdict)
		if c.Old.Passed != c.New.Passed {
			change += fmt.Sprintf(" %d → %d of %d accepted", c.Old.Passed, c.New.Passed, c.New.Total)
		}
		rows = append(rows, []cell{{text: word(c.Submission), look: strong}, {text: word(c.Problem)}, {text: change}, {text: casesText(c.Cases, word(c.New.First))}})
	}
	for _, times := range []struct {
		list []compare.Change
		as   look
		word string
	}{{r.Slower, bad, "slower"}, {r.Faster, good, "faster"}} {
		for _, c := range times.list {
			rows = append(rows, []cell{
				{text: word(c.Submission), look: strong}, {text: word(c.Problem)}, {text: times.word, look: times.as},
				{text: fmt.Sprintf("cpu %s → %s, %.2f×", duration(c.Old.CPU), duration(c.New.CPU), c.Factor())},
			})
		}
	}
	for _, n := range r.Added {
		rows = append(rows, []cell{{text: word(n.Submission), look: strong}, {text: word(n.Problem)}, {text: "new"}})
	}
	for _, n := range r.Gone {
		rows = append(rows, []cell{{text: word(n.Submission), look: strong}, {text: word(n.Problem)}, {text: "gone"}})
	}
	p.table("", rows)
	if len(rows) > 0 {
		p.printf("\n")
	}
	p.printf("%s changed, %d in cases only, %d slower, %d faster, %d new, %d gone, %d as before\n",
		Count(len(r.Verdicts), "verdict"), len(r.Cases), len(r.Slower), len(r.Faster), len(r.Added), len(r.Gone), r.Same)
	return p.write(w)
}

// casesText lists cases with their old and new verdicts; first if there are none.
func casesText(list []compare.CaseChange, first string) string {
	const most = 3
	var parts []string
	for i, c := range list {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		parts = append(parts, word(c.Case)+" "+short(c.Old)+" → "+short(c.New))
	}
	return cmp.Or(strings.Join(parts, ", "), first)
}
