package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

func submit(t testing.TB, s *service.Service, r service.Request) string {
	t.Helper()
	sub, _, err := s.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return sub.ID
}

// usable waits until problem a can be judged.
func usable(t testing.TB, s *service.Service) ledger.Version {
	t.Helper()
	v := upload(t, s)
	r := request(-1, "AC")
	r.Version = v.ID
	await(t, s, submit(t, s, r), ended)
	v, err := s.Version("a", "")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestHeld lets the judge fail until the judging is held, releases it, and lets it succeed.
func TestHeld(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Attempts: 2})
	var mu sync.Mutex
	broken, calls := true, 0
	work(t, st, &actor{name: "w", slots: 1, play: func(_ context.Context, t *task.Task, source string) (*task.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		if source == "AC" && t.Submission != "" && broken && t.Name == "broken.py" {
			calls++
			return nil, errors.New("a box died")
		}
		return verdictOf(t, source), nil
	}})
	usable(t, s)
	r := request(1, "AC")
	r.Name = "broken.py"
	id := submit(t, s, r)
	held := await(t, s, id, ended)
	if j := held.Counts(); j.Status != ledger.Held || !strings.Contains(j.Error, "a box died") || calls != 2 {
		t.Fatalf("%+v after %d calls, want it held after 2", j, calls)
	}
	if _, err := s.Result(t.Context(), id, 1); !errors.Is(err, service.ErrState) {
		t.Errorf("the result of a held judging: %v", err)
	}
	mu.Lock()
	broken = false
	mu.Unlock()
	if err := s.Release(t.Context(), id, 1, "jury"); err != nil {
		t.Fatal(err)
	}
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Summary.Verdict != verdict.AC {
		t.Errorf("after the release: %+v", j)
	}
	if err := s.Release(t.Context(), id, 1, "jury"); !errors.Is(err, service.ErrState) {
		t.Errorf("released again: %v", err)
	}
}

// TestDeadWorker lets a worker take a task and fall silent. Another one judges it.
func TestDeadWorker(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	upload(t, s)
	m, err := st.Work.Pull(t.Context()) // the check, which gets no answer
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(m.ID(), "check.") {
		t.Fatalf("took %s", m.ID())
	}
	work(t, st, &actor{name: "w", slots: 1})
	usable(t, s)
}

// TestCancel cancels a judging that waits, and one that is being judged.
func TestCancel(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	running, ended2 := make(chan string, 1), make(chan struct{})
	work(t, st, &actor{name: "w", slots: 1, play: func(ctx context.Context, t *task.Task, source string) (*task.Answer, error) {
		if t.Name == "long.py" {
			running <- t.Submission
			<-ctx.Done()
			close(ended2)
			return nil, ctx.Err()
		}
		return verdictOf(t, source), nil
	}})
	usable(t, s)
	r := request(1, "AC")
	r.Name = "long.py"
	id := submit(t, s, r)
	<-running
	if err := s.Cancel(t.Context(), id, 1, "user", "not needed"); err != nil {
		t.Fatal(err)
	}
	<-ended2
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Dropped || j.Error != "not needed" {
		t.Errorf("%+v", j)
	}
	late := request(2, "AC")
	late.Deadline = time.Now().Add(-time.Second)
	if j := await(t, s, submit(t, s, late), ended).Counts(); j.Status != ledger.Dropped || !strings.Contains(j.Error, "deadline") {
		t.Errorf("after its deadline: %+v", j)
	}
	done := submit(t, s, request(3, "AC"))
	await(t, s, done, ended)
	if err := s.Cancel(t.Context(), done, 1, "user", "too late"); !errors.Is(err, service.ErrState) {
		t.Errorf("cancelling what is done: %v", err)
	}
}

