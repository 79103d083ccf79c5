package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
)

// queue is a stream whose messages are removed when they are acknowledged, and a consumer of it, from which all
// receivers of a lane pull.
type queue struct {
	*broker
	stream   jetstream.Stream
	consumer jetstream.Consumer
	all      string // prefix of the subjects in all lanes; words of it may be wildcards
	prefix   string // of subjects in this lane
	atOnce   int

	pullers chan *puller // the idle ones; nil for one that is not made yet, or was closed after an error
	lanes   *lanes       // nil: the queue has none
}

// lanes are those of a queue that were opened here, by name.
type lanes struct {
	mu   sync.Mutex
	open map[string]*queue
}

// everybody is the name of the consumer of a queue without lanes, and of the lane without a name. mostReceivers is
// how many may wait for messages of a consumer: the server ignores the requests of others.
const (
	everybody     = "all"
	mostReceivers = 1 << 16
)

// laneIdle is how long the server keeps a lane without receivers: their workers have been replaced.
const laneIdle = 6 * time.Hour

// queue opens a queue, from which so many messages are pulled at once.
func (b *broker) queue(ctx context.Context, name string, atOnce int) (*queue, error) {
	s, err := b.queueStream(ctx, name)
	if err != nil {
		return nil, err
	}
	all := b.subject(name, "")
	q := b.queueOf(s, all, all, atOnce)
	q.consumer, err = q.receivers(ctx, name, jetstream.ConsumerConfig{Durable: everybody})
	return q, err
}

func (b *broker) laned(ctx context.Context, name string, atOnce int) (*queue, error) {
	s, err := b.queueStream(ctx, name)
	if err != nil {
		return nil, err
	}
	q := b.queueOf(s, b.subject(name, "*."), b.subject(name, everybody, ""), atOnce)
	q.lanes = &lanes{open: map[string]*queue{}}
	own := jetstream.ConsumerConfig{Durable: everybody, FilterSubject: q.prefix + ">"}
	q.consumer, err = q.receivers(ctx, name, own)
	if err == nil && b.create && q.consumer.CachedInfo().Config.FilterSubject == "" {
		// An earlier build has made the consumer. Its tasks in the queue have no lane; a leader hands them out
		// again.
		c := q.consumer.CachedInfo().Config
		c.FilterSubject = own.FilterSubject
		if q.consumer, err = s.UpdateConsumer(ctx, c); err == nil {
			err = s.Purge(ctx)
		}
	}
	return q, err
}

func (b *broker) queueStream(ctx context.Context, name string) (jetstream.Stream, error) {
	return b.stream(ctx, name, jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew})
}

func (b *broker) queueOf(s jetstream.Stream, all, prefix string, atOnce int) *queue {
	q := &queue{broker: b, stream: s, all: all, prefix: prefix, atOnce: atOnce, pullers: make(chan *puller, atOnce)}
	for range atOnce {
		q.pullers <- nil
	}
	return q
}

// receivers opens a consumer, and makes it if it is missing and this broker may.
func (q *queue) receivers(ctx context.Context, name string, c jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	consumer, err := q.stream.Consumer(ctx, c.Durable)
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return consumer, err
	}
	if !q.create {
		return nil, fmt.Errorf("consumer %s of stream %s: %w", c.Durable, q.name(name), store.ErrNotFound)
	}
	// Receivers count deliveries themselves: with a bound here, a message beyond it would stay in the queue unseen.
	c.AckPolicy, c.AckWait, c.MaxDeliver, c.MaxAckPending, c.MaxWaiting = jetstream.AckExplicitPolicy, q.o.AckWait, -1, -1, mostReceivers
	consumer, err = q.stream.CreateConsumer(ctx, c)
	if errors.Is(err, jetstream.ErrConsumerExists) {
		consumer, err = q.stream.Consumer(ctx, c.Durable) // another service has just created it, with other settings
	}
	return consumer, err
}

