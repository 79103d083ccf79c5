package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
)

// sheetOf returns a sheet in which each submission of the events about a problem is that of a student,
// who has handed in several files for a second problem. A last student has handed in nothing.
func sheetOf(events []grade.Event) *account.Sheet {
	x := &account.Execution{Full: 1}
	for _, e := range events {
		x.Apply(e)
	}
	var students []string
	for i := range x.Submissions {
		students = append(students, fmt.Sprintf("student %03d", i))
	}
	s := account.NewSheet(append(students, "zoe"), []account.SheetProblem{{ID: x.Problem, Title: x.Title, Cases: len(x.Cases)}, {ID: "game", Title: "Game"}})
	s.Notes = []string{"class/notes.txt: belongs to none of the problems maze, game"}
	for i, name := range students {
		c := s.Cell(name, 0)
		c.Submission = x.Submissions[i].Name
		if x.Submissions[i].Finished {
			s.Set(c, 0, x.Cases, x.Submissions[i])
		}
	}
	if len(students) > 0 {
		*s.Cell(students[0], 1) = account.Cell{Submission: "class/a/game.c", Wrong: "several files: class/a/game.c and class/a/game.py"}
	}
	s.Judged(0, x)
	s.Sum(true)
	return s
}

// sheetReport returns a sheet in a format.
func sheetReport(t testing.TB, s *account.Sheet, name string) string {
	t.Helper()
	var b bytes.Buffer
	for _, f := range SheetFormats(TerminalOptions{Width: 100, Verbose: true}, false) {
		if f.Name == name {
			sink := f.New(format.Output{Writer: &b})
			sink.Event(s)
			if err := sink.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

// TestSheetFormats compares sheets with golden files.
func TestSheetFormats(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios() {
		switch tt.name {
		case "verdicts", "points", "hostile":
			for format, suffix := range map[string]string{format.Terminal: ".txt", format.HTML: ".html", format.CSV: ".csv", format.Markdown: ".md", format.JUnit: ".xml"} {
				layouttest.Golden(t, "sheet-"+tt.name+suffix, strings.ReplaceAll(sheetReport(t, sheetOf(tt.events), format), "\r", "^M"))
			}
		}
	}
}

// TestSheetLinks checks that each verdict of a sheet that is not accepted leads to its explanation, and
// that the page of a class has the size that a browser opens at once.
func TestSheetLinks(t *testing.T) {
	t.Parallel()
	text := sheetReport(t, sheetOf(class(1000, 55)), format.HTML)
	links := 0
	for _, part := range strings.Split(text, `<a href="#p1s`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		if links++; strings.Count(text, `<div id="p1s`+id+`"`) != 1 {
			t.Errorf("p1s%s is not in the page once", id)
		}
	}
	if links < 150 || len(text) > 3<<20 {
		t.Errorf("%d links, %d bytes", links, len(text))
	}
}

func BenchmarkSheetHTML(b *testing.B) {
	s := sheetOf(class(1000, 55))
	for b.Loop() {
		if err := SheetHTML(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSheetNames checks that a terminal cuts long names of students, and a file does not.
func TestSheetNames(t *testing.T) {
	t.Parallel()
	name := "Müller, Anna_1234561_assignsubmission_file_"
	s := account.NewSheet([]string{name}, []account.SheetProblem{{ID: "sum"}})
	for width, whole := range map[int]bool{0: true, 80: false} {
		var b strings.Builder
		if err := SheetText(&b, s, TerminalOptions{Width: width}); err != nil || strings.Contains(b.String(), name) != whole {
			t.Errorf("width %d: %v:\n%s", width, err, b.String())
		}
	}
}
