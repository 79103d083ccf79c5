package report

import (
	"bytes"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// MaxFull is the number of failing cases of a submission that the text report shows in full.
const MaxFull = 3

const (
	maxBrief   = 20 // further failing cases that are listed, one per line
	maxMessage = 10 // lines of an output validator's message
	maxShown   = 10 // lines of a case's input
	maxErrors  = 30 // lines of a compiler's output

	maxBriefErrors = 8 // the same, for one of several submissions
)

// single adds the report on one submission.
func (t *Terminal) single(p *layout.Page, s *account.Submission) {
	if !s.Finished {
		return
	}
	d := &s.Done
	row := func(name, text string, l layout.Look) []layout.Cell {
		return []layout.Cell{{Text: name}, {Text: text, Look: l}}
	}
	title := strings.TrimSpace(d.Verdict.String() + " " + d.Verdict.Title())
	if d.Verdict == verdict.None && d.Cause != "" { // it is unclear which files are the program, or a server does not tell it
		title = layout.Word(d.Cause)
		if !t.x.Withheld {
			title = "not judged: " + title
		}
	}
	if text, _ := expectation(s); text != "" {
		title += " (" + text + ")"
	}
	rows := [][]layout.Cell{row("submission", layout.Word(s.Name), layout.Plain)}
	if t.o.Verbose {
		rows = append(rows, row("program", from(&s.Built), layout.Plain))
	}
	if s.Choice != "" {
		rows = append(rows, row("files", layout.Word(s.Choice), layout.Plain))
	}
	rows = append(rows, row("verdict", title, layout.LookOf(d.Verdict)))
	if d.Verdict == verdict.JE && s.Count(func(c *account.Case) bool { return c.Verdict == verdict.JE }) == 0 {
		rows = append(rows, row("cause", why(s), layout.Bad)) // the points could not be computed, which no case shows
	}
	if d.Judged > 0 {
		cases := layout.Passed(d.Passed, d.Judged, d.Total, " of ") + " accepted"
		if d.Judged < d.Total {
			cases += ", " + strconv.Itoa(d.Judged) + " judged"
		}
		rows = append(rows, row("cases", cases+" in "+layout.Duration(t.x.Elapsed), layout.Plain))
	}
	if d.Judged > 0 || d.Total == 0 { // a server may tell nothing of the cases
		rows = append(rows, pointsRows(d.Points)...)
	}
	if d.Judged > 0 {
		if text := FromCache(s); text != "" {
			rows = append(rows, row("cached", text, layout.Plain))
		}
		if d.Wall > 0 { // 0 if the judge failed on every case
			cpu := layout.OfLimit(d.CPU, t.at(s, func(c *account.Case) bool { return c.CPU == d.CPU }).CPU, layout.Duration)
			wall := layout.OfLimit(d.Wall, t.at(s, func(c *account.Case) bool { return c.Wall == d.Wall }).Wall, layout.Duration)
			memory := layout.OfLimit(d.Memory, t.at(s, func(c *account.Case) bool { return c.Memory == d.Memory }).Memory, layout.Size)
			if t.o.Verbose {
				rows = append(rows, row("cpu", cpu, layout.Plain), row("wall", wall, layout.Plain), row("memory", memory, layout.Plain))
			} else {
				rows = append(rows, row("used", "cpu "+cpu+", wall "+wall+", memory "+memory, layout.Plain))
			}
		}
		if !t.o.Verbose { // Verbose lists all cases
			rows = append(rows, t.rerunAccepted(s)...)
		}
	}
	p.Table("", rows)
	if s.Error != "" {
		p.Printf("\n")
		compiler(p, s.Error, maxErrors)
	}
	switch {
	case t.x.Repeat > 1:
		t.repeated(p, s)
	case t.o.Verbose:
		t.every(p, s)
	}
	t.failures(p, s)
}

// at returns the limits of the first case that matches, or those of most cases if none does.
func (t *Terminal) at(s *account.Submission, match func(*account.Case) bool) limits.Limits {
	for i := range s.Cases {
		if match(&s.Cases[i]) {
			return s.Cases[i].Under(t.x.Limits)
		}
	}
	return t.x.Limits
}

// compiler adds at most limit lines of the output of a compiler.
func compiler(p *layout.Page, text string, limit int) {
	lines, more := layout.Head(text, limit)
	p.Indented("    ", lines)
	if more {
		p.Printf("    …\n")
	}
}

// every adds a table of all judged cases with their measurements.
func (t *Terminal) every(p *layout.Page, s *account.Submission) {
	if len(s.Cases) == 0 {
		return
	}
	rows := [][]layout.Cell{{{Text: "case"}, {}, {Text: "cpu", Right: true}, {Text: "wall", Right: true}, {Text: "memory", Right: true}, {Text: "output", Right: true}}}
	for _, c := range s.Cases {
		r := c.Result
		row := []layout.Cell{
			{Text: layout.Word(c.Name)}, {Text: c.Verdict.String(), Look: layout.LookOf(c.Verdict)},
			{Text: layout.Duration(r.CPU), Right: true}, {Text: layout.Duration(r.Wall), Right: true},
			{Text: layout.Size(r.Memory), Right: true}, {Text: layout.Size(limits.Bytes(r.Stdout)), Right: true},
			{Text: joined(layout.Word(c.Cause), rerun(c, c.Under(t.x.Limits)), origin(c))},
		}
		if c.Withheld {
			row[5].Text = ""
		}
		if c.Verdict == verdict.JE { // a case without a result has no measurements
			for i := 2; i < 6; i++ {
				row[i].Text = ""
			}
		}
		rows = append(rows, row)
	}
	p.Printf("\n")
	p.Table("", rows)
}

// failures adds the first failing cases in full, and a line about each of the others.
func (t *Terminal) failures(p *layout.Page, s *account.Submission) {
	failing := s.Failing()
	for i, c := range failing {
		switch {
		case i < MaxFull:
			p.Printf("\n")
			how := commandsFor(t.x, s, &c)
			if i > 0 {
				how.draw = ""
			}
			failure(p, c, c.Under(t.x.Limits), t.again(c), how)
			continue
		case t.o.Verbose: // the table has all cases
			return
		case i == MaxFull:
			p.Printf("\nalso failing\n")
		case i == MaxFull+maxBrief:
			p.Printf("  … and %d more\n", len(failing)-i)
			return
		}
		p.Printf("  %s: %s", layout.Word(c.Name), p.Paint(layout.LookOf(c.Verdict), c.Verdict.String()))
		if text := joined(layout.Word(c.Cause), t.again(c), origin(c)); text != "" {
			p.Printf(" %s", text)
		}
		p.Printf("\n")
	}
}

// shown reports whether a mismatch shows the cause of a verdict.
func shown(m *diff.Mismatch, v verdict.Verdict) bool { return m != nil && v != verdict.OLE }

// failure adds one failing case in full. again describes its reruns; it may be "".
func failure(p *layout.Page, c account.Case, l limits.Limits, again string, how commands) {
	p.Printf("%s: %s %s", p.Paint(layout.Strong, layout.Word(c.Name)), p.Paint(layout.LookOf(c.Verdict), c.Verdict.String()), c.Verdict.Title())
	if c.Cause != "" && !shown(c.Mismatch, c.Verdict) {
		p.Printf(": %s", layout.Word(c.Cause))
	}
	p.Printf("\n")
	if lines, more := layout.Head(c.Note, maxMessage); len(lines) > 0 {
		p.Indented("  ", lines)
		if more {
			p.Printf("  …\n")
		}
	}
	if c.Mismatch != nil {
		p.Printf("  %s\n", p.Paint(layout.Dim, "- expected, + written"))
		p.Difference(c.Mismatch, layout.MaxDiff, layout.Good, layout.Bad)
	}
	if c.Message != "" && (c.Mismatch != nil || !strings.HasSuffix(c.Cause, ": "+strings.TrimSpace(c.Message))) { // the cause may be all of it
		lines, more := layout.Head(c.Message, maxMessage)
		p.Printf("  the checker says:\n")
		p.Indented("    ", lines)
		if more {
			p.Printf("    …\n")
		}
	}
	input(p, c.Shown)
	if c.Verdict != verdict.JE {
		p.Printf("  %s", usage(&c, l))
		if c.Cached {
			p.Printf(", %s", origin(c))
		}
		p.Printf("\n")
	}
	if again != "" {
		p.Printf("  %s\n", again)
	}
	if lines, more := layout.Tail(c.Stderr, layout.MaxStderr); len(lines) > 0 {
		p.Printf("  standard error:\n")
		if more || c.Truncated {
			p.Printf("    …\n")
		}
		p.Indented("    ", lines)
	}
	if c.Kept != "" {
		p.Printf("  kept in %s\n", layout.Word(c.Kept))
	}
	if how.again != "" {
		p.Printf("  %s %s\n", p.Paint(layout.Dim, "again:"), how.again)
	}
	if how.draw != "" {
		p.Printf("  %s %s\n", p.Paint(layout.Dim, "draw:"), how.draw)
	}
}

// usage describes what a case used, and how much it wrote if that is known.
func usage(c *account.Case, l limits.Limits) string {
	text := "cpu " + layout.OfLimit(c.CPU, l.CPU, layout.Duration) + ", wall " + layout.OfLimit(c.Wall, l.Wall, layout.Duration) + ", memory " + layout.OfLimit(c.Memory, l.Memory, layout.Size)
	if c.Withheld {
		return text
	}
	return text + ", output " + layout.OfLimit(limits.Bytes(c.Stdout), l.Output, layout.Size)
}

// input adds the beginning of a case's input, with its white space visible.
func input(p *layout.Page, s grade.Shown) {
	lines, more := beginning(s)
	if len(lines) == 0 {
		return
	}
	p.Printf("  input:\n")
	p.Indented("    ", lines)
	if more {
		p.Printf("    …\n")
	}
}

// beginning returns the first lines of a case's input, with their white space visible, and whether
// there are more.
func beginning(s grade.Shown) (lines []string, more bool) {
	if s.Input == "" {
		return nil, false
	}
	text := []byte(s.Input)
	if s.Cut { // the last line is not whole, unless it is the only one
		if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
			text = text[:end+1]
		}
	}
	lines, more = diff.Visible(text, maxShown, layout.MaxInputLine)
	return lines, more || s.Cut
}

// origin returns "cached" if the result of a case comes from an earlier run, otherwise "".
func origin(c account.Case) string {
	if c.Cached {
		return "cached"
	}
	return ""
}
