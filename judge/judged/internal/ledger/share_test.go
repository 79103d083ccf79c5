package ledger

import (
	"fmt"
	"testing"
	"unsafe"

	"tribunal/judge/judged/internal/store"
)

// TestShare checks that submissions hold the strings of their problem, and no copies of their own.
func TestShare(t *testing.T) {
	t.Parallel()
	f := NewFold()
	add := func(subject string, e Event) {
		t.Helper()
		sequence := f.Sequence + 1
		if _, err := f.Add(store.Record{Sequence: sequence, Subject: subject, Data: Encode(e)}); err != nil || f.Ignored > 0 {
			t.Fatal(err, f.Ignored)
		}
	}
	add(ProblemSubject("a", "hash"), Event{Uploaded: &Uploaded{}})
	for i := range 2 {
		add(SubmissionSubject(fmt.Sprint(i)), Event{Submitted: &Submitted{Problem: "a", Version: "hash", Priority: Batch}})
	}
	for what, of := range map[string]func(*Submission) string{
		"the problem":  func(s *Submission) string { return s.Problem },
		"the version":  func(s *Submission) string { return s.Judgings[0].Version },
		"the priority": func(s *Submission) string { return string(s.Judgings[0].Priority) },
	} {
		if a, b := of(f.Submissions["0"]), of(f.Submissions["1"]); a != b || unsafe.StringData(a) != unsafe.StringData(b) {
			t.Errorf("%s: %q and %q are not the same", what, a, b)
		}
	}
}
