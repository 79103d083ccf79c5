package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

const (
	maxSample  = 100     // lines of a sample that are shown
	maxColumns = 1 << 10 // characters of a line of a sample that are shown
)

// StatementData is the content of a statement. [Statement] leaves out empty parts.
type StatementData struct {
	ID, Title, Source        string
	Authors                  []string
	License                  string
	Keywords                 []string
	Limits                   limits.Limits
	Exceptions               []problem.Exception // to the limits
	Bounds                   []Bound
	Fewer                    bool   // fewer points are better
	Statement, Input, Output string // Markdown
	Rulings                  []string
	Optional                 []cases.Group // the optional groups of cases
	Samples                  []Sample
}

// Bound is the range of a number in the input, both ends included.
type Bound struct {
	Name   string
	Lo, Hi int64
}

// Sample is a test case that the statement shows.
type Sample struct{ Name, Input, Output string }

// Statement writes the statement of a problem as text for a terminal, with paragraphs of at most 80
// columns. It returns the error of w.
func Statement(w io.Writer, d StatementData, o layout.Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	width := min(80, o.Width)
	p := &layout.Page{Color: o.Color}
	heading(p, layout.Word(d.Title)+" ("+layout.Word(d.ID)+")", '=')
	var facts [][]layout.Cell
	list := []struct{ name, text string }{
		{"source", layout.Word(d.Source)}, {"authors", layout.Word(strings.Join(d.Authors, ", "))}, {"license", layout.Word(d.License)},
		{"keywords", layout.Word(strings.Join(d.Keywords, ", "))}, {"limits", layout.Limits(d.Limits)},
	}
	for _, e := range d.Exceptions {
		list = append(list, struct{ name, text string }{"", layout.Exception(e) + ": " + layout.Limits(limits.Limits{CPU: e.CPU, Memory: e.Memory})})
	}
	better := ""
	if d.Fewer {
		better = "fewer are better"
	}
	for _, f := range append(list, []struct{ name, text string }{{"cpus", cpus(d.Limits)}, {"bounds", bounds(d.Bounds)}, {"points", better}}...) {
		if f.text != "" {
			facts = append(facts, []layout.Cell{{Text: f.name, Look: layout.Dim}, {Text: f.text}})
		}
	}
	p.Table("", facts)
	rulings := ""
	for _, r := range d.Rulings {
		rulings += "- " + strings.ReplaceAll(strings.TrimSpace(r), "\n", "\n  ") + "\n"
	}
	optional := ""
	for _, g := range d.Optional {
		optional += fmt.Sprintf("- `%s`, %s: %s\n", g.Name, layout.Count(g.Cases, "case"), g.Note)
	}
	for _, s := range []struct{ title, text string }{
		{"Statement", d.Statement}, {"Input", d.Input}, {"Output", d.Output}, {"Rulings", rulings},
		{"Optional cases", optional},
	} {
		if s.text != "" {
			p.Printf("\n")
			heading(p, s.title, '-')
			addMarkdown(p, s.text, width)
		}
	}
	for _, s := range d.Samples {
		p.Printf("\n")
		heading(p, "Sample "+layout.Word(s.Name), '-')
		addSample(p, s, width)
	}
	return p.Write(w)
}

// cpus returns the number of CPUs that a run gets, or "" for one.
func cpus(l limits.Limits) string {
	if l.CPUs <= 1 {
		return ""
	}
	return strconv.Itoa(l.CPUs)
}

