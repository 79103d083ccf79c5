package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
)

// inGradeFormat writes the report on events in the format of judge grade with this name.
func inGradeFormat(w io.Writer, name string, events []grade.Event) error {
	x := &account.Execution{Full: MaxFull}
	for _, f := range GradeFormats(x, TerminalOptions{}) {
		if f.Name != name {
			continue
		}
		s := following[format.Sink]{f.New(format.Output{Writer: w}), x}
		for _, e := range events {
			s.Event(e)
		}
		return s.Close()
	}
	panic("no format " + name)
}

// gradeReport returns such a report.
func gradeReport(t testing.TB, name string, events []grade.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := inGradeFormat(&b, name, events); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGradeFormats compares the reports with golden files, in which ^M denotes a carriage return.
func TestGradeFormats(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		format.HTML: {"accepted", "verdicts", "matrix"}, format.CSV: {"verdicts", "hostile", "matrix"},
		format.Markdown: {"hostile", "matrix", "stopped"}, format.JUnit: {"verdicts", "compile-error", "hostile", "matrix", "repeat-lost", "stopped"},
	}
	suffix := map[string]string{format.HTML: ".html", format.CSV: ".csv", format.Markdown: ".md", format.JUnit: ".xml"}
	for _, tt := range scenarios() {
		for format, names := range want {
			for _, name := range names {
				if name == tt.name {
					layouttest.Golden(t, name+suffix[format], strings.ReplaceAll(string(gradeReport(t, format, tt.events)), "\r", "^M"))
				}
			}
		}
	}
}
