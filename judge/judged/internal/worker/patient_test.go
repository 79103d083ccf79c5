package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// failing are blobs that return some errors before they succeed.
type failing struct {
	store.Blobs
	errs []error
}

func (f *failing) next() error {
	if len(f.errs) == 0 {
		return nil
	}
	err := f.errs[0]
	f.errs = f.errs[1:]
	return err
}

func (f *failing) Get(context.Context, store.Ref) ([]byte, error) { return []byte("x"), f.next() }
func (f *failing) Put(context.Context, []byte) (store.Ref, error) {
	return store.Ref{Size: 1}, f.next()
}
func repeated(err error, n int) (errs []error) {
	for range n {
		errs = append(errs, err)
	}
	return errs
}

func TestPatient(t *testing.T) {
	t.Parallel()
	away := errors.New("no response from stream")
	log, at := slog.New(slog.DiscardHandler), func(context.Context, time.Duration) error { return nil } // once
	missing := fmt.Errorf("blob: %w", store.ErrNotFound)
	for _, tt := range []struct {
		why  string
		errs []error
		late time.Duration
		want error
	}{
		{"nothing is wrong", nil, 0, nil},
		{"the store is away for a long time", repeated(away, 100), 0, nil},
		{"the store has no room", []error{store.ErrFull}, time.Hour, store.ErrFull},
		{"the data is too large", []error{store.ErrLarge}, time.Hour, store.ErrLarge},
		{"a server does not know of it yet", repeated(missing, 3), time.Hour, nil},
		{"it is gone", repeated(missing, 3), 0, store.ErrNotFound},
		{"it is damaged", repeated(store.ErrDamaged, 3), 0, store.ErrDamaged},
	} {
		for name, do := range map[string]func(*patient) error{
			"Get": func(p *patient) error { _, err := p.Get(t.Context(), store.Ref{}); return err },
			"Put": func(p *patient) error { _, err := p.Put(t.Context(), nil); return err },
		} {
			p := &patient{&failing{errs: tt.errs}, log, at, tt.late}
			if err := do(p); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
				t.Errorf("%s: %s: %v, want %v", tt.why, name, err, tt.want)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	p := &patient{&failing{errs: repeated(away, 100)}, log, retry.Wait, 0}
	if _, err := p.Get(ctx, store.Ref{}); !errors.Is(err, context.Canceled) || !errors.Is(err, away) {
		t.Errorf("the caller has given up: %v", err)
	}
}
