package pages

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

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

// results serves the final standings in the form of results.tsv of the CCS specification: login, rank, award, problems
// solved, penalty, minute of the last accepted submission, and the winner of a group.
func (p *Pages) results(q *request) error {
	s := course.StandingsOf(q.course, p.o.Service.People(q.course.ID), q.handedInTo(q.course.ID), true, q.now)
	var b strings.Builder
	b.WriteString("results\t1\n")
	winners := map[string]string{}
	for _, r := range s.Rows {
		last := time.Duration(0)
		for _, c := range r.Cells {
			if c.Solved {
				last = max(last, c.At)
			}
		}
		rank, award := strconv.Itoa(r.Rank), "Ranked"
		if r.Solved == 0 {
			rank, award = "", "Honorable"
		}
		winner := ""
		if r.Group != "" && r.Solved > 0 && cmp.Or(winners[r.Group], rank) == rank {
			winners[r.Group], winner = rank, r.Group
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", r.Login, rank, award, r.Solved, minutes(r.Penalty), minutes(last), strings.Join(strings.Fields(winner), " "))
	}
	return q.attach("results.tsv", []byte(b.String()))
}
