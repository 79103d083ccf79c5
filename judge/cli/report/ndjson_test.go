package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
)

// TestNDJSON checks that the document can be computed from the lines of the stream.
func TestNDJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios() {
		var b bytes.Buffer
		j := NewNDJSON(&b)
		for i, e := range tt.events {
			if j.Event(e); bytes.Count(b.Bytes(), []byte("\n")) != i+1 || !bytes.HasSuffix(b.Bytes(), []byte("}\n")) {
				t.Fatalf("%s: event %d, %T: not one line", tt.name, i, e)
			}
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		var want map[string]any
		if err := json.Unmarshal(documentOf(t, tt.events), &want); err != nil {
			t.Fatal(err)
		}
		if got := summed(t, b.Bytes()); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the stream says\n%v\nand the document\n%v", tt.name, got, want)
		}
		if tt.name == "matrix" {
			layouttest.Golden(t, "matrix.ndjson", b.String())
		}
	}
}

// summed computes the document from the lines of a stream.
func summed(t *testing.T, stream []byte) map[string]any {
	t.Helper()
	doc := map[string]any{}
	var of []any
	for text := range bytes.Lines(stream) {
		layouttest.NoFieldTwice(t, text)
		var line map[string]any
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		kind := line["event"]
		delete(line, "event")
		into := doc
		if i, ok := line["index"].(float64); ok {
			into = of[int(i)].(map[string]any)
			if line["submission"] != into["name"] {
				t.Errorf("a line about %v has the index of %v", line["submission"], into["name"])
			}
			delete(line, "index")
			delete(line, "submission")
		}
		switch kind {
		case "begin":
			for _, name := range line["submissions"].([]any) {
				of = append(of, map[string]any{"name": name, "cases": []any{}})
			}
			line["submissions"], line["schema"] = of, account.Schema
		case "case":
			into["cases"] = append(into["cases"].([]any), line["case"])
			continue
		case "progress":
			continue
		}
		for name, value := range line {
			into[name] = value
		}
	}
	return doc
}

// TestLists checks that the lines of a stream have the same contents as the list in the document.
func TestLists(t *testing.T) {
	t.Parallel()
	list := regenerations(Check)
	var told []event.Event
	for i := range list.Problems {
		told = append(told, &list.Problems[i])
	}
	layouttest.SameLists(t, RegenFormats(Check, Usual), append(told, &list), "problem", "problems")
}

// TestNDJSONIsDocumented checks that docs/json.md describes exactly the events of judge grade and
// their fields.
func TestNDJSONIsDocumented(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(layouttest.Documentation(t, "json.md"), eventsHeading)
	text, _, _ = strings.Cut(text, watchHeading)
	elsewhere := []reflect.Type{
		reflect.TypeFor[limits.Limits](), reflect.TypeFor[sandbox.Mechanisms](), reflect.TypeFor[grade.Build](),
		reflect.TypeFor[grade.MaxUsage](), reflect.TypeFor[account.Case](), reflect.TypeFor[points.Score](), reflect.TypeFor[cases.Group](),
		reflect.TypeFor[problem.Exception](),
	}
	var fields []string
	for event, parts := range map[string][]any{
		"begin": {document.Head{}, grade.Begin{}}, "built": {aboutObject{}, indexObject{}, grade.Built{}}, "building": {grade.Building{}},
		"progress": {aboutObject{}, indexObject{}, grade.Progress{}}, "case": {aboutObject{}, indexObject{}, judgedObject{}},
		"done": {aboutObject{}, indexObject{}, grade.Done{}}, "end": {grade.End{}},
	} {
		for _, part := range parts {
			layouttest.Fields(reflect.TypeOf(part), event, &fields, elsewhere...)
		}
	}
	layouttest.Agree(t, text, fields)
}

func TestNDJSONWriteErrors(t *testing.T) {
	t.Parallel()
	j := NewNDJSON(&fullDisk{100})
	for _, e := range several() {
		j.Event(e)
	}
	if err := j.Close(); !errors.Is(err, errFull) {
		t.Errorf("after a full disk: %v", err)
	}
}
