package service_test

import (
	"fmt"
	"slices"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestPosition asks services for the positions of judgings while these wait and end: one that leads, one
// that does not, and one that begins then.
func TestPosition(t *testing.T) {
	t.Parallel()
	st := open(t)
	one, two := start(t, st, service.Options{Name: "one"}), start(t, st, service.Options{Name: "two"})
	v := upload(t, one)
	check := take(t, st)
	var ids []string
	for i, submitter := range []string{"a/x", "a/x", "a/y", "b", "c"} {
		r := request(i, "AC")
		r.Submitter, r.Version = submitter, v.ID
		if submitter == "c" {
			r.Priority = ledger.Interactive
		}
		ids = append(ids, submit(t, one, r))
	}
	for i, step := range []struct {
		why  string
		do   func() error
		want []int
	}{
		{"all wait", func() error { return nil }, []int{2, 5, 4, 3, 1}},
		{"the first was cancelled", func() error { return one.Cancel(t.Context(), ids[0], 1, "o", "a test") }, []int{0, 2, 4, 3, 1}},
		{"the one of b was erased", func() error { return two.Erase(t.Context(), ids[3], "o") }, []int{0, 2, 3, 0, 1}},
		{"the interactive one is done", func() error {
			deliver(t, one, usableTo(check))
			for {
				k := take(t, st)
				if k.Submission == ids[4] {
					deliver(t, one, answerTo(k, verdictOf(k, "AC")))
					await(t, one, ids[4], ended)
					return nil
				}
			}
		}, []int{0, 1, 2, 0, 0}},
		{"which is judged again", func() error {
			_, err := one.Rejudge(t.Context(), []string{ids[4]}, "", "jury")
			return err
		}, []int{0, 1, 2, 0, 0}},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if err := one.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*service.Service{one, two, start(t, st, service.Options{Name: fmt.Sprint("late", i)})} {
			if err := s.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, id := range ids {
				got = append(got, s.Position(id, 1))
			}
			if !slices.Equal(got, step.want) {
				t.Errorf("%s: %s says %v, want %v", step.why, s.Name(), got, step.want)
			}
		}
	}
	if got := two.Position(ids[4], 2); got != 3 {
		t.Errorf("the second judging has position %d, want 3", got)
	}
}
