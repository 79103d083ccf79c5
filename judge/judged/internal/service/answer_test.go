package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// take takes the next task out of the queue.
func take(t *testing.T, st *store.Store) *task.Task {
	t.Helper()
	m, err := st.Work.Pull(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := &task.Task{}
	if err := errors.Join(json.Unmarshal(m.Data(), k), m.Ack(t.Context())); err != nil {
		t.Fatal(err)
	}
	return k
}

// answerTo returns an answer to a task.
func answerTo(k *task.Task, a *task.Answer) *task.Answer {
	a.Submission, a.Judging, a.Attempt, a.Part = k.Submission, k.Judging, k.Attempt, k.Part
	a.Problem, a.Version, a.Proof, a.Worker = k.Problem, k.Version, k.Proof, "w"
	return a
}

// usableTo answers a check.
func usableTo(k *task.Task) *task.Answer {
	return answerTo(k, &task.Answer{Checked: &ledger.Checked{Usable: true, Cases: 3}})
}

// answer is a message with an answer.
type answer struct {
	*task.Answer
	done string // what was done with it
}

func (a *answer) ID() string                 { return "answer" }
func (a *answer) Delivery() int              { return 1 }
func (a *answer) Working() error             { return nil }
func (a *answer) Ack(context.Context) error  { a.done = "acknowledged"; return nil }
func (a *answer) Return(time.Duration) error { a.done = "returned"; return nil }
func (a *answer) Data() []byte {
	text, err := json.Marshal(a.Answer)
	if err != nil {
		panic(err)
	}
	return text
}

// deliver gives an answer to a service.
func deliver(t *testing.T, s *service.Service, a *task.Answer) {
	t.Helper()
	m := &answer{Answer: a}
	if err := s.Take(t.Context(), m); err != nil || m.done != "acknowledged" {
		t.Fatalf("%+v was %s: %v", a, m.done, err)
	}
}

// TestInvalidAnswers gives a service answers that could harm it, of a worker that was given the task.
func TestInvalidAnswers(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	upload(t, s)
	deliver(t, s, usableTo(take(t, st)))
	id := submit(t, s, request(1, "WA"))
	k := take(t, st)
	for i, tt := range []struct {
		why    string
		change func(a *task.Answer)
	}{
		{"the proof of another task", func(a *task.Answer) { a.Proof = strings.Repeat("0", len(a.Proof)) }},
		{"a result that is not what its hash says", func(a *task.Answer) { a.Result.Inline = []byte("other") }},
		{"no result", func(a *task.Answer) { a.Result = store.Ref{} }},
		{"a hash that stands for all blobs, which erasing the submission would remove", func(a *task.Answer) { a.Result = store.Ref{Hash: "*", Size: 1} }},
		{"a long name, which would fill the log", func(a *task.Answer) { a.Worker = strings.Repeat("x", 256) }},
		{"more than fits into a record", func(a *task.Answer) { a.Summary.Cause = strings.Repeat("x", 1<<20) }},
	} {
		a := answerTo(k, verdictOf(k, "AC"))
		tt.change(a)
		deliver(t, s, a)
		if n := s.Metrics().Refused.Load(); n != int64(i+1) {
			t.Errorf("%s is not refused", tt.why)
		}
	}
	deliver(t, s, answerTo(k, verdictOf(k, "WA")))
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Summary.Verdict != verdict.WA {
		t.Errorf("%+v", j)
	}
}

// backward is a log that passes on nothing until it is asked how far it goes.
type backward struct {
	store.Log
	asked chan struct{}
	once  sync.Once
}

func (b *backward) Follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	select {
	case <-b.asked:
		return b.Log.Follow(ctx, from, each)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *backward) Last(ctx context.Context) (uint64, error) {
	b.once.Do(func() { close(b.asked) })
	return b.Log.Last(ctx)
}

// deaf is a queue without messages.
type deaf struct{ store.Queue }

func (deaf) Pull(ctx context.Context) (store.Message, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestAnswersAhead gives a service answers about what it has not read in the ledger yet. It must not
// think that they are too late: no worker would answer again.
func TestAnswersAhead(t *testing.T) {
	t.Parallel()
	st := open(t)
	behind := func() *service.Service {
		other := *st
		other.Log, other.Results = &backward{Log: st.Log, asked: make(chan struct{})}, deaf{st.Results}
		return start(t, &other, service.Options{})
	}
	s := start(t, st, service.Options{})
	upload(t, s)
	k := take(t, st) // so s leads, and none of the others does, which would read everything
	deliver(t, behind(), usableTo(k))
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Version("a", ""); err != nil || !v.Usable {
		t.Errorf("after its check, the problem is %+v: %v", v, err)
	}
	id := submit(t, s, request(1, "WA"))
	k = take(t, st)
	deliver(t, behind(), answerTo(k, &task.Answer{Error: "a box died"}))
	if sub := await(t, s, id, func(sub *ledger.Submission) bool { return sub.Counts().Attempt == 2 }); sub.Counts().Error != "a box died" {
		t.Errorf("%+v", sub)
	}
	k = take(t, st)
	deliver(t, behind(), answerTo(k, verdictOf(k, "WA")))
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sub, err := s.Get(id); err != nil || sub.Counts().Status != ledger.Done {
		t.Errorf("after its answer, the submission is %+v: %v", sub, err)
	}
}