// TestHostileWorker sends answers with wrong proofs, twice, for attempts that are over, and none at all.
func TestHostileWorker(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Patience: 40 * time.Millisecond, Tick: 10 * time.Millisecond, Attempts: 3})
	upload(t, s)
	answer := func(a *task.Answer, id string) {
		t.Helper()
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Results.Push(t.Context(), id, data); err != nil && !errors.Is(err, store.ErrConflict) {
			t.Fatal(err)
		}
	}
	take := func() (store.Message, task.Task) {
		t.Helper()
		m, err := st.Work.Pull(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var k task.Task
		if err := json.Unmarshal(m.Data(), &k); err != nil {
			t.Fatal(err)
		}
		return m, k
	}
	reply := func(k task.Task, v verdict.Verdict) *task.Answer {
		a := verdictOf(&k, v.String())
		a.Submission, a.Judging, a.Attempt, a.Part, a.Problem, a.Version, a.Proof, a.Worker = k.Submission, k.Judging, k.Attempt, k.Part, k.Problem, k.Version, k.Proof, "evil"
		return a
	}
	m, check := take()
	a := reply(check, verdict.AC)
	a.Summary, a.Checked = nil, &ledger.Checked{Usable: true, Cases: 3}
	answer(a, "c1")
	if err := m.Ack(t.Context()); err != nil {
		t.Fatal(err)
	}
	victim := submit(t, s, func() service.Request { r := request(1, "WA"); r.Version = check.Version; return r }())
	own := submit(t, s, func() service.Request { r := request(2, "WA"); r.Version = check.Version; return r }())
	tasks := map[string]task.Task{}
	for range 2 {
		m, k := take()
		tasks[k.Submission] = k
		if err := m.Ack(t.Context()); err != nil { // swallows it
			t.Fatal(err)
		}
	}
	forged := reply(tasks[own], verdict.AC) // the proof of its own task, for another's
	forged.Submission = victim
	answer(forged, "f1")
	first := reply(tasks[own], verdict.WA)
	answer(first, "o1")
	await(t, s, own, ended)
	answer(reply(tasks[own], verdict.AC), "o2") // changes its mind
	// The victim's task was swallowed. It is found missing, and given out again.
	for {
		m, k := take()
		if k.Submission == victim && k.Attempt > tasks[victim].Attempt {
			answer(reply(tasks[victim], verdict.AC), "late") // of the attempt that is over
			answer(reply(k, verdict.WA), "v2")
			if err := m.Ack(t.Context()); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	for _, id := range []string{own, victim} {
		if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Summary.Verdict != verdict.WA {
			t.Errorf("%s: %s %+v", id, j.Status, j.Summary)
		}
	}
	if n := s.Metrics().Refused.Load(); n != 1 {
		t.Errorf("%d answers refused, want the forged one", n)
	}
}

// TestRejudge judges again by a new version, looks at what would change, and applies it.
func TestRejudge(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	v1 := upload(t, s)
	work(t, st, &actor{name: "w", slots: 2, play: func(_ context.Context, k *task.Task, source string) (*task.Answer, error) {
		if k.Version != v1.ID && source == "WA" {
			source = "AC"
		}
		return verdictOf(k, source), nil
	}})
	usable(t, s)
	var ids []string
	for i := range 6 {
		ids = append(ids, submit(t, s, request(i, []string{"AC", "WA"}[i%2])))
	}
	for _, id := range ids {
		await(t, s, id, ended)
	}
	v2, _, err := s.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("new archive")})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := s.Rejudge(t.Context(), ids, v2.ID, "jury")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		await(t, s, id, func(sub *ledger.Submission) bool {
			return len(sub.Judgings) == 2 && sub.Judging(2).Status == ledger.Done
		})
	}
	p, err := s.Preview(batch)
	if err != nil || p.Applied || p.Waiting != 0 || p.Same != 3 || len(p.Changed) != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	if sub, _ := s.Get(ids[1]); sub.Counts().Summary.Verdict != verdict.WA {
		t.Error("the verdict changed before the batch was applied")
	}
	if err := s.Apply(t.Context(), batch, "jury", false); err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		if sub, _ := s.Get(id); sub.Counts().Summary.Verdict != verdict.AC || sub.Effective != 2 {
			t.Errorf("submission %d: %+v", i, sub.Counts())
		}
	}
	if err := s.Apply(t.Context(), batch, "jury", false); !errors.Is(err, service.ErrState) {
		t.Errorf("applied again: %v", err)
	}
}