// Lane asks the server each time whether the lane is there, because the server may have forgotten it.
func (q *queue) Lane(ctx context.Context, name string) (store.Queue, error) {
	if q.lanes == nil || strings.Contains(name, ".") || plain(name) != nil {
		return nil, fmt.Errorf("%q is no lane", name)
	}
	prefix := strings.TrimSuffix(q.all, "*.") + name + "."
	consumer, err := q.receivers(ctx, name, jetstream.ConsumerConfig{Durable: name, FilterSubject: prefix + ">", InactiveThreshold: laneIdle})
	if err != nil {
		return nil, known(err)
	}
	q.lanes.mu.Lock()
	defer q.lanes.mu.Unlock()
	l := q.lanes.open[name]
	if l == nil {
		l = q.queueOf(q.stream, q.all, prefix, q.atOnce)
		l.lanes, l.consumer = q.lanes, consumer
		q.lanes.open[name] = l
	}
	return l, nil
}

// resultsAtOnce is how many results are pulled at once: a service takes as many at a time, and each pull takes a
// round trip to the server.
const resultsAtOnce = 32

// silence returns how long the queue waits for a silent receiver, as set when the queue was made.
func (q *queue) silence() time.Duration { return q.consumer.CachedInfo().Config.AckWait }

func (q *queue) Push(ctx context.Context, id string, data []byte) error {
	_, err := q.publish(ctx, q.prefix+id, 0, data, q.all+id)
	return err
}

// Pull makes one request at a time, and only for a caller that waits, so that no message waits, and is thought
// lost, in a busy receiver. Further callers wait for their turn, because the server looks at all requests again and
// again.
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
		info, err := q.stream.Info(ctx, jetstream.WithSubjectFilter(q.all+pattern))
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

// Tidy compares, for each consumer, the messages that the stream holds with the floor up to which all count as
// acknowledged. Killed servers of version 2.15 were seen to keep some of these.
func (q *queue) Tidy(ctx context.Context, lanes []string) error {
	if q.lanes != nil && lanes != nil {
		if err := q.leave(ctx, lanes); err != nil {
			return err
		}
	}
	consumers, err := q.consumers(ctx)
	if err != nil {
		return known(err)
	}
	var all []error
	for _, c := range consumers {
		all = append(all, q.tidy(ctx, c))
	}
	return errors.Join(all...)
}

// leave removes the messages of all lanes but these.
func (q *queue) leave(ctx context.Context, lanes []string) error {
	info, err := q.stream.Info(ctx, jetstream.WithSubjectFilter(q.all+">"))
	if err != nil {
		return known(err)
	}
	for subject := range info.State.Subjects {
		lane, _, _ := strings.Cut(strings.TrimPrefix(subject, strings.TrimSuffix(q.all, "*.")), ".")
		if lane == everybody {
			lane = ""
		}
		if !slices.Contains(lanes, lane) {
			if err := q.remove(ctx, subject); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q *queue) consumers(ctx context.Context) (list []*jetstream.ConsumerInfo, err error) {
	if q.lanes == nil {
		info, err := q.consumer.Info(ctx)
		return []*jetstream.ConsumerInfo{info}, err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	found := q.stream.ListConsumers(ctx)
	for info := range found.Info() {
		list = append(list, info)
	}
	return list, found.Err()
}

// tidy removes the messages of a consumer's lane that are before its floor of acknowledgements.
func (q *queue) tidy(ctx context.Context, c *jetstream.ConsumerInfo) error {
	var failed error
	var tried uint64 // what could not be removed
	for {
		first, err := q.stream.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(cmp.Or(c.Config.FilterSubject, q.all+">")))
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
			return nil
		case err != nil:
			return known(err)
		case first.Sequence > c.AckFloor.Stream:
			return nil
		case first.Sequence == tried:
			return known(failed)
		}
		if failed = q.stream.DeleteMsg(ctx, first.Sequence); failed != nil { // an error may mean that the message has just been removed
			tried = first.Sequence
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

// Ack does not wait for the server. If the acknowledgement is lost, the message is delivered again, which receivers
// must expect in any case.
func (m *message) Ack(context.Context) error { return m.msg.Ack() }

func (m *message) Return(delay time.Duration) error { return m.msg.NakWithDelay(delay) }
