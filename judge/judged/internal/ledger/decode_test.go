package ledger

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// stream returns the records of a file of events in testdata.
func stream(t testing.TB, schema int) (records []store.Record) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", fmt.Sprintf("schema%d.txt", schema)))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		word := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		sequence, err := strconv.ParseUint(word[0], 10, 64)
		if err != nil || len(word) != 3 {
			t.Fatalf("%q: %v", line, err)
		}
		records = append(records, store.Record{Sequence: sequence, Subject: word[1], Data: []byte(word[2])})
	}
	return records
}

// folded adds up records that all fit.
func folded(t testing.TB, records []store.Record) *Fold {
	t.Helper()
	f := NewFold()
	for _, r := range records {
		if _, err := f.Add(r); err != nil || f.Ignored > 0 {
			t.Fatalf("record %d, %s: %v, ignored: %d", r.Sequence, r.Subject, err, f.Ignored)
		}
	}
	return f
}

// golden compares a text with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// TestStreams reads the events of all schemas that there have been, and adds them up.
func TestStreams(t *testing.T) {
	t.Parallel()
	for schema := 1; schema <= Schema; schema++ {
		f := folded(t, stream(t, schema))
		text, err := json.MarshalIndent(f, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("schema%d.json", schema), string(text)+"\n")
	}
	if len(upgrades) != Schema-1 {
		t.Errorf("schema %d has %d upgrades", Schema, len(upgrades))
	}
}

// TestStreamsAreComplete checks that the streams have all events, with all of their fields.
func TestStreamsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{} // by type and field
	for schema := 1; schema <= Schema; schema++ {
		for _, r := range stream(t, schema) {
			var event any
			if err := json.Unmarshal(r.Data, &event); err != nil {
				t.Fatalf("record %d: %v", r.Sequence, err)
			}
			note(seen, event, reflect.TypeFor[Event]())
		}
	}
	for field, is := range seen {
		if !is {
			t.Errorf("no event has %s", field)
		}
	}
}

// note notes which fields of a type, and of the types in it, a value in JSON has.
func note(seen map[string]bool, value any, typ reflect.Type) {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if list, ok := value.([]any); ok && typ.Kind() == reflect.Slice {
		for _, inner := range list {
			note(seen, inner, typ.Elem())
		}
	}
	object, ok := value.(map[string]any)
	if typ.Kind() != reflect.Struct || !strings.HasPrefix(typ.PkgPath(), "tribunal/") {
		return
	}
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner, has := object[name]
		seen[typ.Name()+"."+name] = seen[typ.Name()+"."+name] || ok && has
		note(seen, inner, field.Type)
	}
}

