package service_test

import (
	"errors"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// bringing returns a request with tests of its own.
func bringing(i int, tests string) service.Request {
	r := request(i, "AC")
	r.Problem, r.Package = "", []byte(tests)
	return r
}

// TestInline hands in submissions with small and with large tests of their own, and looks where the tests
// are: they belong to the submissions, and to nothing else.
func TestInline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, tests string
		blob       bool
	}{
		{"small ones are in the ledger", "small tests", false},
		{"large ones are blobs", strings.Repeat("large tests ", store.MaxInline), true},
	} {
		st := open(t)
		s := start(t, st, service.Options{Queue: 2})
		first, second := submit(t, s, bringing(1, tt.tests)), submit(t, s, bringing(2, tt.tests))
		for range 2 {
			k := take(t, st)
			text, err := store.Fetch(t.Context(), st.Blobs, k.Archive)
			if err != nil || string(text) != tt.tests || k.Part != task.Whole || k.Problem != ledger.InlineProblem || k.Version != store.RefOf(text).Hash {
				t.Errorf("%s: %+v with %.20q: %v", tt.why, k, text, err)
			}
		}
		stored := func(tests string) bool {
			t.Helper()
			_, err := st.Blobs.Get(t.Context(), store.RefOf([]byte(tests)))
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				t.Fatal(err)
			}
			return err == nil
		}
		before := s.Sequence()
		if _, _, err := s.Submit(t.Context(), bringing(3, "more "+tt.tests)); !errors.Is(err, service.ErrBusy) {
			t.Errorf("%s: %v, want it refused", tt.why, err)
		}
		if err := s.CatchUp(t.Context()); err != nil || s.Sequence() != before || stored("more "+tt.tests) {
			t.Errorf("%s: something of a submission that was refused is stored: %v", tt.why, err)
		}
		for _, step := range []struct {
			why  string
			id   string
			blob bool
		}{{"another one has them", first, tt.blob}, {"none has them", second, false}} {
			if err := s.Erase(t.Context(), step.id, "admin"); err != nil {
				t.Fatal(err)
			}
			if stored(tt.tests) != step.blob {
				t.Errorf("%s, and after one was erased %s: stored: %v", tt.why, step.why, !step.blob)
			}
		}
		if len(s.Problems()) > 0 {
			t.Errorf("%s: they are a problem: %+v", tt.why, s.Problems())
		}
		if text := ledgerText(t, st); strings.Contains(text, "tests") {
			t.Errorf("%s: the ledger still has tests: %s", tt.why, text)
		}
	}
}

// TestInlineAgain judges submissions with tests of their own again: each by its own ones, although others
// came later.
func TestInlineAgain(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	var ids []string
	for i, tests := range []string{"tests 1", "tests 2"} {
		ids = append(ids, submit(t, s, bringing(i, tests)))
		k := take(t, st)
		deliver(t, s, answerTo(k, verdictOf(k, "AC")))
		await(t, s, ids[i], ended)
	}
	if _, err := s.Rejudge(t.Context(), ids[:1], "", "jury"); err != nil {
		t.Fatal(err)
	}
	if k := take(t, st); k.Judging != 2 || string(k.Archive.Inline) != "tests 1" || k.Version != store.RefOf([]byte("tests 1")).Hash {
		t.Errorf("%+v", k)
	}
}
