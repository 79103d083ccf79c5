package service

import (
	"context"
	"strings"
	"sync"

	"tribunal/judge/judged/internal/ledger"
)

// Update is a submission as it is after a change.
type Update struct {
	Submission *ledger.Submission // nil for Live
	Judging    int                // which judging changed; 0 for the submission as a whole
	Live       []byte             // what a worker says while it judges, in JSON; it may be missing
	Course     string             // the id of a course, if that has changed and no submission
}

// hub passes updates to those who watch. Its zero value is ready for use.
type hub struct {
	mu   sync.Mutex
	of   map[string]map[*Watch]bool // by submission, or by courseKey
	rest map[*Watch]bool            // that watch all submissions
}

// Watch receives the updates of one submission, or of all.
type Watch struct {
	// C receives the updates. It is closed when the watcher was too slow: the watcher then looks at the
	// present state, and watches again.
	C      chan Update
	filter func(*ledger.Submission) bool // of a watch of all; nil for everything
	id     string
	hub    *hub
	closed bool
}

// watchBuffer is how many updates wait for a slow watcher.
const watchBuffer = 64

// Watch returns the present state of a submission, and a watch of what happens to it from then on. The
// caller closes it.
func (s *Service) Watch(id string) (*ledger.Submission, *Watch, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sub := s.fold.Submissions[id]
	if sub == nil || sub.Erased {
		return nil, nil, ErrUnknown
	}
	return sub, s.hub.add(&Watch{C: make(chan Update, watchBuffer), id: id}), nil
}

// WatchAll returns a watch of all submissions that satisfy filter. The caller closes it.
func (s *Service) WatchAll(filter func(*ledger.Submission) bool) *Watch {
	return s.hub.add(&Watch{C: make(chan Update, 16*watchBuffer), filter: filter})
}

func (h *hub) add(w *Watch) *Watch {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.hub = h
	if w.id == "" {
		if h.rest == nil {
			h.rest = map[*Watch]bool{}
		}
		h.rest[w] = true
		return w
	}
	if h.of == nil {
		h.of = map[string]map[*Watch]bool{}
	}
	if h.of[w.id] == nil {
		h.of[w.id] = map[*Watch]bool{}
	}
	h.of[w.id][w] = true
	return w
}

// Close ends a watch. It may be called after C was closed.
func (w *Watch) Close() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.drop()
}

// drop removes a watch. The hub is locked.
func (w *Watch) drop() {
	if w.closed {
		return
	}
	w.closed = true
	close(w.C)
	delete(w.hub.rest, w)
	if all := w.hub.of[w.id]; all != nil {
		delete(all, w)
		if len(all) == 0 {
			delete(w.hub.of, w.id)
		}
	}
}

// send passes an update on, or drops a watcher that is too slow. The hub is locked.
func (w *Watch) send(u Update) {
	select {
	case w.C <- u:
	default:
		w.drop()
	}
}

// publish passes on what a record of the ledger changed.
func (h *hub) publish(f *ledger.Fold, c ledger.Change) {
	if c.Submission != nil {
		h.pass(c.Submission, Update{Submission: c.Submission, Judging: c.Judging})
	}
	if c.Course != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		for w := range h.of[courseKey(c.Course)] {
			w.send(Update{Course: c.Course})
		}
	}
	if c.Batch != nil {
		for _, m := range c.Batch.Members {
			if sub := f.Submissions[m.Submission]; sub != nil {
				h.pass(sub, Update{Submission: sub})
			}
		}
	}
}

func (h *hub) pass(sub *ledger.Submission, u Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.of[sub.ID] {
		w.send(u)
	}
	for w := range h.of[courseKey(ledger.CourseOf(sub.Submitter))] {
		w.send(u)
	}
	for w := range h.rest {
		if w.filter == nil || w.filter(sub) {
			w.send(u)
		}
	}
}

// live passes on what a worker says while it judges.
func (h *hub) live(id string, text []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.of[id] {
		w.send(Update{Live: text})
	}
}

func (s *Service) Watchers() (n int) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for _, all := range s.hub.of {
		n += len(all)
	}
	return n + len(s.hub.rest)
}

// LiveSignal begins the subjects of the signals by which workers report their progress. The id of the submission
// follows.
const LiveSignal = "live"

// relay passes signals of workers on to those who watch, until ctx ends.
func (s *Service) relay(ctx context.Context) error {
	stop, err := s.store.Signals.Listen(LiveSignal+".>", func(subject string, data []byte) {
		s.hub.live(strings.TrimPrefix(subject, LiveSignal+"."), data)
	})
	if err != nil {
		return err
	}
	defer stop()
	<-ctx.Done()
	return ctx.Err()
}
