package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/stress"
	"tribunal/judge/internal/verdict"
)

// searches are one of everything that a search may come to.
func searches() map[string]*Stress {
	base := Stress{
		Problem: "sum", A: "sum.c", B: "reference", Seed: 7, Slots: 2, Limits: limits.Limits{CPU: time.Second},
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
	found.Found = &stress.Finding{Source: source, Number: 1200, Fault: stress.Fault{
		Input: []byte(strings.Repeat("1 2\t\n", 60)), Want: []byte("3\n"), A: wrong("3\n", "4"),
	}}
	shrunk.Found = found.Found
	shrunk.Shrunk = &stress.Shrinking{
		Fault: stress.Fault{Input: []byte("1 \x1b"), Want: nil, A: stress.Answer{Verdict: verdict.RTE, Cause: "ended with status 1"}},
		Steps: 1, Tries: 30, Elapsed: 20 * time.Second,
	}
	right := stress.Answer{Verdict: verdict.AC, Output: []byte("3\n")}
	between.B = "other \x1b.c"
	between.Found = &stress.Finding{Source: source, Number: 1, Fault: stress.Fault{
		Input: []byte("1 2\n"), Want: []byte("3\n"), A: wrong("3\n", "4\n"), B: &right,
	}}
	between.Shrunk = &stress.Shrinking{Fault: between.Found.Fault, Minimal: true, Elapsed: time.Second}
	slow.Slowest, none.Slowest = true, true
	slow.Slow = &stress.Slow{Source: source, Size: 99, Bytes: 1234, Verdict: verdict.AC, CPU: 800 * time.Millisecond, Runs: 3}
	return map[string]*Stress{"nothing": &nothing, "found": &found, "shrunk": &shrunk, "between": &between, "slowest": &slow, "slowest-none": &none}
}

func TestStress(t *testing.T) {
	t.Parallel()
	for name, r := range searches() {
		var b bytes.Buffer
		if err := r.Text(false)(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, "stress-"+name+".txt", b.String())
	}
}

func TestStressJSON(t *testing.T) {
	t.Parallel()
	for name, r := range searches() {
		var b bytes.Buffer
		if err := r.JSON(&b); err != nil || !json.Valid(b.Bytes()) {
			t.Fatalf("%s: %v", name, err)
		}
		golden(t, "stress-"+name+".json", b.String())
	}
}

// Without a terminal the display of progress writes nothing.
func TestStressLive(t *testing.T) {
	t.Parallel()
	var silent, bar bytes.Buffer
	for w, on := range map[io.Writer]bool{&silent: false, &bar: true} {
		l := NewStressLive(w, on, 100, time.Minute)
		l.Progress(stress.Progress{Inputs: 12, Last: stress.Source{Generate: []string{"pair"}, Seed: 9}})
		l.Shrink(time.Second)
		l.Progress(stress.Progress{Inputs: 3, Bytes: 40})
		l.Close()
		l.Close()
	}
	if silent.Len() > 0 {
		t.Errorf("without a terminal: %q", &silent)
	}
}
