package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
)

// writeJUnit writes annotations in the form of [GradeJUnit]: a test for each kind of finding, which fails
// if there is one. Warnings and notes are the output of a test. If the command was stopped, a test
// "complete" is an error.
func writeJUnit(w io.Writer, a annotations) error {
	suite := junitSuite{Name: a.command, Time: seconds(0), Properties: []junitProperty{{"findings", fmt.Sprint(len(a.list))}}}
	for _, rule := range a.rules {
		test := junitCase{Name: rule[0], Class: a.command, Time: seconds(0)}
		var wrong, warnings []string
		for _, n := range a.list {
			switch {
			case n.rule != rule[0]:
			case n.warning:
				warnings = append(warnings, n.place()+n.text)
			default:
				wrong = append(wrong, n.place()+n.text)
			}
		}
		if len(wrong) > 0 {
			test.Failure = &junitResult{Message: layout.Count(len(wrong), "finding") + ": " + wrong[0], Text: strings.Join(wrong, "\n")}
		}
		if len(warnings) > 0 {
			test.Out = &junitText{strings.Join(warnings, "\n")}
		}
		suite.add(test)
	}
	if a.partial {
		suite.add(junitCase{Name: "complete", Class: a.command, Time: seconds(0), Error: &junitResult{Message: "stopped before everything was looked at"}})
	}
	all := junitSuites{Name: a.command, Time: seconds(0)}
	all.add(suite)
	return all.write(w)
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
