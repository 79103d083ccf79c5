package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

func push(t *testing.T, q store.Queue, id string) {
	t.Helper()
	if err := q.Push(Patient(t), id, []byte("data of "+id)); err != nil {
		t.Fatalf("pushing %s: %v", id, err)
	}
}

// pull returns the next message, which must be this delivery of this one, or any if delivery is 0.
func pull(t *testing.T, q store.Queue, id string, delivery int) store.Message {
	t.Helper()
	m, err := q.Pull(Patient(t))
	must(t, err)
	if m.ID() != id || string(m.Data()) != "data of "+id || delivery > 0 && m.Delivery() != delivery {
		t.Fatalf("got delivery %d of %s (%q), want delivery %d of %s", m.Delivery(), m.ID(), m.Data(), delivery, id)
	}
	return m
}

// length waits until a queue holds n messages.
func length(t *testing.T, q store.Queue, n int) {
	t.Helper()
	until(t, fmt.Sprintf("the queue holds %d messages", n), func() bool {
		got, err := q.Len(Patient(t))
		must(t, err)
		return got == n
	})
}

// ack acknowledges a message, and waits until it has left the queue, in which there are n others.
func ack(t *testing.T, q store.Queue, m store.Message, n int) {
	t.Helper()
	must(t, m.Ack(Patient(t)))
	length(t, q, n)
}

func messages(t *testing.T, p place) {
	length(t, p.Work, 0)
	if p.Silence != p.AckWait {
		t.Errorf("the queues wait for %v, and say %v", p.AckWait, p.Silence)
	}
	for _, id := range []string{"one", "two.words", "Hyphens-and-123.4.5"} {
		data := []byte("data of " + id)
		must(t, p.Work.Push(Patient(t), id, data))
		clear(data) // the caller may use its memory again
		length(t, p.Work, 1)
		m := pull(t, p.Work, id, 1)
		if n, err := p.Work.Len(Patient(t)); n != 1 || err != nil {
			t.Errorf("with a delivered message, the length is %d, %v", n, err)
		}
		ack(t, p.Work, m, 0)
	}
	must(t, p.Work.Push(Patient(t), "large", noise(30, 512<<10)))
	m, err := p.Work.Pull(Patient(t))
	must(t, err)
	if store.RefOf(m.Data()).Hash != store.RefOf(noise(30, 512<<10)).Hash {
		t.Errorf("a large message arrived as %d other bytes", len(m.Data()))
	}
	ack(t, p.Work, m, 0)
}

// conflict pushes ids that are there, in all states.
func conflict(t *testing.T, p place) {
	other := p.connect().Work
	push(t, p.Work, "twice")
	refused := func(state string) {
		t.Helper()
		for _, q := range []store.Queue{p.Work, other} {
			if err := q.Push(Patient(t), "twice", []byte("other data")); !errors.Is(err, store.ErrConflict) {
				t.Errorf("%s: pushed again: %v", state, err)
			}
			if has, err := q.Has(Patient(t), "twice"); !has || err != nil {
				t.Errorf("%s: Has says %v, %v", state, has, err)
			}
		}
		length(t, p.Work, 1)
	}
	refused("waiting")
	m := pull(t, p.Work, "twice", 1)
	refused("delivered")
	must(t, m.Return(0))
	m = pull(t, p.Work, "twice", 2)
	refused("delivered again")
	must(t, m.Return(50*time.Millisecond))
	refused("handed back")
	ack(t, p.Work, pull(t, p.Work, "twice", 3), 0)
	for _, id := range []string{"twice", "twice.1", "tw", "none"} {
		if has, err := other.Has(Patient(t), id); has || err != nil {
			t.Errorf("the empty queue has %s: %v, %v", id, has, err)
		}
	}
	push(t, p.Work, "twice")
	ack(t, p.Work, pull(t, p.Work, "twice", 1), 0)
}

// pullWaits pulls from an empty queue, and stops pulling.
func pullWaits(t *testing.T, p place) {
	ctx, cancel := context.WithCancel(Patient(t))
	ends := make(chan error)
	go func() {
		_, err := p.Work.Pull(ctx)
		ends <- err
	}()
	cancel()
	if err := receive(t, ends, "end of a pull"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled pull: %v", err)
	}
	got := make(chan store.Message)
	go func() {
		m, err := p.Work.Pull(Patient(t))
		if err != nil {
			t.Errorf("pulling: %v", err)
		}
		got <- m
	}()
	push(t, p.connect().Work, "awaited")
	m := receive(t, got, "message")
	if m.ID() != "awaited" {
		t.Errorf("got %s", m.ID())
	}
	ack(t, p.Work, m, 0)
	// A pull that ends takes no message with it: the next one gets it, even if it comes at that time.
	for i := range 20 {
		ctx, cancel := context.WithCancel(Patient(t))
		go func() {
			m, err := p.Work.Pull(ctx)
			if err != nil {
				m = nil
			}
			got <- m
		}()
		id := fmt.Sprint("cancelled.", i)
		push(t, p.Work, id)
		cancel()
		m := receive(t, got, "end of a pull")
		if m == nil {
			if m, _ = p.Work.Pull(Patient(t)); m == nil || m.ID() != id {
				t.Fatalf("the next pull got %v, want %s", m, id)
			}
		}
		ack(t, p.Work, m, 0)
	}
}

// receivers lets several receivers share the messages. A message comes twice only if its receiver was
// silent for too long, on a busy host.
func receivers(t *testing.T, p place) {
	const count, each = 4, 25
	ctx, cancel := context.WithCancel(Patient(t))
	defer cancel()
	got := make(chan store.Message, count*each)
	for i := range count {
		q := p.Work
		if i%2 == 1 {
			q = p.connect().Work
		}
		go func() {
			for {
				m, err := q.Pull(ctx)
				if err != nil {
					break
				}
				if err := m.Ack(ctx); err != nil {
					t.Errorf("acknowledging %s: %v", m.ID(), err)
				}
				got <- m
			}
			got <- nil
		}()
	}
	for i := range count * each {
		push(t, p.Work, fmt.Sprint("shared.", i))
	}
	seen := map[string]int{}
	for len(seen) < count*each {
		m := receive(t, got, "message")
		if seen[m.ID()]++; seen[m.ID()] > m.Delivery() {
			t.Errorf("%s came %d times, and the last says %d", m.ID(), seen[m.ID()], m.Delivery())
		}
	}
	length(t, p.Work, 0)
	cancel()
	for stopped := 0; stopped < count; {
		if receive(t, got, "end of a receiver") == nil {
			stopped++
		}
	}
}

func returns(t *testing.T, p place) {
	push(t, p.Work, "returned")
	var returned time.Time
	var delay time.Duration
	for i, next := range []time.Duration{0, p.AckWait / 4, 0, p.AckWait / 8} {
		m := pull(t, p.Work, "returned", i+1)
		if passed := time.Since(returned); i > 0 && passed < delay {
			t.Errorf("handed back for %v, and delivered again after %v", delay, passed)
		}
		returned, delay = time.Now(), next
		must(t, m.Return(delay))
	}
	ack(t, p.Work, pull(t, p.Work, "returned", 5), 0)
}
