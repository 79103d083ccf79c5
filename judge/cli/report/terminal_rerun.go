package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// maxReruns is the largest number of accepted cases whose reruns are shown.
const maxReruns = 3

// rerun describes the reruns of a case and their reason, such as "rerun alone 2×: cpu 0.98 s …
// 1.03 s (limit 1 s), unstable (TLE, AC, AC)". It returns "" if the case was not run again.
func rerun(c account.Case, l limits.Limits) string {
	if len(c.Attempts) == 0 {
		return ""
	}
	var parts []string
	if s := c.Spread; s != nil {
		for _, m := range []struct {
			name  string
			times account.Times
			limit time.Duration
		}{{"cpu", s.CPU, l.CPU}, {"wall", s.Wall, l.Wall}} {
			if m.limit > 0 && m.times.Most >= m.limit-m.limit/5 { // close to the limit
				parts = append(parts, m.name+" "+layout.Duration(m.times.Least)+" … "+layout.Duration(m.times.Most)+" (limit "+layout.Duration(m.limit)+")")
			}
		}
		if s.CPUWait > 0 {
			parts = append(parts, "waited up to "+layout.Duration(s.CPUWait)+" for a CPU")
		}
	}
	if c.Unstable {
		parts = append(parts, "unstable ("+verdicts(c.Attempts)+")")
	}
	text := "rerun alone " + strconv.Itoa(len(c.Attempts)-1) + "×"
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// count returns the number of cases of all submissions for which match returns true.
func (t *Terminal) count(match func(*account.Case) bool) (n int) {
	for _, s := range t.x.Submissions {
		n += s.Count(match)
	}
	return n
}

// again is like rerun, but returns "" with --repeat, because then a table shows all runs.
func (t *Terminal) again(c account.Case) string {
	if t.x.Repeat > 1 {
		return ""
	}
	return rerun(c, c.Under(t.x.Limits))
}

// joined joins the texts that are not empty, with semicolons between them.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "; ")
}

// verdicts lists the verdicts of the attempts, in order.
func verdicts(list []grade.Attempt) string {
	var codes []string
	for _, a := range list {
		codes = append(codes, a.Verdict.String())
	}
	return strings.Join(codes, ", ")
}

// tally counts the verdicts of the attempts, in the order of their first occurrence: "AC 9×, TLE
// 1×", or only "AC" if all are AC.
func tally(list []grade.Attempt) string {
	counts := map[verdict.Verdict]int{}
	var order []verdict.Verdict
	for _, a := range list {
		if counts[a.Verdict]++; counts[a.Verdict] == 1 {
			order = append(order, a.Verdict)
		}
	}
	if len(order) == 1 {
		return order[0].String()
	}
	var parts []string
	for _, v := range order {
		parts = append(parts, v.String()+" "+strconv.Itoa(counts[v])+"×")
	}
	return strings.Join(parts, ", ")
}

// repeated adds a table of the judged cases of a submission with the verdicts and times of their
// runs.
func (t *Terminal) repeated(p *layout.Page, s *account.Submission) {
	if len(s.Cases) == 0 {
		return
	}
	right := func(text string) layout.Cell { return layout.Cell{Text: text, Right: true} }
	rows := [][]layout.Cell{
		{{Text: "case"}, {}, right("cpu min"), right("median"), right("max"), right("wall min"), right("median"), right("max"), right("memory")},
	}
	for _, c := range s.Cases {
		row := []layout.Cell{{Text: layout.Word(c.Name)}, {Text: tally(c.Attempts), Look: layout.LookOf(c.Verdict)}}
		if s := c.Spread; s != nil {
			for _, times := range []account.Times{s.CPU, s.Wall} {
				row = append(row, right(layout.Duration(times.Least)), right(layout.Duration(times.Median)), right(layout.Duration(times.Most)))
			}
			row = append(row, right(layout.Size(s.Memory)))
		} else {
			row = append(row, make([]layout.Cell, 7)...)
		}
		if c.Unstable {
			row = append(row, layout.Cell{Text: "unstable", Look: layout.Bad})
		}
		rows = append(rows, row)
	}
	p.Printf("\n")
	p.Table("", rows)
}

// rerunAccepted returns rows about the accepted cases that were run again. The reruns of a failing
// case are part of its description.
func (t *Terminal) rerunAccepted(s *account.Submission) (rows [][]layout.Cell) {
	n := 0
	for _, c := range s.Cases {
		text := t.again(c)
		if c.Verdict != verdict.AC || text == "" {
			continue
		}
		if n++; n <= maxReruns {
			rows = append(rows, []layout.Cell{{Text: "doubtful"}, {Text: layout.Word(c.Name) + ": " + text}})
		}
	}
	if more := n - maxReruns; more > 0 {
		rows = append(rows, []layout.Cell{{Text: "doubtful"}, {Text: "… and " + layout.Count(more, "more case")}})
	}
	return rows
}
