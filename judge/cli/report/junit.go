package report

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

// The types below are the parts of JUnit's XML that the judge writes. They are valid in the schema
// that Jenkins uses (junit-10.xsd), the strictest of those in use.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	time       time.Duration
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Skipped *junitResult `xml:"skipped"`
	Error   *junitResult `xml:"error"`
	Failure *junitResult `xml:"failure"`
	Out     *junitText   `xml:"system-out"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"` // code of the verdict
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// GradeJUnit writes test results in JUnit's XML: a suite for each submission, with a test for each
// case. A suite has a failure or an error exactly if the judge would exit with a status other than 0
// for its submission. So if a verdict was expected, a test "verdict" compares it, and cases only
// fail in submissions that should have been accepted.
func GradeJUnit(w io.Writer, x *account.Execution) error {
	all := junitSuites{Name: "judge grade " + word(x.Problem), Time: seconds(x.Elapsed)}
	for _, s := range x.Submissions {
		all.add(junitOf(x, s))
	}
	return all.write(w)
}

// add adds a suite and its counts.
func (all *junitSuites) add(s junitSuite) {
	all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	all.Suites = append(all.Suites, s)
}

// write writes the document.
func (all *junitSuites) write(w io.Writer) error {
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return tty.Data(w, []byte(xml.Header+string(text)+"\n"))
}

// junitOf returns the suite of a submission.
func junitOf(x *account.Execution, s *account.Submission) junitSuite {
	suite := junitSuite{Name: word(s.Name), Properties: []junitProperty{
		{"language", word(s.Language)}, {"verdict", short(s.Verdict)}, {"limits", describe(x.Limits)}, {"sandbox", mechanisms(x.Mechanisms)},
	}}
	if s.Points != nil {
		suite.Properties = append(suite.Properties, junitProperty{"points", ofPoints(s.Points.Points, s.Points.Best)})
	}
	failed := !passes(s)
	blamed := failed && (s.AsExpected == nil || s.Expected == verdict.AC) // the cases may fail
	full := MaxFull
	for i, name := range x.Cases {
		test := junitCase{Name: word(name), Class: suite.Name, Time: seconds(0)}
		c := s.On(i)
		switch {
		case c == nil:
			test.Skipped = &junitResult{Message: "not judged"}
		default:
			suite.time += c.Wall
			test.Time = seconds(c.Wall)
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
			switch result := (&junitResult{c.Verdict.String(), joined(c.Verdict.Title(), word(c.Cause)), text}); {
			case c.Verdict == verdict.JE && failed:
				test.Error = result
			case blamed:
				test.Failure = result
			default:
				test.Out = newJUnitText(joined(c.Verdict.String(), result.Message), text)
			}
		}
		suite.add(test)
	}
	if failed && suite.Failures+suite.Errors == 0 || s.AsExpected != nil {
		suite.add(junitVerdict(s, suite.Name))
	}
	suite.Time = seconds(suite.time)
	return suite
}

// junitVerdict returns the test of the verdict on a whole submission.
func junitVerdict(s *account.Submission, class string) junitCase {
	test := junitCase{Name: "verdict", Class: class, Time: seconds(0)}
	p := &page{}
	compiler(p, s.Error, maxErrors)
	message, _ := expectation(s)
	if cause := why(s); cause != "" {
		message = joined(message, cause)
	} else {
		message = joined(message, s.Verdict.Title())
	}
	result := &junitResult{s.Verdict.String(), message, p.text().String()}
	switch {
	case passes(s):
		test.Out = newJUnitText(result.Message, result.Text)
	case s.Verdict == verdict.JE || s.NoTools:
		test.Error = result
	default:
		test.Failure = result
	}
	return test
}

// newJUnitText returns a line and, if it is not empty, a longer text below it.
func newJUnitText(line, text string) *junitText {
	return &junitText{strings.TrimSuffix(line+"\n"+text, "\n")}
}

// add adds a test and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	}
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
	p := &page{}
	failure(p, *c, c.Under(l), rerun(*c, c.Under(l)), how)
	return p.text().String()
}

// seconds formats a time as a number of seconds.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
