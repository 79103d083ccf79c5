package format

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

// JUnitSuites is a document.
type JUnitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []JUnitSuite `xml:"testsuite"`
}

// JUnitSuite has the tests of one submission or command.
type JUnitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []JUnitProperty `xml:"properties>property"`
	Cases      []JUnitCase     `xml:"testcase"`
	Spent      time.Duration   `xml:"-"` // by all tests so far; Time is its text
}

// JUnitProperty says something about a suite.
type JUnitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// JUnitCase is a test.
type JUnitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Skipped *JUnitResult `xml:"skipped"`
	Error   *JUnitResult `xml:"error"`
	Failure *JUnitResult `xml:"failure"`
	Out     *junitText   `xml:"system-out"`
}

// JUnitResult is why a test failed, was skipped, or could not be made.
type JUnitResult struct {
	Type    string `xml:"type,attr,omitempty"` // code of the verdict
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// Add adds a suite and its counts.
func (all *JUnitSuites) Add(s JUnitSuite) {
	all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	all.Suites = append(all.Suites, s)
}

// Write writes the document.
func (all *JUnitSuites) Write(w io.Writer) error {
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return tty.Data(w, []byte(xml.Header+string(text)+"\n"))
}

// NewJUnitText returns a line and, if it is not empty, a longer text below it.
func NewJUnitText(line, text string) *junitText {
	return &junitText{strings.TrimSuffix(line+"\n"+text, "\n")}
}

// Add adds a test and counts it.
func (s *JUnitSuite) Add(c JUnitCase) {
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

// Seconds formats a time as a number of seconds.
func Seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
