package commands

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/lab/invisible"
	"tribunal/judge/packages/pkgformat"
)

// TestTextNote looks for harm in the files of plain folders.
func TestTextNote(t *testing.T) {
	t.Parallel()
	plain := problem.Problem{Path: "p", Format: pkgformat.Pairs, Compare: diff.Options{Mode: diff.Exact}}
	words, checked, latest := plain, plain, plain
	words.Compare.Mode = diff.Tokens
	checked.Validator = &problem.Validator{Program: "check"}
	latest.Format = pkgformat.Latest
	const (
		windows = `a line that a program reads whole ends with \r (hint: judge verify p names other kinds)`
		strict  = "outputs with LF are not accepted (hint: judge verify p names other kinds)"
	)
	for _, tt := range []struct {
		why   string
		of    *problem.Problem
		texts string // an input and an answer for each case, separated by bars
		want  string
	}{
		{"plain", &plain, "1\n|2\n", ""},
		{"inputs", &plain, "1\n|2\n|3\r\n|4\n|5\r\n|6\n", "note: 2 files have CRLF line ends, the first 1.in:1; " + windows},
		{"an answer", &plain, "1\n|2\r\n", "note: 1 file has CRLF line ends: 0.ans:1; " + strict},
		{"both", &plain, "1\r\n|2\r\n", "note: 2 files have CRLF line ends, the first 0.in:1; " + windows},
		{"an answer, compared by words", &words, "1\n|2\r\n", ""},
		{"an answer, for a checker", &checked, "1\n|2\r\n", ""},
		{"an input, for a checker", &checked, "1\r\n|2\n", "note: 1 file has CRLF line ends: 0.in:1; " + windows},
		{"the worst kind comes first", &plain, "1\r\n|\ufeff2\n", "note: 1 file has a byte order mark: 0.ans:1; no right output is accepted (hint: judge verify p names other kinds)"},
		{"what harms only in answers", &plain, "1 |2 ", "note: 1 file has blanks at the ends of lines: 0.ans:1; outputs without them are not accepted (hint: judge verify p names other kinds)"},
		{"a file beyond the bound is left out, and others are not", &plain, strings.Repeat("\r\n", surveyed/2+1) + "|2\r\n", "note: 1 file has CRLF line ends: 0.ans:1; " + strict},
		{"other packages", &latest, "1\r\n|2\r\n", ""},
	} {
		task := grade.Task{Problem: tt.of}
		texts := strings.Split(tt.texts, "|")
		read := func(i int) func() (content.Content, error) {
			return func() (content.Content, error) { return content.Of([]byte(texts[i])), nil }
		}
		for i := 0; i < len(texts); i += 2 {
			name := fmt.Sprint(i / 2)
			task.Cases = append(task.Cases, cases.Case{File: name + ".in", OutputFile: name + ".ans", Given: &cases.Given{Input: read(i), Output: read(i + 1)}})
		}
		if got, err := textNote(&task); err != nil || got != tt.want {
			t.Errorf("%s:\ngot  %q %v\nwant %q", tt.why, got, err, tt.want)
		}
	}
	for _, kind := range invisible.Kinds() {
		if harms[kind].answer == "" {
			t.Errorf("what harm %v does is missing", kind)
		}
	}
}
