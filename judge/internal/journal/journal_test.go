package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// entry returns an entry with something in most fields.
func entry(key string) *Entry {
	score := 0.5
	c := grade.Case{
		Name: "edge/one", Verdict: verdict.WA, Cause: "differs", Stderr: "\x1b[31m\xff", Message: "no\u2028",
		Result:   sandbox.Result{Stop: sandbox.Signalled, Signal: 11, CPU: 7, Wall: 9, Memory: 4096, Stdout: 3},
		Mismatch: &diff.Mismatch{Line: 2, Column: 3, Notes: []string{"a note"}, Lines: []diff.Line{{Op: "+", Got: 2, Text: "a⏎"}}},
		Score:    &score, Attempts: []grade.Attempt{{Verdict: verdict.TLE, CPU: time.Second}},
		Shown: grade.Shown{Note: "n", Input: "1 2\n", Cut: true},
	}
	return &Entry{
		Key: key, Problem: "sum", Submission: key + ".cpp", Built: grade.Built{Language: "cpp", Build: grade.Build{Cached: true}},
		Cases: []Case{{Index: 4, Case: c}}, Done: grade.Done{Verdict: verdict.WA, First: "edge/one", Judged: 1, Total: 5},
	}
}

func mustOpen(t *testing.T, name string, resume bool) *Journal {
	t.Helper()
	j, err := Open(name, resume)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// TestCutAnywhere cuts a journal in many places: what was whole is there, and the journal goes on from
// there.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	j := mustOpen(t, whole, false)
	for _, key := range []string{"a", "b"} {
		if err := j.Add(entry(key)); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "cut")
	for n := range len(text) + 1 {
		if n%13 > 0 && text[max(n-1, 0)] != '\n' && n < len(text) {
			continue
		}
		if err := os.WriteFile(name, text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		j := mustOpen(t, name, true)
		lines := bytes.Count(text[:n], []byte("\n"))
		if got, want := j.Size(), max(lines-1, 0); got != want {
			t.Fatalf("cut after %d bytes: %d entries, want %d", n, got, want)
		}
		if got, want := j.Cut(), n > 0 && text[n-1] != '\n'; got != want {
			t.Fatalf("cut after %d bytes: Cut() = %v", n, got)
		}
		if err := j.Add(entry("b")); err != nil {
			t.Fatal(err)
		}
		j.Close()
		var got []string
		if err := Read(name, func(e *Entry) { got = append(got, e.Key) }); err != nil || !slices.Contains(got, "b") {
			t.Fatalf("cut after %d bytes and gone on: %v, %v", n, got, err)
		}
	}
	want, err := json.Marshal(entry("a"))
	if err != nil {
		t.Fatal(err)
	}
	var back []byte
	if err := Read(whole, func(e *Entry) {
		if e.Key == "a" {
			back, _ = json.Marshal(e)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), `\ufffd`, ""), strings.ReplaceAll(string(back), "\ufffd", "")); d != "" {
		t.Errorf("an entry changed on disk (-want +got):\n%s", d)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	line := func(e *Entry) string { text, _ := json.Marshal(e); return string(text) + "\n" }
	head := `{"schema":"` + Schema + `","judge":"x"}` + "\n"
	for _, tt := range []struct{ why, text, want string }{
		{"another version", `{"schema":"tribunal/journal/9","judge":"x"}` + "\n", ":1: a journal of another version, tribunal/journal/9 instead of " + Schema},
		{"some other file", "students\n", ":1: not a journal"},
		{"another document", `{"a":1}` + "\n", ":1: not a journal"},
		{"damage in the middle", head + line(entry("a")) + "}{\n" + line(entry("b")), ":3: not an entry of a journal"},
		{"an entry without a key", head + "{}\n", ":2: not an entry of a journal"},
	} {
		name := filepath.Join(dir, "journal")
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(name, true)
		if err == nil || !strings.HasPrefix(err.Error(), name+tt.want+" (hint: ") {
			t.Errorf("%s: %v", tt.why, err)
		}
		if left, _ := os.ReadFile(name); string(left) != tt.text {
			t.Errorf("%s: the file was changed", tt.why)
		}
	}
	name := filepath.Join(dir, "new")
	mustOpen(t, name, false)
	if _, err := Open(name, true); err == nil || !strings.Contains(err.Error(), "another judge writes to it") {
		t.Errorf("opened twice: %v", err)
	}
	if _, err := Open(dir, true); err == nil {
		t.Error("a folder was opened")
	}
}

// play emits the events of judging some submissions, of which all cases fail in their own way.
func play(t grade.Task, verdicts map[string]verdict.Verdict, emit func(grade.Event)) {
	emit(&grade.Begin{Cases: []string{"a", "b"}, Submissions: names(t)})
	for i := range t.Submissions {
		emit(&grade.Built{Submission: i, Language: "cpp"})
	}
	for i, s := range t.Submissions {
		v := verdicts[s.Source.Name]
		emit(&grade.Progress{Submission: i, Done: 2*i + 1, Total: 2 * len(t.Submissions)})
		emit(&grade.Case{Submission: i, Index: 1, Name: "b", Verdict: v, Cause: s.Source.Name})
		emit(&grade.Case{Submission: i, Index: 0, Name: "a", Verdict: verdict.AC})
		d := &grade.Done{Submission: i, Verdict: v, Expected: s.Expected, Judged: 2, Points: t.Score([]points.Result{{Verdict: verdict.AC}, {Verdict: v}})}
		d.Settle()
		emit(d)
	}
	emit(&grade.End{})
}

func names(t grade.Task) (list []string) {
	for _, s := range t.Submissions {
		list = append(list, s.Source.Name)
	}
	return list
}

// TestSession compares the events of judging with a journal that knows some of the submissions with
// those of judging all of them, over random choices. The journal may have been made with other points.
func TestSession(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		task := grade.Task{Problem: &problem.Problem{}, Cases: make([]cases.Case, 2)}
		give := func(t *grade.Task) {
			if share := []*points.Share{nil, {By: points.OfCases}, {Best: 10}}[rng.IntN(3)]; share != nil {
				t.Points = share.Over([]string{"a", "b"})
			}
		}
		give(&task)
		verdicts := map[string]verdict.Verdict{}
		var keys []string
		for i := range 1 + rng.IntN(5) {
			name := fmt.Sprintf("s%d", i)
			task.Submissions = append(task.Submissions, grade.Submission{Source: &build.Source{Name: name}, Expected: verdict.WA})
			verdicts[name] = []verdict.Verdict{verdict.AC, verdict.WA, verdict.JE}[rng.IntN(3)]
			keys = append(keys, []string{name, name, ""}[rng.IntN(3)])
		}
		j := mustOpen(t, filepath.Join(t.TempDir(), "journal"), false)
		want := map[string][]string{}
		collect := func(to map[string][]string) func(grade.Event) {
			return func(e grade.Event) {
				kind := fmt.Sprintf("%T", e)
				switch e := e.(type) {
				case *grade.Begin:
					to["order"] = append(to["order"], strings.Join(e.Submissions, " "))
				case *grade.Built:
					to["order"] = append(to["order"], fmt.Sprint(e.Submission))
				case *grade.Case:
					kind = fmt.Sprint(e.Submission)
				case *grade.Done:
					kind = fmt.Sprint(e.Submission)
				case *grade.Progress:
					if e.Done > e.Total || e.Total != 2*len(task.Submissions) {
						t.Fatalf("progress %d of %d", e.Done, e.Total)
					}
					return
				}
				text, err := json.Marshal(e)
				if err != nil {
					t.Fatal(err)
				}
				to[kind] = append(to[kind], string(text))
			}
		}
		play(task, verdicts, collect(want))

		some := task
		give(&some)
		some.Submissions = task.Submissions[:rng.IntN(len(task.Submissions)+1)]
		first := &Session{Journal: j, Keys: keys[:len(some.Submissions)]}
		rest, events := first.Begin(some, func(grade.Event) {})
		play(rest, verdicts, events)
		for i, s := range some.Submissions {
			kept := keys[i] != "" && verdicts[s.Source.Name] != verdict.JE
			if (j.Find(s.Source.Name) != nil) != kept {
				t.Fatalf("round %d: %s with key %q and verdict %v is kept: %v", round, s.Source.Name, keys[i], verdicts[s.Source.Name], !kept)
			}
		}

		got := map[string][]string{}
		second := &Session{Journal: j, Keys: keys}
		rest, events = second.Begin(task, collect(got))
		if len(rest.Submissions)+second.Known() != len(task.Submissions) || second.Known() != j.Size() {
			t.Fatalf("round %d: %d known of %d", round, second.Known(), len(task.Submissions))
		}
		play(rest, verdicts, events)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("round %d (-all judged +resumed):\n%s", round, d)
		}
		if first.Err() != nil || second.Err() != nil {
			t.Fatal(first.Err(), second.Err())
		}
	}
}

// TestRenewed judges a submission that is again what it was before its last change: the journal knows the
// result, and its last entry, which readers believe, is that result from then on.
func TestRenewed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "journal")
	j := mustOpen(t, file, false)
	task := grade.Task{Problem: &problem.Problem{}, Cases: make([]cases.Case, 2), Submissions: []grade.Submission{{Source: &build.Source{Name: "s"}}}}
	for _, tt := range []struct{ key, want string }{
		{"before", "before"}, {"after", "before after"}, {"before", "before after before"}, {"before", "before after before"},
	} {
		s := &Session{Journal: j, Problem: "p", Keys: []string{tt.key}}
		rest, events := s.Begin(task, func(grade.Event) {})
		play(rest, map[string]verdict.Verdict{"s": verdict.WA}, events)
		var keys []string
		if err := Read(file, func(e *Entry) { keys = append(keys, e.Key) }); err != nil || s.Err() != nil {
			t.Fatal(err, s.Err())
		}
		if got := strings.Join(keys, " "); got != tt.want {
			t.Errorf("%s: the journal has %s, want %s", tt.key, got, tt.want)
		}
	}
}
