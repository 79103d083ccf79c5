package format

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
)

// writeJUnit writes annotations in the form of judge grade: a test for each kind of finding, which fails
// if there is one. Warnings and notes are the output of a test. If the command was stopped, a test
// "complete" is an error.
func writeJUnit(w io.Writer, a Annotations) error {
	suite := JUnitSuite{Name: a.Command, Time: Seconds(0), Properties: []JUnitProperty{{"findings", fmt.Sprint(len(a.List))}}}
	for _, rule := range a.Rules {
		test := JUnitCase{Name: rule[0], Class: a.Command, Time: Seconds(0)}
		var wrong, warnings []string
		for _, n := range a.List {
			switch {
			case n.rule != rule[0]:
			case n.warning:
				warnings = append(warnings, n.place()+n.text)
			default:
				wrong = append(wrong, n.place()+n.text)
			}
		}
		if len(wrong) > 0 {
			test.Failure = &JUnitResult{Message: layout.Count(len(wrong), "finding") + ": " + wrong[0], Text: strings.Join(wrong, "\n")}
		}
		if len(warnings) > 0 {
			test.Out = &junitText{strings.Join(warnings, "\n")}
		}
		suite.Add(test)
	}
	if a.Partial {
		suite.Add(JUnitCase{Name: "complete", Class: a.Command, Time: Seconds(0), Error: &JUnitResult{Message: "stopped before everything was looked at"}})
	}
	all := JUnitSuites{Name: a.Command, Time: Seconds(0)}
	all.Add(suite)
	return all.Write(w)
}

// place returns the file and line of an annotation, as compilers print them; "" if it has none.
func (n annotation) place() string {
	switch {
	case n.file == "" || n.file == ".":
		return ""
	case n.line == 0:
		return layout.Word(n.file) + ": "
	}
	return fmt.Sprintf("%s:%d: ", layout.Word(n.file), n.line)
}
