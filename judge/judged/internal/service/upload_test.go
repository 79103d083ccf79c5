package service_test

import (
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

// TestUploadAgain uploads an older version again: it is the newest one from then on.
func TestUploadAgain(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	work(t, st, &actor{name: "w", slots: 1})
	for _, tt := range []struct {
		archive string
		added   bool
	}{{"one", true}, {"two", true}, {"two", false}, {"one", false}, {"two", false}} {
		v, added, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte(tt.archive), Newest: true})
		if err != nil || added != tt.added {
			t.Fatalf("%s: added %v, %v", tt.archive, added, err)
		}
		if _, err := s.AwaitCheck(t.Context(), "a", v.ID); err != nil {
			t.Fatal(err)
		}
		if newest, err := s.Version("a", ""); err != nil || newest.ID != v.ID {
			t.Errorf("%s: the newest is %s, %v; want %s", tt.archive, newest.ID, err, v.ID)
		}
	}
}

// TestUploadUnusable lets the judge fail to check a version, which says nothing about the version. It is
// checked again. When the judge has failed too often, what waits for the version is held. Uploading the
// version once more has it checked again, and what is held can be released.
func TestUploadUnusable(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Attempts: 2})
	v, _, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("archive")})
	if err != nil {
		t.Fatal(err)
	}
	r := request(1, "AC")
	r.Version = v.ID
	id := submit(t, s, r)
	for _, attempt := range []int{1, 2} {
		k := take(t, st)
		if k.Part != task.Check || k.Attempt != attempt {
			t.Fatalf("took %+v, want attempt %d to check", k, attempt)
		}
		deliver(t, s, answerTo(k, &task.Answer{Error: "the disk is full"}))
		deliver(t, s, answerTo(k, &task.Answer{Error: "a late answer"}))
	}
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Held || !strings.Contains(j.Error, "the disk is full") {
		t.Fatalf("%+v", j)
	}
	work(t, st, &actor{name: "w", slots: 1})
	if _, added, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("archive")}); added || err != nil {
		t.Fatal(added, err)
	}
	if v, err = s.AwaitCheck(t.Context(), "a", v.ID); err != nil || !v.Usable {
		t.Fatal(v, err)
	}
	if err := s.Release(t.Context(), id, 1, "jury"); err != nil {
		t.Fatal(err)
	}
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done {
		t.Errorf("%+v", j)
	}
}

// TestFirstVersion hands in for a problem of which no version has been checked: the submission waits with the
// one that was uploaded last.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	upload(t, s)
	last, _, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("another")})
	if err != nil {
		t.Fatal(err)
	}
	id := submit(t, s, request(1, "AC"))
	work(t, st, &actor{name: "w", slots: 1})
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Version != last.ID {
		t.Errorf("%+v, want it done by version %s", j, last.ID)
	}
}
