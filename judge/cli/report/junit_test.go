package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// junitElements says, for each element of JUnit's XML as Jenkins reads it, which attributes it must
// and may have, and which elements may be in it.
var junitElements = map[string]struct{ must, may, inner string }{
	"testsuites": {"", "name time tests failures errors", "testsuite"},
	"testsuite":  {"name tests failures errors", "group time skipped timestamp hostname id package file log url", "testsuite properties testcase system-out system-err"},
	"properties": {"", "", "property"},
	"property":   {"name value", "", ""},
	"testcase":   {"name", "time classname group", "skipped error failure system-out system-err"},
	"skipped":    {"", "type message", ""}, "error": {"", "type message", ""}, "failure": {"", "type message", ""},
	"system-out": {}, "system-err": {},
}

// TestJUnitIsValid checks the structure of the reports on all scenarios.
func TestJUnitIsValid(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios() {
		for _, insult := range append(slices.Clone(layouttest.Insults), "]]>&<\"'") {
			events := tt.events
			layouttest.Spoil(&events, insult)
			d := xml.NewDecoder(bytes.NewReader(gradeReport(t, format.JUnit, events)))
			open := []string{""}
			for {
				token, err := d.Token()
				if err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", tt.name, err)
				}
				switch e := token.(type) {
				case xml.StartElement:
					name, outer := e.Name.Local, open[len(open)-1]
					rule, known := junitElements[name]
					if !known || outer == "" && name != "testsuites" || outer != "" && !slices.Contains(strings.Fields(junitElements[outer].inner), name) {
						t.Errorf("%s: <%s> in <%s>", tt.name, name, outer)
					}
					var has []string
					for _, a := range e.Attr {
						has = append(has, a.Name.Local)
						if a.Name.Local == "time" && strings.Trim(a.Value, "0123456789.") != "" {
							t.Errorf("%s: time %q", tt.name, a.Value)
						}
						if !slices.Contains(strings.Fields(rule.must+" "+rule.may), a.Name.Local) {
							t.Errorf("%s: <%s> has the attribute %s", tt.name, name, a.Name.Local)
						}
					}
					for _, must := range strings.Fields(rule.must) {
						if !slices.Contains(has, must) {
							t.Errorf("%s: <%s> lacks %s", tt.name, name, must)
						}
					}
					open = append(open, name)
				case xml.EndElement:
					open = open[:len(open)-1]
				}
			}
		}
	}
}

// TestJUnitCounts checks that the counts are those of the elements, and that a suite fails exactly if
// the judge would exit with a status other than 0.
func TestJUnitCounts(t *testing.T) {
	t.Parallel()
	for _, tt := range append(scenarios(), outcomes()...) {
		var r format.JUnitSuites
		if err := xml.Unmarshal(gradeReport(t, format.JUnit, tt.events), &r); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		x := &account.Execution{}
		for _, e := range tt.events {
			x.Apply(e)
		}
		tests, failures, errors := 0, 0, 0
		for i, s := range r.Suites {
			var n [3]int
			for _, c := range s.Cases {
				for k, has := range []bool{c.Failure != nil, c.Error != nil, c.Skipped != nil} {
					if has {
						n[k]++
					}
				}
			}
			if s.Tests != len(s.Cases) || n != [3]int{s.Failures, s.Errors, s.Skipped} {
				t.Errorf("%s: %s: %v, and it says %d, %d, %d of %d", tt.name, s.Name, n, s.Failures, s.Errors, s.Skipped, s.Tests)
			}
			if failed := s.Failures+s.Errors > 0; failed == passes(x.Submissions[i]) {
				t.Errorf("%s: %s failed: %v", tt.name, s.Name, failed)
			}
			tests, failures, errors = tests+s.Tests, failures+s.Failures, errors+s.Errors
		}
		if read := junitTotals(t, gradeReport(t, format.JUnit, tt.events)); read.Tests != tests || read.Failed != failures || read.Error != errors {
			t.Errorf("%s: another reader finds %+v instead of %d tests, %d failures, %d errors", tt.name, read, tests, failures, errors)
		}
		if tests != r.Tests || failures != r.Failures || errors != r.Errors || len(r.Suites) != len(x.Submissions) {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
}

// junitTotals returns what a reader of another author counts in a report.
func junitTotals(t *testing.T, text []byte) (sum junit.Totals) {
	t.Helper()
	suites, err := junit.Ingest(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		s.Aggregate()
		sum.Tests, sum.Failed, sum.Error = sum.Tests+s.Totals.Tests, sum.Failed+s.Totals.Failed, sum.Error+s.Totals.Error
	}
	return sum
}

// outcomes returns the events about submissions with each combination of a verdict on the only case,
// a verdict on the submission, and an expected verdict.
func outcomes() (list []scenario) {
	all := append(verdict.All(), verdict.None)
	for _, on := range all {
		for _, v := range all {
			for _, expected := range all {
				b := begin([]string{"edge/one"}, "a.cc")
				done := &grade.Done{Verdict: v, Expected: expected, Total: 1, Judged: 1}
				done.Settle()
				events := []grade.Event{b, &grade.Built{NoTools: v == verdict.CE && on == verdict.None}}
				if on != verdict.None && on != verdict.CE {
					events = append(events, &grade.Case{Name: b.Cases[0], Verdict: on})
				}
				name := strconv.Quote(on.String() + " " + v.String() + " " + expected.String())
				list = append(list, scenario{name: name, events: append(events, done, &grade.End{})})
			}
		}
	}
	return list
}
