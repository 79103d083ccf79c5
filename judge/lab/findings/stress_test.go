package findings

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
	"tribunal/judge/lab/stress"
)

// searches returns a report for each possible result of a search.
func searches() map[string]*stress.Report {
	base := stress.Report{
		Head: document.Head{Schema: stress.Schema, Judge: version.Build()}, Begin: stress.Begin{Problem: "sum", A: "sum.c", B: "reference", Seed: 7, Slots: 2}, Limits: limits.Limits{CPU: time.Second},
		Counts: stress.Counts{Inputs: 1200, Mute: 1}, Elapsed: 10 * time.Second,
	}
	source := stress.Source{Generate: []string{"pair", "-max=99"}, Seed: 1206}
	wrong := func(want, got string) stress.Answer {
		return stress.Answer{
			Verdict: verdict.WA, Cause: "differs from line 1, column 1", Output: []byte(got), Stderr: []byte("hm \x1b[31m\n"),
			Mismatch: diff.Compare([]byte(want), []byte(got), diff.Options{}),
		}
	}
	nothing, found, shrunk, between, slow, none := base, base, base, base, base, base
	found.A, found.Language = "my sum's", "c"
	found.Families = []string{"pair -max=99"}
	first := stress.Fault{Input: []byte(strings.Repeat("1 2\t\n", 60)), Want: []byte("3\n"), A: wrong("3\n", "4")}
	found.Found = stress.NewFinding(source, 1200, first)
	shrunk.Found = stress.NewFinding(source, 1200, first)
	shrunk.Found.Take(&stress.Shrinking{
		Fault: stress.Fault{Input: []byte("1 \x1b"), Want: nil, A: stress.Answer{Verdict: verdict.RTE, Cause: "exited with status 1"}},
		Steps: 1, Tries: 30, Elapsed: 20 * time.Second,
	})
	right := stress.Answer{Verdict: verdict.AC, Output: []byte("3\n")}
	between.B = "other \x1b.c"
	between.Found = stress.NewFinding(source, 1, stress.Fault{
		Input: []byte("1 2\n"), Want: []byte("3\n"), A: wrong("3\n", "4\n"), B: &right,
	})
	between.Found.Take(&stress.Shrinking{Fault: between.Found.Fault, Minimal: true, Elapsed: time.Second})
	slow.Slowest, none.Slowest = true, true
	slow.Slow = &stress.Slow{Source: source, Size: 99, Bytes: 1234, Verdict: verdict.AC, CPU: 800 * time.Millisecond, Limit: time.Second, Runs: 3}
	return map[string]*stress.Report{"nothing": &nothing, "found": &found, "shrunk": &shrunk, "between": &between, "slowest": &slow, "slowest-none": &none}
}

func TestStress(t *testing.T) {
	t.Parallel()
	for name, r := range searches() {
		var b bytes.Buffer
		if err := Stress(&b, r, false); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, "stress-"+name+".txt", b.String())
	}
}

func TestStressJSON(t *testing.T) {
	t.Parallel()
	for name, r := range searches() {
		var b bytes.Buffer
		if err := document.Write(&b, r); err != nil || !json.Valid(b.Bytes()) {
			t.Fatalf("%s: %v", name, err)
		}
		layouttest.Golden(t, "stress-"+name+".json", b.String())
	}
}

// TestStressLive checks that the display writes nothing if it is off.
func TestStressLive(t *testing.T) {
	t.Parallel()
	var silent, bar bytes.Buffer
	for w, on := range map[io.Writer]bool{&silent: false, &bar: true} {
		l := NewStressLive(w, on, 100, time.Minute)
		l.Event(&stress.Progress{Inputs: 12, Source: stress.Source{Generate: []string{"pair"}, Seed: 9}})
		l.Shrink(time.Second)
		l.Event(&stress.Step{Tries: 3, Bytes: 40})
		l.Close()
		l.Close()
	}
	if silent.Len() > 0 {
		t.Errorf("without a terminal: %q", &silent)
	}
}
