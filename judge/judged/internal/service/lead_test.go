package service_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

// TestBlocked ends judgings in every way while they wait for the check of their problem.
func TestBlocked(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	upload(t, s)
	check := take(t, st)
	version := check.Version
	hand := func(i int) string {
		r := request(i, "AC")
		r.Version = version
		return submit(t, s, r)
	}
	erased, cancelled, waits := hand(1), hand(2), hand(3)
	if err := s.Erase(t.Context(), erased, "admin"); err != nil { // at once
		t.Fatal(err)
	}
	if err := s.Cancel(t.Context(), cancelled, 1, "admin", "a test"); err != nil {
		t.Fatal(err)
	}
	deliver(t, s, usableTo(check))
	k := take(t, st)
	if k.Submission != waits {
		t.Fatalf("the first task is of %s, want that of the only judging that waits, %s", k.Submission, waits)
	}
	deliver(t, s, answerTo(k, verdictOf(k, "AC")))
	if j := await(t, s, waits, ended).Counts(); j.Status != ledger.Done {
		t.Errorf("%+v", j)
	}
}

// TestChecks uploads many problems, and expects that judgings and other authors do not wait for all of
// their checks.
func TestChecks(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	upload(t, s)
	deliver(t, s, usableTo(take(t, st)))
	for i := range 10 {
		if _, _, err := s.Upload(t.Context(), service.Upload{ID: fmt.Sprint("many", i), By: "busy", Archive: fmt.Append(nil, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.Upload(t.Context(), service.Upload{ID: "other", By: "other", Archive: []byte("other")}); err != nil {
		t.Fatal(err)
	}
	id := submit(t, s, request(1, "AC"))
	first, second := take(t, st), take(t, st)
	if first.Submission == id {
		first, second = second, first
	}
	if second.Submission != id {
		t.Fatalf("a judging waits for several checks, such as of %s and %s", first.Problem, second.Problem)
	}
	var order []string
	for k := first; len(order) < 3; k = take(t, st) {
		order = append(order, k.Problem)
		deliver(t, s, usableTo(k))
	}
	if !slices.Contains(order, "other") {
		t.Errorf("%q were checked first, and not the one of another author", order)
	}
}

// TestCheckTime takes the task of a check, which says how long that may take.
func TestCheckTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why       string
		set, want time.Duration
	}{
		{"by default", 0, 30 * time.Minute},
		{"an option", time.Minute, time.Minute},
	} {
		st := open(t)
		upload(t, start(t, st, service.Options{Check: tt.set}))
		if k := take(t, st); k.Part != task.Check || k.Within != tt.want {
			t.Errorf("%s: %+v, want %v", tt.why, k, tt.want)
		}
	}
}

// TestBoasting posts workers with impossible slots, and expects that judgings go on, by turns of their
// submitters.
func TestBoasting(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{math.MinInt, -1, math.MaxInt, math.MaxInt/2 + 1} {
		st := open(t)
		text, err := json.Marshal(service.Worker{Host: task.Host{Worker: "boaster", Slots: slots}})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Board.Post(t.Context(), service.WorkersKey+".boaster", text); err != nil {
			t.Fatal(err)
		}
		s := start(t, st, service.Options{})
		upload(t, s)
		deliver(t, s, usableTo(take(t, st)))
		id := submit(t, s, request(1, "AC"))
		if k := take(t, st); k.Submission != id {
			t.Errorf("%d slots: %+v", slots, k)
		}
	}
}

// TestRejudgedAndFull judges many submissions again, and expects that others are taken meanwhile.
func TestRejudgedAndFull(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Queue: 2, Quota: 1})
	upload(t, s)
	deliver(t, s, usableTo(take(t, st)))
	var ids []string
	for i := range 3 {
		ids = append(ids, submit(t, s, request(i, "AC")))
		k := take(t, st)
		deliver(t, s, answerTo(k, verdictOf(k, "AC")))
		await(t, s, ids[i], ended)
	}
	if _, err := s.Rejudge(t.Context(), ids, "", "jury"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Submit(t.Context(), request(5, "AC")); err != nil { // of the same submitter as the first
		t.Errorf("a submission is refused because others are judged again: %v", err)
	}
}
