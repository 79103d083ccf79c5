package report

import (
	"io"
	"strings"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/verdict"
)

// SheetJUnit writes test results in the form of [GradeJUnit]: a suite for each student, with a test for
// each problem. Its time is the largest wall time of any case. It is skipped if nothing was handed in,
// and an error if what was handed in could not be judged.
func SheetJUnit(w io.Writer, s *account.Sheet) error {
	var ids []string
	for _, p := range s.Problems {
		ids = append(ids, layout.Word(p.ID))
	}
	all := format.JUnitSuites{Name: "judge grade --sheet " + strings.Join(ids, " "), Time: format.Seconds(s.Elapsed)}
	for _, one := range s.Students {
		suite := format.JUnitSuite{Name: layout.Word(one.Name), Properties: []format.JUnitProperty{{Name: "points", Value: layout.Points(one.Points)}}}
		for i := range one.Cells {
			c := &one.Cells[i]
			suite.Spent += c.Wall
			suite.Add(sheetTest(s.Problems[i].Judging, c, ids[i], suite.Name))
		}
		suite.Time = format.Seconds(suite.Spent)
		all.Add(suite)
	}
	return all.Write(w)
}

// sheetTest returns the JUnit test of a cell. x is the judging of its problem, or nil if there was none.
func sheetTest(x *account.Execution, c *account.Cell, name, class string) format.JUnitCase {
	test := format.JUnitCase{Name: name, Class: class, Time: format.Seconds(c.Wall)}
	switch {
	case c.Wrong != "":
		test.Error = &format.JUnitResult{Message: "not judged: " + layout.Word(c.Wrong)}
	case c.Details == nil:
		test.Skipped = &format.JUnitResult{Message: "nothing was handed in"}
	case c.Verdict == verdict.AC:
	default:
		p := &layout.Page{}
		compiler(p, c.Details.Error, maxErrors)
		text := p.Text().String()
		for i := range c.Details.Cases {
			f := &c.Details.Cases[i]
			text += failureText(f, x.Limits, commandsFor(x, c.Details, f))
		}
		result := &format.JUnitResult{Type: c.Verdict.String(), Message: joined(c.Verdict.Title(), layout.Word(c.First), layout.Word(c.Cause)), Text: text}
		if c.Verdict == verdict.JE {
			test.Error = result
		} else {
			test.Failure = result
		}
	}
	return test
}
