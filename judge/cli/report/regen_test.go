package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/regen"
)

// regenerations returns a problem with each possible result of judge regen.
func regenerations(mode RegenMode) Regenerations {
	mismatch := diff.Compare([]byte("one\ntwo\n"), []byte("one\nthree \x1b\n"), diff.Options{})
	all := Regenerations{Mode: mode, Elapsed: time.Second, Problems: []Regeneration{
		{Problem: "fresh", Plan: &regen.Plan{Problem: "fresh", Total: 1}},
		{Problem: "stale", Plan: &regen.Plan{
			Problem: "stale", Total: 40, Stale: true, Notes: []string{"this host is odd"},
			Changes: []regen.Change{
				{Case: "edge/new", New: true, Bytes: 4},
				{Case: "edge/changed", Mismatch: mismatch, Bytes: 12},
				{Case: "large/hash", Bytes: 5000},
			},
			Reasons: []string{"the lock has entries without a case: edge/old"},
		}},
		{Problem: "renew", Plan: &regen.Plan{Problem: "renew", Total: 2, Renew: true}},
		{Problem: "refused", Err: &regen.Refusal{
			Kind: regen.Disputed, Case: "edge/small", Mismatch: mismatch, Input: "1 2\n", Kept: "kept/refused/edge/small.in",
			Err: errors.New("cases/refused/edge.yaml:3: case small: reference/refused/brute disagrees"),
		}},
		{Problem: "broken", Err: errors.New("cases/broken/edge.yaml:3: no")},
	}}
	for i := range all.Problems {
		all.Problems[i].Mode = mode
	}
	return all
}

func TestRegenerated(t *testing.T) {
	t.Parallel()
	for _, mode := range []RegenMode{Write, Check, DryRun} {
		var b bytes.Buffer
		for _, r := range regenerations(mode).Problems {
			Regenerated(&b, Usual, r)
		}
		layouttest.Golden(t, "regen-"+string(mode)+".txt", b.String())
	}
}

// TestManyChanges checks that many changes are grouped by kind, unless all are requested.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	p := &regen.Plan{Problem: "p", Total: 400, Stale: true}
	compare := func(name, old, now string) {
		p.Changes = append(p.Changes, regen.Change{Case: name, Mismatch: diff.Compare([]byte(old), []byte(now), diff.Options{})})
	}
	for i := range 15 {
		compare(fmt.Sprintf("edge/first-%02d", i), fmt.Sprintf("%d\n2\n", i), fmt.Sprintf("%d\n2\n", i+1))
		p.Changes = append(p.Changes, regen.Change{Case: fmt.Sprintf("new/%02d", i), New: true})
	}
	for i := range 3 {
		compare(fmt.Sprintf("edge/later-%d", i), "1\n2\n", "1\n3\n")
		compare(fmt.Sprintf("edge/short-%d", i), "1\n2\n", "1\n")
		p.Changes = append(p.Changes, regen.Change{Case: fmt.Sprintf("large/%d", i), Bytes: 5000})
	}
	for d, name := range map[Detail]string{Usual: "usual", Stat: "stat", Full: "full"} {
		var b bytes.Buffer
		Regenerated(&b, d, Regeneration{Mode: Check, Problem: "p", Plan: p})
		layouttest.Golden(t, "regen-many-"+name+".txt", b.String())
	}
}

func TestRegenJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := regenerations(Check).JSON(&b); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "regen.json", b.String())
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

// TestRegenIsDocumented checks that docs/regen.md describes exactly the fields of the document.
func TestRegenIsDocumented(t *testing.T) {
	t.Parallel()
	var fields []string
	layouttest.Fields(reflect.TypeFor[regenDocument](), "", &fields, reflect.TypeFor[diff.Mismatch]())
	_, text, _ := strings.Cut(layouttest.Documentation(t, "regen.md"), "\n## The document in JSON\n")
	layouttest.Agree(t, text, fields)
}
