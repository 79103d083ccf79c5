package web

import (
	"context"
	"errors"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// probed is a service that counts how often it is asked whether it is ready.
type probed struct {
	nobody
	asked int
	err   error
	open  chan struct{} // it answers when this is closed
}

func (p *probed) Ready(ctx context.Context) error {
	p.asked++
	<-p.open
	return errors.Join(p.err, ctx.Err())
}

// ready returns the status of an answer to GET /readyz.
func ready(ctx context.Context, w *Web) int {
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, httptest.NewRequestWithContext(ctx, "GET", "/readyz", nil))
	return rec.Code
}

// TestReady checks how often the service is asked, because that costs it a write.
func TestReady(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	synctest.Test(t, func(t *testing.T) {
		p := &probed{open: make(chan struct{})}
		close(p.open)
		w := New(Options{Service: p})
		for _, tt := range []struct {
			why    string
			pause  time.Duration
			err    error // of the service
			status int
			asked  int
		}{
			{"the first", 0, nil, 200, 1},
			{"in the same second", probeTime - 1, away, 200, 1},
			{"in the next one", 1, away, 503, 2},
			{"an error is remembered too", probeTime - 1, nil, 503, 2},
			{"but not for long", 1, nil, 200, 3},
		} {
			time.Sleep(tt.pause)
			p.err = tt.err
			if got := ready(t.Context(), w); got != tt.status || p.asked != tt.asked {
				t.Errorf("%s: %d after %d questions, want %d after %d", tt.why, got, p.asked, tt.status, tt.asked)
			}
		}
	})
}

// TestReadyAtOnce checks that one of many who ask at the same time asks the service, and that the others get
// its answer even if that one goes away.
func TestReadyAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &probed{open: make(chan struct{})}
		w := New(Options{Service: p})
		first, leave := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		asking.Go(func() { ready(first, w) })
		synctest.Wait()
		for range 20 {
			asking.Go(func() {
				if got := ready(t.Context(), w); got != 200 {
					t.Errorf("got %d", got)
				}
			})
		}
		synctest.Wait()
		leave()
		close(p.open)
		asking.Wait()
		if p.asked != 1 {
			t.Errorf("the service was asked %d times", p.asked)
		}
	})
}
