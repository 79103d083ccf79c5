package service_test

import (
	"testing"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestDeadline lets a deadline pass that a judging has met. Its submission can be judged again, and what was
// held can be released.
func TestDeadline(t *testing.T) {
	t.Parallel()
	st := open(t)
	now := &clock{now: time.Now()}
	s := start(t, st, service.Options{Now: now.Now, Attempts: 1})
	v := upload(t, s)
	deliver(t, s, usableTo(take(t, st)))
	hand := func(n int) string {
		r := request(n, "AC")
		r.Deadline = now.Now().Add(time.Hour)
		return submit(t, s, r)
	}
	judged := hand(1)
	first := take(t, st)
	now.pass(2 * time.Hour)
	deliver(t, s, answerTo(first, verdictOf(first, "WA")))
	if j := await(t, s, judged, ended).Counts(); j.Status != ledger.Done {
		t.Fatalf("a judging that began before its deadline: %+v", j)
	}
	if _, err := s.Rejudge(t.Context(), []string{judged}, v.ID, "jury"); err != nil {
		t.Fatal(err)
	}
	again := take(t, st)
	deliver(t, s, answerTo(again, verdictOf(again, "AC")))
	sub := await(t, s, judged, func(sub *ledger.Submission) bool { return sub.Judging(2).Status != ledger.Waiting })
	if j := sub.Judging(2); j.Status != ledger.Done || j.Summary.Verdict != verdict.AC {
		t.Errorf("a rejudging after the deadline: %+v", j)
	}

	held := hand(2)
	bad := answerTo(take(t, st), verdictOf(first, "AC"))
	bad.Summary, bad.Error = nil, "the judge failed"
	deliver(t, s, bad)
	await(t, s, held, ended)
	now.pass(2 * time.Hour)
	if err := s.Release(t.Context(), held, 1, "jury"); err != nil {
		t.Fatal(err)
	}
	if k := take(t, st); k.Submission != held {
		t.Errorf("the task after a release is of %s, want %s", k.Submission, held)
	}
}
