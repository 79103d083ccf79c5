package broker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tribunal/judge/judged/internal/store"
)

// kept are the streams with what cannot be found out again, in the order in which they are copied: what a record of
// the ledger refers to was stored before the record, so a copy of the blobs that is made later has it.
var kept = []string{"ledger", "tokens", "settings", "blobs"}

// Copy copies what cannot be found out again of the store of one connection to the server of another, which has no
// store. Services may use the first meanwhile: what is added after the copy has begun may be missing in it, and of what
// is erased a part may be there. The messages keep their sequences and times. The error wraps
// [store.ErrNotFound] if there is no store, and [store.ErrDamaged] if a message cannot be read.
func Copy(ctx context.Context, from, to *nats.Conn, prefix string) error {
	b := &broker{o: Options{Prefix: cmp.Or(prefix, usualPrefix)}}
	for _, name := range kept {
		if err := copyStream(ctx, from, to, b.name(name)); err != nil {
			return fmt.Errorf("copying stream %s: %w", b.name(name), err)
		}
	}
	return nil
}

// slow is how long a server may take for an answer: it reads a whole stream before the first piece of a snapshot.
const slow = 10 * time.Minute

// copyStream passes the pieces of a snapshot on to a restore, one at a time.
func copyStream(ctx context.Context, from, to *nats.Conn, name string) error {
	inbox := from.NewInbox()
	pieces, err := from.SubscribeSync(inbox)
	if err != nil {
		return err
	}
	defer func() { _ = pieces.Unsubscribe() }()
	var snapshot server.JSApiStreamSnapshotResponse
	err = ask(ctx, from, "$JS.API.STREAM.SNAPSHOT."+name, server.JSApiStreamSnapshotRequest{DeliverSubject: inbox, NoConsumers: true, CheckMsgs: true}, &snapshot)
	if err = errors.Join(err, refusal(snapshot.Error)); err != nil {
		return err
	}
	config := *snapshot.Config
	config.Replicas, config.Placement = 1, nil
	var restore server.JSApiStreamRestoreResponse
	err = ask(ctx, to, "$JS.API.STREAM.RESTORE."+name, server.JSApiStreamRestoreRequest{Config: config, State: *snapshot.State}, &restore)
	if err = errors.Join(err, refusal(restore.Error)); err != nil {
		return err
	}
	var created server.JSApiStreamCreateResponse
	for done := false; !done; {
		piece, err := next(ctx, pieces)
		if err != nil {
			return err
		}
		if done = len(piece.Data) == 0; done {
			if status := piece.Header.Get("Status"); status != "" && status != "204" {
				return fmt.Errorf("the snapshot ended early: %s %s", status, piece.Header.Get("Description"))
			}
		}
		if err := ask(ctx, to, restore.DeliverSubject, piece.Data, &created); err != nil {
			return err
		}
		if err := refusal(created.Error); err != nil {
			return err
		}
		if piece.Reply != "" {
			if err := piece.Respond(nil); err != nil {
				return err
			}
		}
	}
	if created.StreamInfo == nil {
		return errors.New("the restore did not end")
	}
	want, got := snapshot.State, created.State
	if got.LastSeq >= want.LastSeq && got.Msgs >= want.Msgs {
		return nil // what was added meanwhile may be in the copy, too
	}
	var now server.JSApiStreamInfoResponse
	err = ask(ctx, from, "$JS.API.STREAM.INFO."+name, []byte(nil), &now)
	if err = errors.Join(err, refusal(now.Error)); err != nil {
		return err
	}
	if erased := want.Msgs + now.State.LastSeq - want.LastSeq - now.State.Msgs; got.LastSeq < want.LastSeq || got.Msgs+erased < want.Msgs {
		return fmt.Errorf("%w: only %d of %d messages could be read", store.ErrDamaged, got.Msgs, want.Msgs)
	}
	return nil
}

// next returns the next message of a subscription, for which it waits as long as for an answer.
func next(ctx context.Context, s *nats.Subscription) (*nats.Msg, error) {
	ctx, stop := context.WithTimeout(ctx, slow)
	defer stop()
	return s.NextMsgWithContext(ctx)
}

// ask sends a request, in JSON unless it is bytes, and reads the answer, which may be empty.
func ask(ctx context.Context, nc *nats.Conn, subject string, question, answer any) error {
	data, plain := question.([]byte)
	if !plain {
		var err error
		if data, err = json.Marshal(question); err != nil {
			return err
		}
	}
	ctx, stop := context.WithTimeout(ctx, slow)
	defer stop()
	m, err := nc.RequestWithContext(ctx, subject, data)
	if err != nil || len(m.Data) == 0 {
		return err
	}
	return json.Unmarshal(m.Data, answer)
}

// refusal returns the error in an answer of JetStream.
func refusal(e *server.ApiError) error {
	switch {
	case e == nil:
		return nil
	case e.ErrCode == uint16(server.JSStreamNotFoundErr):
		return fmt.Errorf("%w: %w", store.ErrNotFound, e)
	case e.ErrCode == uint16(server.JSStreamSnapshotErrF):
		return fmt.Errorf("%w: %w", store.ErrDamaged, e)
	case e.ErrCode == noStore || e.ErrCode == noResources || e.ErrCode == noStorage:
		return fmt.Errorf("%w: %w", store.ErrFull, e)
	}
	return e
}

// Read returns the logs and the blobs of a store, and the number of records of its logs, to read them. It creates
// nothing. The error wraps [ErrIncomplete] if some streams are gone, and [store.ErrNotFound] if all are.
func Read(ctx context.Context, nc *nats.Conn, prefix string) (s *store.Store, records, tokens uint64, err error) {
	b, err := newBroker(nc, Options{Prefix: cmp.Or(prefix, usualPrefix)})
	if err == nil {
		err = b.complete(ctx)
	}
	if err != nil {
		return nil, 0, 0, err
	}
	s = &store.Store{}
	for _, each := range []struct {
		name  string
		log   *store.Log
		count *uint64
	}{{"ledger", &s.Log, &records}, {"tokens", &s.Tokens, &tokens}} {
		if *each.log, err = b.log(ctx, each.name); err != nil {
			return nil, 0, 0, opening(err)
		}
		*each.count = (*each.log).(*ledger).stream.CachedInfo().State.Msgs
	}
	contents, err := b.stream(ctx, "blobs", jetstream.StreamConfig{})
	s.Blobs = &blobs{broker: b, stream: contents, prefix: b.subject("blobs", "")}
	return s, records, tokens, opening(err)
}
