package roster

import (
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/class/table"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/account"
)

// canvas are the columns about students in a grade book of Canvas, in its order. Each further column is an assignment
// there, which its importer makes if it is new (lib/gradebook_importer.rb of instructure/canvas-lms).
var canvas = []string{"Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section"}

// ofCanvas reports whether a roster is a grade book of Canvas.
func (r *Roster) ofCanvas() bool {
	named := len(r.Header) > 3 && (r.Header[0] == "Student" && r.Header[1] == "ID" || r.Header[0] == "LastName" && r.Header[1] == "FirstName" && r.Header[2] == "ID")
	return named && r.Column("Section") >= 0
}

// WriteBook writes a grade book: a row for each student with the points for each problem, and their sum. With a roster it
// has the roster's columns, order and form, so that the platform or spreadsheet that wrote the roster reads it; a column
// that is called like a problem is filled, and others are added, with one for the sum. Students who are not in the roster come last. Without a
// roster r is nil, and the columns are student, the problems and total. bom asks for a byte order mark.
func WriteBook(w io.Writer, r *Roster, s *account.Sheet, bom bool) error {
	if r == nil {
		r = &Roster{Table: &table.Table{Comma: ',', Header: []string{"student"}}}
		for _, one := range s.Students {
			r.Students = append(r.Students, Student{Name: one.Name, Values: []string{report.CellText(one.Name)}})
		}
		slices.SortFunc(r.Students, func(a, b Student) int { return strings.Compare(a.Name, b.Name) })
	}
	b := &book{roster: r, sheet: s, at: map[string]*account.Student{}}
	for i := range s.Students {
		b.at[s.Students[i].Name] = &s.Students[i]
	}
	b.layOut()
	rows := [][]string{b.header}
	if b.canvas {
		rows = append(rows, b.possible())
	}
	for _, one := range r.Students {
		rows = append(rows, b.student(one.Values, b.at[one.Name]))
	}
	return r.Write(w, bom, rows)
}

// A book is a grade book that is being written.
type book struct {
	roster *Roster
	sheet  *account.Sheet
	at     map[string]*account.Student // by name
	canvas bool
	header []string
	keep   []int // the columns of the roster that the header has
	column []int // of each problem, in the header
	total  int   // the column of the sum, or -1
}

// layOut decides on the columns.
func (b *book) layOut() {
	b.canvas, b.total = b.roster.ofCanvas(), -1
	for i, name := range b.roster.Header {
		ours := slices.ContainsFunc(b.sheet.Problems, func(p account.SheetProblem) bool { return called(name, p) })
		if !b.canvas || ours || slices.Contains(canvas, name) {
			b.header, b.keep = append(b.header, name), append(b.keep, i)
		}
	}
	known := slices.Clone(b.header)
	for _, p := range b.sheet.Problems {
		at := slices.IndexFunc(known, func(name string) bool { return called(name, p) })
		if at < 0 {
			at = len(b.header)
			b.header = append(b.header, p.ID)
		} else {
			known[at] = "" // it is that of no other problem
		}
		b.column = append(b.column, at)
	}
	if b.total = slices.IndexFunc(b.header, func(name string) bool { return strings.EqualFold(name, "total") }); b.total < 0 && !b.canvas && len(b.header) > len(known) {
		b.total = len(b.header) // Moodle refuses columns that it has not written, so where all are known none is added
		b.header = append(b.header, "total")
	}
}

// possible returns the row of Canvas with the points of a whole solution. Those of assignments that it knows stay.
func (b *book) possible() []string {
	row := make([]string, len(b.header))
	for k, i := range b.keep {
		if b.roster.possible != nil {
			row[k] = b.roster.possible[i]
		}
	}
	for i, at := range b.column {
		if at >= len(b.keep) {
			row[at] = number(b.sheet.Problems[i].Best)
		}
	}
	row[0] = "    Points Possible"
	return row
}

// addition matches what platforms write behind the name of an assignment: its number, or the kind of grade.
var addition = regexp.MustCompile(`\s*\([^()]*\)$`)

// called reports whether a column is that of the points for a problem: its id or title, perhaps after a word such as
// Assignment:, and perhaps with an addition that does not say that it holds something else.
func called(column string, p account.SheetProblem) bool {
	for _, other := range []string{"feedback", "percentage", "letter", "prozent", "pourcentage", "porcentaje"} {
		if strings.HasSuffix(strings.ToLower(clean(column)), "("+other+")") {
			return false
		}
	}
	name := addition.ReplaceAllString(clean(column), "")
	if _, after, is := strings.Cut(name, ":"); is {
		name = strings.TrimSpace(after)
	}
	return strings.EqualFold(name, p.ID) || p.Title != "" && strings.EqualFold(name, clean(p.Title))
}

// student returns the row of a student with these values in the roster. What could not be judged, and what was not handed
// in where the roster has an entry such as EX, stays as it is there.
func (b *book) student(values []string, one *account.Student) []string {
	row := make([]string, len(b.header))
	for k, i := range b.keep {
		row[k] = values[i]
	}
	for i, at := range b.column {
		c := &one.Cells[i]
		missing := c.Submission == ""
		if old := clean(row[at]); c.Wrong == "" && !(missing && old != "" && old != "-") {
			row[at] = number(c.Points)
		}
	}
	if b.total >= 0 {
		row[b.total] = number(one.Points)
	}
	return row
}

// number formats points.
func number(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }
