package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

// pullBoth returns the two messages of a queue, in any order. It ignores each of the removed messages once: one
// that was removed before its delivery may still come.
func pullBoth(t *testing.T, q store.Queue, one, two string, removed ...string) (store.Message, store.Message) {
	t.Helper()
	got := map[string]store.Message{}
	for got[one] == nil || got[two] == nil {
		m, err := q.Pull(Patient(t))
		must(t, err)
		if id := m.ID(); got[id] != nil || id != one && id != two && !slices.Contains(removed, id) {
			t.Fatalf("got %s after %v, want %s and %s", id, slices.Collect(maps.Keys(got)), one, two)
		}
		got[m.ID()] = m
	}
	return got[one], got[two]
}

// silence receives a message, and leaves it to the next receiver by saying nothing.
func silence(t *testing.T, p place) {
	push(t, p.Work, "silent")
	before := time.Now()
	pull(t, p.Work, "silent", 1)
	pull(t, p.connect().Work, "silent", 2)
	if passed := time.Since(before); passed < p.AckWait/2 {
		t.Errorf("delivered again after %v, and a silence may last %v", passed, p.AckWait)
	}
	ack(t, p.Work, pull(t, p.Work, "silent", 3), 0)
}

// working keeps one message and is silent about another until that has come twice more.
func working(t *testing.T, p place) {
	trial(t, p.AckWait/2, func() (longest time.Duration, err error) {
		push(t, p.Work, "busy")
		push(t, p.Work, "idle")
		busy, _ := pullBoth(t, p.Work, "busy", "idle")
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			tick := time.NewTicker(p.AckWait / 8)
			defer tick.Stop()
			for called := time.Now(); ; called = time.Now() {
				select {
				case <-tick.C:
				case <-stop:
					return
				}
				longest = max(longest, time.Since(called))
				if err := busy.Working(); err != nil {
					t.Errorf("still working: %v", err)
				}
			}
		}()
		for idle := 0; idle < 2 && err == nil; idle++ {
			m, failed := p.Work.Pull(Patient(t))
			must(t, failed)
			if m.ID() == "busy" {
				err = fmt.Errorf("delivery %d of a message whose receiver is working", m.Delivery())
			}
		}
		close(stop)
		<-stopped
		must(t, p.Work.Remove(Patient(t), "busy"))
		must(t, p.Work.Remove(Patient(t), "idle"))
		length(t, p.Work, 0)
		return longest, err
	})
}

// lateAck acknowledges a message that another receiver has got meanwhile.
func lateAck(t *testing.T, p place) {
	push(t, p.Work, "late")
	first := pull(t, p.Work, "late", 1)
	second := pull(t, p.Work, "late", 2)
	ack(t, p.Work, first, 0)
	ack(t, p.Work, second, 0)
	push(t, p.Work, "late")
	ack(t, p.Work, pull(t, p.Work, "late", 1), 0)
}

func remove(t *testing.T, p place) {
	ids := func(list ...string) {
		for _, id := range list {
			push(t, p.Work, id)
		}
	}
	waiting := []string{"s1.1.1", "s1.1.2", "s1.2.1", "s1", "s10.1.1", "s2.1.1"}
	ids(waiting...)
	for _, tt := range []struct {
		words string
		left  int
	}{
		{"s1.1", 4}, {"s1.1", 4}, {"s2.1.1", 3}, {"s1", 1}, {"s", 1}, {"none.such", 1}, {"s10", 0},
	} {
		must(t, p.Work.Remove(Patient(t), tt.words))
		length(t, p.Work, tt.left)
	}
	// Delivered ones are removed, too, and never come again: the other one comes twice.
	ids("removed.1", "fence")
	removed, fence := pullBoth(t, p.Work, "removed.1", "fence", waiting...)
	must(t, p.Work.Remove(Patient(t), "removed"))
	length(t, p.Work, 1)
	ack(t, p.Work, removed, 1)
	for delivery := 2; delivery <= 3; delivery++ {
		fence = pull(t, p.Work, "fence", delivery)
	}
	ack(t, p.Work, fence, 0)
	for _, words := range []string{"", "*", "s1.>"} {
		if err := p.Work.Remove(Patient(t), words); err == nil {
			t.Errorf("removed %q, which is no word", words)
		}
	}
}

// beside removes a delivered message while the receiver of an older one is silent. The older one must come again,
// whatever becomes of newer ones.
func beside(t *testing.T, p place) {
	push(t, p.Work, "silent")
	push(t, p.Work, "removed")
	pullBoth(t, p.Work, "silent", "removed")
	must(t, p.Work.Remove(Patient(t), "removed"))
	push(t, p.Work, "newer")
	seen := map[string]int{}
	for seen["newer"] == 0 || seen["silent"] == 0 {
		m, err := p.Work.Pull(Patient(t))
		must(t, err)
		if seen[m.ID()]++; m.ID() == "newer" {
			must(t, m.Ack(Patient(t)))
		}
	}
	must(t, p.Work.Remove(Patient(t), "silent"))
	length(t, p.Work, 0)
}

// replaced removes a delivered message and pushes one with the same id: the old receiver must have no power over
// the new message.
func replaced(t *testing.T, p place) {
	for _, end := range []func(store.Message) error{
		func(m store.Message) error { return m.Ack(Patient(t)) },
		func(m store.Message) error { return m.Return(0) },
		store.Message.Working,
	} {
		push(t, p.Work, "replaced")
		old := pull(t, p.Work, "replaced", 1)
		must(t, p.Work.Remove(Patient(t), "replaced"))
		push(t, p.Work, "replaced")
		must(t, end(old))
		length(t, p.Work, 1)
		ack(t, p.Work, pull(t, p.Work, "replaced", 0), 0) // on a slow host, its first delivery may be too late
	}
}

func twoQueues(t *testing.T, p place) {
	push(t, p.Work, "both")
	push(t, p.Results, "both")
	work, result := pull(t, p.Work, "both", 1), pull(t, p.Results, "both", 1)
	ack(t, p.Work, work, 0)
	length(t, p.Results, 1)
	push(t, p.Work, "both")
	must(t, p.Work.Remove(Patient(t), "both"))
	length(t, p.Work, 0)
	ack(t, p.Results, result, 0)
}
