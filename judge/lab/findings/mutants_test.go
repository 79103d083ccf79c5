package findings

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/mutate"
)

// oneOfEach returns a report with mutants of every fate.
func oneOfEach() *mutate.Report {
	lines := mutate.Lines{"main.go": {"package main", "", "func main() {", "\tfor i := 0; i < n; i++ {", "\t\tsum += a[i] // <b>", "\t}", "}"}}
	mutant := func(id, line int, op, before, after string) mutate.Mutant {
		return mutate.Mutant{ID: id, File: "reference/p/main.go", Line: line, Column: 2, Func: "main", Op: op, Before: before, After: after}
	}
	diff := " func main() {\n-\tfor i := 0; i < n; i++ {\n+\tfor i := 0; i <= n; i++ {\n \t\tsum += a[i] // <b>\n"
	rule := &mutate.Rule{Equivalent: true, In: "main.go:main", Text: "sum += a[i] // <b>", Op: "constant", Reason: "Nobody reads it.", Explains: 1}
	known := &mutate.Rule{In: "main.go", Op: "constant", Change: "1 → 2", Reason: "Needs 2 GiB.", Explains: 1}
	late := &mutate.Rule{In: "main.go", Op: "boundary", Reason: "It was so once."}
	r := &mutate.Report{
		Head: document.NewHead(mutate.ReportSchema), Problem: "p", Reference: "reference/p", Whole: true, Matrix: true, Lines: lines,
		Rules: []*mutate.Rule{rule, known, late},
		Cases: []mutate.Case{
			{Name: "sample/one", Time: 2 * time.Millisecond, Limit: 500 * time.Millisecond, Sites: 2, Runs: 5, First: 2, Kills: 2, Only: new(1)},
			{Name: "edge/two", Time: 40 * time.Millisecond, Limit: 500 * time.Millisecond, Sites: 1, Runs: 3, First: 1, Kills: 2, Only: new(0)},
			{Name: "large/three", Time: 4 * time.Second, Limit: 40 * time.Second, Left: true, Only: new(0)},
		},
		Mutants: []mutate.Result{
			{Mutant: mutant(1, 4, "boundary", "i < n", "i <= n"), Diff: diff, Fate: mutate.Killed, Runs: []mutate.Run{{Case: "sample/one", Verdict: verdict.AC}, {Case: "edge/two", Verdict: verdict.RTE, Cause: "exited with status 2"}}},
			{Mutant: mutant(2, 4, "constant", "0", "1"), Fate: mutate.Killed, Runs: []mutate.Run{{Case: "sample/one", Verdict: verdict.WA, Cause: "differs from line 1, column 1"}}},
			{Mutant: mutant(3, 4, "constant", "i++", ""), Fate: mutate.Killed, Slow: true, Runs: []mutate.Run{{Case: "sample/one", Verdict: verdict.TLE, Cause: "used more CPU time than 500ms"}}},
			{Mutant: mutant(4, 5, "boundary", "a[i]", "a[i+1]"), Diff: diff, Fate: mutate.Survived, Runs: []mutate.Run{{Case: "sample/one", Verdict: verdict.AC}}},
			{Mutant: mutant(5, 5, "constant", "a[i]", "a[\x1b]"), Diff: diff, Fate: mutate.Survived, Rule: rule},
			{Mutant: mutant(6, 5, "constant", "1", "2"), Diff: diff, Fate: mutate.Survived, Rule: known},
			{Mutant: mutant(7, 6, "boundary", "x", "y"), Diff: diff, Fate: mutate.Unreached},
			{Mutant: mutant(8, 6, "boundary", "x", "z"), Diff: diff, Fate: mutate.Failed, Error: "no more processes"},
		},
		Cover: &mutate.Cover{Cases: []string{"sample/one", "edge/two"}, Time: 42 * time.Millisecond, Exact: true},
		Runs:  9, Cached: 3, Elapsed: 1204 * time.Millisecond,
	}
	r.Hunt = &mutate.Hunt{Inputs: 40, Found: []*mutate.Found{
		{Generate: []string{"low", "-n=3"}, Seed: 7, Bytes: 12, Kills: []mutate.Kill{{ID: 4, Mutant: &r.Mutants[3].Mutant, Verdict: verdict.WA, Cause: "differs from line 1, column 1"}}},
	}}
	r.Summarize()
	return r
}

