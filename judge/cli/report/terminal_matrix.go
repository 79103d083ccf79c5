package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

const (
	notRun    = "·" // marks a case that was not run
	unsure    = "?" // marks the verdict on an unstable case
	earlier   = "*" // marks a verdict from an earlier run
	maxRows   = 60  // rows of a matrix, unless verbose
	maxBlocks = 2   // tables that the columns of a matrix may take, unless verbose
	maxWrong  = 3   // submissions with an unexpected verdict that are explained, unless verbose
)

// matrix adds the report on several submissions: the verdicts by case, a line about each submission,
// and some failures. If there are too many submissions for the verdicts, the failures come first, so
// that the lines remain on the screen.
func (t *Terminal) matrix(p *layout.Page) {
	rows, more := t.rows()
	shown := t.o.Verbose || len(t.x.Submissions) <= maxBlocks*t.fit(rows)
	if shown {
		t.cells(p, rows)
		if more > 0 {
			p.Printf("… and %s more with a failure\n", layout.Count(more, "case"))
		}
		if hidden := len(t.x.Cases) - len(rows) - more; hidden > 0 {
			p.Printf("%s without a failure not shown\n", layout.Count(hidden, "case"))
		}
		p.Printf("\n")
		t.marks(p, rows)
		t.points(p)
	} else {
		t.explain(p, shown)
		t.hardest(p)
	}
	t.lines(p, shown)
	choices := 0
	for _, s := range t.sorted() {
		if s.Choice == "" {
			continue
		}
		if choices++; choices <= maxWrong || t.o.Verbose {
			p.Printf("%s: %s\n", layout.Word(s.Name), layout.Word(s.Choice))
		}
	}
	if more := choices - maxWrong; more > 0 && !t.o.Verbose {
		p.Printf("… and the files of %d more were chosen (hint: -v shows how)\n", more)
	}
	if n := t.count(func(c *account.Case) bool { return t.again(*c) != "" }); n > 0 {
		p.Printf("%s run again alone: close to a limit, or too long without a CPU\n", layout.Count(n, "doubtful case"))
	}
	if text := FromCache(t.x.Submissions...); text != "" {
		p.Printf("%s\n", text)
	}
	p.Printf("judged in %s: %s\n", layout.Duration(t.x.Elapsed), t.totals())
	if shown {
		t.explain(p, shown)
	}
	if repeat := t.x.Repeat > 1; t.o.Verbose || repeat {
		for i, s := range t.sorted() {
			if len(s.Cases) == 0 {
				continue
			}
			p.Printf("\n%s  %s\n", t.title(p, i, s, shown), from(&s.Built))
			if repeat {
				t.repeated(p, s)
			} else {
				t.every(p, s)
			}
		}
	}
}

// explain adds compilers' messages and failures of some submissions, after an empty line, or if there
// is no matrix before one.
func (t *Terminal) explain(p *layout.Page, numbered bool) {
	inner := &layout.Page{Color: p.Color}
	t.compileErrors(inner, numbered)
	t.unexpected(inner, numbered)
	if inner.Empty() {
		return
	}
	lines := inner.Text().Lines()
	if !numbered { // the empty line comes after them
		lines = append(lines[1:], tty.Text{})
	}
	for _, l := range lines {
		p.Printf("%s\n", l)
	}
}

// title returns the name of a submission, after the number of its column if there is a matrix.
func (t *Terminal) title(p *layout.Page, i int, s *account.Submission, numbered bool) tty.Text {
	name := p.Paint(layout.Strong, layout.Word(s.Name))
	if numbered {
		return tty.Sprintf("%s  %s", number(i), name)
	}
	return name
}

// maxHardest is the number of cases that hardest lists.
const maxHardest = 10

