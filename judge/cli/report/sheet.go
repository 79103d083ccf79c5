package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

const (
	maxStudent = 30 // columns of a terminal for the name of a student
	maxInFile  = 200
	maxHeading = 8  // columns for the name of a problem
	maxLost    = 20 // files that are listed because they could not be judged, and notes
)

// SheetEventsSchema names the form of the lines about a sheet in NDJSON. It changes as
// [account.Schema] does.
const SheetEventsSchema = "tribunal/sheet-events/1"

// SheetFormats returns the formats of the report on a sheet. Their last event is the whole sheet. bom asks for a byte
// order mark in CSV.
func SheetFormats(o TerminalOptions, bom bool) []format.Format {
	write := func(name string, render func(io.Writer, *account.Sheet) error) format.Format {
		return format.On(name, func(w format.Output, s *account.Sheet) error { return render(w.Writer, s) })
	}
	return []format.Format{
		format.On(format.Terminal, func(w format.Output, s *account.Sheet) error {
			o.Color, o.Width = w.Color, w.Width
			return SheetText(w.Writer, s, o)
		}),
		format.Document[*account.Sheet](),
		format.Stream(SheetEventsSchema),
		format.Pictured(format.On(format.HTML, func(w format.Output, s *account.Sheet) error {
			if w.Folder != "" {
				return SheetPages(w.Folder, s)
			}
			return SheetHTML(w.Writer, s)
		})),
		write(format.Markdown, SheetMarkdown),
		write(format.CSV, func(w io.Writer, s *account.Sheet) error {
			if bom && !tty.IsTerminal(w) {
				if err := tty.Data(w, []byte("\ufeff")); err != nil {
					return err
				}
			}
			return SheetCSV(w, s)
		}),
		write(format.JUnit, SheetJUnit),
	}
}

// SheetText writes a table of students and problems as text, with the columns of problems in several
// tables below one another if they exceed the width of the terminal.
func SheetText(w io.Writer, s *account.Sheet, o TerminalOptions) error {
	longest := maxStudent
	if o.Width <= 0 { // a file, in which names tell students apart
		o.Width, longest = 80, maxInFile
	}
	p := &layout.Page{Color: o.Color}
	name := len("verdicts")
	for _, one := range s.Students {
		name = max(name, utf8.RuneCountInString(layout.Clean(one.Name, longest)))
	}
	column := maxHeading
	for i := range s.Students {
		for k := range s.Problems {
			column = max(column, utf8.RuneCountInString(sheetCell(&s.Students[i].Cells[k]).Text))
		}
	}
	const between, total = 2, 9
	fit := max(1, (o.Width-min(name, maxStudent)-total)/(column+between))
	for from := 0; from < len(s.Problems); from += fit {
		problems := s.Problems[from:min(from+fit, len(s.Problems))]
		if from > 0 {
			p.Printf("\n")
		}
		head := []layout.Cell{{}}
		for _, one := range problems {
			head = append(head, layout.Cell{Text: layout.Clean(one.ID, maxHeading), Look: layout.Strong})
		}
		rows := [][]layout.Cell{append(head, layout.Cell{Text: "points", Right: true})}
		for _, one := range s.Students {
			row := []layout.Cell{{Text: layout.Clean(one.Name, longest), Look: layout.Strong}}
			for i := range problems {
				row = append(row, sheetCell(&one.Cells[from+i]))
			}
			rows = append(rows, append(row, layout.Cell{Text: layout.Points(one.Points), Right: true}))
		}
		sum := []layout.Cell{{Text: "accepted", Look: layout.Dim}}
		for i := range problems {
			handed := 0
			count := s.Verdicts(from + i)
			for _, n := range count {
				handed += n
			}
			sum = append(sum, layout.Cell{Text: strconv.Itoa(count[verdict.AC]) + " of " + strconv.Itoa(handed), Look: layout.Dim})
		}
		p.Table("", append(rows, sum))
	}
	p.Printf("\n")
	for i, one := range s.Problems {
		if counts := layout.Frequencies(s.Verdicts(i)); counts != "" {
			p.Printf("%s: %s\n", p.Paint(layout.Strong, layout.Word(one.ID)), counts)
		}
	}
	if o.Verbose {
		sheetDetails(p, s)
	}
	unjudged(p, s)
	p.Printf("%s, %s, judged in %s\n", layout.Count(len(s.Students), "student"), layout.Count(len(s.Problems), "problem"), layout.Duration(s.Elapsed))
	return p.Write(w)
}

