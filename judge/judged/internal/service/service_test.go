package service_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/worker"
)

// actor performs tasks without running anything: the source says what happens.
type actor struct {
	name  string
	slots int
	cases int // of a problem; 0 means 10
	blobs store.Blobs
	done  atomic.Int64
	play  func(ctx context.Context, t *task.Task, source string) (*task.Answer, error)

	languages func(context.Context) []string // nil: it does not say
}

func (a *actor) Host() task.Host               { return task.Host{Worker: a.name, Slots: a.slots} }
func (a *actor) Examine(context.Context) error { return nil }
func (a *actor) Perform(ctx context.Context, t *task.Task, live func(any)) (*task.Answer, error) {
	if t.Part == task.Check {
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Title: "A", Cases: cmp.Or(a.cases, 10)}}, nil
	}
	source, err := store.Fetch(ctx, a.blobs, t.Source)
	if err != nil {
		return nil, err
	}
	a.done.Add(1)
	if a.play != nil {
		return a.play(ctx, t, string(source))
	}
	return verdictOf(t, string(source)), nil
}

func verdictOf(t *task.Task, source string) *task.Answer {
	var v verdict.Verdict
	for _, known := range verdict.All() {
		if known.String() == source {
			v = known
		}
	}
	text, _ := json.Marshal(map[string]string{"source": source})
	ref := store.RefOf(text)
	ref.Inline = text
	return &task.Answer{Summary: &ledger.Summary{Verdict: v}, Result: ref}
}

// open starts an embedded server and a service, and returns the store.
func open(t testing.TB) *store.Store {
	t.Helper()
	return brokertest.Open(t, brokertest.Connect(t), broker.Options{AckWait: 2 * time.Second})
}

func start(t testing.TB, st *store.Store, o service.Options) *service.Service {
	t.Helper()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	s, err := service.New(t.Context(), st, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func work(t testing.TB, st *store.Store, a *actor) {
	t.Helper()
	working(t, st, a)
}

// working starts a worker, and returns a function that ends it.
func working(t testing.TB, st *store.Store, a *actor) (end func()) {
	t.Helper()
	a.blobs = st.Blobs
	w := worker.New(st, a, worker.Options{AckWait: 2 * time.Second, Languages: a.languages, Tools: 20 * time.Millisecond, Presence: 100 * time.Millisecond, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, ctx) }()
	end = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// await waits until the judging that counts satisfies ok.
func await(t testing.TB, s *service.Service, id string, ok func(*ledger.Submission) bool) *ledger.Submission {
	t.Helper()
	for {
		sub, w, err := s.Watch(id)
		if errors.Is(err, service.ErrUnknown) {
			if err := s.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for open := true; open; {
			if sub != nil && ok(sub) {
				w.Close()
				return sub
			}
			var u service.Update
			select {
			case u, open = <-w.C:
				sub = u.Submission
			case <-t.Context().Done():
				t.Fatal("never")
			}
		}
	}
}

func ended(sub *ledger.Submission) bool { return sub.Counts().Status != ledger.Waiting }

func upload(t testing.TB, s *service.Service) ledger.Version {
	t.Helper()
	v, _, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("archive")})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func request(i int, source string) service.Request {
	return service.Request{
		Owner: "o", Key: fmt.Sprint("key-", i), Code: []byte(source),
		Submitted: ledger.Submitted{Submitter: fmt.Sprint("s", i%5), Problem: "a", Name: "x.py", Priority: ledger.Batch},
	}
}

// TestJudged judges a few hundred submissions with two services and three workers.
func TestJudged(t *testing.T) {
	t.Parallel()
	st := open(t)
	one, two := start(t, st, service.Options{Name: "one"}), start(t, st, service.Options{Name: "two"})
	version := upload(t, one)
	if err := two.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		work(t, st, &actor{name: fmt.Sprint("w", i), slots: 2})
	}
	const n = 300
	var ids []string
	for i := range n {
		s := []*service.Service{one, two}[i%2]
		r := request(i, []string{"AC", "WA", "TLE"}[i%3])
		r.Version = version.ID
		sub, created, err := s.Submit(t.Context(), r)
		if err != nil || !created {
			t.Fatal(created, err)
		}
		ids = append(ids, sub.ID)
	}
	for i, id := range ids {
		a, b := await(t, one, id, ended), await(t, two, id, ended)
		want := []verdict.Verdict{verdict.AC, verdict.WA, verdict.TLE}[i%3]
		for _, sub := range []*ledger.Submission{a, b} {
			if j := sub.Counts(); j.Status != ledger.Done || j.Summary.Verdict != want {
				t.Fatalf("%s: %s %v, want %v", id, j.Status, j.Summary, want)
			}
		}
	}
	again, created, err := two.Submit(t.Context(), func() service.Request { r := request(0, "AC"); r.Version = version.ID; return r }())
	if err != nil || created || again.ID != ids[0] {
		t.Errorf("the same key again: %v %v %v", again.ID, created, err)
	}
	if _, _, err := two.Submit(t.Context(), request(0, "WA")); !errors.Is(err, service.ErrReused) {
		t.Errorf("the same key for another request: %v", err)
	}
}