// hardest adds the cases on which most submissions failed, in place of a matrix.
func (t *Terminal) hardest(p *layout.Page) {
	type failures struct {
		name           string
		failed, judged int
	}
	var list []failures
	for i, name := range t.x.Cases {
		f := failures{name: name}
		for _, s := range t.x.Submissions {
			if c := s.On(i); c != nil {
				f.judged++
				if c.Verdict != verdict.AC {
					f.failed++
				}
			}
		}
		if f.failed > 0 {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b failures) int { return b.failed - a.failed })
	rows := [][]layout.Cell{{{Text: "case"}, {Text: "failed", Right: true}, {Text: "judged", Right: true}}}
	for _, f := range list[:min(len(list), maxHardest)] {
		rows = append(rows, []layout.Cell{{Text: layout.Word(f.name)}, {Text: strconv.Itoa(f.failed), Right: true}, {Text: strconv.Itoa(f.judged), Right: true}})
	}
	p.Table("", rows)
	if more := len(list) - maxHardest; more > 0 {
		p.Printf("… and %s more with a failure (hint: -v shows all verdicts)\n", layout.Count(more, "case"))
	}
	p.Printf("\n")
}

// totals counts the verdicts, and the submissions that got the expected one.
func (t *Terminal) totals() string {
	var parts []string
	for _, v := range append([]verdict.Verdict{verdict.None}, verdict.All()...) {
		n := 0
		for _, s := range t.x.Submissions {
			if s.Finished && s.Verdict == v {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+layout.Code(v))
		}
	}
	expected, kept := 0, 0
	for _, s := range t.x.Submissions {
		if s.Finished && s.AsExpected != nil {
			expected++
			if *s.AsExpected {
				kept++
			}
		}
	}
	text := strings.Join(parts, ", ")
	if expected > 0 {
		text += "; " + strconv.Itoa(kept) + " of " + strconv.Itoa(expected) + " got the expected verdict"
	}
	return text
}

// marks explains the marks after verdicts, if there are any in rows.
func (t *Terminal) marks(p *layout.Page, rows []int) {
	anyUnstable, anyCached := t.marked(rows, unstable), t.marked(rows, cached)
	if anyUnstable {
		p.Printf("%s: unstable, the verdicts of its runs differ\n", unsure)
	}
	if anyCached {
		p.Printf("%s: cached, measured by an earlier run\n", earlier)
	}
	if anyUnstable || anyCached {
		p.Printf("\n")
	}
}

