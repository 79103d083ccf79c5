package report

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/tty"
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

// seconds formats a time as a number of seconds.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
