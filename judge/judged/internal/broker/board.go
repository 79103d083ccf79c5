package broker

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// board is a stream whose messages disappear, and one whose messages stay. The last message of a key's subject is
// its entry; an empty message means that there is none.
type board struct {
	*broker
	passing, lasting   jetstream.Stream
	entries, keepsakes string // prefixes of subjects
}

func (b *broker) board(ctx context.Context) (store.Board, error) {
	passing, err := b.stream(ctx, "board", jetstream.StreamConfig{
		Retention: jetstream.LimitsPolicy, MaxMsgsPerSubject: 1, MaxAge: b.o.Presence,
	})
	if err != nil {
		return nil, err
	}
	// AllowDirect has the server look at the subject that is read, so that a user can have the right to read
	// one key and not another. What a replica does not have yet, Keep asks for again.
	lasting, err := b.stream(ctx, "settings", jetstream.StreamConfig{
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, AllowDirect: true,
	})
	return &board{b, passing, lasting, b.subject("board", ""), b.subject("settings", "")}, err
}

func (b *board) Post(ctx context.Context, key string, data []byte) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_, err := b.js.Publish(ctx, b.entries+key, data, jetstream.WithRetryAttempts(0))
	return known(err)
}

// entry returns the last message of a key, or nil.
func entry(ctx context.Context, s jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	m, err := s.GetLastMsgForSubject(ctx, subject)
	if err = known(err); errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return m, err
}

// claimTime is how long the requests of a claim, or of a kept setting, may take together.
const claimTime = 4 * patience

// Claim tries until the entry that it has read is still there when it writes its own.
func (b *board) Claim(ctx context.Context, key, holder string) (bool, error) {
	ctx, stop := context.WithTimeout(ctx, claimTime)
	defer stop()
	for {
		m, err := entry(ctx, b.passing, b.entries+key)
		if err != nil {
			return false, err
		}
		var after uint64
		if m != nil {
			if len(m.Data) > 0 && string(m.Data) != holder {
				return false, nil
			}
			after = m.Sequence
		}
		if _, err := b.publish(ctx, b.entries+key, after, []byte(holder)); !errors.Is(err, store.ErrConflict) {
			return err == nil, err
		}
	}
}

func (b *board) Withdraw(ctx context.Context, key, holder string) error {
	if holder == "" {
		return b.Post(ctx, key, nil)
	}
	m, err := entry(ctx, b.passing, b.entries+key)
	if err != nil || m == nil || string(m.Data) != holder {
		return err
	}
	_, err = b.publish(ctx, b.entries+key, m.Sequence, nil)
	if errors.Is(err, store.ErrConflict) { // it is another holder's now, or was claimed again
		return nil
	}
	return err
}

func (b *board) List(ctx context.Context, words string) (map[string][]byte, error) {
	info, err := b.passing.Info(ctx, jetstream.WithSubjectFilter(b.entries+words+".>"))
	if err != nil {
		return nil, known(err)
	}
	list := map[string][]byte{}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readsAtOnce)
	for subject := range info.State.Subjects {
		g.Go(func() error {
			m, err := entry(ctx, b.passing, subject)
			if m == nil || len(m.Data) == 0 { // it has disappeared meanwhile
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			list[strings.TrimPrefix(subject, b.entries)] = m.Data
			return nil
		})
	}
	return list, g.Wait()
}

// readsAtOnce is how many entries are read at a time: a thousand workers have an entry each.
const readsAtOnce = 16

func (b *board) Keep(ctx context.Context, key string, data []byte) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, claimTime)
	defer stop()
	for {
		if _, err := b.publish(ctx, b.keepsakes+key, 0, data); !errors.Is(err, store.ErrConflict) {
			return data, err
		}
		if m, err := entry(ctx, b.lasting, b.keepsakes+key); err != nil {
			return nil, err
		} else if m != nil {
			return m.Data, nil
		}
		if err := retry.Wait(ctx, undecidedPause); err != nil { // the other entry is still being written
			return nil, err
		}
	}
}

// signals are plain messages of NATS.
type signals struct {
	nc     *nats.Conn
	prefix string
}

func (b *broker) signals() store.Signals { return &signals{b.nc, b.subject("signal", "")} }

func (s *signals) Send(subject string, data []byte) error {
	return s.nc.Publish(s.prefix+subject, data)
}

func (s *signals) Listen(pattern string, each func(string, []byte)) (func(), error) {
	sub, err := s.nc.Subscribe(s.prefix+pattern, func(m *nats.Msg) { each(strings.TrimPrefix(m.Subject, s.prefix), m.Data) })
	if err != nil {
		return nil, err
	}
	return func() { _ = sub.Unsubscribe() }, nil
}
