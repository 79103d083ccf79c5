package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// times are short enough to wait for.
var times = storetest.Options{AckWait: time.Second, Presence: time.Second}

// start starts a server for a test.
func start(t *testing.T, e Embedded) *Server {
	t.Helper()
	s, err := Start(e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s
}

// connected returns a connection to a server, which ends with the test.
func connected(t *testing.T, s *Server) *nats.Conn {
	t.Helper()
	nc, err := s.Connect("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// openStore opens a store over a connection of its own.
func openStore(t *testing.T, connect func() (*nats.Conn, error), o Options) *store.Store {
	t.Helper()
	nc, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return opened(t, nc, o)
}

// opened opens a store over a connection.
func opened(t *testing.T, nc *nats.Conn, o Options) *store.Store {
	t.Helper()
	return storetest.Opened(t, func(ctx context.Context) (*store.Store, error) { return Open(ctx, nc, o) })
}

// prefixes makes the names of the stores that share a server.
var prefixes atomic.Int32

func shortTimes(replicas int) Options {
	return Options{
		Prefix: fmt.Sprint("test", prefixes.Add(1)), Replicas: replicas,
		AckWait: times.AckWait, Presence: times.Presence,
	}
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir()})
	storetest.Run(t, func(t *testing.T) func() *store.Store {
		o := shortTimes(1)
		return func() *store.Store {
			return openStore(t, func() (*nats.Conn, error) { return s.Connect("") }, o)
		}
	}, times)
}

// TestRestart restarts a server: everything is there, even what was delivered.
func TestRestart(t *testing.T) {
	t.Parallel()
	e, o, ctx := Embedded{Dir: t.TempDir()}, shortTimes(1), t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	first := start(t, e)
	s := openStore(t, func() (*nats.Conn, error) { return first.Connect("") }, o)
	var after uint64
	for i := range 3 {
		sequence, err := s.Log.Append(ctx, "submission.a", after, fmt.Append(nil, i))
		must(err)
		after = sequence
	}
	must(s.Log.Forget(ctx, "submission.a"))
	large := bytes.Repeat([]byte("large"), 100<<10)
	ref, err := s.Blobs.Put(ctx, large)
	must(err)
	must(s.Blobs.PutNamed(ctx, "snapshot", large))
	must(s.Work.Push(ctx, "one", []byte("data")))
	must(s.Results.Push(ctx, "two", []byte("data")))
	_, err = s.Work.Pull(ctx)
	must(err)
	_, err = s.Board.Keep(ctx, "secret", []byte("kept"))
	must(err)
	first.Shutdown()

	second := start(t, e)
	s = openStore(t, func() (*nats.Conn, error) { return second.Connect("") }, o)
	if last, err := s.Log.Last(ctx); err != nil || last != after {
		t.Errorf("the highest sequence is %d (%v), and was %d", last, err, after)
	}
	if r, err := s.Log.Get(ctx, after); err != nil || r.Subject != "submission.a" || string(r.Data) != "2" {
		t.Errorf("the last record is %+v, %v", r, err)
	}
	if _, err := s.Log.Get(ctx, after-1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a forgotten record: %v", err)
	}
	if _, err := s.Log.Append(ctx, "submission.a", 0, nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a subject is created again: %v", err)
	}
	if next, err := s.Log.Append(ctx, "submission.a", after, nil); err != nil || next != after+1 {
		t.Errorf("the next record got sequence %d, %v", next, err)
	}
	for _, tt := range []struct {
		why  string
		get  func() ([]byte, error)
		want []byte
	}{
		{"a blob", func() ([]byte, error) { return s.Blobs.Get(ctx, ref) }, large},
		{"a named one", func() ([]byte, error) { return s.Blobs.GetNamed(ctx, "snapshot") }, large},
		{"an entry that stays", func() ([]byte, error) { return s.Board.Keep(ctx, "secret", []byte("other")) }, []byte("kept")},
		{"a message that waits", func() ([]byte, error) { m, err := s.Results.Pull(ctx); must(err); return m.Data(), nil }, []byte("data")},
	} {
		if data, err := tt.get(); err != nil || !bytes.Equal(data, tt.want) {
			t.Errorf("%s: %d bytes, %v", tt.why, len(data), err)
		}
	}
	if err := s.Work.Push(ctx, "one", nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a delivered message is pushed again: %v", err)
	}
	if m, err := s.Work.Pull(ctx); err != nil || m.ID() != "one" || m.Delivery() != 2 {
		t.Errorf("the delivered message: %+v, %v", m, err)
	}
}

// TestAckWait opens a store twice, and expects that what was said first holds: a receiver that goes by the
// second would be taken for dead.
func TestAckWait(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir()})
	connect := func() (*nats.Conn, error) { return s.Connect("") }
	for _, said := range []time.Duration{3 * time.Second, time.Minute} {
		if st := openStore(t, connect, Options{AckWait: said}); st.Silence != 3*time.Second {
			t.Errorf("opened with %v: %v, want 3s", said, st.Silence)
		}
	}
}
