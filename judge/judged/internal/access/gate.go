package access

import (
	"context"
	"errors"
	"sync"
)

// ErrBusy is the error of Verify and Issue while too many tokens are being verified. The client may
// try again after a second.
var ErrBusy = errors.New("too many tokens are being verified (hint: try again in a second)")

// gate bounds how many hashes are computed at a time: one for each token, and as many as there are slots for all
// tokens. Callers wait for their turn in order of arrival. At most waiting of them wait for the same token, and at
// most as many tokens are waited for.
type gate struct {
	slots   chan struct{} // holds one element for each computation
	waiting int

	mu    sync.Mutex
	lanes map[string]*lane // by the id of the token
}

// lane is where the callers with one token wait.
type lane struct {
	turn    chan struct{} // of capacity 1; full while a caller waits for a slot or has one
	callers int
}

func newGate(slots, waiting int) *gate {
	return &gate{slots: make(chan struct{}, slots), waiting: waiting, lanes: map[string]*lane{}}
}

// enter waits until the caller may compute a hash for a token. The caller must call leave afterwards.
// The error is ErrBusy or that of ctx.
func (g *gate) enter(ctx context.Context, id string) (leave func(), err error) {
	l := g.join(id)
	if l == nil {
		return nil, ErrBusy
	}
	if err := acquire(ctx, l.turn); err != nil {
		g.part(id, l)
		return nil, err
	}
	if err := acquire(ctx, g.slots); err != nil {
		<-l.turn
		g.part(id, l)
		return nil, err
	}
	return func() {
		<-g.slots
		<-l.turn
		g.part(id, l)
	}, nil
}

// acquire takes a place in c, and waits until one is free. The error is that of ctx.
func acquire(ctx context.Context, c chan struct{}) error {
	select {
	case c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join counts a caller in the lane of a token, or returns nil if too many wait.
func (g *gate) join(id string) *lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lanes[id]
	switch {
	case l == nil && len(g.lanes) == cap(g.slots)+g.waiting, l != nil && l.callers == 1+g.waiting:
		return nil
	case l == nil:
		l = &lane{turn: make(chan struct{}, 1)}
		g.lanes[id] = l
	}
	l.callers++
	return l
}

// part removes a caller from its lane.
func (g *gate) part(id string, l *lane) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l.callers--; l.callers == 0 {
		delete(g.lanes, id)
	}
}
