package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// records is a log in JSON.
type records struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *records) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// find returns the records with a message.
func (r *records) find(t *testing.T, message string) (found []map[string]any) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.Lines(r.text.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		if record["msg"] == message {
			found = append(found, record)
		}
	}
	return found
}

// startLogged starts a service with a log.
func startLogged(t *testing.T, st *store.Store, o service.Options) (*service.Service, *records) {
	t.Helper()
	log := &records{}
	o.Log = slog.New(slog.NewJSONHandler(log, nil))
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
	return s, log
}

// until repeats a check until it holds.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for !holds() {
		if t.Context().Err() != nil {
			t.Fatal("never")
		}
		runtime.Gosched()
	}
}

// TestKeep lets ninety days pass. What was handed in before is erased with all that belongs to it, in small
// batches; everything else stays.
func TestKeep(t *testing.T) {
	t.Parallel()
	st := open(t)
	now := &clock{now: time.Now()}
	svc, log := startLogged(t, st, service.Options{Keep: 90 * 24 * time.Hour, Tick: 5 * time.Millisecond, Now: now.Now})
	worker := &actor{name: "w", slots: 4}
	work(t, st, worker)
	version := usable(t, svc) // hands one in
	if _, err := st.Tokens.Append(t.Context(), "token", 0, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 2*store.MaxInline)
	shared := strings.Repeat("y", 2*store.MaxInline)
	hand := func(i int, source string) string {
		r := request(i, source)
		r.Submitter = "eve"
		return submit(t, svc, r)
	}
	var old []string
	for i := range 45 {
		old = append(old, hand(i, "AC"))
	}
	old = append(old, hand(45, large), hand(46, shared))
	for _, id := range old {
		await(t, svc, id, ended)
	}
	loose, err := svc.StoreBlob(t.Context(), "eve", []byte("nobody hands it in"))
	if err != nil {
		t.Fatal(err)
	}
	now.pass(60 * 24 * time.Hour)
	until(t, func() bool { return len(log.find(t, "cleaned up")) >= 1 })
	r := request(100, shared)
	r.Submitter = "bob"
	young := submit(t, svc, r)
	await(t, svc, young, ended)
	now.pass(29 * 24 * time.Hour)
	r = request(102, "AC")
	r.Submitter = "bob"
	await(t, svc, submit(t, svc, r), ended) // bears the clock out
	now.pass(2 * 24 * time.Hour)
	until(t, func() bool { return len(log.find(t, jumped)) == 1 })
	now.pass(time.Hour)
	until(t, func() bool { return len(log.find(t, "cleaned up")) >= 2 })
	for _, id := range old {
		if _, err := svc.Get(id); !errors.Is(err, service.ErrUnknown) {
			t.Fatalf("%s is still there: %v", id, err)
		}
	}
	first, second := log.find(t, "cleaned up")[0], log.find(t, "cleaned up")[1]
	if first["submissions"] != 0. || first["unused_blobs"].(float64) < 1 {
		t.Errorf("after sixty days: %v", first)
	}
	if second["submissions"] != 48. || second["audit"] != true {
		t.Errorf("after ninety-one days: %v, want 48 submissions erased", second)
	}
	for _, tt := range []struct {
		why  string
		data string
		is   bool
	}{
		{"only the old ones have it", large, false},
		{"a young one has it", shared, true},
		{"it was not handed in", "nobody hands it in", false},
	} {
		_, err := st.Blobs.Get(t.Context(), store.RefOf([]byte(tt.data)))
		if (err == nil) != tt.is || err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the blob %.10s…, %s: %v", tt.data, tt.why, err)
		}
	}
	if _, err := svc.Blob(t.Context(), "eve", loose); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a blob that was stored three months ago: %v", err)
	}
	if _, text, err := svc.Source(t.Context(), young); err != nil || string(text) != shared {
		t.Errorf("the young one: %v", err)
	}
	if last, err := st.Tokens.Last(t.Context()); err != nil || last != 1 {
		t.Errorf("the tokens end at %d, %v", last, err)
	}
	r = request(101, "WA")
	r.Version = version.ID
	if j := await(t, svc, submit(t, svc, r), ended).Counts(); j.Status != ledger.Done {
		t.Errorf("a new submission: %+v", j)
	}
	again := start(t, st, service.Options{Name: "again"})
	if n := len(states(again)); n != 3 {
		t.Errorf("a new service knows %d submissions, want 3", n)
	}
	if text := ledgerText(t, st); strings.Contains(text, "eve") {
		t.Error("the ledger still has the submitter")
	}
}

const (
	jumped = "nothing is erased for an hour, because the clock has jumped"
	few    = "few submissions are erased a day, because nothing bears the clock out"
)

