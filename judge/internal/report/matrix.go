package report

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/verdict"
)

const (
	notRun   = "·" // marks a case that was not run
	unsure   = "?" // marks the verdict on an unstable case
	earlier  = "*" // marks a verdict from an earlier run
	maxRows  = 60  // rows of a matrix, unless verbose
	maxWrong = 3   // submissions with an unexpected verdict that are explained
)

// matrix adds the report on several submissions.
func (t *Terminal) matrix(p *page) {
	t.legend(p)
	rows, more := t.rows()
	t.cells(p, rows)
	if more > 0 {
		p.printf("… and %s more with a failure\n", Count(more, "case"))
	}
	if hidden := len(t.x.Cases) - len(rows) - more; hidden > 0 {
		p.printf("%s without a failure not shown\n", Count(hidden, "case"))
	}
	p.printf("\n")
	t.marks(p)
	t.points(p)
	t.lines(p)
	if n := t.count(func(c *account.Case) bool { return t.again(*c) != "" }); n > 0 {
		p.printf("%s run again alone: close to a limit, or too long without a CPU\n", Count(n, "doubtful case"))
	}
	if n := t.count(cached); n > 0 {
		judged := t.count(func(*account.Case) bool { return true })
		p.printf("%d of %s from the cache\n", n, Count(judged, "case"))
	}
	p.printf("judged in %s\n", duration(t.x.Elapsed))
	t.compileErrors(p)
	t.unexpected(p)
	if repeat := t.x.Repeat > 1; t.o.Verbose || repeat {
		for i, s := range t.x.Submissions {
			if len(s.Cases) == 0 {
				continue
			}
			p.printf("\n%s  %s", number(i), p.paint(strong, word(s.Name)))
			if repeat {
				t.repeated(p, s)
			} else {
				t.every(p, s)
			}
		}
	}
}

// marks explains the marks after verdicts, if there are any.
func (t *Terminal) marks(p *page) {
	anyUnstable, anyCached := t.count(unstable) > 0, t.count(cached) > 0
	if anyUnstable {
		p.printf("%s: unstable, the verdicts of its runs differ\n", unsure)
	}
	if anyCached {
		p.printf("%s: cached, measured by an earlier run\n", earlier)
	}
	if anyUnstable || anyCached {
		p.printf("\n")
	}
}

// legend adds a list of the submissions with their column numbers.
func (t *Terminal) legend(p *page) {
	var rows [][]cell
	for i, s := range t.x.Submissions {
		rows = append(rows, []cell{{text: number(i), right: true}, {text: word(s.Name), look: strong}, {text: from(&s.Built)}})
	}
	if t.printed > 0 { // verdicts have been printed after the header
		p.printf("\n")
	}
	p.table("", rows)
}

// rows returns the indices of the cases that get a row, and the number of further cases with a
// failure.
func (t *Terminal) rows() (rows []int, more int) {
	all := t.o.Verbose || t.o.Chosen
	for i := range t.x.Cases {
		failed := slices.ContainsFunc(t.x.Submissions, func(s *account.Submission) bool {
			c := s.On(i)
			return c != nil && (c.Verdict != verdict.AC || c.Unstable)
		})
		switch {
		case !failed && !all:
		case len(rows) < maxRows || t.o.Verbose:
			rows = append(rows, i)
		case failed:
			more++
		}
	}
	return rows, more
}

// cells adds the table of verdicts, or several tables below one another if the columns of all
// submissions exceed the width of the terminal.
func (t *Terminal) cells(p *page, rows []int) {
	const summary = "verdict"
	name := len(summary)
	for _, i := range rows {
		name = max(name, utf8.RuneCountInString(word(t.x.Cases[i])))
	}
	column := 5 // a verdict of up to three letters after two blanks
	if t.count(cached)+t.count(unstable) > 0 {
		column++
	}
	fit := max(1, (t.o.Width-name)/column)
	for from := 0; from < len(t.x.Submissions); from += fit {
		subs := t.x.Submissions[from:min(from+fit, len(t.x.Submissions))]
		line := func(name string, text func(int, *account.Submission) cell) []cell {
			cells := []cell{{text: name}}
			for k, s := range subs {
				cells = append(cells, text(from+k, s))
			}
			return cells
		}
		table := [][]cell{line("", func(i int, _ *account.Submission) cell { return cell{text: number(i)} })}
		for _, i := range rows {
			table = append(table, line(word(t.x.Cases[i]), func(_ int, s *account.Submission) cell { return verdictOn(s, i) }))
		}
		table = append(table, line(summary, func(_ int, s *account.Submission) cell { return letters(s.Verdict) }))
		p.printf("\n")
		p.table("", table)
	}
}

// verdictOn returns the cell for a submission's verdict on a case.
func verdictOn(s *account.Submission, i int) cell {
	on := s.On(i)
	if on == nil {
		return letters(verdict.None)
	}
	c := letters(on.Verdict)
	switch {
	case on.Unstable:
		c.text += unsure
	case on.Cached:
		c.text += earlier
	}
	return c
}

// letters returns the cell for a verdict.
func letters(v verdict.Verdict) cell {
	if v == verdict.None {
		return cell{text: notRun, look: dim}
	}
	return cell{text: v.String(), look: looks(v)}
}

// lines adds a line for each submission with its largest measurements and its deciding case.
func (t *Terminal) lines(p *page) {
	rows := [][]cell{{{}, {}, {text: "accepted", right: true}, {text: "cpu", right: true}, {text: "wall", right: true}, {text: "memory", right: true}}}
	for i, s := range t.x.Submissions {
		if !s.Finished {
			continue
		}
		d := &s.Done
		row := []cell{{text: number(i), right: true}, letters(d.Verdict), {}, {}, {}, {}}
		if d.Judged > 0 {
			row[2] = cell{text: strconv.Itoa(d.Passed) + "/" + strconv.Itoa(d.Total), right: true}
			row[3] = cell{text: duration(d.CPU), right: true}
			row[4] = cell{text: duration(d.Wall), right: true}
			row[5] = cell{text: size(d.Memory), right: true}
		}
		text, l := expectation(s)
		rows = append(rows, append(row, cell{text: text, look: l}, cell{text: why(s)}))
	}
	p.table("", rows)
}

// compileErrors adds the compilers' output for submissions that unexpectedly do not compile.
func (t *Terminal) compileErrors(p *page) {
	for i, s := range t.x.Submissions {
		if s.Error == "" || s.Expected == verdict.CE && !t.o.Verbose {
			continue
		}
		p.printf("\n%s  %s\n", number(i), p.paint(strong, word(s.Name)))
		compiler(p, s.Error)
	}
}

// unexpected adds the deciding cases of the first submissions with an unexpected verdict.
func (t *Terminal) unexpected(p *page) {
	shown := 0
	for i, s := range t.x.Submissions {
		if _, l := expectation(s); l != bad || shown == maxWrong {
			continue
		}
		if failing := s.Failing(); len(failing) > 0 {
			p.printf("\n%s  %s\n", number(i), p.paint(strong, word(s.Name)))
			failure(p, failing[0], failing[0].Under(t.x.Limits), t.again(failing[0]), commandFor(t.x.Command, s.Name, failing[0].Name))
			shown++
		}
	}
}
