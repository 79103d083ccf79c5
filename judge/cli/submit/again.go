package submit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tribunal/judge/cli/client"
)

// patience is how long a server may be away.
const patience = 2 * time.Minute

// again calls ask until it succeeds, or asking again does not help. It waits as long as the server says,
// without an end while the server is busy, and for patience while it is away.
func again[T any](ctx context.Context, w *work, ask func() (T, error)) (T, error) {
	start := time.Now()
	for {
		v, err := ask()
		if err == nil {
			w.answered()
		}
		if err == nil || ctx.Err() != nil {
			return v, errors.Join(err, ctx.Err())
		}
		after, ok := client.Again(err)
		e, answered := errors.AsType[*client.Error](err)
		busy := answered && e.Status == http.StatusTooManyRequests
		if !ok || !busy && time.Since(start) > patience {
			return v, err
		}
		w.waiting(busy, err)
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// lateAnswer is how long a request that was sent before an interrupt may take to be answered.
const lateAnswer = 10 * time.Second

// outliving returns a context that ends d after ctx, or when stop is called. The caller must call stop.
func outliving(ctx context.Context, d time.Duration) (late context.Context, stop func()) {
	late, end := context.WithCancel(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { time.AfterFunc(d, end) })
	return late, func() { unhook(); end() }
}

// waiting prints, once, why the judge waits for the server.
func (w *work) waiting(busy bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy {
		return
	}
	w.busy, w.away = true, !busy
	if e, ok := errors.AsType[*url.Error](err); ok { // which repeats the method and the whole address
		err = e.Err
	}
	if busy {
		w.Note("the server is busy, waiting for it")
	} else {
		w.Note(fmt.Sprintf("the server does not answer, trying again for %v: %v", patience, err))
	}
}

// answered prints, once, that the judge no longer waits for a server that was away.
func (w *work) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		w.busy, w.away = false, false
		w.Note("the server answers again")
	}
}

// wait returns how long the server may keep a request until a judging ends. It is short while the server is away, to
// notice that it is back.
func (w *work) wait() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		return "1s"
	}
	return "30s"
}
