package service_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// aCallback hands in a submission, and asks to report its end.
func aCallback(t *testing.T, s *service.Service, i int, url string) string {
	t.Helper()
	sub, _, err := s.Submit(t.Context(), request(i, "AC"))
	if err == nil {
		err = s.CallBack(t.Context(), sub.ID, url)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sub.ID
}

// drained waits until the queue of results is empty.
func drained(t *testing.T, st *store.Store) {
	t.Helper()
	for n := 1; n > 0; {
		var err error
		if n, err = st.Results.Len(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCallbackOutlives asks a service for a callback that dies before the submission ends. Another one sends it.
func TestCallbackOutlives(t *testing.T) {
	t.Parallel()
	st := open(t)
	first, err := service.New(t.Context(), st, service.Options{Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- first.Run(ctx) }()
	work(t, st, &actor{name: "a", slots: 1, blobs: st.Blobs})
	upload(t, first)
	first.Calls(1, func(context.Context, ledger.Submission, string) error {
		stop() // it dies while it sends
		return errors.New("no answer")
	})
	id := aCallback(t, first, 0, "https://example.org/0")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	second := start(t, st, service.Options{})
	got := make(chan string, 9)
	second.Calls(1, func(_ context.Context, sub ledger.Submission, url string) error {
		got <- fmt.Sprint(sub.ID == id && ended(&sub), " ", url)
		return nil
	})
	if one := <-got; one != "true https://example.org/0" {
		t.Error(one)
	}
	drained(t, st)
}

// TestCallbackTries has callbacks fail: one for a while, one always. Neither keeps the other.
func TestCallbackTries(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	work(t, st, &actor{name: "a", slots: 1, blobs: st.Blobs})
	upload(t, s)
	tries := make(chan string, 100)
	failures := 1
	s.Calls(3, func(_ context.Context, _ ledger.Submission, url string) error {
		tries <- url
		if url == "once" {
			if failures--; failures >= 0 {
				return errors.New("not yet")
			}
			return nil
		}
		return errors.New("never")
	})
	aCallback(t, s, 0, "once")
	id := aCallback(t, s, 1, "never")
	if err := s.CallBack(t.Context(), id, "never"); err != nil { // the request is repeated
		t.Error(err)
	}
	want := map[string]int{"once": 2, "never": 3}
	for range 5 {
		want[<-tries]--
	}
	drained(t, st)
	if want["once"] != 0 || want["never"] != 0 || len(tries) > 0 {
		t.Errorf("tries that are missing: %v, and %d more", want, len(tries))
	}
}

// TestForgedCallback puts callbacks into the queue that no service asked for, as a worker could.
func TestForgedCallback(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	work(t, st, &actor{name: "a", slots: 1, blobs: st.Blobs})
	upload(t, s)
	sub, _, err := s.Submit(t.Context(), request(0, "AC"))
	if err != nil {
		t.Fatal(err)
	}
	await(t, s, sub.ID, ended)
	s.Calls(1, func(_ context.Context, _ ledger.Submission, url string) error {
		t.Error("sent to ", url)
		return nil
	})
	forged := []string{`{"submission":"` + sub.ID + `","url":"http://evil","proof":""}`, `{"submission":"` + sub.ID + `","url":"http://evil","proof":"00"}`, `{`, ``}
	for _, text := range forged {
		if err := st.Results.Push(t.Context(), "callback."+sub.ID, []byte(text)); err != nil {
			t.Fatal(err)
		}
		drained(t, st)
	}
	if n := s.Metrics().Refused.Load(); n != int64(len(forged)) {
		t.Errorf("%d were refused, want %d", n, len(forged))
	}
}