// sheetCell returns the verdict of a cell, with the points of a partial score and what else matters for them.
func sheetCell(c *account.Cell) (out layout.Cell) {
	switch {
	case c.Wrong != "":
		out = layout.Cell{Text: "?", Look: layout.Broken}
	case c.Submission == "":
		out = layout.Cell{Text: notRun, Look: layout.Dim}
	default:
		if out = letters(c.Verdict); c.Points != 0 && (c.Verdict != verdict.AC || c.Points != 1) {
			out.Text += " " + layout.Points(c.Points)
		}
	}
	for _, mark := range []struct {
		is   bool
		word string
	}{{c.Late, "late"}, {c.Shared != "", "shared"}, {c.Dropped, "dropped"}} {
		if mark.is {
			out.Text += " " + mark.word
		}
	}
	return out
}

// sheetDetails adds a line for each submission that is not accepted.
func sheetDetails(p *layout.Page, s *account.Sheet) {
	var rows [][]layout.Cell
	for _, one := range s.Students {
		for i, c := range one.Cells {
			if c.Submission == "" || c.Verdict == verdict.AC || c.Wrong != "" {
				continue
			}
			cause := strings.TrimPrefix(layout.Word(c.First)+": "+layout.Word(c.Cause), ": ")
			rows = append(rows, []layout.Cell{{Text: layout.Word(one.Name), Look: layout.Strong}, {Text: layout.Word(s.Problems[i].ID)}, letters(c.Verdict), {Text: cause}})
		}
	}
	if len(rows) > 0 {
		p.Printf("\n")
		p.Table("", rows)
		p.Printf("\n")
	}
}

// unjudged lists what could not be judged.
func unjudged(p *layout.Page, s *account.Sheet) {
	wrong, notes := notJudged(s)
	list := func(prefix string, lines []string) {
		for i, l := range lines {
			if i == maxLost {
				p.Printf("… and %d more\n", len(lines)-i)
				return
			}
			p.Printf("%s%s\n", prefix, l)
		}
	}
	list("not judged: ", wrong)
	list("note: ", notes)
}

// SheetCSV writes a row for each student and problem, in the form of [GradeCSV] and with columns of its own. Without a
// submission the verdict is empty.
func SheetCSV(w io.Writer, s *account.Sheet) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	c.UseCRLF = !tty.IsTerminal(w)
	rows := [][]string{{
		"student", "problem", "submission", "language", "verdict", "points", "accepted", "judged", "cases", "first_failure", "cause", "cpu_ms", "wall_ms", "memory_kib", "late", "dropped", "shared", "cached",
	}}
	for _, one := range s.Students {
		for i, d := range one.Cells {
			row := []string{
				layout.CellText(one.Name), layout.CellText(s.Problems[i].ID), layout.CellText(d.Submission), layout.CellText(d.Language), d.Verdict.String(), layout.Points(d.Points),
				strconv.Itoa(d.Passed), strconv.Itoa(d.Judged), strconv.Itoa(d.Total), layout.CellText(d.First), layout.CellText(d.Wrong + d.Cause),
			}
			if d.Wall > 0 { // 0 if nothing was measured
				row = append(row, milliseconds(d.CPU), milliseconds(d.Wall), strconv.FormatInt(int64((d.Memory+limits.KiB-1)/limits.KiB), 10))
			} else {
				row = append(row, "", "", "")
			}
			rows = append(rows, append(row, yes(d.Late), yes(d.Dropped), layout.CellText(d.Shared), strconv.Itoa(d.Cached)))
		}
	}
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return tty.Data(w, b.Bytes())
}

// yes returns the text of a cell that says whether something is so.
func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}
