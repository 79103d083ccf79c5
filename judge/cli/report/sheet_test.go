package report

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
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
			s.Set(c, 0, x.Submissions[i])
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

// TestSheetJSONIsDocumented checks that docs/sheets.md describes exactly the fields of the document.
func TestSheetJSONIsDocumented(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(layouttest.Documentation(t, "sheets.md"), "\n## The document in JSON\n")
	var fields []string
	layouttest.Fields(reflect.TypeFor[account.Sheet](), "", &fields)
	layouttest.Agree(t, text, fields)
}

// TestSheetCells checks what the cells of the table say beside the verdict, in text, CSV and Markdown.
func TestSheetCells(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		cell account.Cell
		want string // in the table
		csv  string // its last columns
	}{
		{"accepted", account.Cell{Submission: "x", Verdict: verdict.AC, Points: 1}, "AC", ",,,0"},
		{"late", account.Cell{Submission: "x", Verdict: verdict.AC, Points: 0.8, Late: true}, "AC 0.8 late", "yes,,,0"},
		{"shared, and dropped", account.Cell{Submission: "x", Verdict: verdict.WA, Shared: "=bob", Dropped: true, Cached: 3}, "WA shared dropped", ",yes,'=bob,3"},
		{"nothing, which does not count", account.Cell{Dropped: true}, "· dropped", ",yes,,0"},
		{"not judged", account.Cell{Submission: "x", Wrong: "two files", Late: true}, "? late", "yes,,,0"},
	} {
		s := account.NewSheet([]string{"ann"}, []account.SheetProblem{{ID: "sum"}, {ID: "maze"}})
		s.Students[0].Cells[0] = tt.cell
		if text := sheetReport(t, s, format.Terminal); !strings.Contains(text, "ann       "+tt.want+"  ") {
			t.Errorf("%s: no cell %q in\n%s", tt.why, tt.want, text)
		}
		if text := sheetReport(t, s, format.Markdown); !strings.Contains(strings.ReplaceAll(text, "**", ""), "| `ann` | "+tt.want+" | · |") {
			t.Errorf("%s: no cell %q in\n%s", tt.why, tt.want, text)
		}
		if text := sheetReport(t, s, format.CSV); !strings.Contains(text, ","+tt.csv+"\r\nann,maze,") {
			t.Errorf("%s: no cells %q in\n%s", tt.why, tt.csv, text)
		}
	}
}

// TestSheetFits checks that a table whose cells say much is cut into several that fit the terminal.
func TestSheetFits(t *testing.T) {
	t.Parallel()
	s := account.NewSheet([]string{"ann"}, []account.SheetProblem{{ID: "a"}, {ID: "b"}, {ID: "c"}})
	for i := range s.Students[0].Cells {
		s.Students[0].Cells[i] = account.Cell{Submission: "x", Verdict: verdict.WA, Points: 0.25, Late: true, Shared: "bob", Dropped: true}
	}
	var b strings.Builder
	if err := SheetText(&b, s, TerminalOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
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

// TestSheetNotes checks that notes that differ in the file or student only are one, and that none of another kind is lost.
func TestSheetNotes(t *testing.T) {
	t.Parallel()
	four := func(form string) (notes []string) {
		for _, name := range []string{"ann", "bob", "cyd", "dan"} {
			notes = append(notes, strings.ReplaceAll(form, "{}", name))
		}
		return notes
	}
	for _, tt := range []struct {
		why   string
		notes []string
		want  []string
	}{
		{"files of one kind", four("{}.zip/__MACOSX: belongs to none"), []string{"ann.zip/__MACOSX, bob.zip/__MACOSX, cyd.zip/__MACOSX and 1 more: belongs to none"}},
		{"three are told one by one", four("{}/a.pdf: belongs to none")[:3], four("{}/a.pdf: belongs to none")[:3]},
		{"a source among documents", append(four("{}/a.PDF: belongs to none"), "eve/gmae.py: belongs to none"), []string{"ann/a.PDF, bob/a.PDF, cyd/a.PDF and 1 more: belongs to none", "eve/gmae.py: belongs to none"}},
		{"what follows differs", four("{}, sum: the last of 2 attempts counts: {}/2, not {}/1"), []string{"ann, sum, bob, sum, cyd, sum and 1 more: the last of 2 attempts counts: …"}},
		{"what follows is the same", four("{}: left out: build"), []string{"ann, bob, cyd and 1 more: left out: build"}},
		{"students", four(`"{}" is not in the roster`), []string{`"ann", "bob", "cyd" and 1 more are not in the roster`}},
		{"sentences without a name", []string{"a", "b", "c", "d", "e", "e"}, []string{"a", "b", "c", "d", "e", "e"}},
	} {
		s := account.NewSheet(nil, []account.SheetProblem{{ID: "sum"}})
		s.Notes = tt.notes
		if _, notes := notJudged(s); !slices.Equal(notes, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.why, notes, tt.want)
		}
	}
}
