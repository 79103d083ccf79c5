package roster

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/class/table"
	"tribunal/judge/cli/layout"
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
// that is called like a problem is filled, and others are added, with one for the sum. The grading worksheet of an
// assignment of Moodle gets no columns, but the sum in that of the grade, scaled to its maximum. Students who are not in
// the roster have no row. Without a roster r is nil, and the columns are student, the problems and total. bom asks for a
// byte order mark.
func WriteBook(w io.Writer, r *Roster, s *account.Sheet, bom bool) error {
	if r == nil {
		r = &Roster{Table: &table.Table{Header: []string{"student"}}}
		for _, one := range s.Students {
			r.Students = append(r.Students, Student{Name: one.Name, Values: []string{layout.CellText(one.Name)}})
		}
		slices.SortFunc(r.Students, func(a, b Student) int { return strings.Compare(a.Name, b.Name) })
	}
	b := layOut(r, s)
	at := map[string]*account.Student{}
	for i := range s.Students {
		at[s.Students[i].Name] = &s.Students[i]
	}
	rows := [][]string{b.header}
	if b.canvas {
		rows = append(rows, b.possible())
	}
	for _, one := range r.Students {
		rows = append(rows, b.student(one.Values, at[one.Name]))
	}
	return r.Write(w, bom, rows)
}

// BookNotes returns what a teacher should know of the grade book that WriteBook writes: points that the platform counts
// otherwise.
func (r *Roster) BookNotes(s *account.Sheet) (notes []string) {
	b := layOut(r, s)
	switch {
	case b.most > 0:
		notes = append(notes, fmt.Sprintf("%s: the column %q gets the sum of the points, scaled to the maximum of %s", r.File, b.header[b.total], r.Format(b.most)))
	case r.worksheet() >= 0:
		notes = append(notes, r.File+": a grading worksheet without a maximum, so that the column of the grade stays")
	}
	for i, p := range s.Problems {
		if theirs := b.theirs(i); theirs > 0 && p.Best > 0 && theirs != p.Best {
			notes = append(notes, fmt.Sprintf("%s: %s points in %s, %s here (hint: --weight %s=%[2]s)", p.ID, r.Format(theirs), r.File, r.Format(p.Best), p.ID))
		}
	}
	return notes
}

// worksheet returns the column with the participants in a grading worksheet of Moodle; -1 if the table is none.
func worksheet(t *table.Table) int {
	column := t.Column(numberColumns...)
	if column < 0 || len(t.Rows) == 0 || slices.ContainsFunc(t.Rows, func(row []string) bool { return !participant().MatchString(row[column]) }) {
		return -1
	}
	return column
}

func (r *Roster) worksheet() int { return worksheet(r.Table) }

// grade returns the column for the grade in a worksheet, and the maximum, which is in the next column of every row
// (mod/assign/gradingtable.php of Moodle); -1 if there is none.
func (r *Roster) grade() (column int, most float64) {
	if r.worksheet() < 0 {
		return -1, 0
	}
	for column := len(r.Header) - 2; column >= 0; column-- { // before it, a column may be empty beside equal grades
		most, is := table.Parse(r.Rows[0][column+1])
		if is && most > 0 && !slices.ContainsFunc(r.Rows, func(row []string) bool {
			next, _ := table.Parse(row[column+1])
			n, number := table.Parse(row[column])
			return next != most || clean(row[column]) != "" && !(number && n <= most)
		}) {
			return column, most
		}
	}
	return -1, 0
}

// A book is a grade book that is being written.
type book struct {
	roster *Roster
	sheet  *account.Sheet
	canvas bool
	header []string
	keep   []int   // the columns of the roster that the header has
	column []int   // of each problem, in the header; none in a worksheet
	total  int     // the column of the sum, or -1
	most   float64 // the maximum that the sum in a worksheet is scaled to; otherwise 0
}

