package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// repository is the one that this package is part of.
const repository = ".."

// TestExamples judges the example submissions of one problem, of every verdict that
// there is a folder for: what the judge says of them must not depend on who changes
// it. judge verify does so for all problems, and checks much else.
func TestExamples(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), []string{"verify", "game", "--only", "examples", "--root", repository, "--json"},
		stdio{in: bytes.NewReader(nil), out: &stdout, err: &stderr})
	var doc struct {
		Findings []struct{ File, Text string }
		Notes    []struct{ Text string }
		Problems []struct{ Examples, Unchecked int }
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("judge verify: status %d, %v\n%s", code, err, &stderr)
	}
	for _, f := range doc.Findings {
		t.Errorf("%s: %s", f.File, f.Text)
	}
	for _, n := range doc.Notes {
		t.Log(n.Text)
	}
	if code != exitOK && !t.Failed() {
		t.Errorf("nothing found, but the status is %d\n%s", code, &stderr)
	}
	if len(doc.Problems) != 1 || doc.Problems[0].Examples == 0 {
		t.Errorf("judged of %d problems %+v, want examples of one", len(doc.Problems), doc.Problems)
	}
}
