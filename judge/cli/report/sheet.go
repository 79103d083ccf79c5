package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

const (
	maxStudent = 30 // columns of a terminal for the name of a student
	maxInFile  = 200
	maxHeading = 8  // columns for the name of a problem
	maxLost    = 20 // files that are listed because they could not be judged
)

// SheetEventsSchema names the form of the lines about a sheet in NDJSON. It changes as
// [account.Schema] does.
const SheetEventsSchema = "tribunal/sheet-events/1"

// SheetFormats returns the formats of the report on a sheet. Their last event is the whole sheet.
func SheetFormats(o TerminalOptions) []Format {
	write := func(name string, render func(io.Writer, *account.Sheet) error) Format {
		return on(name, func(w Output, s *account.Sheet) error { return render(w.Writer, s) })
	}
	return []Format{
		on(Text, func(w Output, s *account.Sheet) error {
			o.Color, o.Width = w.Color, w.Width
			return SheetText(w.Writer, s, o)
		}),
		object[*account.Sheet](),
		lines(SheetEventsSchema),
		pictured(write(Page, SheetHTML)),
		write(Markdown, SheetMarkdown),
		write(Sheet, SheetCSV),
		write(JUnit, SheetJUnit),
	}
}

// SheetText writes a table of students and problems as text, with the columns of problems in several
// tables below one another if they exceed the width of the terminal.
func SheetText(w io.Writer, s *account.Sheet, o TerminalOptions) error {
	longest := maxStudent
	if o.Width <= 0 { // a file, in which names tell students apart
		o.Width, longest = 80, maxInFile
	}
	p := &page{color: o.Color}
	name := len("verdicts")
	for _, one := range s.Students {
		name = max(name, utf8.RuneCountInString(clean(one.Name, longest)))
	}
	const column, total = maxHeading + 2, 9
	fit := max(1, (o.Width-min(name, maxStudent)-total)/column)
	for from := 0; from < len(s.Problems); from += fit {
		problems := s.Problems[from:min(from+fit, len(s.Problems))]
		if from > 0 {
			p.printf("\n")
		}
		head := []cell{{}}
		for _, one := range problems {
			head = append(head, cell{text: clean(one.ID, maxHeading), look: strong})
		}
		rows := [][]cell{append(head, cell{text: "points", right: true})}
		for _, one := range s.Students {
			row := []cell{{text: clean(one.Name, longest), look: strong}}
			for i := range problems {
				row = append(row, sheetCell(&one.Cells[from+i]))
			}
			rows = append(rows, append(row, cell{text: pointsText(one.Points), right: true}))
		}
		sum := []cell{{text: "accepted", look: dim}}
		for i := range problems {
			handed := 0
			count := s.Verdicts(from + i)
			for _, n := range count {
				handed += n
			}
			sum = append(sum, cell{text: strconv.Itoa(count[verdict.AC]) + " of " + strconv.Itoa(handed), look: dim})
		}
		p.table("", append(rows, sum))
	}
	p.printf("\n")
	for i, one := range s.Problems {
		if counts := frequencies(s.Verdicts(i)); counts != "" {
			p.printf("%s: %s\n", p.paint(strong, word(one.ID)), counts)
		}
	}
	if o.Verbose {
		sheetDetails(p, s)
	}
	unjudged(p, s)
	p.printf("%s, %s, judged in %s\n", Count(len(s.Students), "student"), Count(len(s.Problems), "problem"), duration(s.Elapsed))
	return p.write(w)
}

// sheetCell returns the verdict of a cell, with the points of a partial score.
func sheetCell(c *account.Cell) cell {
	switch {
	case c.Wrong != "":
		return cell{text: "?", look: broken}
	case c.Submission == "":
		return cell{text: notRun, look: dim}
	}
	out := letters(c.Verdict)
	if c.Points != 0 && (c.Verdict != verdict.AC || c.Points != 1) {
		out.text += " " + pointsText(c.Points)
	}
	return out
}

// frequencies lists verdicts with their numbers, the most frequent first.
func frequencies(count map[verdict.Verdict]int) string {
	list := slices.Sorted(maps.Keys(count))
	slices.SortStableFunc(list, func(a, b verdict.Verdict) int { return count[b] - count[a] })
	var parts []string
	for _, v := range list {
		parts = append(parts, short(v)+" "+strconv.Itoa(count[v]))
	}
	return strings.Join(parts, ", ")
}

// sheetDetails adds a line for each submission that is not accepted.
func sheetDetails(p *page, s *account.Sheet) {
	var rows [][]cell
	for _, one := range s.Students {
		for i, c := range one.Cells {
			if c.Submission == "" || c.Verdict == verdict.AC || c.Wrong != "" {
				continue
			}
			cause := strings.TrimPrefix(word(c.First)+": "+word(c.Cause), ": ")
			rows = append(rows, []cell{{text: word(one.Name), look: strong}, {text: word(s.Problems[i].ID)}, letters(c.Verdict), {text: cause}})
		}
	}
	if len(rows) > 0 {
		p.printf("\n")
		p.table("", rows)
		p.printf("\n")
	}
}

// unjudged lists what could not be judged.
func unjudged(p *page, s *account.Sheet) {
	lines, notes := notJudged(s)
	for i := range lines {
		lines[i] = "not judged: " + lines[i]
	}
	for _, n := range notes {
		lines = append(lines, "note: "+n)
	}
	for i, l := range lines {
		if i == maxLost {
			p.printf("… and %d more\n", len(lines)-i)
			return
		}
		p.printf("%s\n", l)
	}
}

// SheetCSV writes a row for each student and problem, in the form of [GradeCSV]. Without a submission the
// verdict is empty.
func SheetCSV(w io.Writer, s *account.Sheet) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	c.UseCRLF = !tty.IsTerminal(w)
	rows := [][]string{{
		"student", "problem", "submission", "language", "verdict", "points", "accepted", "judged", "cases", "first_failure", "cause", "cpu_ms", "wall_ms", "memory_kib",
	}}
	for _, one := range s.Students {
		for i, d := range one.Cells {
			row := []string{
				cellText(one.Name), cellText(s.Problems[i].ID), cellText(d.Submission), cellText(d.Language), d.Verdict.String(), pointsText(d.Points),
				strconv.Itoa(d.Passed), strconv.Itoa(d.Judged), strconv.Itoa(d.Total), cellText(d.First), cellText(d.Wrong + d.Cause),
			}
			if d.Wall > 0 { // 0 if nothing was measured
				row = append(row, milliseconds(d.CPU), milliseconds(d.Wall), strconv.FormatInt(int64((d.Memory+limits.KiB-1)/limits.KiB), 10))
			} else {
				row = append(row, "", "", "")
			}
			rows = append(rows, row)
		}
	}
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return tty.Data(w, b.Bytes())
}