// layOut decides on the columns.
func layOut(r *Roster, s *account.Sheet) *book {
	b := &book{roster: r, sheet: s, canvas: r.ofCanvas(), total: -1}
	for i, name := range r.Header {
		ours := slices.ContainsFunc(s.Problems, func(p account.SheetProblem) bool { return called(name, p) })
		if !b.canvas || ours || slices.Contains(canvas, name) {
			b.header, b.keep = append(b.header, name), append(b.keep, i)
		}
	}
	if b.total, b.most = r.grade(); b.most > 0 {
		r.Points(b.total, b.total+1)
		return b
	}
	known := slices.Clone(b.header)
	var filled []int
	for _, p := range s.Problems {
		at := slices.IndexFunc(known, func(name string) bool { return called(name, p) })
		if at < 0 {
			at = len(b.header)
			b.header = append(b.header, layout.CellText(p.ID))
		} else {
			known[at] = "" // it is that of no other problem
			filled = append(filled, b.keep[at])
		}
		b.column = append(b.column, at)
	}
	r.Points(filled...)
	platform := b.canvas || slices.ContainsFunc(b.header, func(name string) bool { return ofBlackboard().MatchString(name) })
	if b.total = slices.IndexFunc(b.header, func(name string) bool { return strings.EqualFold(name, "total") }); b.total < 0 && !platform && len(b.header) > len(known) {
		b.total = len(b.header) // Moodle refuses columns that it has not written, so where all are known none is added
		b.header = append(b.header, "total")
	}
	return b
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
			row[at] = b.roster.Format(b.sheet.Problems[i].Best)
		}
	}
	row[0] = "    Points Possible"
	return row
}

// theirs returns the points that the platform has for a whole solution: in Canvas' row or Blackboard's header; 0 if it
// does not say.
func (b *book) theirs(problem int) (points float64) {
	if problem >= len(b.column) || b.column[problem] >= len(b.keep) {
		return 0
	}
	at := b.column[problem]
	if m := ofBlackboard().FindStringSubmatch(b.header[at]); m != nil {
		points, _ = table.Parse(m[1])
	} else if b.roster.possible != nil {
		points, _ = table.Parse(b.roster.possible[b.keep[at]])
	}
	return points
}

// addition matches what platforms write behind the name of an assignment: its number, or the kind of grade, as in
// "HW (77)", "HW (Real)" or "HW [Total Pts: 10 Score] |77".
var addition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*(?:\([^()]*\)|\[[^\[\]]*\]\s*\|\d+)$`) })

// ofBlackboard matches a header of Blackboard, with the points.
var ofBlackboard = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\[\]\d]*([\d.,]*)[^\[\]]*\]\s*\|\d+$`) })

// otherwise matches the end of a header of a platform for what is not points.
var otherwise = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)[( ](?:feedback|percentage|letter|text|complete|incomplete|prozent|pourcentage|porcentaje)(?:\)|\]\s*\|\d+)$`)
})

// called reports whether a column is that of the points for a problem: its id or title, perhaps after a word such as
// Assignment:, and perhaps with an addition that does not say that it holds something else.
func called(column string, p account.SheetProblem) bool {
	column = clean(column)
	if otherwise().MatchString(column) {
		return false
	}
	for _, name := range []string{column, addition().ReplaceAllString(column, "")} {
		_, after, _ := strings.Cut(name, ":")
		for _, name := range []string{name, strings.TrimSpace(after)} {
			if strings.EqualFold(name, p.ID) || p.Title != "" && strings.EqualFold(name, clean(p.Title)) {
				return true
			}
		}
	}
	return false
}

// student returns the row of a student with these values in the roster. What could not be judged, what
// was not handed in where the roster has an entry, and Canvas' EX for who is excused stay as they are there.
func (b *book) student(values []string, one *account.Student) []string {
	row := make([]string, len(b.header))
	for k, i := range b.keep {
		row[k] = values[i]
	}
	fill := func(at int, points float64, cells ...account.Cell) {
		missing := !slices.ContainsFunc(cells, func(c account.Cell) bool { return c.Submission != "" })
		wrong := slices.ContainsFunc(cells, func(c account.Cell) bool { return c.Wrong != "" })
		old := clean(row[at])
		if excused := strings.EqualFold(old, "EX"); !wrong && !excused && !(missing && old != "" && old != "-") {
			row[at] = b.roster.Format(points)
		}
	}
	for i, at := range b.column {
		fill(at, one.Cells[i].Points, one.Cells[i])
	}
	switch {
	case b.most > 0 && one.Best > 0:
		fill(b.total, math.Round(one.Points*b.most/one.Best*100)/100, one.Cells...)
	case b.most > 0:
		fill(b.total, one.Points, one.Cells...)
	case b.total >= 0:
		row[b.total] = b.roster.Format(one.Points)
	}
	return row
}
