package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// maxReruns is how many accepted cases that were run again are named.
const maxReruns = 3

// A spread is what several measurements of one thing were.
type spread[T cmp.Ordered] struct{ least, median, most T }

// spreadOf returns the spread of what measure says of each attempt but those in which
// the judge failed, which measured nothing; zero if there are no others. Of an even
// number the median is the lower of the two in the middle: one that was measured.
func spreadOf[T cmp.Ordered](list []grade.Attempt, measure func(grade.Attempt) T) (s spread[T]) {
	var all []T
	for _, a := range list {
		if a.Verdict != verdict.JE {
			all = append(all, measure(a))
		}
	}
	if len(all) == 0 {
		return s
	}
	slices.Sort(all)
	return spread[T]{all[0], all[(len(all)-1)/2], all[len(all)-1]}
}

func cpuOf(a grade.Attempt) time.Duration    { return a.CPU }
func wallOf(a grade.Attempt) time.Duration   { return a.Wall }
func waitedOf(a grade.Attempt) time.Duration { return a.Waited }
func memoryOf(a grade.Attempt) limits.Bytes  { return a.Memory }

// rerun says why and how a case was run again, such as "rerun alone 2×: cpu 0.98 s …
// 1.03 s (limit 1 s), unstable (TLE, AC, AC)"; "" if it was not.
func rerun(c grade.Case, l limits.Limits) string {
	if len(c.Attempts) == 0 {
		return ""
	}
	var parts []string
	for _, m := range []struct {
		name  string
		of    func(grade.Attempt) time.Duration
		limit time.Duration
	}{{"cpu", cpuOf, l.CPU}, {"wall", wallOf, l.Wall}} {
		s := spreadOf(c.Attempts, m.of)
		if m.limit > 0 && s.most >= m.limit-m.limit/5 { // the reason for it
			parts = append(parts, m.name+" "+duration(s.least)+" … "+duration(s.most)+" (limit "+duration(m.limit)+")")
		}
	}
	if s := spreadOf(c.Attempts, waitedOf); s.most > 0 {
		parts = append(parts, "waited up to "+duration(s.most)+" for a CPU")
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

// unstable reports whether any case of any submission is.
func (t *Terminal) unstable() bool {
	return slices.ContainsFunc(t.subs, func(s *submission) bool { return len(s.moved) > 0 })
}

// doubtful counts the cases of all submissions that were run again.
func (t *Terminal) doubtful() (n int) {
	for _, s := range t.subs {
		for _, c := range s.cases {
			if t.again(c) != "" {
				n++
			}
		}
	}
	return n
}

// again is rerun for a place where repeated cases may stand too, whose runs a table
// tells of.
func (t *Terminal) again(c grade.Case) string {
	if t.begin.Repeat > 1 {
		return ""
	}
	return rerun(c, t.begin.Limits)
}

// joined returns the texts that are not empty in one sentence.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "; ")
}

// verdicts lists the verdicts of the attempts in their order.
func verdicts(list []grade.Attempt) string {
	var codes []string
	for _, a := range list {
		codes = append(codes, a.Verdict.String())
	}
	return strings.Join(codes, ", ")
}

// tally counts the verdicts of the attempts, in the order in which they first came:
// "AC" if all are, else "AC 9×, TLE 1×".
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

// measured reports whether any of the attempts was.
func measured(list []grade.Attempt) bool {
	return slices.ContainsFunc(list, func(a grade.Attempt) bool { return a.Verdict != verdict.JE })
}

// repeated lists the judged cases of a submission with what their runs were like.
func (t *Terminal) repeated(p *page, s *submission) {
	if len(s.cases) == 0 {
		return
	}
	right := func(text string) cell { return cell{text: text, right: true} }
	rows := [][]cell{
		{{text: "case"}, {}, right("cpu min"), right("median"), right("max"), right("wall min"), right("median"), right("max"), right("memory")},
	}
	for _, c := range s.cases {
		row := []cell{{text: word(c.Name)}, {text: tally(c.Attempts), look: looks(c.Verdict)}}
		for _, of := range []func(grade.Attempt) time.Duration{cpuOf, wallOf} {
			s := spreadOf(c.Attempts, of)
			row = append(row, right(duration(s.least)), right(duration(s.median)), right(duration(s.most)))
		}
		row = append(row, right(size(spreadOf(c.Attempts, memoryOf).most)))
		if !measured(c.Attempts) {
			for i := 2; i < len(row); i++ {
				row[i].text = ""
			}
		}
		if c.Unstable {
			row = append(row, cell{text: "unstable", look: bad})
		}
		rows = append(rows, row)
	}
	p.printf("\n")
	p.table("", rows)
}

// rerunAccepted says which accepted cases were run again; the others say it where
// their failure is told.
func (t *Terminal) rerunAccepted(s *submission) (rows [][]cell) {
	n := 0
	for _, c := range s.cases {
		text := t.again(c)
		if c.Verdict != verdict.AC || text == "" {
			continue
		}
		if n++; n <= maxReruns {
			rows = append(rows, []cell{{text: "doubtful"}, {text: word(c.Name) + ": " + text}})
		}
	}
	if more := n - maxReruns; more > 0 {
		rows = append(rows, []cell{{text: "doubtful"}, {text: "… and " + Count(more, "more case")}})
	}
	return rows
}
