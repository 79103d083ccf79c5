package broker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
)

// blobs is a stream of the pieces of contents: piece i of a content is the message of the subject data.HASH.i. The
// server refuses to replace a message, so that writers of the same content help each other, and none can damage it.
//
// Contents with a name are in another stream, which workers cannot read. The message of the subject name.NAME
// points to the content of that name, which has the subjects data.NAME.BASE.HASH.i, where BASE is the sequence of
// the pointer that it replaces. So everything older than that pointer can be removed: the content to which it
// pointed, and the remains of writers that were killed.
type blobs struct {
	*broker
	stream, named jetstream.Stream
	prefix, names string // of subjects
}

// pieceSize is part of the format: pieces of other sizes do not fit together.
const pieceSize = 256 << 10

// pieces returns how many pieces a content has. An empty content has one, which says that it is there.
func pieces(size int64) int { return int(max(1, (size+pieceSize-1)/pieceSize)) }

func (b *broker) blobs(ctx context.Context) (store.Blobs, error) {
	s, err := b.stream(ctx, "blobs", jetstream.StreamConfig{
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
	})
	if err != nil {
		return nil, err
	}
	named, err := b.stream(ctx, "named", jetstream.StreamConfig{
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1,
	})
	return &blobs{b, s, named, b.subject("blobs", ""), b.subject("named", "")}, err
}

func (b *blobs) Put(ctx context.Context, data []byte) (store.Ref, error) {
	ref := store.RefOf(data)
	subject := b.prefix + "data." + ref.Hash
	info, err := b.stream.Info(ctx, jetstream.WithSubjectFilter(subject+".*"))
	if err != nil {
		return ref, known(err)
	}
	if len(info.State.Subjects) == pieces(ref.Size) {
		return ref, nil
	}
	return ref, b.write(ctx, subject, data)
}

// write stores the pieces of a content that are not there yet.
func (b *blobs) write(ctx context.Context, subject string, data []byte) error {
	for i := range pieces(int64(len(data))) {
		piece := data[i*pieceSize : min(len(data), (i+1)*pieceSize)]
		if _, err := b.publish(ctx, fmt.Sprint(subject, ".", i), 0, piece); err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return nil
}

func (b *blobs) Get(ctx context.Context, ref store.Ref) ([]byte, error) {
	return read(ctx, b.stream, b.prefix+"data."+ref.Hash, ref)
}

func read(ctx context.Context, s jetstream.Stream, subject string, ref store.Ref) ([]byte, error) {
	var data bytes.Buffer
	for i := range pieces(ref.Size) {
		m, err := s.GetLastMsgForSubject(ctx, fmt.Sprint(subject, ".", i))
		if err != nil {
			return nil, fmt.Errorf("blob %.12s: %w", ref.Hash, known(err))
		}
		data.Write(m.Data)
	}
	if err := ref.Check(data.Bytes()); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

func (b *blobs) Delete(ctx context.Context, hash string) error {
	return known(b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.prefix+"data."+hash+".*")))
}

// sizeHeader has the size of a message whose headers alone are delivered.
const sizeHeader = "Nats-Msg-Size"

// List reads the headers of the pieces in the order in which they were stored.
func (b *blobs) List(ctx context.Context, before time.Time) ([]store.Ref, error) {
	info, err := b.stream.Info(ctx)
	if err != nil || info.State.Msgs == 0 {
		return nil, known(err)
	}
	c, err := b.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckNonePolicy, HeadersOnly: true,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return nil, known(err)
	}
	sizes, young := map[string]int64{}, map[string]bool{}
	messages, err := c.Messages(jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return nil, known(err)
	}
	defer messages.Stop()
	for left := c.CachedInfo().NumPending; left > 0; left-- {
		wait, stop := context.WithTimeout(ctx, patience) // a server may not deliver what it has announced
		m, err := messages.Next(jetstream.NextContext(wait))
		stop()
		if err != nil {
			return nil, known(errors.Join(ctx.Err(), err))
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		hash, _, _ := strings.Cut(strings.TrimPrefix(m.Subject(), b.prefix+"data."), ".")
		size, err := strconv.ParseInt(m.Headers().Get(sizeHeader), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the size of a piece of blob %.12s: %w", hash, err)
		}
		sizes[hash] += size
		young[hash] = young[hash] || !meta.Timestamp.Before(before)
		left = min(left, meta.NumPending+1) // some may have been deleted meanwhile
	}
	var list []store.Ref
	for _, hash := range slices.Sorted(maps.Keys(sizes)) {
		if !young[hash] {
			list = append(list, store.Ref{Hash: hash, Size: sizes[hash]})
		}
	}
	return list, nil
}

// pointer is the message that names a content.
type pointer struct {
	Base uint64 `json:"base"`
	store.Ref
	sequence uint64 // of the message, 0 if there is none
}

func (b *blobs) pointer(ctx context.Context, name string) (p pointer, err error) {
	m, err := b.named.GetLastMsgForSubject(ctx, b.names+"name."+name)
	if err != nil {
		return p, known(err)
	}
	if err := json.Unmarshal(m.Data, &p); err != nil {
		return p, fmt.Errorf("the content named %s: %w", name, err)
	}
	p.sequence = m.Sequence
	return p, nil
}

func (b *blobs) PutNamed(ctx context.Context, name string, data []byte) error {
	contents := b.names + "data." + name + "."
	for n := 1; ; n++ {
		old, err := b.pointer(ctx, name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		next := pointer{Base: old.sequence, Ref: store.RefOf(data)}
		if err := b.write(ctx, fmt.Sprint(contents, next.Base, ".", next.Hash), data); err != nil {
			return err
		}
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		_, err = b.publish(ctx, b.names+"name."+name, old.sequence, text)
		switch {
		case errors.Is(err, store.ErrConflict) && n < fasterWriters: // another writer was faster; its content is the older one now
		case err != nil || old.sequence == 0:
			return err
		default:
			return known(b.named.Purge(ctx, jetstream.WithPurgeSubject(contents+">"), jetstream.WithPurgeSequence(old.sequence)))
		}
	}
}

// fasterWriters is how often in a row other writers may be faster before writing a named content is given up.
const fasterWriters = 10

func (b *blobs) GetNamed(ctx context.Context, name string) ([]byte, error) {
	p, err := b.pointer(ctx, name)
	for err == nil {
		var data []byte
		var now pointer
		if data, err = read(ctx, b.named, fmt.Sprint(b.names, "data.", name, ".", p.Base, ".", p.Hash), p.Ref); !errors.Is(err, store.ErrNotFound) {
			return data, err
		}
		// It was replaced while it was read, unless it is damaged.
		missing := err
		if now, err = b.pointer(ctx, name); now.sequence == p.sequence && err == nil {
			err = missing
		}
		p = now
	}
	return nil, err
}
