package broker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
)

// queue is a stream whose messages are removed when they are acknowledged, and its one consumer, from
// which everybody pulls.
type queue struct {
	*broker
	stream   jetstream.Stream
	consumer jetstream.Consumer
	prefix   string // of subjects

	pullers chan *puller // the idle ones; nil for one that is not made yet, or was closed after an error
}

// queue opens a queue, from which so many messages are pulled at once.
func (b *broker) queue(ctx context.Context, name string, atOnce int) (*queue, error) {
	s, err := b.stream(ctx, name, jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew})
	if err != nil {
		return nil, err
	}
	q := &queue{broker: b, stream: s, prefix: b.subject(name, ""), pullers: make(chan *puller, atOnce)}
	for range atOnce {
		q.pullers <- nil
	}
	q.consumer, err = s.Consumer(ctx, everybody)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		if !b.create {
			return nil, fmt.Errorf("the consumer of stream %s: %w", b.name(name), store.ErrNotFound)
		}
		// Receivers count the deliveries themselves: a message with a bound would lie there unseen.
		q.consumer, err = s.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: everybody, AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.o.AckWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: mostReceivers,
		})
		if errors.Is(err, jetstream.ErrConsumerExists) {
			q.consumer, err = s.Consumer(ctx, everybody) // another service has just created it, with other settings
		}
	}
	return q, err
}

// resultsAtOnce is how many results are pulled at once: a service takes as many at a time, and each is a
// way to the server and back.
const resultsAtOnce = 32

// silence returns how long the queue waits for a silent receiver: as long as was said when it was made.
func (q *queue) silence() time.Duration { return q.consumer.CachedInfo().Config.AckWait }

// everybody is the name of the consumer, and mostReceivers how many may wait for its messages: the server
// ignores the requests of others.
const (
	everybody     = "all"
	mostReceivers = 1 << 16
)

func (q *queue) Push(ctx context.Context, id string, data []byte) error {
	_, err := q.publish(ctx, q.prefix+id, 0, data)
	return err
}

// Pull has a request for one message under way for a caller that waits, so that no message waits, and is
// thought lost, in a receiver that is busy. Further callers wait for their turn, because the server looks
// at all requests again and again.
func (q *queue) Pull(ctx context.Context) (store.Message, error) {
	var p *puller
	select {
	case p = <-q.pullers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { q.pullers <- p }()
	if p == nil {
		var err error
		if p, err = q.newPuller(); err != nil {
			return nil, err
		}
	}
	m, err := p.next(ctx)
	if err != nil {
		p.close()
		p = nil
		return nil, errors.Join(ctx.Err(), err)
	}
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	return &message{m, strings.TrimPrefix(m.Subject, q.prefix), int(meta.NumDelivered)}, nil
}

// Remove removes one message after the other. A purge would make the server forget others that it has
// delivered: it moves the consumer's floor of acknowledgements past them (moveAckFloor in the file
// consumer.go of nats-server, after a purge of some subjects), and never delivers them again.
func (q *queue) Remove(ctx context.Context, words string) error {
	if err := plain(words); err != nil {
		return err
	}
	for _, pattern := range []string{words, words + ".>"} {
		info, err := q.stream.Info(ctx, jetstream.WithSubjectFilter(q.prefix+pattern))
		if err != nil {
			return known(err)
		}
		for subject := range info.State.Subjects {
			if err := q.remove(ctx, subject); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes the message of a subject, if it has not been acknowledged meanwhile.
func (q *queue) remove(ctx context.Context, subject string) error {
	m, err := entry(ctx, q.stream, subject)
	if err != nil || m == nil {
		return err
	}
	failed := q.stream.DeleteMsg(ctx, m.Sequence)
	if failed == nil {
		return nil
	}
	now, err := entry(ctx, q.stream, subject)
	if err == nil && now != nil && now.Sequence == m.Sequence {
		err = known(failed)
	}
	return err
}

func (q *queue) Has(ctx context.Context, id string) (bool, error) {
	m, err := entry(ctx, q.stream, q.prefix+id)
	return m != nil, err
}

func (q *queue) Len(ctx context.Context) (int, error) {
	info, err := q.stream.Info(ctx)
	if err != nil {
		return 0, known(err)
	}
	return int(info.State.Msgs), nil
}

// Tidy compares what the stream holds with how far the consumer counts all messages as acknowledged.
// That a killed server keeps some of these was seen with nats-server 2.15.
func (q *queue) Tidy(ctx context.Context) error {
	info, err := q.consumer.Info(ctx)
	if err != nil {
		return known(err)
	}
	var failed error
	var tried uint64 // what could not be removed
	for {
		held, err := q.stream.Info(ctx)
		if err != nil {
			return known(err)
		}
		first := held.State.FirstSeq
		switch {
		case held.State.Msgs == 0 || first > info.AckFloor.Stream:
			return nil
		case first == tried:
			return known(failed)
		}
		if failed = q.stream.DeleteMsg(ctx, first); failed != nil { // or it has just been removed
			tried = first
		}
	}
}

type message struct {
	msg      *nats.Msg
	id       string
	delivery int
}

func (m *message) ID() string     { return m.id }
func (m *message) Data() []byte   { return m.msg.Data }
func (m *message) Delivery() int  { return m.delivery }
func (m *message) Working() error { return m.msg.InProgress() }

// Ack does not wait for the server. If it never arrives, the message is delivered again, which
// receivers must expect in any case.
func (m *message) Ack(context.Context) error { return m.msg.Ack() }

func (m *message) Return(delay time.Duration) error { return m.msg.NakWithDelay(delay) }