// bounds lists bounds, each like "N 2 to 40".
func bounds(list []Bound) string {
	var parts []string
	for _, b := range list {
		text := fmt.Sprintf("%s %d to %d", layout.Word(b.Name), b.Lo, b.Hi)
		if b.Lo == b.Hi {
			text = fmt.Sprintf("%s %d", layout.Word(b.Name), b.Lo)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// A box is a text in a frame. Blanks at the end of its lines appear as ·, because they would be
// invisible in the frame.
type box struct {
	title string
	lines []string
	width int
}

func newBox(title, text string) box {
	b := box{title: title}
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.title += " (no newline at the end)"
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
		b.title += " (empty)"
	}
	for i, l := range lines {
		if i == maxSample {
			b.lines = append(b.lines, fmt.Sprintf("… and %d more lines", len(lines)-i))
			break
		}
		bare := strings.TrimRight(l, " ")
		b.lines = append(b.lines, layout.Clean(bare, maxColumns)+strings.Repeat("·", min(len(l)-len(bare), maxColumns)))
	}
	b.width = utf8.RuneCountInString(b.title) + 1
	for _, l := range b.lines {
		b.width = max(b.width, utf8.RuneCountInString(l))
	}
	return b
}

// addSample adds the input and the output of a sample, side by side if the width allows it.
func addSample(p *layout.Page, s Sample, width int) {
	in, out := newBox("input", s.Input), newBox("output", s.Output)
	if in.width+out.width+7 <= width {
		boxed(p, in, out)
		return
	}
	boxed(p, in)
	boxed(p, out)
}

// boxed adds boxes side by side.
func boxed(p *layout.Page, boxes ...box) {
	edge := func(left, middle, right string, titled bool) {
		for i, b := range boxes {
			p.Printf("%s", p.Paint(layout.Dim, []string{left, middle}[min(i, 1)]))
			title := ""
			if titled {
				title = " " + b.title + " "
			}
			p.Printf("%s%s", title, p.Paint(layout.Dim, strings.Repeat("─", b.width+2-utf8.RuneCountInString(title))))
		}
		p.Printf("%s\n", p.Paint(layout.Dim, right))
	}
	height := 0
	for _, b := range boxes {
		height = max(height, len(b.lines))
	}
	edge("┌", "┬", "┐", true)
	for i := range height {
		for _, b := range boxes {
			text := ""
			if i < len(b.lines) {
				text = b.lines[i]
			}
			p.Printf("%s %s%s ", p.Paint(layout.Dim, "│"), text, strings.Repeat(" ", b.width-utf8.RuneCountInString(text)))
		}
		p.Printf("%s\n", p.Paint(layout.Dim, "│"))
	}
	edge("└", "┴", "┘", false)
}

// ProblemRow is a row of the table that [Problems] writes.
type ProblemRow struct {
	ID, Title   string
	Limits      limits.Limits
	Cases       int // number of required cases
	Optional    int // number of optional cases
	Submissions int // number of example submissions

	Authors, Keywords []string
	License           string
}

// Problems writes a table of problems, one line per problem. It has no column for authors, licenses or
// keywords if no problem has any. It returns the error of w.
func Problems(w io.Writer, rows []ProblemRow, o layout.Options) error {
	p := &layout.Page{Color: o.Color}
	right := func(text string) layout.Cell { return layout.Cell{Text: text, Right: true} }
	table := [][]layout.Cell{{
		{Text: "id"}, {Text: "title"}, right("cpu"), right("wall"), right("memory"), right("cpus"), right("cases"), right("submissions"),
	}}
	about := []struct {
		name string
		of   func(r ProblemRow) string
	}{
		{"authors", func(r ProblemRow) string { return strings.Join(r.Authors, ", ") }},
		{"license", func(r ProblemRow) string { return r.License }},
		{"keywords", func(r ProblemRow) string { return strings.Join(r.Keywords, ", ") }},
	}
	for i := 0; i < len(about); {
		if slices.ContainsFunc(rows, func(r ProblemRow) bool { return about[i].of(r) != "" }) {
			table[0] = append(table[0], layout.Cell{Text: about[i].name})
			i++
		} else {
			about = slices.Delete(about, i, i+1)
		}
	}
	for i := range table[0] {
		table[0][i].Look = layout.Dim
	}
	for _, r := range rows {
		l, count := r.Limits, strconv.Itoa(r.Cases)
		if r.Optional > 0 {
			count += "+" + strconv.Itoa(r.Optional)
		}
		row := []layout.Cell{
			{Text: layout.Word(r.ID), Look: layout.Strong}, {Text: layout.Word(r.Title)},
			right(orNone(l.CPU, layout.Duration)), right(orNone(l.Wall, layout.Duration)), right(orNone(l.Memory, layout.Size)),
			right(strconv.Itoa(max(l.CPUs, 1))), right(count), right(strconv.Itoa(r.Submissions)),
		}
		for _, a := range about {
			row = append(row, layout.Cell{Text: layout.Word(a.of(r))})
		}
		table = append(table, row)
	}
	p.Table("", table)
	return p.Write(w)
}

// orNone returns a limit as text, or "-" if the limit is 0, which means none.
func orNone[T time.Duration | limits.Bytes](limit T, text func(T) string) string {
	if limit == 0 {
		return "-"
	}
	return text(limit)
}
