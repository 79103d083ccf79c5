package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
func (t *Terminal) matrix(p *page) {
	rows, more := t.rows()
	shown := t.o.Verbose || len(t.x.Submissions) <= maxBlocks*t.fit(rows)
	if shown {
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
			p.printf("%s: %s\n", word(s.Name), word(s.Choice))
		}
	}
	if more := choices - maxWrong; more > 0 && !t.o.Verbose {
		p.printf("… and the files of %d more were chosen (hint: -v shows how)\n", more)
	}
	if n := t.count(func(c *account.Case) bool { return t.again(*c) != "" }); n > 0 {
		p.printf("%s run again alone: close to a limit, or too long without a CPU\n", Count(n, "doubtful case"))
	}
	if n := t.count(cached); n > 0 {
		judged := t.count(func(*account.Case) bool { return true })
		p.printf("%d of %s from the cache\n", n, Count(judged, "case"))
	}
	p.printf("judged in %s: %s\n", duration(t.x.Elapsed), t.totals())
	if shown {
		t.explain(p, shown)
	}
	if repeat := t.x.Repeat > 1; t.o.Verbose || repeat {
		for i, s := range t.sorted() {
			if len(s.Cases) == 0 {
				continue
			}
			p.printf("\n%s  %s\n", t.title(p, i, s, shown), from(&s.Built))
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
func (t *Terminal) explain(p *page, numbered bool) {
	inner := &page{color: p.color}
	t.compileErrors(inner, numbered)
	t.unexpected(inner, numbered)
	if inner.empty() {
		return
	}
	lines := inner.text().Lines()
	if !numbered { // the empty line comes after them
		lines = append(lines[1:], tty.Text{})
	}
	for _, l := range lines {
		p.printf("%s\n", l)
	}
}

// title returns the name of a submission, after the number of its column if there is a matrix.
func (t *Terminal) title(p *page, i int, s *account.Submission, numbered bool) tty.Text {
	name := p.paint(strong, word(s.Name))
	if numbered {
		return tty.Sprintf("%s  %s", number(i), name)
	}
	return name
}

// maxHardest is the number of cases that hardest lists.
const maxHardest = 10

// hardest adds the cases on which most submissions failed, in place of a matrix.
func (t *Terminal) hardest(p *page) {
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
	rows := [][]cell{{{text: "case"}, {text: "failed", right: true}, {text: "judged", right: true}}}
	for _, f := range list[:min(len(list), maxHardest)] {
		rows = append(rows, []cell{{text: word(f.name)}, {text: strconv.Itoa(f.failed), right: true}, {text: strconv.Itoa(f.judged), right: true}})
	}
	p.table("", rows)
	if more := len(list) - maxHardest; more > 0 {
		p.printf("… and %s more with a failure (hint: -v shows all verdicts)\n", Count(more, "case"))
	}
	p.printf("\n")
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
			parts = append(parts, strconv.Itoa(n)+" "+short(v))
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
		name = max(name, utf8.RuneCountInString(word(t.x.Cases[i])))
	}
	column = 5 // a verdict of up to three letters after two blanks
	if t.count(cached)+t.count(unstable) > 0 {
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
func (t *Terminal) cells(p *page, rows []int) {
	fit := t.fit(rows)
	all := t.sorted()
	for from := 0; from < len(all); from += fit {
		subs := all[from:min(from+fit, len(all))]
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
		if from > 0 {
			p.printf("\n")
		}
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

// lines adds a line for each finished submission with its largest measurements, its name and its
// deciding case. The lines have the numbers of the columns of a matrix, if numbered. On a terminal
// they are cut to its width.
func (t *Terminal) lines(p *page, numbered bool) {
	const points, wall = 2, 6 // columns that are not always shown
	right := func(text string) cell { return cell{text: text, right: true} }
	header := []cell{{}, {}, right("points"), right("cases"), {}, right("cpu"), right("wall"), right("memory")}
	if !slices.ContainsFunc(t.x.Submissions, func(s *account.Submission) bool { return s.Points != nil }) {
		header[points] = cell{}
	}
	if !t.o.Verbose {
		header[wall] = cell{}
	}
	rows := [][]cell{header}
	for i, s := range t.sorted() {
		if !s.Finished {
			continue
		}
		d := &s.Done
		row := []cell{{}, letters(d.Verdict), {}, {}, {text: t.shortName(s.Name), look: strong}, {}, {}, {}}
		if numbered {
			row[0] = right(number(i))
		}
		if d.Points != nil {
			row[points] = right(pointsText(d.Points.Points))
		}
		if d.Judged > 0 {
			row[3], row[5], row[7] = right(strconv.Itoa(d.Passed)+"/"+strconv.Itoa(d.Total)), right(duration(d.CPU)), right(size(d.Memory))
			if t.o.Verbose {
				row[wall] = right(duration(d.Wall))
			}
		}
		text, l := expectation(s)
		rows = append(rows, append(row, cell{text: text, look: l}, cell{text: why(s)}))
	}
	if t.o.Width == 0 {
		p.table("", rows)
		return
	}
	inner := &page{color: p.color}
	inner.table("", rows)
	for _, l := range inner.text().Lines() {
		p.printf("%s\n", l.Cut(t.o.Width))
	}
}

// shortName returns the name of a submission. On a terminal it is at most a third as long as a line,
// and loses its beginning, because the names of many submissions begin alike.
func (t *Terminal) shortName(name string) string {
	name = word(name)
	most := max(t.o.Width/3, 16)
	letters := []rune(name)
	if t.o.Width == 0 || len(letters) <= most {
		return name
	}
	return "…" + string(letters[len(letters)-most+1:])
}

// compileErrors adds the compilers' output for submissions that unexpectedly do not compile: the
// beginning of some, or if verbose most of each.
func (t *Terminal) compileErrors(p *page, numbered bool) {
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
			p.printf("\n%s\n", t.title(p, i, s, numbered))
			compiler(p, s.Error, most)
		}
	}
	if more > 0 {
		p.printf("\n… and %d more do not compile (hint: -v shows the messages)\n", more)
	}
}

// unexpected adds the deciding cases of the first submissions with an unexpected verdict.
func (t *Terminal) unexpected(p *page, numbered bool) {
	shown := 0
	for i, s := range t.sorted() {
		if _, l := expectation(s); l != bad || shown == maxWrong {
			continue
		}
		if failing := s.Failing(); len(failing) > 0 {
			p.printf("\n%s\n", t.title(p, i, s, numbered))
			failure(p, failing[0], failing[0].Under(t.x.Limits), t.again(failing[0]), commandsFor(t.x, s, &failing[0]))
			shown++
		}
	}
}
