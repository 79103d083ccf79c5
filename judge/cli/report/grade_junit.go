package report

import (
	"io"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// GradeJUnit writes test results in JUnit's XML: a suite for each submission, with a test for each
// case. A suite has a failure or an error exactly if the judge would exit with a status other than 0
// for its submission. So if a verdict was expected, a test "verdict" compares it, and cases only
// fail in submissions that should have been accepted.
func GradeJUnit(w io.Writer, x *account.Execution) error {
	all := format.JUnitSuites{Name: "judge grade " + layout.Word(x.Problem), Time: format.Seconds(x.Elapsed)}
	for _, s := range x.Submissions {
		all.Add(junitOf(x, s))
	}
	return all.Write(w)
}

// junitOf returns the suite of a submission.
func junitOf(x *account.Execution, s *account.Submission) format.JUnitSuite {
	suite := format.JUnitSuite{Name: layout.Word(s.Name), Properties: []format.JUnitProperty{
		{Name: "language", Value: layout.Word(s.Language)}, {Name: "verdict", Value: layout.Code(s.Verdict)}, {Name: "limits", Value: layout.Limits(x.Limits)}, {Name: "sandbox", Value: mechanisms(x.Mechanisms)},
	}}
	if s.Points != nil {
		suite.Properties = append(suite.Properties, format.JUnitProperty{Name: "points", Value: ofPoints(s.Points.Points, s.Points.Best)})
	}
	if text := FromCache(s); text != "" {
		suite.Properties = append(suite.Properties, format.JUnitProperty{Name: "cached", Value: text})
	}
	failed := !passes(s)
	blamed := failed && (s.AsExpected == nil || s.Expected == verdict.AC) // the cases may fail
	full := MaxFull
	for i, name := range x.Cases {
		test := format.JUnitCase{Name: layout.Word(name), Class: suite.Name, Time: format.Seconds(0)}
		c := s.On(i)
		switch {
		case c == nil:
			test.Skipped = &format.JUnitResult{Message: "not judged"}
		default:
			suite.Spent += c.Wall
			test.Time = format.Seconds(c.Wall)
			if c.Verdict == verdict.AC {
				break
			}
			text := ""
			if full--; full >= 0 {
				how := commandsFor(x, s, c)
				if full < MaxFull-1 {
					how.draw = ""
				}
				text = failureText(c, x.Limits, how)
			}
			switch result := (&format.JUnitResult{Type: c.Verdict.String(), Message: joined(c.Verdict.Title(), layout.Word(c.Cause)), Text: text}); {
			case c.Verdict == verdict.JE && failed:
				test.Error = result
			case blamed:
				test.Failure = result
			default:
				test.Out = format.NewJUnitText(joined(c.Verdict.String(), result.Message), text)
			}
		}
		suite.Add(test)
	}
	if failed && suite.Failures+suite.Errors == 0 || s.AsExpected != nil {
		suite.Add(junitVerdict(s, suite.Name))
	}
	suite.Time = format.Seconds(suite.Spent)
	return suite
}

// junitVerdict returns the test of the verdict on a whole submission.
func junitVerdict(s *account.Submission, class string) format.JUnitCase {
	test := format.JUnitCase{Name: "verdict", Class: class, Time: format.Seconds(0)}
	p := &layout.Page{}
	compiler(p, s.Error, maxErrors)
	message, _ := expectation(s)
	if cause := why(s); cause != "" {
		message = joined(message, cause)
	} else {
		message = joined(message, s.Verdict.Title())
	}
	result := &format.JUnitResult{Type: s.Verdict.String(), Message: message, Text: p.Text().String()}
	switch {
	case passes(s):
		test.Out = format.NewJUnitText(result.Message, result.Text)
	case s.Verdict == verdict.JE || s.NoTools:
		test.Error = result
	default:
		test.Failure = result
	}
	return test
}

// passes reports whether the judge would exit with status 0 for a submission.
func passes(s *account.Submission) bool {
	if s.AsExpected != nil {
		return *s.AsExpected && !s.NoTools
	}
	return s.Verdict == verdict.AC
}

// failureText returns the description of a failing case in the text report.
func failureText(c *account.Case, l limits.Limits, how commands) string {
	p := &layout.Page{}
	failure(p, *c, c.Under(l), rerun(*c, c.Under(l)), how)
	return p.Text().String()
}
