package broker

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// patience is how long a request waits for its answer, even if its caller would wait longer. If a server dies, the
// request is lost and gets no answer; the caller may ask again.
const patience = 5 * time.Second

// streams makes and opens streams, and waits for each request no longer than patience.
type streams struct{ jetstream.JetStream }

func (s streams) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.JetStream.Stream(ctx, name)
}

func (s streams) CreateStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.JetStream.CreateStream(ctx, c)
}

func (s streams) UpdateStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.JetStream.UpdateStream(ctx, c)
}

// stream is a stream that waits for each request no longer than patience.
type stream struct{ jetstream.Stream }

func (s stream) Info(ctx context.Context, o ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.Info(ctx, o...)
}

func (s stream) GetMsg(ctx context.Context, sequence uint64, o ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.GetMsg(ctx, sequence, o...)
}

func (s stream) GetLastMsgForSubject(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.GetLastMsgForSubject(ctx, subject)
}

func (s stream) Purge(ctx context.Context, o ...jetstream.StreamPurgeOpt) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.Purge(ctx, o...)
}

func (s stream) DeleteMsg(ctx context.Context, sequence uint64) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.DeleteMsg(ctx, sequence)
}

func (s stream) Consumer(ctx context.Context, name string) (jetstream.Consumer, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.Consumer(ctx, name)
}

func (s stream) CreateConsumer(ctx context.Context, c jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.CreateConsumer(ctx, c)
}

func (s stream) UpdateConsumer(ctx context.Context, c jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return s.Stream.UpdateConsumer(ctx, c)
}
