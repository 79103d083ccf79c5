package report

import (
	"bytes"
	"strconv"
	"strings"

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
	maxDiff    = 40 // lines of a difference, more than the comparison keeps by default
	maxMessage = 10 // lines of an output validator's message
	maxStderr  = 10 // lines of a program's standard error
	maxShown   = 10 // lines of a case's input
	maxErrors  = 30 // lines of a compiler's output

	maxBriefErrors = 8 // the same, for one of several submissions
)

// single adds the report on one submission.
func (t *Terminal) single(p *page, s *account.Submission) {
	if !s.Finished {
		return
	}
	d := &s.Done
	row := func(name, text string, l look) []cell { return []cell{{text: name}, {text: text, look: l}} }
	title := strings.TrimSpace(d.Verdict.String() + " " + d.Verdict.Title())
	if d.Verdict == verdict.None && d.Cause != "" { // it is unclear which files are the program, or a server does not tell it
		title = word(d.Cause)
		if !t.x.Withheld {
			title = "not judged: " + title
		}
	}
	if text, _ := expectation(s); text != "" {
		title += " (" + text + ")"
	}
	rows := [][]cell{row("submission", word(s.Name), plain)}
	if t.o.Verbose {
		rows = append(rows, row("program", from(&s.Built), plain))
	}
	if s.Choice != "" {
		rows = append(rows, row("files", word(s.Choice), plain))
	}
	rows = append(rows, row("verdict", title, looks(d.Verdict)))
	if d.Verdict == verdict.JE && s.Count(func(c *account.Case) bool { return c.Verdict == verdict.JE }) == 0 {
		rows = append(rows, row("cause", why(s), bad)) // the points could not be computed, which no case shows
	}
	if d.Judged > 0 {
		cases := strconv.Itoa(d.Passed) + " of " + strconv.Itoa(d.Total) + " accepted"
		if d.Judged < d.Total {
			cases += ", " + strconv.Itoa(d.Judged) + " judged"
		}
		rows = append(rows, row("cases", cases+" in "+duration(t.x.Elapsed), plain))
	}
	if d.Judged > 0 || d.Total == 0 { // a server may tell nothing of the cases
		rows = append(rows, pointsRows(d.Points)...)
	}
	if d.Judged > 0 {
		if d.Cached > 0 {
			rows = append(rows, row("from cache", strconv.Itoa(d.Cached)+" of "+Count(d.Judged, "case"), plain))
		}
		if d.Wall > 0 { // 0 if the judge failed on every case
			cpu := ofLimit(d.CPU, t.at(s, func(c *account.Case) bool { return c.CPU == d.CPU }).CPU, duration)
			wall := ofLimit(d.Wall, t.at(s, func(c *account.Case) bool { return c.Wall == d.Wall }).Wall, duration)
			memory := ofLimit(d.Memory, t.at(s, func(c *account.Case) bool { return c.Memory == d.Memory }).Memory, size)
			if t.o.Verbose {
				rows = append(rows, row("cpu", cpu, plain), row("wall", wall, plain), row("memory", memory, plain))
			} else {
				rows = append(rows, row("used", "cpu "+cpu+", wall "+wall+", memory "+memory, plain))
			}
		}
		if !t.o.Verbose { // Verbose lists all cases
			rows = append(rows, t.rerunAccepted(s)...)
		}
	}
	p.table("", rows)
	if s.Error != "" {
		p.printf("\n")
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
func compiler(p *page, text string, limit int) {
	lines, more := head(text, limit)
	p.indented("    ", lines)
	if more {
		p.printf("    …\n")
	}
}

// every adds a table of all judged cases with their measurements.
func (t *Terminal) every(p *page, s *account.Submission) {
	if len(s.Cases) == 0 {
		return
	}
	rows := [][]cell{{{text: "case"}, {}, {text: "cpu", right: true}, {text: "wall", right: true}, {text: "memory", right: true}, {text: "output", right: true}}}
	for _, c := range s.Cases {
		r := c.Result
		row := []cell{
			{text: word(c.Name)}, {text: c.Verdict.String(), look: looks(c.Verdict)},
			{text: duration(r.CPU), right: true}, {text: duration(r.Wall), right: true},
			{text: size(r.Memory), right: true}, {text: size(limits.Bytes(r.Stdout)), right: true},
			{text: joined(word(c.Cause), rerun(c, c.Under(t.x.Limits)), origin(c))},
		}
		if c.Withheld {
			row[5].text = ""
		}
		if c.Verdict == verdict.JE { // a case without a result has no measurements
			for i := 2; i < 6; i++ {
				row[i].text = ""
			}
		}
		rows = append(rows, row)
	}
	p.printf("\n")
	p.table("", rows)
}

// failures adds the first failing cases in full, and a line about each of the others.
func (t *Terminal) failures(p *page, s *account.Submission) {
	failing := s.Failing()
	for i, c := range failing {
		switch {
		case i < MaxFull:
			p.printf("\n")
			how := commandsFor(t.x, s, &c)
			if i > 0 {
				how.draw = ""
			}
			failure(p, c, c.Under(t.x.Limits), t.again(c), how)
			continue
		case t.o.Verbose: // the table has all cases
			return
		case i == MaxFull:
			p.printf("\nalso failing\n")
		case i == MaxFull+maxBrief:
			p.printf("  … and %d more\n", len(failing)-i)
			return
		}
		p.printf("  %s: %s", word(c.Name), p.paint(looks(c.Verdict), c.Verdict.String()))
		if text := joined(word(c.Cause), t.again(c), origin(c)); text != "" {
			p.printf(" %s", text)
		}
		p.printf("\n")
	}
}

// shown reports whether a mismatch shows the cause of a verdict.
func shown(m *diff.Mismatch, v verdict.Verdict) bool { return m != nil && v != verdict.OLE }

// failure adds one failing case in full. again describes its reruns; it may be "".
func failure(p *page, c account.Case, l limits.Limits, again string, how commands) {
	p.printf("%s: %s %s", p.paint(strong, word(c.Name)), p.paint(looks(c.Verdict), c.Verdict.String()), c.Verdict.Title())
	if c.Cause != "" && !shown(c.Mismatch, c.Verdict) {
		p.printf(": %s", word(c.Cause))
	}
	p.printf("\n")
	if lines, more := head(c.Note, maxMessage); len(lines) > 0 {
		p.indented("  ", lines)
		if more {
			p.printf("  …\n")
		}
	}
	if c.Mismatch != nil {
		p.printf("  %s\n", p.paint(dim, "- expected, + written"))
		excerpt(p, c.Mismatch, maxDiff, good, bad)
	}
	if c.Message != "" && (c.Mismatch != nil || !strings.HasSuffix(c.Cause, ": "+strings.TrimSpace(c.Message))) { // the cause may be all of it
		lines, more := head(c.Message, maxMessage)
		p.printf("  the checker says:\n")
		p.indented("    ", lines)
		if more {
			p.printf("    …\n")
		}
	}
	input(p, c.Shown)
	if c.Verdict != verdict.JE {
		p.printf("  %s", usage(&c, l))
		if c.Cached {
			p.printf(", %s", origin(c))
		}
		p.printf("\n")
	}
	if again != "" {
		p.printf("  %s\n", again)
	}
	if lines, more := tail(c.Stderr, maxStderr); len(lines) > 0 {
		p.printf("  standard error:\n")
		if more || c.Truncated {
			p.printf("    …\n")
		}
		p.indented("    ", lines)
	}
	if c.Kept != "" {
		p.printf("  kept in %s\n", word(c.Kept))
	}
	if how.again != "" {
		p.printf("  %s %s\n", p.paint(dim, "again:"), how.again)
	}
	if how.draw != "" {
		p.printf("  %s %s\n", p.paint(dim, "draw:"), how.draw)
	}
}

// usage describes what a case used, and how much it wrote if that is known.
func usage(c *account.Case, l limits.Limits) string {
	text := "cpu " + ofLimit(c.CPU, l.CPU, duration) + ", wall " + ofLimit(c.Wall, l.Wall, duration) + ", memory " + ofLimit(c.Memory, l.Memory, size)
	if c.Withheld {
		return text
	}
	return text + ", output " + ofLimit(limits.Bytes(c.Stdout), l.Output, size)
}

// input adds the beginning of a case's input, with its white space visible.
func input(p *page, s grade.Shown) {
	lines, more := beginning(s)
	if len(lines) == 0 {
		return
	}
	p.printf("  input:\n")
	p.indented("    ", lines)
	if more {
		p.printf("    …\n")
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
	lines, more = diff.Visible(text, maxShown, maxInputLine)
	return lines, more || s.Cut
}

// excerpt adds at most limit lines of a difference. Expected lines get the look expected, and lines
// that the program wrote the look written.
func excerpt(p *page, m *diff.Mismatch, limit int, expected, written look) {
	lines, more := head(m.Format(""), limit)
	for _, l := range lines {
		as := plain
		switch {
		case strings.HasPrefix(l, "- "):
			as = expected
		case strings.HasPrefix(l, "+ "):
			as = written
		}
		p.printf("  %s\n", p.paint(as, l))
	}
	if more {
		p.printf("  …\n")
	}
}

// origin returns "cached" if the result of a case comes from an earlier run, otherwise "".
func origin(c account.Case) string {
	if c.Cached {
		return "cached"
	}
	return ""
}
