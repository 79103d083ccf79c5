package layouttest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/event"
)

// SameLists checks that the lines of a stream, which are of a kind, have the same contents as the list in this field of
// the document. It sends these events; the last one is the result.
func SameLists(t *testing.T, formats []format.Format, events []event.Event, kind, field string) {
	t.Helper()
	texts := map[string]*bytes.Buffer{}
	for _, f := range formats {
		texts[f.Name] = &bytes.Buffer{}
		s := f.New(format.Output{Writer: texts[f.Name]})
		for _, one := range events {
			s.Event(one)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	var doc map[string]any
	if err := json.Unmarshal(texts[format.JSON].Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var got []any
	var kinds []string
	for text := range bytes.Lines(texts[format.NDJSON].Bytes()) {
		NoFieldTwice(t, text)
		var line map[string]any
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, line["event"].(string))
		delete(line, "event")
		switch kinds[len(kinds)-1] {
		case kind:
			got = append(got, line)
		case "begin":
			if line["mode"] != doc["mode"] || line["judge"] != doc["judge"] || line["schema"] == doc["schema"] {
				t.Errorf("the stream begins with %v, the document with %v, %v", line, doc["mode"], doc["judge"])
			}
		}
	}
	if !reflect.DeepEqual(got, doc[field]) || kinds[0] != "begin" || kinds[len(kinds)-1] != "end" || len(kinds) != len(events)+1 {
		t.Errorf("%v:\n%v\nis not\n%v", kinds, got, doc[field])
	}
}
