package simstore

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/store"
)

// The names of the queues, which begin the names of their operations.
const (
	work    = "work"
	results = "results"
)

// waiting is a queue of a world. Its messages are in the order in which they came.
type waiting struct{ messages []*message }

// message is in a queue until it is acknowledged or removed.
type message struct {
	id         string
	lane       string
	data       []byte
	deliveries int
	free       time.Time // it can be delivered from then on
	stranded   bool      // it cannot be delivered any more
}

// queue is a queue as an actor sees it.
type queue struct {
	*Actor
	name string
	lane string
}

// Lane opens lanes that are always there.
func (q queue) Lane(ctx context.Context, name string) (store.Queue, error) {
	if q.name != work || strings.Contains(name, ".") || plain(name) != nil {
		return nil, fmt.Errorf("%q is no lane", name)
	}
	err := q.do(ctx, q.op("lane"), func() error { return nil })
	return queue{q.Actor, q.name, name}, err
}

func (q queue) op(method string) string { return q.name + "." + method }

func (q queue) waiting() *waiting { return q.world.queues[q.name] }

func (w *waiting) has(id string) bool {
	return slices.ContainsFunc(w.messages, func(m *message) bool { return m.id == id })
}

func (q queue) Push(ctx context.Context, id string, data []byte) error {
	data = bytes.Clone(data)
	return q.do(ctx, q.op("push"), func() error {
		w := q.waiting()
		if w.has(id) {
			return store.ErrConflict
		}
		w.messages = append(w.messages, &message{id: id, lane: q.lane, data: data})
		return nil
	})
}

func (q queue) Pull(ctx context.Context) (store.Message, error) {
	for {
		var got *delivery
		var changed <-chan struct{}
		f := q.fault(q.op("pull"))
		err := q.suffer(ctx, q.op("pull"), f, func() error {
			got = q.deliver(f)
			changed = q.world.changed
			return nil
		})
		if err != nil {
			return nil, err
		}
		if got != nil {
			return got, nil
		}
		if err := q.world.wait(ctx, changed); err != nil {
			return nil, err
		}
	}
}

// deliver delivers a message, if one is free.
func (q queue) deliver(f Fault) *delivery {
	now := q.world.o.Now()
	var free []*message
	for _, m := range q.waiting().messages {
		if m.lane == q.lane && !m.stranded && !now.Before(m.free) {
			free = append(free, m)
		}
	}
	if len(free) == 0 {
		return nil
	}
	m := free[0]
	if f == Shuffle {
		m = free[q.world.random.IntN(len(free))]
	}
	m.deliveries++
	if f != Repeat {
		m.free = now.Add(q.world.o.AckWait)
	}
	return &delivery{q, m, m.deliveries}
}

func (q queue) Remove(ctx context.Context, words string) error {
	if err := plain(words); err != nil {
		return err
	}
	return q.do(ctx, q.op("remove"), func() error {
		w := q.waiting()
		w.messages = slices.DeleteFunc(w.messages, func(m *message) bool {
			return m.id == words || strings.HasPrefix(m.id, words+".")
		})
		return nil
	})
}

func (q queue) Has(ctx context.Context, id string) (has bool, err error) {
	err = q.do(ctx, q.op("has"), func() error {
		has = slices.ContainsFunc(q.waiting().messages, func(m *message) bool {
			return m.id == id && m.lane == q.lane
		})
		return nil
	})
	return has, err
}

func (q queue) Len(ctx context.Context) (n int, err error) {
	err = q.do(ctx, q.op("len"), func() error {
		n = len(q.waiting().messages)
		return nil
	})
	return n, err
}

func (q queue) Tidy(ctx context.Context, lanes []string) error {
	return q.do(ctx, q.op("tidy"), func() error {
		w := q.waiting()
		w.messages = slices.DeleteFunc(w.messages, func(m *message) bool {
			return m.stranded || lanes != nil && !slices.Contains(lanes, m.lane)
		})
		return nil
	})
}

// delivery is a message as its receiver sees it.
type delivery struct {
	queue   queue
	message *message
	count   int
}

func (d *delivery) ID() string    { return d.message.id }
func (d *delivery) Data() []byte  { return bytes.Clone(d.message.data) }
func (d *delivery) Delivery() int { return d.count }

func (d *delivery) Ack(ctx context.Context) error {
	op := d.queue.op("ack")
	f := d.queue.fault(op)
	return d.queue.suffer(ctx, op, f, func() error {
		if f == Strand {
			d.message.stranded = true
			return nil
		}
		w := d.queue.waiting()
		w.messages = slices.DeleteFunc(w.messages, func(m *message) bool { return m == d.message })
		return nil
	})
}

// Return and Working have an effect even if the message was delivered again meanwhile, as in JetStream.
func (d *delivery) Return(delay time.Duration) error {
	return d.free("return", delay)
}

func (d *delivery) Working() error {
	return d.free("working", d.queue.world.o.AckWait)
}

func (d *delivery) free(method string, delay time.Duration) error {
	return d.queue.do(context.Background(), d.queue.op(method), func() error {
		d.message.free = d.queue.world.o.Now().Add(delay)
		return nil
	})
}

// plain returns an error unless text consists of words that each stand for themselves.
func plain(text string) error {
	for word := range strings.SplitSeq(text, ".") {
		if word == "" || strings.ContainsAny(word, "*>") {
			return fmt.Errorf("%q is not made of words with dots between them", text)
		}
	}
	return nil
}
