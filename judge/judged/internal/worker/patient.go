package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// late is how long a server that was cut off may answer from outdated knowledge. During that time a stored content
// may seem to be missing or damaged.
const late = 10 * time.Second

// Patient returns blobs whose methods wait, until ctx ends, while the store is away. A cluster that has lost its
// leader should not make judgings fail or be repeated.
func Patient(b store.Blobs, log *slog.Logger) store.Blobs { return &patient{b, log, retry.Wait, late} }

type patient struct {
	store.Blobs
	log  *slog.Logger
	wait func(ctx context.Context, d time.Duration) error
	late time.Duration
}

func (p *patient) Get(ctx context.Context, ref store.Ref) (data []byte, err error) {
	err = p.insist(ctx, "reading a content", func() error { data, err = p.Blobs.Get(ctx, ref); return err })
	return data, err
}

func (p *patient) Put(ctx context.Context, data []byte) (ref store.Ref, err error) {
	err = p.insist(ctx, "storing a content", func() error { ref, err = p.Blobs.Put(ctx, data); return err })
	return ref, err
}

// insist tries until it succeeds, ctx ends, or an error stays the same when the same is tried again.
func (p *patient) insist(ctx context.Context, what string, try func() error) error {
	begin := time.Now()
	e := &retry.Effort{What: what, Log: p.log, Pause: pause, Wait: p.wait}
	return e.Until(ctx, try, func(_ int, err error) bool {
		missing := errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrDamaged)
		return store.IsFinal(err) || missing && time.Since(begin) >= p.late
	})
}
