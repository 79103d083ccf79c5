//go:build linux

package perform

import (
	"context"
	"crypto/rand"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// held are blobs whose first reader gets nothing until its task ends.
type held struct {
	store.Blobs
	err   error // that the first reader gets then
	asked atomic.Bool
	began chan struct{}
}

func (h *held) Get(ctx context.Context, ref store.Ref) ([]byte, error) {
	if h.asked.CompareAndSwap(false, true) {
		close(h.began)
		<-ctx.Done()
		return nil, h.err
	}
	return h.Blobs.Get(ctx, ref)
}

// TestOpenerEnds ends the task that opens a version while others wait for that. They open it.
func TestOpenerEnds(t *testing.T) {
	p := start(t)
	for _, tt := range []struct {
		why string
		err error
	}{
		{"it is cancelled", context.Canceled},
		{"it is a check that takes too long", context.DeadlineExceeded},
		{"it ends in the middle of something that fails then", errors.New("closed")},
	} {
		archive := stowed(t, p, packed(t, with(double, map[string]string{"double/unique.txt": rand.Text()}))) // not in the cache
		h := &held{Blobs: p.blobs, err: tt.err, began: make(chan struct{})}
		v := newVersions(p.engine, h)
		open := func(ctx context.Context, done chan error) {
			o, err := v.open(ctx, "double", archive)
			if err == nil {
				o.release()
			}
			done <- err
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error)
		go open(ctx, first)
		<-h.began
		const n = 3
		others := make(chan error)
		for range n {
			go open(t.Context(), others)
		}
		for waiting := 0; waiting < 1+n; runtime.Gosched() {
			v.mu.Lock()
			for _, o := range v.all {
				waiting = o.users
			}
			v.mu.Unlock()
		}
		cancel()
		if err := <-first; !errors.Is(err, tt.err) {
			t.Errorf("%s: the task that ended: %v", tt.why, err)
		}
		for range n {
			if err := <-others; err != nil {
				t.Errorf("%s: another task: %v", tt.why, err)
			}
		}
		if err := v.close(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
