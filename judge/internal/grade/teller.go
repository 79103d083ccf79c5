package grade

import "sync"

// teller hands events to a listener in the order in which they are told, on a goroutine of
// its own: whoever tells does not wait for what is made of it. It is safe for concurrent use.
type teller struct {
	mu     sync.Mutex
	more   sync.Cond
	queue  []Event
	closed bool
	done   chan struct{}
}

func newTeller(listen func(Event)) *teller {
	t := &teller{done: make(chan struct{})}
	t.more.L = &t.mu
	go func() {
		defer close(t.done)
		for events := t.take(); len(events) > 0; events = t.take() {
			for _, e := range events {
				listen(e)
			}
		}
	}()
	return t
}

// take returns what is there to be told, and waits for it; nothing once that was all.
func (t *teller) take() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) == 0 && !t.closed {
		t.more.Wait()
	}
	events := t.queue
	t.queue = nil
	return events
}

func (t *teller) tell(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, e)
	t.more.Signal()
}

// close returns when the listener has been told all.
func (t *teller) close() {
	t.mu.Lock()
	t.closed = true
	t.more.Signal()
	t.mu.Unlock()
	<-t.done
}