// TestEncode checks that records are read as they were written.
func TestEncode(t *testing.T) {
	t.Parallel()
	for _, r := range slices.Concat(stream(t, 1), stream(t, 2)) {
		e, err := Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		schema := e.Schema
		e.Schema = 0 // Encode sets it
		again, err := Decode(store.Record{Data: Encode(e)})
		e.Schema = schema
		if d := cmp.Diff(e, again); err != nil || d != "" {
			t.Errorf("record %d: %v\n%s", r.Sequence, err, d)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	const at = `"at":"2026-01-01T00:00:00Z"`
	for _, tt := range []struct{ why, data, want string }{
		{"nothing", ``, "not an event: unexpected end of JSON input"},
		{"no JSON", `event`, "not an event: invalid character"},
		{"no object", `[1]`, "not an event: json: cannot unmarshal array"},
		{"null", `null`, "an event without a schema (hint: something else writes into this stream)"},
		{"cut off", `{"v":1,` + at + `,"erased":{}`, "not an event: unexpected end of JSON input"},
		{"two of them", `{"v":1,` + at + `,"erased":{}}{}`, "not an event: invalid character"},
		{"no schema", `{` + at + `,"erased":{}}`, "an event without a schema (hint: something else writes into this stream)"},
		{"no such schema", `{"v":-1,` + at + `,"erased":{}}`, "an event without a schema"},
		{"a schema that is no number", `{"v":"1",` + at + `,"erased":{}}`, "not an event: json: cannot unmarshal string"},
		{"the future", `{"v":3,` + at + `,"merged":{"with":"x"}}`, "an event of schema 3, and this build reads up to 2 (hint: start a judged of the newer version)"},
		{"an unknown event", `{"v":1,` + at + `,"merged":{}}`, `not an event: json: unknown field "merged"`},
		{"an unknown field", `{"v":1,` + at + `,"released":{"judging":1,"gently":true}}`, `not an event: json: unknown field "gently"`},
		{"an unknown verdict", `{"v":1,` + at + `,"ended":{"judging":1,"attempt":1,"summary":{"verdict":"XX"},"result":{"sha256":"","size":0}}}`, `not an event: unknown verdict "XX"`},
		{"a number that is too large", `{"v":1,` + at + `,"released":{"judging":1e99}}`, "not an event: json: cannot unmarshal number 1e99"},
		{"no part", `{"v":1,` + at + `}`, "an event with 0 parts instead of one"},
		{"a part that is null", `{"v":1,` + at + `,"erased":null}`, "an event with 0 parts instead of one"},
		{"two parts", `{"v":1,` + at + `,"erased":{},"applied":{}}`, "an event with 2 parts instead of one"},
	} {
		_, err := Decode(store.Record{Sequence: 7, Subject: "submission.x", Data: []byte(tt.data)})
		if want := "record 7 of the ledger (submission.x): " + tt.want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got  %v\nwant %s", tt.why, err, want)
		}
		f := NewFold()
		if _, err := f.Add(store.Record{Sequence: 7, Data: []byte(tt.data)}); err == nil || !cmp.Equal(f, NewFold()) {
			t.Errorf("%s: it was added up: %+v", tt.why, f)
		}
	}
}

// TestUpgrades reads events of schemas 1 to 3 as a build of schema 3 would, in which a judging has
// another name and an attempt was added.
func TestUpgrades(t *testing.T) {
	t.Parallel()
	rename := func(event map[string]any) error {
		released, ok := event["let_go"].(map[string]any)
		if !ok {
			return errors.New("what should be renamed is not there")
		}
		delete(event, "let_go")
		event["released"] = released
		return nil
	}
	number := func(event map[string]any) error {
		released := event["released"].(map[string]any)
		n, err := released["number"].(json.Number).Int64()
		delete(released, "number")
		released["judging"] = n
		return err
	}
	steps := []func(map[string]any) error{rename, number}
	for _, tt := range []struct {
		why, data string
		want      int // the judging
		err       string
	}{
		{"two steps", `{"v":1,"at":"2026-01-01T00:00:00Z","by":"x","let_go":{"number":9007199254740993}}`, 9007199254740993, ""},
		{"one step", `{"v":2,"at":"2026-01-01T00:00:00Z","by":"x","released":{"number":7}}`, 7, ""},
		{"no step", `{"v":3,"at":"2026-01-01T00:00:00Z","by":"x","released":{"judging":7}}`, 7, ""},
		{"a step that fails", `{"v":1,"at":"2026-01-01T00:00:00Z","by":"x"}`, 0, "an event of schema 1: what should be renamed is not there"},
		{"what no step takes away", `{"v":2,"at":"2026-01-01T00:00:00Z","by":"x","released":{"number":7},"let_go":{}}`, 0, `not an event: json: unknown field "let_go"`},
		{"the future", `{"v":4}`, 0, "an event of schema 4, and this build reads up to 3 (hint: start a judged of the newer version)"},
		{"the future, in words of the present", `{"v":4,"at":"2026-01-01T00:00:00Z","by":"x","released":{"judging":7}}`, 0, "an event of schema 4, and this build reads up to 3 (hint: start a judged of the newer version)"},
	} {
		e, err := decode([]byte(tt.data), 3, steps)
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.err)
			}
			continue
		}
		if err != nil || e.Released == nil || e.Released.Judging != tt.want || e.Schema != 3 || e.By != "x" {
			t.Errorf("%s: %+v, %v", tt.why, e, err)
		}
	}
}

// TestOwners checks whose a submission is, also in records from the time when members handed in as COURSE/LOGIN.
func TestOwners(t *testing.T) {
	for _, tt := range []struct{ why, by, submitter, want, owner, course, login string }{
		{"a member", "/c/ann", "/c/ann", "/c/ann", "/c", "c", "ann"},
		{"a member, before", "c/ann", "c/ann", "/c/ann", "/c", "c", "ann"},
		{"a token that is called like a course", "c", "c/ann", "c/ann", "c", "", ""},
		{"and names nobody", "c", "c", "c", "c", "", ""},
		{"one that is called like a member", "c/ann", "c%2Fann", "c%2Fann", "c%2Fann", "", ""},
		{"and names somebody", "c/ann", "c%2Fann/b", "c%2Fann/b", "c%2Fann", "", ""},
	} {
		e, err := Decode(store.Record{Data: Encode(Event{By: tt.by, Submitted: &Submitted{Submitter: tt.submitter}})})
		if err != nil {
			t.Fatal(err)
		}
		got := e.Submitted.Submitter
		login, _ := LoginOf("c", got)
		if got != tt.want || OwnerOf(got) != tt.owner || CourseOf(got) != tt.course || login != tt.login {
			t.Errorf("%s: %q of %q, course %q, login %q", tt.why, got, OwnerOf(got), CourseOf(got), login)
		}
	}
}
