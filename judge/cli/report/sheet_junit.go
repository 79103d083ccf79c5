package report

import (
	"io"
	"strings"

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
	all := junitSuites{Name: "judge grade --sheet " + strings.Join(ids, " "), Time: seconds(s.Elapsed)}
	for _, one := range s.Students {
		suite := junitSuite{Name: layout.Word(one.Name), Properties: []junitProperty{{"points", pointsText(one.Points)}}}
		for i := range one.Cells {
			c := &one.Cells[i]
			suite.time += c.Wall
			suite.add(sheetTest(s.Problems[i].Judging, c, ids[i], suite.Name))
		}
		suite.Time = seconds(suite.time)
		all.add(suite)
	}
	return all.write(w)
}

// sheetTest returns the JUnit test of a cell. x is the judging of its problem, or nil if there was none.
func sheetTest(x *account.Execution, c *account.Cell, name, class string) junitCase {
	test := junitCase{Name: name, Class: class, Time: seconds(c.Wall)}
	switch {
	case c.Wrong != "":
		test.Error = &junitResult{Message: "not judged: " + layout.Word(c.Wrong)}
	case c.Details == nil:
		test.Skipped = &junitResult{Message: "nothing was handed in"}
	case c.Verdict == verdict.AC:
	default:
		p := &layout.Page{}
		compiler(p, c.Details.Error, maxErrors)
		text := p.Text().String()
		for i := range c.Details.Cases {
			f := &c.Details.Cases[i]
			text += failureText(f, x.Limits, commandsFor(x, c.Details, f))
		}
		result := &junitResult{c.Verdict.String(), joined(c.Verdict.Title(), layout.Word(c.First), layout.Word(c.Cause)), text}
		if c.Verdict == verdict.JE {
			test.Error = result
		} else {
			test.Failure = result
		}
	}
	return test
}
