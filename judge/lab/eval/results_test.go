package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/verdict"
)

func mustOpen(t *testing.T, name string) *Results {
	t.Helper()
	r, err := OpenResults(name, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCutResults cuts a file of results in many places, and goes on: what was whole is known.
func TestCutResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	r := mustOpen(t, whole)
	verdicts := []verdict.Verdict{verdict.AC, verdict.WA, verdict.CE}
	for i, v := range verdicts {
		result := &Result{Task: "a b\x1b", Program: fmt.Sprint(i), Verdict: v, Key: cache.Key(fmt.Sprint("key", i)), Mismatch: &diff.Mismatch{Lines: []diff.Line{{Text: "x⏎"}}}}
		if err := r.Add(result); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.End(&Summary{}), r.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(text) + 1 {
		if n%13 > 0 && n < len(text) && text[max(n-1, 0)] != '\n' {
			continue
		}
		name := filepath.Join(dir, "cut")
		if err := os.WriteFile(name, text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		r := mustOpen(t, name)
		lines := bytes.Count(text[:n], []byte("\n"))
		if want := min(max(lines-1, 0), len(verdicts)); r.Size() != want {
			t.Fatalf("cut after %d bytes: %d results, want %d", n, r.Size(), want)
		}
		for i, v := range verdicts {
			if i >= r.Size() {
				v = verdict.None
			}
			if got, err := r.Known("a b\x1b", fmt.Sprint(i), cache.Key(fmt.Sprint("key", i))); got != v || err != nil {
				t.Fatalf("cut after %d bytes: program %d has %v, %v; want %v", n, i, got, err, v)
			}
		}
		if err := errors.Join(r.Add(&Result{Task: "b", Program: "0", Verdict: verdict.AC, Key: "key"}), r.Close()); err != nil {
			t.Fatal(err)
		}
		if r = mustOpen(t, name); r.Cut() || r.Judge() == "" {
			t.Fatalf("cut after %d bytes and gone on: cut %v, begun by %q", n, r.Cut(), r.Judge())
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadFile(name); bytes.Count(left, []byte("\n")) != 1+r.Size() {
			t.Fatalf("cut after %d bytes and gone on: %d results in\n%s", n, r.Size(), left)
		}
	}
}

func TestRefusedResults(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "results")
	r := mustOpen(t, name)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a file without results is left")
	}
	r = mustOpen(t, name)
	if err := errors.Join(r.Add(&Result{Task: "a", Program: "1", Verdict: verdict.AC, Key: "key"}), r.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenResults(name, false); err == nil || !strings.Contains(err.Error(), "holds what an earlier judging has found") {
		t.Errorf("opened without resume: %v", err)
	}
	r = mustOpen(t, name)
	if _, err := r.Known("a", "1", "other"); err == nil || err.Error() != name+": task a: program 1: has a result for another source, other tests or other limits (hint: name another file, or remove this one)" {
		t.Errorf("another key: %v", err)
	}
	r.Close()
	for _, tt := range []struct{ why, text, want string }{
		{"tasks", `{"id":"a"}` + "\n", ":1: not a file of results"},
		{"a journal", `{"schema":"tribunal/journal/1","judge":"x"}` + "\n", ":1: a file of results of another version"},
		{"a result without a verdict", `{"schema":"tribunal/eval/1","judge":"x"}` + "\n" + `{"task":"a","program":"1","verdict":""}` + "\n", ":2: not an entry of a file of results"},
		{"an unknown verdict", `{"schema":"tribunal/eval/1","judge":"x"}` + "\n" + `{"task":"a","program":"1","verdict":"XX"}` + "\n", ":2: not an entry of a file of results"},
	} {
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenResults(name, true); err == nil || !strings.HasPrefix(err.Error(), name+tt.want) {
			t.Errorf("%s: %v", tt.why, err)
		}
		if left, _ := os.ReadFile(name); string(left) != tt.text {
			t.Errorf("%s: the file was changed", tt.why)
		}
	}
}

// TestBoundedResult checks that a result with everything in it stays small.
func TestBoundedResult(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 10_000)
	r := &Result{Task: "t", Program: "p", Verdict: verdict.WA, Cause: first(long, maxCause), Stderr: last("x"+long, maxStderr)}
	r.Mismatch = diff.Compare([]byte(strings.Repeat(long+"\n", 9)), []byte(strings.Repeat(long+"x\n", 9)), diff.Options{Lines: maxLines, Bytes: maxDifference})
	text, err := json.Marshal(r)
	if err != nil || len(text) > 4<<10 || bytes.Contains(text, []byte(`\ufffd`)) {
		t.Errorf("%d bytes, %v: %s", len(text), err, text)
	}
	same := r.same("q")
	if same.Program != "q" || same.SameAs != "p" || same.Mismatch != nil || same.Stderr != "" || r.Mismatch == nil {
		t.Errorf("%+v", same)
	}
}

// TestSynced adds results within a second and after it.
func TestSynced(t *testing.T) {
	t.Parallel()
	r := mustOpen(t, filepath.Join(t.TempDir(), "results"))
	defer r.Close()
	for i := range 3 {
		if i == 2 {
			r.synced = time.Now().Add(-2 * time.Second)
		}
		before := r.synced
		if err := r.Add(&Result{Task: "a", Program: fmt.Sprint(i), Verdict: verdict.AC}); err != nil {
			t.Fatal(err)
		}
		if renewed := r.synced != before; renewed != (i != 1) {
			t.Errorf("result %d was written to disk: %v", i, renewed)
		}
	}
}
