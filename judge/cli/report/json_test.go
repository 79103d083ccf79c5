package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// documentOf returns the document that a [JSON] writes about events.
func documentOf(t *testing.T, events []grade.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	j := inJSON(&b)
	for i, e := range events {
		j.Event(e)
		if b.Len() > 0 && i < len(events)-1 {
			t.Error("wrote something before the end of the stream")
		}
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}

func TestJSON(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"accepted": true, "poor-host": true, "verdicts": true, "compile-error": true, "stopped": true, "hostile": true, "matrix": true, "doubtful": true, "cached": true, "repeat": true, "repeat-lost": true, "exceptions": true}
	for _, tt := range scenarios() {
		if !want[tt.name] {
			continue // the events are those of another scenario
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := documentOf(t, tt.events)
			layouttest.Golden(t, tt.name+".json", string(got))
			wellFormed(t, got)
		})
	}
}

// mayBeNull lists the fields that may be null according to docs/json.md.
var mayBeNull = []string{"mismatch", "limits", "as_expected", "spread", "points", "best", "score"}

// wellFormed checks that doc is JSON of printable characters, in which only the fields of mayBeNull
// are null.
func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	if !json.Valid(doc) || !utf8.Valid(doc) {
		t.Fatalf("not JSON in UTF-8:\n%s", doc)
	}
	for _, r := range string(doc) {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%q stands unescaped", r)
		}
	}
	for _, m := range regexp.MustCompile(`"(\w+)": null`).FindAllSubmatch(doc, -1) {
		if name := string(m[1]); !slices.Contains(mayBeNull, name) {
			t.Errorf("%s is null", name)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add("name", "plain\ntext")
	f.Add("\xff\xfe", "\x1b[31m \x7f \u2028 \u009b \U000E0001 </script>")
	f.Fuzz(func(t *testing.T, short, long string) {
		b := begin([]string{short}, short)
		b.Problem, b.Title, b.Compare, b.Notes = short, long, short, []string{long}
		c := failed(verdict.RTE, short, ran(1))
		c.Stderr, c.Message, c.Kept = long, long, short
		doc := documentOf(t, one(b, grade.Built{Build: grade.Build{Error: long}}, stream(b, 0, verdict.None, c)...))
		wellFormed(t, doc)
		var back struct {
			Submissions []struct{ Cases []struct{ Stderr string } }
		}
		if err := json.Unmarshal(doc, &back); err != nil {
			t.Fatal(err)
		}
		if got := back.Submissions[0].Cases[0].Stderr; utf8.ValidString(long) && len(long) <= document.MaxText && got != long {
			t.Errorf("%q became %q", long, got)
		}
		if _, err := StripMeasurements(doc); err != nil {
			t.Error(err)
		}
	})
}

// TestJSONWithoutEnd checks that nothing is written if the events end early.
func TestJSONWithoutEnd(t *testing.T) {
	t.Parallel()
	events := several()
	if got := documentOf(t, events[:len(events)-1]); len(got) > 0 {
		t.Errorf("wrote %q", got)
	}
}

func TestStripMeasurements(t *testing.T) {
	t.Parallel()
	slower := func(events []grade.Event) []grade.Event {
		var list []grade.Event
		for _, e := range events {
			switch x := e.(type) {
			case *grade.Built:
				e = new(*x)
				e.(*grade.Built).Cached, e.(*grade.Built).Time = !x.Cached, x.Time+1
			case *grade.Begin:
				b := *x
				b.Busy = append([]string{"another one"}, x.Busy...)
				e = &b
			case *grade.Case:
				c := *x
				c.Cached = !c.Cached
				if c.Result.CPUWait++; c.Attempts == nil { // make one case doubtful
					c.Attempts, c.Unstable = []grade.Attempt{attempt(verdict.TLE, 999), attempt(verdict.AC, 1)}, true
				} else {
					c.Attempts, c.Unstable = nil, false
				}
				c.Result.CPU, c.Result.Wall, c.Result.Memory = c.Result.CPU+1, c.Result.Wall+1, c.Result.Memory+1
				c.Result.Stdout, c.Result.Stderr = c.Result.Stdout+1, c.Result.Stderr+1
				if c.Result.Stop >= sandbox.OverCPU && c.Result.Stop <= sandbox.OverOutput {
					c.Stderr, c.Truncated = c.Stderr+"got further", !c.Truncated
				}
				e = &c
			case *grade.Done:
				d := *x
				d.CPU, d.Wall, d.Memory = d.CPU+1, d.Wall+1, d.Memory+1
				e = &d
			case *grade.End:
				e = &grade.End{Elapsed: x.Elapsed + time.Hour}
			}
			list = append(list, e)
		}
		return list
	}
	strip := func(events []grade.Event) string {
		doc, err := StripMeasurements(documentOf(t, events))
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	}
	for _, s := range scenarios() {
		once, again := strip(s.events), strip(slower(s.events))
		if once != again {
			t.Errorf("%s: other measurements give another document:\n%s", s.name, cmp.Diff(once, again))
		}
	}

	base := strip(several())
	for _, change := range []struct {
		why   string
		apply func([]grade.Event)
	}{
		{"a limit is not a measurement", func(e []grade.Event) { e[0].(*grade.Begin).Limits.CPU++ }},
		{"the memory limit is not a measurement", func(e []grade.Event) { e[0].(*grade.Begin).Limits.Memory++ }},
		{"a verdict is not a measurement", func(e []grade.Event) { e[len(e)-2].(*grade.Done).Verdict = verdict.WA }},
		{"a cause without a time is not a measurement", func(e []grade.Event) { e[len(e)-2].(*grade.Done).Cause += "!" }},
		{"the output of a compiler is not a measurement", func(e []grade.Event) { e[4].(*grade.Built).Error += "!" }},
	} {
		events := several()
		change.apply(events)
		if strip(events) == base {
			t.Errorf("%s, but it was stripped", change.why)
		}
	}
	for _, limit := range []string{`"cpu_ns": 500000000`, `"wall_ns": 12000000000`, `"memory_bytes": 134217728`} {
		if !strings.Contains(strip(exceptional()), limit) {
			t.Errorf("a limit of an exception, %s, was stripped", limit)
		}
	}
	for _, doc := range []string{"", "[]", "{", "{}", "null", `{"schema": "tribunal/grade/0"}`, `{"schema": "tribunal/grade/1"} {}`} {
		if _, err := StripMeasurements([]byte(doc)); err == nil {
			t.Errorf("StripMeasurements(%q) has no error", doc)
		}
	}
}

// TestJSONIsDocumented checks that docs/json.md describes exactly the fields of the document.
func TestJSONIsDocumented(t *testing.T) {
	t.Parallel()
	text, _, _ := strings.Cut(layouttest.Documentation(t, "json.md"), eventsHeading)
	var fields []string
	layouttest.Fields(reflect.TypeFor[account.Execution](), "", &fields)
	layouttest.Agree(t, text, fields)
}

// TestErrorJSONIsDocumented checks that docs/json.md describes exactly the fields of the document
// about errors.
func TestErrorJSONIsDocumented(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(layouttest.Documentation(t, "json.md"), errorHeading)
	var fields []string
	layouttest.Fields(reflect.TypeFor[format.ErrorDocument](), "", &fields)
	layouttest.Agree(t, text, fields)
}

// errorHeading is the heading of the section of docs/json.md about errors.
const errorHeading = "\n## Errors\n"

// eventsHeading is the heading of the section of docs/json.md about the events of judge grade.
const eventsHeading = "\n## The events of judge grade\n"

// watchHeading is the heading of the section of docs/json.md about the events of judge watch.
const watchHeading = "\n## The events of judge watch\n"
