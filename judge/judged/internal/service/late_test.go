package service_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// behind is a log whose server is asked so many times more before it knows of its records, as that of a
// cluster is when another has just told the service.
type behind struct {
	store.Log
	times atomic.Int32
}

func (b *behind) Get(ctx context.Context, sequence uint64) (store.Record, error) {
	if b.times.Add(-1) >= 0 {
		return store.Record{}, store.ErrNotFound
	}
	return b.Log.Get(ctx, sequence)
}

func (b *behind) Last(ctx context.Context) (uint64, error) {
	if b.times.Load() > 0 {
		return 0, nil
	}
	return b.Log.Last(ctx)
}

// TestBehind judges a submission whose records the server does not have yet when they are asked for. It is
// neither held nor without a result.
func TestBehind(t *testing.T) {
	t.Parallel()
	st := open(t)
	log := &behind{Log: st.Log}
	st.Log = log
	s := start(t, st, service.Options{})
	work(t, st, &actor{name: "w", slots: 1})
	v := usable(t, s)
	log.times.Store(3)
	r := request(1, "WA")
	r.Version = v.ID
	id := submit(t, s, r)
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Summary.Verdict != verdict.WA {
		t.Fatalf("%+v", j)
	}
	log.times.Store(2)
	if _, err := s.Result(t.Context(), id, 1); err != nil {
		t.Errorf("the result: %v", err)
	}
}

// distant is a log that tells a service of records only when that asks where the ledger ends.
type distant struct {
	store.Log
	mu   sync.Mutex
	told uint64        // the service was told that the ledger ends here
	more chan struct{} // closed when it is told more
	cut  bool          // the server was cut off, and says always the same
}

func (d *distant) Last(ctx context.Context) (uint64, error) {
	last, err := d.Log.Last(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && !d.cut {
		d.told = last
		close(d.more)
		d.more = make(chan struct{})
	}
	return d.told, err
}

func (d *distant) Follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	return d.Log.Follow(ctx, from, func(r store.Record) error {
		for {
			d.mu.Lock()
			told, more := d.told, d.more
			d.mu.Unlock()
			if told >= r.Sequence {
				return each(r)
			}
			select {
			case <-more:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
}

// far starts a service that reads its ledger through log.
func far(t *testing.T, st *store.Store) (*service.Service, *distant) {
	t.Helper()
	other := *st
	log := &distant{Log: st.Log, more: make(chan struct{})}
	other.Log = log
	return start(t, &other, service.Options{Name: "far"}), log
}

// TestLately asks a service for what another has written a moment ago.
func TestLately(t *testing.T) {
	t.Parallel()
	st := open(t)
	one := start(t, st, service.Options{Name: "one"})
	two, _ := far(t, st)
	v := upload(t, one)
	if _, created, err := two.Submit(t.Context(), request(1, "AC")); err != nil || !created {
		t.Fatalf("a new problem: %v", err)
	}
	judged, erased := submit(t, one, request(2, "AC")), submit(t, one, request(3, "AC"))
	if err := one.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	batch, err := one.Rejudge(t.Context(), []string{judged}, v.ID, "o")
	if err != nil {
		t.Fatal(err)
	}
	if err := two.Apply(t.Context(), batch, "o", true); err != nil {
		t.Errorf("a new batch: %v", err)
	}
	none := request(4, "AC")
	none.Problem = "none"
	if _, _, err := two.Submit(t.Context(), none); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("no problem at all: %v", err)
	}
	if err := errors.Join(one.Erase(t.Context(), erased, "o"), two.CatchUp(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, _, err := two.Submit(t.Context(), request(3, "AC")); !errors.Is(err, service.ErrState) {
		t.Errorf("the key of a submission that was erased: %v", err)
	}
}

// TestCutOff hands in what another service has just taken, at one that reads from a server that was cut
// off. Neither is said to be unknown or erased.
func TestCutOff(t *testing.T) {
	t.Parallel()
	st := open(t)
	one := start(t, st, service.Options{Name: "one"})
	two, log := far(t, st)
	upload(t, one)
	if err := two.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.mu.Lock()
	log.cut = true
	log.mu.Unlock()
	submit(t, one, request(1, "AC"))
	if _, _, err := two.Submit(t.Context(), request(1, "AC")); err == nil || errors.Is(err, service.ErrState) || errors.Is(err, service.ErrUnknown) {
		t.Errorf("the same submission: %v", err)
	}
	b := service.Upload{ID: "b", Archive: []byte("b")}
	if _, _, err := one.Upload(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if _, _, err := two.Upload(t.Context(), b); err == nil || errors.Is(err, service.ErrUnknown) {
		t.Errorf("the same problem: %v", err)
	}
}
