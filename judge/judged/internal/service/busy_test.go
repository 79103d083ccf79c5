package service_test

import (
	"errors"
	"fmt"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestBusy hands in twenty submissions before any is judged, and counts those that are refused. The others
// are judged.
func TestBusy(t *testing.T) {
	tier.T2(t, "a full queue")
	t.Parallel()
	for _, tt := range []struct {
		why       string
		o         service.Options
		submitter func(i int) string
		refused   int
	}{
		{"there is room", service.Options{}, func(int) string { return "a" }, 0},
		{"the queue is full", service.Options{Queue: 6}, func(i int) string { return fmt.Sprint(i) }, 14},
		{"a submitter has a quota", service.Options{Quota: 2}, func(i int) string { return fmt.Sprint("a/", i%5) }, 10},
		{"and so have submitters that are owners", service.Options{Queue: 6, Quota: 2}, func(i int) string { return fmt.Sprint(i % 5) }, 14},
		{"an owner who names a submitter for each has one too", service.Options{OwnerQuota: 4}, func(i int) string { return fmt.Sprint("a/", i) }, 16},
		{"which others do not share", service.Options{OwnerQuota: 4}, func(i int) string { return fmt.Sprintf("%d/%d", i%2, i) }, 12},
		{"nor does an owner whose name only begins like that", service.Options{OwnerQuota: 10}, func(i int) string { return []string{"a/x", "ab/x"}[i%2] }, 0},
		{"no owner fills the whole queue", service.Options{Queue: 10}, func(i int) string { return fmt.Sprint("a/", i) }, 11},
	} {
		st := open(t)
		s := start(t, st, tt.o)
		v := upload(t, s)
		refused := 0
		for i := range 20 {
			r := request(i, "AC")
			r.Version, r.Submitter = v.ID, tt.submitter(i)
			_, _, err := s.Submit(t.Context(), r)
			if errors.Is(err, service.ErrBusy) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
			if err := s.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if refused != tt.refused {
			t.Errorf("%s: %d of 20 refused, want %d", tt.why, refused, tt.refused)
		}
		work(t, st, &actor{name: "w", slots: 1})
		for _, sub := range s.List(func(*ledger.Submission) bool { return true }, "", 100) {
			if j := await(t, s, sub.ID, ended).Counts(); j.Status != ledger.Done {
				t.Errorf("%s: %+v", tt.why, j)
			}
		}
	}
}
