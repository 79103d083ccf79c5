package web

import (
	"context"
	"net/http"
	"time"
)

// Health says that something is well.
type Health struct {
	Status string `json:"status" enum:"ok"`
}

type healthOutput struct{ Body Health }

func (w *Web) alive(context.Context, *struct{}) (*healthOutput, error) {
	return &healthOutput{Health{"ok"}}, nil
}

// ready answers whether a submission could be taken now.
func (w *Web) ready(ctx context.Context, _ *struct{}) (*healthOutput, error) {
	if err := w.probe.look(ctx, w); err != nil {
		return nil, refuse(http.StatusServiceUnavailable, "the store does not answer").kind(kindAway).after(retryAway)
	}
	return &healthOutput{Health{"ok"}}, nil
}

// probeTime is how long the outcome of a probe counts.
const probeTime = time.Second

// probe finds out whether the service is ready. That writes to the store, and clients without a token may ask as
// often as they like, so one request asks the service at a time, and the others get its outcome.
type probe struct {
	turn chan struct{} // has room for the one request that asks the service
	at   time.Time     // when the last answer came; zero for never
	err  error         // the last answer: why the service is not ready; nil if it is
}

// look returns the error why the service of w is not ready, as of the last second.
func (p *probe) look(ctx context.Context, w *Web) error {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if !p.at.IsZero() && w.o.Now().Sub(p.at) < probeTime {
		return p.err
	}
	// Other requests share the outcome, so the look must not end with this one.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), w.o.Bounds.Brief)
	defer stop()
	if p.err = w.o.Service.Ready(ctx); p.err != nil {
		w.o.Log.Warn("not ready", "error", p.err)
	}
	p.at = w.o.Now()
	return p.err
}
