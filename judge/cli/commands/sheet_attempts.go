package commands

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/class/sheet"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/verdict"
)

// try is one of several attempts of a student for a problem that are judged.
type try struct {
	sheet.Entry
	cell *account.Cell
}

// attempts has the tries by the cell of the sheet that gets the result of one.
type attempts map[*account.Cell][]try

// cell returns the cell for the result of the attempt one, which is that of the sheet, c, if e has no others.
func (a attempts) cell(c *account.Cell, one, e sheet.Entry) *account.Cell {
	if len(e.Others) == 0 {
		return c
	}
	one.Student = e.Student // a roster may name its own
	own := &account.Cell{Submission: one.Shown, Late: one.Late, Shared: e.Shared}
	a[c] = append(a[c], try{one, own})
	return own
}

// hold reports whether a cell is that of a try.
func (a attempts) hold(c *account.Cell) bool {
	for _, list := range a {
		if slices.ContainsFunc(list, func(t try) bool { return t.cell == c }) {
			return true
		}
	}
	return false
}

// settle gives the cells of the sheet the result of the best attempt, or of the last, and returns them; notes
// have the others.
func (a attempts) settle(best bool) (results []*account.SheetResult, notes []string) {
	for c, list := range a {
		at := len(list) - 1
		for i, t := range list {
			if best && better(t.cell, list[at].cell) > 0 {
				at = i
			}
		}
		if !best && c.Wrong != "" { // the last one
			at = -1
		}
		for i, t := range list {
			if i == at {
				*c = *t.cell
				results = append(results, &account.SheetResult{Student: t.Student, Problem: t.Problem, Cell: c})
				continue
			}
			notes = append(notes, fmt.Sprintf("%s, %s: another attempt, %s: %s, %s cases accepted", t.Student, t.Problem, t.Shown, t.cell.Verdict, layout.Passed(t.cell.Passed, t.cell.Judged, t.cell.Total, " of ")))
		}
	}
	slices.SortFunc(results, func(a, b *account.SheetResult) int { return strings.Compare(a.Student, b.Student) })
	slices.Sort(notes)
	return results, notes
}

// better compares the results of two attempts: by points, verdict and accepted cases.
func better(a, b *account.Cell) int {
	accepted := func(c *account.Cell) int {
		if c.Verdict == verdict.AC {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Points, b.Points), accepted(a)-accepted(b), a.Passed-b.Passed)
}