// marked reports whether a result in rows has a property.
func (t *Terminal) marked(rows []int, has func(*account.Case) bool) bool {
	return slices.ContainsFunc(rows, func(i int) bool {
		return slices.ContainsFunc(t.x.Submissions, func(s *account.Submission) bool { c := s.On(i); return c != nil && has(c) })
	})
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

// summary is the name of the last row of a matrix.
const summary = "verdict"

// layout returns the width of the names of the cases in rows, and of a column of verdicts.
func (t *Terminal) layout(rows []int) (name, column int) {
	name = len(summary)
	for _, i := range rows {
		name = max(name, utf8.RuneCountInString(layout.Word(t.x.Cases[i])))
	}
	column = 5 // a verdict of up to three letters after two blanks
	if t.marked(rows, cached) || t.marked(rows, unstable) {
		column++
	}
	return name, column
}

// fit returns how many columns of verdicts fit beside the names of the cases in rows.
func (t *Terminal) fit(rows []int) int {
	name, column := t.layout(rows)
	return max(1, (t.columns()-name)/column)
}

// cells adds the table of verdicts, or several tables below one another if the columns of all
// submissions exceed the width of the terminal.
func (t *Terminal) cells(p *layout.Page, rows []int) {
	fit := t.fit(rows)
	all := t.sorted()
	for from := 0; from < len(all); from += fit {
		subs := all[from:min(from+fit, len(all))]
		line := func(name string, text func(int, *account.Submission) layout.Cell) []layout.Cell {
			cells := []layout.Cell{{Text: name}}
			for k, s := range subs {
				cells = append(cells, text(from+k, s))
			}
			return cells
		}
		table := [][]layout.Cell{line("", func(i int, _ *account.Submission) layout.Cell { return layout.Cell{Text: number(i)} })}
		for _, i := range rows {
			table = append(table, line(layout.Word(t.x.Cases[i]), func(_ int, s *account.Submission) layout.Cell { return verdictOn(s, i) }))
		}
		table = append(table, line(summary, func(_ int, s *account.Submission) layout.Cell { return letters(s.Verdict) }))
		if from > 0 {
			p.Printf("\n")
		}
		p.Table("", table)
	}
}

// verdictOn returns the cell for a submission's verdict on a case.
func verdictOn(s *account.Submission, i int) layout.Cell {
	on := s.On(i)
	if on == nil {
		return letters(verdict.None)
	}
	c := letters(on.Verdict)
	switch {
	case on.Unstable:
		c.Text += unsure
	case on.Cached:
		c.Text += earlier
	}
	return c
}

// letters returns the cell for a verdict.
func letters(v verdict.Verdict) layout.Cell {
	if v == verdict.None {
		return layout.Cell{Text: notRun, Look: layout.Dim}
	}
	return layout.Cell{Text: v.String(), Look: layout.LookOf(v)}
}

// lines adds a line for each finished submission with its largest measurements, its name and its
// deciding case. The lines have the numbers of the columns of a matrix, if numbered. On a terminal
// they are cut to its width.
func (t *Terminal) lines(p *layout.Page, numbered bool) {
	const points, wall = 2, 6 // columns that are not always shown
	right := func(text string) layout.Cell { return layout.Cell{Text: text, Right: true} }
	header := []layout.Cell{{}, {}, right("points"), right("cases"), {}, right("cpu"), right("wall"), right("memory")}
	if !slices.ContainsFunc(t.x.Submissions, func(s *account.Submission) bool { return s.Points != nil }) {
		header[points] = layout.Cell{}
	}
	if !t.o.Verbose {
		header[wall] = layout.Cell{}
	}
	rows := [][]layout.Cell{header}
	for i, s := range t.sorted() {
		if !s.Finished {
			continue
		}
		d := &s.Done
		row := []layout.Cell{{}, letters(d.Verdict), {}, {}, {Text: t.shortName(s.Name), Look: layout.Strong}, {}, {}, {}}
		if numbered {
			row[0] = right(number(i))
		}
		if d.Points != nil {
			row[points] = right(layout.Points(d.Points.Points))
		}
		if d.Judged > 0 {
			row[3], row[5], row[7] = right(layout.Passed(d.Passed, d.Judged, d.Total, "/")), right(layout.Duration(d.CPU)), right(layout.Size(d.Memory))
			if t.o.Verbose {
				row[wall] = right(layout.Duration(d.Wall))
			}
		}
		text, l := expectation(s)
		rows = append(rows, append(row, layout.Cell{Text: text, Look: l}, layout.Cell{Text: why(s)}))
	}
	if t.o.Width == 0 {
		p.Table("", rows)
		return
	}
	inner := &layout.Page{Color: p.Color}
	inner.Table("", rows)
	for _, l := range inner.Text().Lines() {
		p.Printf("%s\n", l.Cut(t.o.Width))
	}
}

// shortName returns the name of a submission. On a terminal it is at most a third as long as a line,
// and loses its beginning, because the names of many submissions begin alike.
func (t *Terminal) shortName(name string) string {
	name = layout.Word(name)
	most := max(t.o.Width/3, 16)
	letters := []rune(name)
	if t.o.Width == 0 || len(letters) <= most {
		return name
	}
	return "…" + string(letters[len(letters)-most+1:])
}

// compileErrors adds the compilers' output for submissions that unexpectedly do not compile: the
// beginning of some, or if verbose most of each.
func (t *Terminal) compileErrors(p *layout.Page, numbered bool) {
	shown, more, most := 0, 0, maxBriefErrors
	if t.o.Verbose {
		most = maxErrors
	}
	for i, s := range t.sorted() {
		switch {
		case s.Error == "" || s.Expected == verdict.CE && !t.o.Verbose:
		case shown == maxWrong && !t.o.Verbose:
			more++
		default:
			shown++
			p.Printf("\n%s\n", t.title(p, i, s, numbered))
			compiler(p, s.Error, most)
		}
	}
	if more > 0 {
		p.Printf("\n… and %d more do not compile (hint: -v shows the messages)\n", more)
	}
}

// unexpected adds the deciding cases of the first submissions with an unexpected verdict.
func (t *Terminal) unexpected(p *layout.Page, numbered bool) {
	shown := 0
	for i, s := range t.sorted() {
		if _, l := expectation(s); l != layout.Bad || shown == maxWrong {
			continue
		}
		if failing := s.Failing(); len(failing) > 0 {
			p.Printf("\n%s\n", t.title(p, i, s, numbered))
			failure(p, failing[0], failing[0].Under(t.x.Limits), t.again(failing[0]), commandsFor(t.x, s, &failing[0]))
			shown++
		}
	}
}