// TestWrongClock starts services beside a wrong clock: submissions that were handed in just now are not erased as old.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	st := open(t)
	const year = 365 * 24 * time.Hour
	real := time.Now()
	now := &clock{now: real}
	o := service.Options{Keep: 90 * 24 * time.Hour, Tick: 5 * time.Millisecond, Now: now.Now}
	svc, log := startLogged(t, st, o)
	work(t, st, &actor{name: "w", slots: 4})
	usable(t, svc)
	const all = 3 * 20
	for i := range all {
		await(t, svc, submit(t, svc, request(i, "AC")), ended)
	}
	left := func() int { return len(states(svc)) }
	before := left()
	now.pass(year)
	until(t, func() bool { return len(log.find(t, jumped)) == 1 })
	now.pass(-year) // it is right again
	until(t, func() bool { return len(log.find(t, "the clock has gone back")) == 1 })
	if n := left(); n != before {
		t.Errorf("after a clock that was wrong for a moment: %d submissions, want %d", n, before)
	}
	now.pass(time.Hour)
	now.pass(year)
	until(t, func() bool { return len(log.find(t, jumped)) == 2 })
	now.pass(time.Hour) // it stays wrong
	until(t, func() bool { return len(log.find(t, few)) == 1 && left() <= before-20 })
	now.pass(time.Hour)
	until(t, func() bool { return len(log.find(t, few)) == 2 })
	if n := left(); n != before-20 {
		t.Errorf("after a day of a wrong clock: %d submissions, want %d", n, before-20)
	}
	if n := svc.Metrics().Erased.Load(); n != 20 {
		t.Errorf("%d are counted as erased, want 20", n)
	}
	now.pass(year) // a right clock after years without a submission
	until(t, func() bool { return len(log.find(t, jumped)) == 3 })
	for n := 3; left() > 0; n++ { // some each day
		now.pass(time.Hour)
		until(t, func() bool { return left() == 0 || len(log.find(t, few)) == n })
		now.pass(23 * time.Hour)
		until(t, func() bool { return left() == 0 || len(log.find(t, jumped)) == n+1 })
	}
}

// ledgerText returns all records of the ledger.
func ledgerText(t *testing.T, st *store.Store) string {
	t.Helper()
	last, err := st.Log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_ = st.Log.Follow(ctx, 0, func(r store.Record) error {
		fmt.Fprintf(&all, "%s %s\n", r.Subject, r.Data)
		if r.Sequence >= last {
			stop()
		}
		return nil
	})
	return all.String()
}

// TestInterruptedErasure begins to erase a submission and dies: the next leader ends it.
func TestInterruptedErasure(t *testing.T) {
	t.Parallel()
	st := open(t)
	svc, err := service.New(t.Context(), st, service.Options{Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- svc.Run(ctx) }()
	r := request(1, "AC")
	r.Submitter, r.Version = "eve", upload(t, svc).ID
	id := submit(t, svc, r)
	if err := svc.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	sub, err := svc.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Log.Append(t.Context(), ledger.SubmissionSubject(id), sub.Sequence, ledger.Encode(ledger.Event{Erased: &ledger.Erased{}})); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	start(t, st, service.Options{Name: "two", Tick: 5 * time.Millisecond})
	until(t, func() bool { return !strings.Contains(ledgerText(t, st), "eve") })
}

// TestFree removes blobs while the same contents are handed in. Whichever wins, no submission loses its source.
func TestFree(t *testing.T) {
	t.Parallel()
	st := open(t)
	svc := start(t, st, service.Options{})
	work(t, st, &actor{name: "w", slots: 4})
	version := usable(t, svc)
	for round := range 20 {
		source := strings.Repeat(fmt.Sprint("source ", round), store.MaxInline/4)
		hand := func(i int) string {
			r := request(10*round+i, source)
			r.Version = version.ID
			return submit(t, svc, r)
		}
		first := hand(0)
		if err := svc.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		var g sync.WaitGroup
		g.Go(func() {
			if err := svc.Erase(t.Context(), first, "admin"); err != nil {
				t.Error(err)
			}
		})
		second := hand(1)
		g.Wait()
		if err := svc.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, text, err := svc.Source(t.Context(), second); err != nil || string(text) != source {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

// TestRepair uploads a version again whose archive was lost.
func TestRepair(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	v := upload(t, s)
	deliver(t, s, usableTo(take(t, st)))
	if err := st.Blobs.Delete(t.Context(), v.Archive.Hash); err != nil {
		t.Fatal(err)
	}
	upload(t, s)
	if _, err := st.Blobs.Get(t.Context(), v.Archive); err != nil {
		t.Errorf("the archive after it was uploaded again: %v", err)
	}
}

// interrupted are blobs of which the first snapshot is stored only after something else has happened.
type interrupted struct {
	store.Blobs
	first func()
}

func (i *interrupted) PutNamed(ctx context.Context, name string, data []byte) error {
	if do := i.first; do != nil {
		i.first = nil
		do()
	}
	return i.Blobs.PutNamed(ctx, name, data)
}

// TestSnapshotErased erases a submission while another service stores its snapshot, which knew it.
func TestSnapshotErased(t *testing.T) {
	t.Parallel()
	st := open(t)
	one := start(t, st, service.Options{Name: "one"})
	upload(t, one)
	id := submit(t, one, request(1, "AC"))
	other := *st
	other.Blobs = &interrupted{st.Blobs, func() {
		if err := errors.Join(one.Erase(t.Context(), id, "admin"), one.Snapshot(t.Context())); err != nil {
			t.Error(err)
		}
	}}
	two, err := service.New(t.Context(), &other, service.Options{Name: "two"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	reading := make(chan error)
	go func() {
		reading <- st.Log.Follow(ctx, two.Sequence(), func(r store.Record) error { return two.Add(r) })
	}()
	if err := two.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	<-reading
	data, err := st.Blobs.GetNamed(t.Context(), "snapshot")
	if err != nil {
		t.Fatal(err)
	}
	fold, err := ledger.Restore(data)
	if err != nil {
		t.Fatal(err)
	}
	if sub := fold.Submissions[id]; sub != nil && sub.Submitter != "" {
		t.Errorf("the snapshot still has what was erased: %+v", sub)
	}
}