// TestParts judges a long submission in parts, and expects that what comes behind a failure is dropped.
func TestParts(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: 10 * time.Millisecond})
	var mu sync.Mutex
	seen := map[string][]ledger.Range{}
	joined := map[string]int{}
	for i := range 3 {
		work(t, st, &actor{name: fmt.Sprint("w", i), slots: 4, play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			a := verdictOf(k, source)
			a.Summary.Spent = 20 * time.Second // so that the next judging is worth parts
			switch {
			case k.Part >= 0:
				seen[k.Submission] = append(seen[k.Submission], k.Cases)
				a.Summary, a.Decides = nil, source == "WA" && k.Cases.From <= 4 && 4 < k.Cases.To
			case k.Part == task.Join:
				joined[k.Submission] = len(k.Parts)
			}
			return a, nil
		}})
	}
	usable(t, s)
	for i, source := range []string{"AC", "AC", "WA"} {
		var id string
		for parts, try := 0, 0; parts == 0 && (i == 0 || try == 0); try++ { // first, until the leader knows of the workers
			id = submit(t, s, request(100*i+try, source))
			await(t, s, id, ended)
			mu.Lock()
			parts = joined[id]
			mu.Unlock()
		}
		sub := await(t, s, id, ended)
		if j := sub.Counts(); j.Status != ledger.Done || j.Summary.Verdict.String() != source {
			t.Errorf("%s: %+v", source, j)
		}
		mu.Lock()
		if joined[id] < 2 {
			t.Errorf("%s: %d parts were joined, of %v", source, joined[id], seen[id])
		}
		mu.Unlock()
	}
}

// TestLargeParts judges in parts whose results do not fit into the task that joins them. The judging must
// end in another way, and others may not wait for that.
func TestLargeParts(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: 10 * time.Millisecond})
	large := store.RefOf(bytes.Repeat([]byte("x"), store.MaxInline))
	large.Inline = bytes.Repeat([]byte("x"), store.MaxInline)
	for i := range 2 {
		work(t, st, &actor{name: fmt.Sprint("w", i), slots: 40, cases: 100, play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
			a := verdictOf(k, source)
			if a.Summary.Spent = 200 * time.Second; k.Part >= 0 {
				a.Summary, a.Result = nil, large
			}
			return a, nil
		}})
	}
	usable(t, s)
	for i := 0; ; i++ { // until the leader knows of the workers, and so judges in parts
		j := await(t, s, submit(t, s, request(i, "WA")), ended).Counts()
		if j.Status != ledger.Done || j.Summary.Verdict != verdict.WA {
			t.Fatalf("%+v", j)
		}
		if j.Attempt == 2 {
			break
		}
	}
}

// TestErase erases a submitter, and expects nothing of it in the ledger, in a new service, or in blobs.
func TestErase(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	work(t, st, &actor{name: "w", slots: 2})
	usable(t, s)
	large := strings.Repeat("x", 2*store.MaxInline)
	r := request(1, large)
	r.Submitter = "eve"
	id := submit(t, s, r)
	await(t, s, id, ended)
	other := request(2, large)
	other.Submitter = "bob"
	kept := submit(t, s, other)
	await(t, s, kept, ended)
	if n, err := s.EraseSubmitter(t.Context(), "eve", "admin"); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := s.Get(id); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("the erased submission: %v", err)
	}
	if _, text, err := s.Source(t.Context(), kept); err != nil || string(text) != large {
		t.Errorf("the same source of another submitter: %d bytes, %v", len(text), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	last, err := st.Log.Last(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_ = st.Log.Follow(ctx, 0, func(r store.Record) error {
		if strings.Contains(string(r.Data), "eve") {
			t.Errorf("record %d still has the submitter: %s", r.Sequence, r.Data)
		}
		if r.Sequence >= last {
			stop()
		}
		return nil
	})
	again := start(t, st, service.Options{Name: "again"})
	if err := again.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Get(kept); err != nil {
		t.Error(err)
	}
	if _, err := again.Get(id); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("the erased submission in a new service: %v", err)
	}
}

// silent is a board that takes nothing, as that of a cluster that has lost its majority.
type silent struct{ store.Board }

func (silent) Post(context.Context, string, []byte) error { return errors.New("nats: timeout") }

// TestReady asks a service whether it can take submissions, while its store only answers readers.
func TestReady(t *testing.T) {
	t.Parallel()
	st := open(t)
	if err := start(t, st, service.Options{}).Ready(t.Context()); err != nil {
		t.Error(err)
	}
	half := *st
	half.Board = silent{st.Board}
	if err := start(t, &half, service.Options{}).Ready(t.Context()); err == nil {
		t.Error("a service is ready whose store takes nothing")
	}
}
