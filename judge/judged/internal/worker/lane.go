package worker

import (
	"context"
	"errors"
	"time"

	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// lane is where a worker takes its tasks: they need only languages that it has.
type lane struct {
	languages []string // nil: the worker does not say them
	name      string
	changed   chan struct{} // closed when it is not the worker's lane any more
}

// Choose finds out the languages of this worker and chooses its lane. It reports whether the lane has changed. Run
// calls it.
func (w *Worker) Choose(ctx context.Context) bool {
	if w.o.Languages == nil {
		return false
	}
	languages := w.o.Languages(ctx)
	if ctx.Err() != nil {
		return false
	}
	name := service.LaneOf(languages)
	w.mu.Lock()
	defer w.mu.Unlock()
	if name == w.lane.name {
		return false
	}
	close(w.lane.changed)
	w.lane = lane{languages, name, make(chan struct{})}
	w.o.Log.Info("this worker has languages", "languages", languages)
	return true
}

func (w *Worker) languages() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lane.languages
}

// watchTools looks now and then which languages there are, because tools come and go.
func (w *Worker) watchTools(ctx context.Context) error {
	tick := time.NewTicker(w.o.Tools)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		w.look(ctx)
	}
}

// look chooses the lane again, and tells the service if it is another one.
func (w *Worker) look(ctx context.Context) {
	if w.Choose(ctx) {
		w.tell(ctx)
	}
}

// pull waits for a task in the lane of this worker. It returns nil if there may be another one to wait in.
func (w *Worker) pull(ctx context.Context) (store.Message, error) {
	w.mu.Lock()
	l := w.lane
	w.mu.Unlock()
	if l.name == "" {
		return w.store.Work.Pull(ctx)
	}
	q, err := w.store.Work.Lane(ctx, l.name)
	if errors.Is(err, store.ErrNotFound) { // the service makes it as soon as it hears of this worker
		return nil, w.o.Wait(ctx, pause)
	}
	if err != nil {
		return nil, err
	}
	here, leave := context.WithCancel(ctx)
	defer leave()
	go func() {
		select {
		case <-l.changed:
			leave()
		case <-here.Done():
		}
	}()
	m, err := q.Pull(here)
	if err != nil && here.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return m, err
}
