package pages

import (
	"path"
	"strconv"

	"tribunal/judge/cli/layout"
	"tribunal/judge/judged/internal/course"
)

// cell returns a text for a cell of a table, which no spreadsheet takes for a formula.
func cell(text string) string { return layout.CellText(text) }

// number returns a number in a form, 0 if there is none.
func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}

// gradeBook serves the points of all participants as CSV in UTF-8, with a byte order mark for spreadsheets.
func (p *Pages) gradeBook(q *request) error {
	d, err := q.people()
	if err != nil {
		return err
	}
	header := []string{"name", "login", "group", "e-mail"}
	for _, problem := range d.Problems {
		header = append(header, cell(problem.Label))
	}
	rows := [][]string{append(header, "sum")}
	for _, r := range d.Rows {
		row := []string{cell(r.Name), cell(r.Login), cell(r.Group), cell(r.Email)}
		sum := 0.0
		for _, c := range r.Cells {
			points := ""
			if c.Submission != "" || c.Tried() {
				points = strconv.FormatFloat(c.Points, 'f', -1, 64)
			}
			sum += c.Points
			row = append(row, points)
		}
		rows = append(rows, append(row, strconv.FormatFloat(sum, 'f', -1, 64)))
	}
	return q.attach(q.course.ID+".csv", []byte("\ufeff"+table(rows)))
}

// results serves a file with the results for other contest systems.
func (p *Pages) results(q *request) error {
	s := course.StandingsOf(q.course, p.o.Service.People(q.course.ID), q.handedInTo(q.course.ID), true, q.now)
	file := path.Base(q.URL.Path)
	return q.attach(file, course.Export(file, q.course, s, q.now))
}
