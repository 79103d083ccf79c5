package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"testing"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// named returns the events about accepted submissions with these names.
func named(names ...string) []grade.Event {
	b := begin([]string{"edge/one"}, names...)
	events := []grade.Event{b}
	for i := range names {
		events = append(events, &grade.Built{Submission: i, Language: "cpp"})
	}
	for i := range names {
		events = append(events, stream(b, i, verdict.None, accepted(5))...)
	}
	return append(events, &grade.End{})
}

// awkwardNames are names that mean something in a table.
var awkwardNames = []string{
	"a,b \"c\" ;d", "=HYPERLINK(1)", "+1", "-1", "@SUM(1)", " =1", "＝1", "'quoted", "|a|b|", `\|`, "`code`", "``", "<b>&amp;", "[x](y) @user #1 *b* _c_",
	"https://example.org", "\tx", "naïve", " both ",
}

// TestCSV reads the table again.
func TestCSV(t *testing.T) {
	t.Parallel()
	text := gradeReport(t, format.CSV, named(awkwardNames...))
	if bytes.Count(text, []byte("\r\n")) != len(awkwardNames)+1 || bytes.Count(text, []byte("\n")) != len(awkwardNames)+1 {
		t.Error("lines do not end with CRLF")
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = 16
	rows, err := r.ReadAll()
	if err != nil || len(rows) != len(awkwardNames)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		name := row[1]
		if strings.ContainsAny(strings.TrimSpace(name)[:1], "=+-@") || strings.HasPrefix(name, "＝") {
			t.Errorf("a spreadsheet evaluates %q", name)
		}
		if strings.TrimPrefix(name, "'") != layout.Word(awkwardNames[i]) && name != layout.Word(awkwardNames[i]) {
			t.Errorf("%q becomes %q", awkwardNames[i], name)
		}
		if row[3] != "AC" || row[12] != "5" || row[13] != "7" || row[14] != "3584" {
			t.Errorf("%q", row)
		}
	}
}

// TestMarkdown splits the table at its bars as GitHub does, and reads the code in its cells.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(string(gradeReport(t, format.Markdown, named(awkwardNames...))), "| --- | --- | ---: | ---: | ---: | ---: | --- |\n")
	lines := strings.Split(table, "\n")
	bar := regexp.MustCompile(`(^|[^\\])((?:\\\\)*)\\\|`)
	for i, name := range awkwardNames {
		const hidden = "\x00" // stands for an escaped bar, one after an odd number of backslashes
		cells := strings.Split(bar.ReplaceAllString(lines[i], "$1$2"+hidden), "|")
		if len(cells) != 9 {
			t.Errorf("%q: %d cells in %q", name, len(cells)-2, lines[i])
			continue
		}
		code := strings.TrimSpace(strings.ReplaceAll(cells[1], hidden, "|"))
		fence := code[:len(code)-len(strings.TrimLeft(code, "`"))]
		got := strings.TrimSuffix(strings.TrimPrefix(code, fence), fence)
		if strings.HasPrefix(got, " ") && strings.HasSuffix(got, " ") {
			got = got[1 : len(got)-1]
		}
		if got != strings.ReplaceAll(layout.Word(name), `\|`, `\\|`) || strings.Contains(layout.Word(name), fence) || fence == "" {
			t.Errorf("%q becomes %q", name, cells[1])
		}
	}
	if text := string(gradeReport(t, format.Markdown, class(1000, 1))); len(text) > 65536 || !strings.Contains(text, "more submissions\n") {
		t.Errorf("%d bytes", len(text))
	}
}

// TestRepeatCommand checks the quoting of commands, which are read by a person's shell.
func TestRepeatCommand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, submission, name, want string }{
		{"nothing to quote", "a/b_1.cc", "edge/one", "judge grade --case edge/one a/b_1.cc"},
		{"a blank and a quote", "it's a.cc", "edge/one", `judge grade --case edge/one 'it'\''s a.cc'`},
		{"an expansion", "$(x)`y`", "edge/one", "judge grade --case edge/one '$(x)`y`'"},
		{"a flag", "-x.cc", "edge/one", "judge grade --case edge/one -- -x.cc"},
		{"what Zsh expands", "=ls", "edge/one", "judge grade --case edge/one '=ls'"},
		{"standard input", "-", "edge/one", "judge grade --case edge/one -"},
		{"unprintable characters", "a\x1b1\n'é.cc", "edge/one", `judge grade --case edge/one $'a\0331\012\'\303\251.cc'`},
		{"a pattern", "a.cc", `edge/[1]*?\`, `judge grade --case 'edge/\[1]\*\?\\' a.cc`},
		{"no name", "", "one", ""},
	} {
		if got := commandFor([]string{"judge", "grade"}, tt.submission, tt.name); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, tt.want)
		}
	}
}

// TestInlineCode checks that Markdown shows a text in code as it is, and does not take blanks from it.
func TestInlineCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", " ": "", "a": "`a`", "a`b": "``a`b``", "``": "``` `` ```", "`a": "`` `a ``", "a`": "`` a` ``",
		" a": "` a`", "a ": "`a `", " a ": "`  a  `", "a|b": "`a\\|b`",
	} {
		if got := inlineCode(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestMatrixLayout checks that a column has room for the mark of a result that is cached or unstable, and a mark is
// explained, if a row shows it.
func TestMatrixLayout(t *testing.T) {
	t.Parallel()
	unsteady := wrong(false)
	unsteady.Unstable = true
	for _, tt := range []struct {
		why         string
		one, hidden grade.Case
		want        int
		marks       string
	}{
		{"no marks", wrong(false), accepted(7), 5, ""},
		{"cached", known(wrong(false)), accepted(7), 6, "*: cached, measured by an earlier run\n\n"},
		{"unstable", unsteady, accepted(7), 6, "?: unstable, the verdicts of its runs differ\n\n"},
		{"no row shows it", wrong(false), known(accepted(7)), 5, ""},
	} {
		b := begin([]string{"one", "hidden"}, "a.cc")
		x := &account.Execution{Full: MaxFull}
		for _, e := range append([]grade.Event{b, &grade.Built{Language: "cpp"}}, stream(b, 0, verdict.None, tt.one, tt.hidden)...) {
			x.Apply(e)
		}
		terminal := NewTerminal(io.Discard, x, TerminalOptions{})
		rows, _ := terminal.rows()
		var p layout.Page
		terminal.marks(&p, rows)
		if _, column := terminal.layout(rows); column != tt.want || p.Text().String() != tt.marks {
			t.Errorf("%s: a column of %d and the marks %q, want %d and %q", tt.why, column, p.Text(), tt.want, tt.marks)
		}
	}
}