func TestMutants(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	m := NewMutants(&b, MutantsOptions{Problem: "p", Least: 98})
	r := oneOfEach()
	m.Event(&event.Stage{What: "running"})
	m.Event(&mutate.Progress{Done: 1, Total: 2, Killed: 1, Mutants: 2})
	m.Event(r.Hunt.Found[0])
	m.Event(r)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "mutants.txt", b.String())
	b.Reset()
	m = NewMutants(&b, MutantsOptions{Problem: "p", Each: true})
	m.Event(r)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "mutants-each.txt", b.String())
}

// TestMutantsRules checks that there are drafts of rules only for unexplained survivors, and that
// two identical lines share a rule.
func TestMutantsRules(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	r := oneOfEach()
	again := r.Mutants[6] // the end of the loop and the end of the function are identical lines
	again.ID, again.Line = 9, 7
	r.Mutants = append(r.Mutants, again)
	if err := MutantsRules(&b, r); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "mutants-rules.txt", b.String())
}

func TestMutantsJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := document.Write(&b, oneOfEach()); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "mutants.json", b.String())
	b.Reset()
	if err := document.Write(&b, &mutate.Report{Problem: "p"}); err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	for name, value := range v {
		if value == nil && name != "cover" && name != "hunt" {
			t.Errorf("%s is null", name)
		}
	}
}

// TestMutantsLine checks that the last line of the stream holds the whole document, after lines
// about the progress.
func TestMutantsLine(t *testing.T) {
	t.Parallel()
	var b, doc bytes.Buffer
	r := oneOfEach()
	s := format.Stream(mutate.EventsSchema).New(format.Output{Writer: &b})
	for _, e := range []event.Event{
		&event.Stage{What: "running"}, &mutate.Progress{Done: 1, Total: 2, Runs: 3, Killed: 4, Mutants: 5}, r.Hunt.Found[0], r,
	} {
		s.Event(e)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := document.Write(&doc, r); err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	for text := range bytes.Lines(b.Bytes()) {
		var line map[string]any
		layouttest.NoFieldTwice(t, text)
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	var want map[string]any
	if err := json.Unmarshal(doc.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	want["event"] = "end"
	if lines[0]["judge"] != want["judge"] || lines[0]["what"] != "running" || lines[0]["schema"] != mutate.EventsSchema {
		t.Errorf("begins with %v", lines[0])
	}
	if progress := map[string]any{"event": "progress", "done": 1.0, "total": 2.0, "runs": 3.0, "killed": 4.0, "mutants": 5.0}; !reflect.DeepEqual(lines[1], progress) {
		t.Errorf("progress is %v", lines[1])
	}
	found := want["hunt"].(map[string]any)["found"].([]any)[0].(map[string]any)
	if delete(lines[2], "event"); !reflect.DeepEqual(lines[2], found) {
		t.Errorf("found is %v, in the document %v", lines[2], found)
	}
	if !reflect.DeepEqual(lines[3], want) {
		t.Errorf("the end is\n%v\nand the document\n%v", lines[3], want)
	}
}

// TestMutantsIsDocumented checks that docs/mutants.md describes exactly the fields of the document.
func TestMutantsIsDocumented(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(layouttest.Documentation(t, "mutants.md"), "## The report in JSON")
	var fields []string
	layouttest.Fields(reflect.TypeFor[mutate.Report](), "", &fields)
	layouttest.Agree(t, text, fields)
}

// TestMutantsHTML checks that the page loads no other files and escapes texts of programs.
func TestMutantsHTML(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := MutantsHTML(&b, oneOfEach()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"// &lt;b&gt;", "i &lt; n → i &lt;= n", "RTE on edge/two", "Nobody reads it.", "no survivor matches this rule", "<td>large/three", "No fewer cases than these"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, none := range []string{"<b>\n", "http:", "https:", "src=", "<script", "<link", "ZgotmplZ", "\x1b"} {
		if strings.Contains(text, none) {
			t.Errorf("the page has %q", none)
		}
	}
}

// TestMutantsInBrowser opens the page in a browser.
func TestMutantsInBrowser(t *testing.T) {
	t.Parallel()
	tier.T3(t, "HTML pages in a browser")
	var b bytes.Buffer
	if err := MutantsHTML(&b, oneOfEach()); err != nil {
		t.Fatal(err)
	}
	layouttest.InBrowser(t, map[string]layouttest.Shown{"mutants": {Text: b.Bytes()}})
}
