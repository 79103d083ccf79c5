package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/watchmode"
)

func TestWatchJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range watchScenarios() {
		if tt.screenOnly {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			j := NewWatchJSON(&b)
			for _, e := range tt.before {
				j.Event(e)
			}
			b.Reset()
			for i, e := range tt.events {
				if j.Event(e); bytes.Count(b.Bytes(), []byte("\n")) != i+1 || !bytes.HasSuffix(b.Bytes(), []byte("}\n")) {
					t.Fatalf("event %d, %T: not one line", i, e)
				}
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			layouttest.Golden(t, tt.name+".json", b.String())
			for l := range bytes.Lines(b.Bytes()) {
				if !json.Valid(l) {
					t.Errorf("not JSON: %s", l)
				}
				layouttest.NoFieldTwice(t, l)
			}
			for _, r := range b.String() {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Errorf("%q stands unescaped", r)
				}
			}
			for _, m := range regexp.MustCompile(`"(\w+)":null`).FindAllSubmatch(b.Bytes(), -1) {
				if name := string(m[1]); !slices.Contains(mayBeNull, name) {
					t.Errorf("%s is null", name)
				}
			}
		})
	}
}

// TestWatchJSONIsDocumented checks that docs/json.md describes exactly the events of judge watch
// and their fields.
func TestWatchJSONIsDocumented(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(layouttest.Documentation(t, "json.md"), watchHeading)
	text, _, _ = strings.Cut(text, errorHeading)
	elsewhere := []reflect.Type{
		reflect.TypeFor[limits.Limits](), reflect.TypeFor[sandbox.Mechanisms](), reflect.TypeFor[grade.Build](),
		reflect.TypeFor[grade.MaxUsage](), reflect.TypeFor[account.Case](), reflect.TypeFor[diff.Mismatch](),
		reflect.TypeFor[points.Score](), reflect.TypeFor[cases.Group](), reflect.TypeFor[problem.Exception](), reflect.TypeFor[watchmode.Answer](),
	}
	var fields []string
	for event, parts := range map[string][]any{
		"watching": {document.Head{}, watchmode.Watching{}}, "round": {watchmode.Round{}}, "stage": {watchmode.Stage{}}, "failed": {failedObject{}},
		"expectations": {expectationsObject{}}, "begin": {roleObject{}, grade.Begin{}}, "built": {gradingObject{}, aboutObject{}, grade.Built{}},
		"building": {gradingObject{}, grade.Building{}},
		"progress": {gradingObject{}, aboutObject{}, grade.Progress{}}, "case": {gradingObject{}, aboutObject{}, judgedObject{}},
		"done": {gradingObject{}, aboutObject{}, grade.Done{}}, "end": {gradingObject{}, grade.End{}},
		"difference": {watchmode.Difference{}}, "counterexample": {watchmode.Counterexample{}}, "submitted": {watchmode.Submitted{}}, "settled": {watchmode.Settled{}},
	} {
		for _, part := range parts {
			layouttest.Fields(reflect.TypeOf(part), event, &fields, elsewhere...)
		}
	}
	fields = slices.DeleteFunc(fields, func(f string) bool { return strings.HasSuffix(f, ".event") })
	layouttest.Agree(t, text, fields)
}

func TestWatchWriteErrors(t *testing.T) {
	t.Parallel()
	size := func() (int, int) { return 80, 24 }
	for _, tt := range watchScenarios() {
		lines, object, screen := NewWatchLines(&fullDisk{100}), NewWatchJSON(&fullDisk{100}), NewWatchScreen(&fullDisk{100}, size, false)
		for _, e := range after(tt.before, tt.events) {
			lines.Event(e)
			object.Event(e)
			screen.Event(e)
		}
		for name, err := range map[string]error{"WatchLines": lines.Close(), "WatchJSON": object.Close(), "WatchScreen": screen.Close()} {
			if !errors.Is(err, errFull) {
				t.Errorf("%s: %s.Close after a full disk: %v", tt.name, name, err)
			}
		}
	}
}
