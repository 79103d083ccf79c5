package grade

import "sync"

// eventQueue passes events to a listener in the order in which they are sent, on a goroutine of its
// own, so that senders do not wait for the listener. It is safe for concurrent use.
type eventQueue struct {
	mu     sync.Mutex
	more   sync.Cond
	queue  []Event
	closed bool
	done   chan struct{}
}

func newEventQueue(listen func(Event)) *eventQueue {
	t := &eventQueue{done: make(chan struct{})}
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

// take waits for events and returns all that are queued; none after close.
func (t *eventQueue) take() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) == 0 && !t.closed {
		t.more.Wait()
	}
	events := t.queue
	t.queue = nil
	return events
}

func (t *eventQueue) send(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, e)
	t.more.Signal()
}

// close waits until the listener has handled all events.
func (t *eventQueue) close() {
	t.mu.Lock()
	t.closed = true
	t.more.Signal()
	t.mu.Unlock()
	<-t.done
}
