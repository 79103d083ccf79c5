package report

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/verdict"
)

const (
	notRun   = "·"
	unsure   = "?" // after the verdict on an unstable case
	earlier  = "*" // after a verdict by an earlier run
	maxRows  = 60  // of a matrix, unless verbose
	maxWrong = 3   // submissions with an unexpected verdict that are explained
)

// matrix is the report on several submissions.
func (t *Terminal) matrix(p *page, elapsed time.Duration) {
	t.legend(p)
	rows, more := t.rows()
	t.cells(p, rows)
	if more > 0 {
		p.printf("… and %s more with a failure\n", Count(more, "case"))
	}
	if hidden := len(t.begin.Cases) - len(rows) - more; hidden > 0 {
		p.printf("%s without a failure not shown\n", Count(hidden, "case"))
	}
	p.printf("\n")
	t.marks(p)
	t.points(p)
	t.lines(p)
	if n := t.doubtful(); n > 0 {
		p.printf("%s run again alone: late by little, or without a CPU for too long\n", Count(n, "doubtful case"))
	}
	if n, judged := t.cached(); n > 0 {
		p.printf("%d of %s from the cache\n", n, Count(judged, "case"))
	}
	p.printf("judged in %s\n", duration(elapsed))
	t.compileErrors(p)
	t.unexpected(p)
	if repeat := t.begin.Repeat > 1; t.o.Verbose || repeat {
		for i, s := range t.subs {
			if len(s.cases) == 0 {
				continue
			}
			p.printf("\n%s  %s", number(i), p.paint(strong, s.name))
			if repeat {
				t.repeated(p, s)
			} else {
				t.every(p, s)
			}
		}
	}
}

// marks says what stands behind verdicts.
func (t *Terminal) marks(p *page) {
	moved := t.unstable()
	if moved {
		p.printf("%s: unstable, not the same verdict in every run\n", unsure)
	}
	n, _ := t.cached()
	if n > 0 {
		p.printf("%s: cached, measured by an earlier run\n", earlier)
	}
	if moved || n > 0 {
		p.printf("\n")
	}
}

// legend says which submission each column is.
func (t *Terminal) legend(p *page) {
	var rows [][]cell
	for i, s := range t.subs {
		rows = append(rows, []cell{{text: number(i), right: true}, {text: s.name, look: strong}, {text: s.from()}})
	}
	if t.told > 0 { // lines that told the verdicts stand between the header and this
		p.printf("\n")
	}
	p.table("", rows)
}

// rows returns the indices of the cases that get a row, and how many cases with
// a failure do not.
func (t *Terminal) rows() (rows []int, more int) {
	all := t.o.Verbose || t.o.Chosen
	for i := range t.begin.Cases {
		failed := slices.ContainsFunc(t.subs, func(s *submission) bool {
			return s.cells[i] != verdict.AC && s.cells[i] != verdict.None || s.moved[i]
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

// cells shows the verdicts: as many columns side by side as fit the width, and
// the others below.
func (t *Terminal) cells(p *page, rows []int) {
	const summary = "verdict"
	name := len(summary)
	for _, i := range rows {
		name = max(name, utf8.RuneCountInString(word(t.begin.Cases[i])))
	}
	column := 5 // a verdict has up to three letters, and two blanks before it
	if n, _ := t.cached(); n > 0 || t.unstable() {
		column++
	}
	fit := max(1, (t.o.Width-name)/column)
	for from := 0; from < len(t.subs); from += fit {
		subs := t.subs[from:min(from+fit, len(t.subs))]
		line := func(name string, text func(int, *submission) cell) []cell {
			cells := []cell{{text: name}}
			for k, s := range subs {
				cells = append(cells, text(from+k, s))
			}
			return cells
		}
		table := [][]cell{line("", func(i int, _ *submission) cell { return cell{text: number(i)} })}
		for _, i := range rows {
			table = append(table, line(word(t.begin.Cases[i]), func(_ int, s *submission) cell { return s.cell(i) }))
		}
		table = append(table, line(summary, func(_ int, s *submission) cell { return letters(s.verdict()) }))
		p.printf("\n")
		p.table("", table)
	}
}

// cell is the verdict on a case in a matrix.
func (s *submission) cell(i int) cell {
	c := letters(s.cells[i])
	switch {
	case s.moved[i]:
		c.text += unsure
	case s.cached[i]:
		c.text += earlier
	}
	return c
}

// letters is a verdict in a matrix.
func letters(v verdict.Verdict) cell {
	if v == verdict.None {
		return cell{text: notRun, look: dim}
	}
	return cell{text: v.String(), look: looks(v)}
}

// lines gives each submission one line: its worst figures and what decided.
func (t *Terminal) lines(p *page) {
	rows := [][]cell{{{}, {}, {text: "accepted", right: true}, {text: "cpu", right: true}, {text: "wall", right: true}, {text: "memory", right: true}}}
	for i, s := range t.subs {
		d := s.done
		if d == nil {
			continue
		}
		row := []cell{{text: number(i), right: true}, letters(d.Verdict), {}, {}, {}, {}}
		if d.Judged > 0 {
			row[2] = cell{text: strconv.Itoa(d.Passed) + "/" + strconv.Itoa(d.Total), right: true}
			row[3] = cell{text: duration(d.CPU), right: true}
			row[4] = cell{text: duration(d.Wall), right: true}
			row[5] = cell{text: size(d.Memory), right: true}
		}
		text, l := s.expectation()
		rows = append(rows, append(row, cell{text: text, look: l}, cell{text: s.why()}))
	}
	p.table("", rows)
}

// compileErrors shows what compilers said about submissions that were not
// expected to fail there.
func (t *Terminal) compileErrors(p *page) {
	for i, s := range t.subs {
		if s.built.Error == "" || s.done != nil && s.done.Expected == verdict.CE && !t.o.Verbose {
			continue
		}
		p.printf("\n%s  %s\n", number(i), p.paint(strong, s.name))
		compiler(p, s.built.Error)
	}
}

// unexpected explains the deciding case of the first submissions whose verdict
// is not the expected one.
func (t *Terminal) unexpected(p *page) {
	shown := 0
	for i, s := range t.subs {
		if _, l := s.expectation(); l != bad || shown == maxWrong {
			continue
		}
		if failing := s.failing(); len(failing) > 0 {
			p.printf("\n%s  %s\n", number(i), p.paint(strong, s.name))
			failure(p, failing[0], t.begin.Limits, t.again(failing[0]))
			shown++
		}
	}
}
