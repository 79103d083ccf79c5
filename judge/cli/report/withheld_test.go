package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestWithheld checks that no report claims anything about data that a server keeps back.
func TestWithheld(t *testing.T) {
	t.Parallel()
	b := begin([]string{"sample/1", "secret/1"}, "a.c")
	b.Notes = []string{"not shown to submitters: this and that"}
	events := one(b, grade.Built{Language: "c"},
		&grade.Case{Index: 1, Name: "secret/1", Verdict: verdict.WA, Withheld: true, Result: sandbox.Result{CPU: 10 * time.Millisecond, Wall: 20 * time.Millisecond, Memory: limits.MiB}},
		&grade.Done{Verdict: verdict.WA, First: "secret/1", Passed: 1, Judged: 2, Total: 2, MaxUsage: grade.MaxUsage{Wall: 20 * time.Millisecond, Memory: limits.MiB}})
	for _, o := range []TerminalOptions{{}, {Verbose: true}} {
		var text strings.Builder
		out := onTerminal(&text, o)
		for _, e := range events {
			out.Event(e)
		}
		for _, never := range []string{"output 0", "no output", "0 B"} {
			if strings.Contains(text.String(), never) {
				t.Errorf("%q in\n%s", never, text.String())
			}
		}
		if strings.Count(text.String(), "not shown to submitters") != 1 || !strings.Contains(text.String(), "secret/1") {
			t.Errorf("%+v:\n%s", o, text.String())
		}
	}
	for _, format := range []string{"html", "junit", "markdown", "csv", "ndjson"} {
		var text bytes.Buffer
		inGradeFormat(&text, format, events)
		if text.Len() == 0 || strings.Contains(text.String(), "output 0") {
			t.Errorf("%s:\n%s", format, text.String())
		}
	}
	var doc struct {
		Submissions []struct{ Cases []struct{ Withheld bool } }
	}
	if err := json.Unmarshal(documentOf(t, events), &doc); err != nil || !doc.Submissions[0].Cases[0].Withheld {
		t.Errorf("in JSON it is %+v, %v", doc, err)
	}
}

// TestOnlyVerdict checks the report of a server that tells the verdict and the points, or not even these.
func TestOnlyVerdict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		done grade.Done
		want []string
	}{
		{grade.Done{Verdict: verdict.WA, Points: &points.Score{Points: 40, Best: 100}}, []string{"verdict     WA wrong answer\n", "points      40 of 100\n"}},
		{grade.Done{Cause: "judged; it is not shown"}, []string{"verdict     judged; it is not shown\n"}},
	} {
		var text strings.Builder
		out := onTerminal(&text, TerminalOptions{})
		b := begin(nil, "a.c")
		b.Withheld = true
		for _, e := range one(b, grade.Built{}, &tt.done) {
			out.Event(e)
		}
		for _, want := range tt.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("no %q in\n%s", want, text.String())
			}
		}
		if strings.Contains(text.String(), "0 cases") || strings.Contains(text.String(), "accepted") || strings.Contains(text.String(), "not judged") {
			t.Errorf("%s", text.String())
		}
	}
}
