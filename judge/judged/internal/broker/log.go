package broker

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// ledger is a stream that keeps every message.
type ledger struct {
	*broker
	stream jetstream.Stream
	prefix string // of subjects
}

func (b *broker) log(ctx context.Context, name string) (store.Log, error) {
	s, err := b.stream(ctx, name, jetstream.StreamConfig{
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxBytes: b.o.MaxBytes,
	})
	return &ledger{b, s, b.subject(name, "")}, err
}

func (l *ledger) Append(ctx context.Context, subject string, after uint64, data []byte) (uint64, error) {
	return l.publish(ctx, l.prefix+subject, after, data)
}

// heartbeat is how often the server shows that it is there while a reader waits for messages. If two heartbeats are
// missing, the request for messages may have been lost: in a cluster, because the node that had it was stopped, or
// because it reached a node that did not know yet of a consumer that another had just made.
const heartbeat = time.Second

// errLost means that a consumer does not deliver what comes next.
var errLost = errors.New("records were lost on their way to a follower")

// errBehind means that a consumer delivers nothing although there is something. That can happen after a cluster was
// cut in two: its server sends heartbeats, but does not hear of new records.
var errBehind = errors.New("the server does not deliver records that are there")

// quiet is how long a follower waits for records before it asks whether there are any.
const quiet = 5 * time.Second

func (l *ledger) Follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	for {
		err := l.follow(ctx, from, func(r store.Record) error {
			from = r.Sequence
			return each(r)
		})
		if !errors.Is(err, jetstream.ErrNoHeartbeat) && !errors.Is(err, errLost) {
			return err
		}
	}
}

// follow reads through a consumer of its own, which the server forgets when it is not read from.
func (l *ledger) follow(ctx context.Context, from uint64, each func(store.Record) error) error {
	c, err := l.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from + 1, AckPolicy: jetstream.AckNonePolicy,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return known(err)
	}
	messages, err := c.Messages(jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return known(err)
	}
	defer messages.Stop()
	for next := uint64(1); ; next++ {
		m, err := l.next(ctx, messages, from)
		if err != nil {
			return known(errors.Join(ctx.Err(), err))
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if meta.Sequence.Consumer != next {
			return errLost
		}
		from = meta.Sequence.Stream
		record := store.Record{Sequence: from, Subject: strings.TrimPrefix(m.Subject(), l.prefix), Data: m.Data(), Time: meta.Timestamp}
		if err := each(record); err != nil {
			return err
		}
	}
}

// next waits for the message behind the sequence from.
func (l *ledger) next(ctx context.Context, messages jetstream.MessagesContext, from uint64) (jetstream.Msg, error) {
	for last := from; ; {
		wait, stop := context.WithTimeout(ctx, quiet)
		m, err := messages.Next(jetstream.NextContext(wait))
		stop()
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return m, err
		}
		if last > from { // since the last time
			return nil, errBehind
		}
		if now, err := l.Last(ctx); err == nil {
			last = now
		}
	}
}

func (l *ledger) Get(ctx context.Context, sequence uint64) (store.Record, error) {
	if sequence == 0 { // which the server refuses
		return store.Record{}, store.ErrNotFound
	}
	m, err := l.stream.GetMsg(ctx, sequence)
	if err != nil {
		return store.Record{}, known(err)
	}
	return store.Record{Sequence: m.Sequence, Subject: strings.TrimPrefix(m.Subject, l.prefix), Data: m.Data, Time: m.Time}, nil
}

// lease is how long after a leader has heard from most servers of its cluster no other can lead: they wait at least
// four seconds before they elect another (minElectionTimeout in the file raft.go of nats-server), and answer their
// leader at least every two.
const lease = 3 * time.Second

// errAlone means that the server that leads the log may have been cut off from the others, which may have elected
// another leader.
var errAlone = errors.New("the server that leads the log does not hear from the others")

// Last asks the server that leads the log, again and again while that server does not know whether it still leads:
// one that was cut off would answer with an older record.
func (l *ledger) Last(ctx context.Context) (uint64, error) {
	begin := time.Now()
	for {
		info, err := l.stream.Info(ctx)
		if err != nil {
			return 0, known(err)
		}
		if leads(info.Cluster) {
			return info.State.LastSeq, nil
		}
		if time.Since(begin) > patience {
			return 0, errAlone
		}
		if err := retry.Wait(ctx, 100*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

// leads reports whether a server that calls itself the leader certainly is: including itself, it has heard from
// most servers of its cluster within the lease. For a server that it never heard from, Active is 0 s.
func leads(c *jetstream.ClusterInfo) bool {
	if c == nil {
		return true // no cluster
	}
	heard := 1
	for _, r := range c.Replicas {
		if r.Active > 0 && r.Active <= lease {
			heard++
		}
	}
	return 2*heard > len(c.Replicas)+1
}

func (l *ledger) Forget(ctx context.Context, subject string) error {
	if err := plain(subject); err != nil {
		return err
	}
	return known(l.stream.Purge(ctx, jetstream.WithPurgeSubject(l.prefix+subject), jetstream.WithPurgeKeep(1)))
}
