package feedback

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

var update = flag.Bool("update", false, "write the golden files")

const secretText = "SECRET"

// fill gives every field of a value something that tells a secret. Lists get one element.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*points.Group]() { // holds others
			v.Set(reflect.ValueOf(&points.Group{Name: secretText}))
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && f.Kind() != reflect.Interface {
				fill(f)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString(secretText)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint8:
		v.SetUint(uint64(verdict.WA))
	case reflect.Float64:
		v.SetFloat(0.5)
	}
}

// filled returns a result in which every field has something: a sample, the case that decided, and another.
func filled(t *testing.T) []byte {
	t.Helper()
	var r task.Result
	fill(reflect.ValueOf(&r).Elem())
	one := r.Cases[0]
	r.Cases, r.Begin.Cases = nil, []string{"sample/1", "edge/first", "edge/other"}
	r.Done.First, r.Done.Verdict, r.Drawing.Case = "edge/first", verdict.WA, "edge/first"
	for i, name := range r.Begin.Cases {
		c := journal.Case{Index: i, Case: one.Case}
		c.Name = name
		r.Cases = append(r.Cases, c)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// paths notes the path of every field in a document that says something.
func paths(at string, v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		name, _ := v["name"].(string)
		if strings.HasSuffix(at, "cases[]") {
			at += name
		}
		for key, inner := range v {
			paths(at+"."+key, inner, into)
		}
	case []any:
		for _, inner := range v {
			paths(at+"[]", inner, into)
		}
	case nil:
	case string:
		into[at] = into[at] || v != ""
	case float64:
		into[at] = into[at] || v != 0
	default:
		into[at] = true
	}
}

// TestFields lists the fields of a result that each feedback shows. Every field has something in the result, so
// that a new one is in the list if it can be seen.
func TestFields(t *testing.T) {
	t.Parallel()
	text := filled(t)
	var list strings.Builder
	before := map[string]bool{}
	for _, f := range problem.Feedbacks() {
		seen, err := View{feedback: f, samples: []string{"sample/1"}}.Result(text)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(seen, &doc); err != nil {
			t.Fatal(err)
		}
		now := map[string]bool{}
		paths("", doc, now)
		maps.DeleteFunc(now, func(_ string, says bool) bool { return !says })
		fmt.Fprintf(&list, "%s adds\n", f)
		for _, path := range slices.Sorted(maps.Keys(now)) {
			if !before[path] {
				fmt.Fprintf(&list, "  %s\n", path)
			}
		}
		for path := range before {
			if !now[path] && path != ".feedback" {
				t.Errorf("%s hides %s, which less shows", f, path)
			}
		}
		before = now
	}
	golden := filepath.Join("testdata", "fields.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), list.String()); d != "" {
		t.Errorf("%s (-want +got):\n%s", golden, d)
	}
}

// TestNumbered checks that other cases than samples have numbers instead of names, everywhere.
func TestNumbered(t *testing.T) {
	t.Parallel()
	v := View{feedback: problem.FeedbackFirst, numbered: true, samples: []string{"sample/1"}}
	seen, err := v.Result(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	s := v.Judging(&ledger.Judging{Summary: &ledger.Summary{Verdict: verdict.WA, First: "edge/first"}})
	live := v.Live([]byte(`{"event":"case","case":"edge/first","verdict":"WA"}`))
	if all := string(seen) + s.Summary.First + string(live); strings.Contains(all, "edge/") {
		t.Errorf("a name in %s", all)
	}
	for _, want := range []string{`"cases":["sample/1","2","3"]`, `"first_failure":"2"`, `"name":"3"`} {
		if !strings.Contains(string(seen), want) {
			t.Errorf("no %s in %s", want, seen)
		}
	}
}

// TestOf checks which feedback holds: that of the version or of the newest one, whichever shows less.
func TestOf(t *testing.T) {
	t.Parallel()
	says := func(f problem.Feedback) *ledger.Version {
		return &ledger.Version{Shown: &ledger.Shown{Feedback: string(f), Samples: []string{"s"}}}
	}
	for _, tt := range []struct {
		why             string
		version, newest *ledger.Version
		want            problem.Feedback
	}{
		{"both say the same", says("first"), says("first"), "first"},
		{"an older version shows more", says("all"), says("verdict"), "verdict"},
		{"somebody uploads one that shows more", says("samples"), says("all"), "samples"},
		{"it says nothing", says(""), says(""), "verdict"},
		{"it says more than usual", says("all"), says("all"), "all"},
		{"it was checked by an older build", &ledger.Version{}, &ledger.Version{}, "verdict"},
		{"it says what this build does not know", says("much"), says("all"), "much"},
	} {
		if v := Of(tt.version, tt.newest, problem.FeedbackVerdict); v.feedback != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, v.feedback, tt.want)
		}
	}
	if unknown := (View{feedback: "much"}); unknown.shows(problem.NoFeedback) || unknown.shows(problem.FeedbackVerdict) {
		t.Error("an unknown feedback shows something")
	}
}

// TestErrors checks that errors of the judge do not come through, but reasons of cancelling do.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status     ledger.Status
		error, why string
	}{
		{ledger.Held, failed, "a validator's output may be in it"},
		{ledger.Waiting, failed, "that of the attempt before"},
		{ledger.Dropped, secretText, "a person wrote it"},
	} {
		v := View{feedback: problem.FeedbackFirst}
		if j := v.Judging(&ledger.Judging{Status: tt.status, Error: secretText}); j.Error != tt.error {
			t.Errorf("%s: %s", tt.why, j.Error)
		}
	}
}

// TestSteps checks that measurements are rounded up: nothing becomes 0, and what fits still does.
func TestSteps(t *testing.T) {
	t.Parallel()
	if a, b, c := coarse(1), coarse(10*time.Millisecond), coarse(0); a != timeStep || b != timeStep || c != 0 {
		t.Error(a, b, c)
	}
	if a, b := roomy(1), roomy(memoryStep+1); a != memoryStep || b != 2*memoryStep {
		t.Error(a, b)
	}
}
