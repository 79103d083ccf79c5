package service_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// TestNoRoom asks a service for new work when its disk is nearly full. What it has taken is judged.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	st := open(t)
	var full atomic.Bool
	s := start(t, st, service.Options{Room: func() error {
		if full.Load() {
			return fmt.Errorf("%w: 3 bytes are left", store.ErrFull)
		}
		return nil
	}})
	v := upload(t, s)
	r := request(1, "AC")
	r.Version = v.ID
	id := submit(t, s, r)
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	full.Store(true)
	for why, ask := range map[string]func(context.Context) error{
		"a submission": func(ctx context.Context) error {
			another := r
			another.Key = "other"
			_, _, err := s.Submit(ctx, another)
			return err
		},
		"a version": func(ctx context.Context) error {
			_, _, err := s.Upload(ctx, service.Upload{ID: "b", Archive: []byte("archive")})
			return err
		},
		"a blob":      func(ctx context.Context) error { _, err := s.StoreBlob(ctx, "o", []byte("blob")); return err },
		"a rejudging": func(ctx context.Context) error { _, err := s.Rejudge(ctx, []string{id}, v.ID, "jury"); return err },
	} {
		if err := ask(t.Context()); !errors.Is(err, store.ErrFull) {
			t.Errorf("%s is taken without room: %v", why, err)
		}
	}
	if sub, created, err := s.Submit(t.Context(), r); err != nil || created || sub.ID != id {
		t.Errorf("what was taken before: %s, %v, %v", sub.ID, created, err)
	}
	work(t, st, &actor{name: "w", slots: 1})
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done {
		t.Errorf("%+v", j)
	}
}
