package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/regen"
)

// regenerations is one of everything that may become of a problem.
func regenerations(mode RegenMode) Regenerations {
	mismatch := diff.Compare([]byte("one\ntwo\n"), []byte("one\nthree \x1b\n"), diff.Options{})
	return Regenerations{Mode: mode, Elapsed: time.Second, Problems: []Regeneration{
		{Problem: "fresh", Plan: &regen.Plan{Problem: "fresh", Total: 1}},
		{Problem: "stale", Plan: &regen.Plan{
			Problem: "stale", Total: 40, Stale: true, Notes: []string{"this host is odd"},
			Changes: []regen.Change{
				{Case: "edge/new", New: true, Bytes: 4},
				{Case: "edge/changed", Mismatch: mismatch, Bytes: 12},
				{Case: "large/hash", Bytes: 5000},
			},
		}},
		{Problem: "renew", Plan: &regen.Plan{Problem: "renew", Total: 2, Renew: true}},
		{Problem: "refused", Err: &regen.Refusal{
			Kind: regen.Disputed, Case: "edge/small", Mismatch: mismatch, Input: "1 2\n", Kept: "kept/refused/edge/small.in",
			Err: errors.New("cases/refused/edge.yaml:3: case small: reference/refused/brute disagrees"),
		}},
		{Problem: "broken", Err: errors.New("cases/broken/edge.yaml:3: no")},
	}}
}

func TestRegenerated(t *testing.T) {
	t.Parallel()
	for _, mode := range []RegenMode{Write, Check, DryRun} {
		var b bytes.Buffer
		for _, r := range regenerations(mode).Problems {
			Regenerated(&b, mode, r)
		}
		golden(t, "regen-"+string(mode)+".txt", b.String())
	}
}

func TestRegenJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := regenerations(Check).JSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "regen.json", b.String())
	var doc struct {
		Problems []struct{ Problem, State string }
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"fresh": "fresh", "stale": "stale", "renew": "renewable", "refused": "refused", "broken": "broken"}
	for _, p := range doc.Problems {
		if p.State != want[p.Problem] {
			t.Errorf("%s is %s", p.Problem, p.State)
		}
	}
	for name := range strings.SplitSeq("changes notes", " ") {
		if strings.Contains(b.String(), `"`+name+`": null`) {
			t.Errorf("%s is null", name)
		}
	}
}

// docs/regen.md describes the fields that there are, and no others.
func TestRegenIsDocumented(t *testing.T) {
	t.Parallel()
	var fields []string
	collect(reflect.TypeFor[regenDocument](), "", &fields, reflect.TypeFor[diff.Mismatch]())
	agree(t, documentation(t, "regen.md"), fields)
}
