package broker

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/store"
)

// fill appends records of a subject until the log is full, checks that it stays as it is, and makes
// room.
func fill(t *testing.T, s *store.Store) {
	t.Helper()
	ctx, data := t.Context(), make([]byte, 1<<10)
	var after uint64
	add := func() (uint64, error) { return s.Log.Append(ctx, "fill", after, data) }
	for {
		sequence, err := add()
		if errors.Is(err, store.ErrFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		after = sequence
	}
	if after < 32 || after > 64 {
		t.Errorf("a log of 64 KiB is full after %d records of 1 KiB", after)
	}
	if _, err := add(); !errors.Is(err, store.ErrFull) {
		t.Errorf("another record: %v", err)
	}
	if last, err := s.Log.Last(ctx); err != nil || last != after {
		t.Errorf("the highest sequence is %d (%v), want %d", last, err, after)
	}
	if r, err := s.Log.Get(ctx, 1); err != nil || !bytes.Equal(r.Data, data) {
		t.Errorf("the first record: %d bytes, %v", len(r.Data), err)
	}
	if err := s.Log.Forget(ctx, "fill"); err != nil {
		t.Fatal(err)
	}
	if _, err := add(); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestFull(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir()})
	o := shortTimes(1)
	o.MaxBytes = 64 << 10
	fill(t, openStore(t, func() (*nats.Conn, error) { return s.Connect("") }, o))
}

// TestFullServer fills a server with blobs, up to the bound of its own settings.
func TestFullServer(t *testing.T) {
	t.Parallel()
	s, err := server.NewServer(&server.Options{
		DontListen: true, JetStream: true, StoreDir: filepath.Join(t.TempDir(), "nats"), NoSigs: true, JetStreamMaxStore: 4 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	st := openStore(t, func() (*nats.Conn, error) { return connect("", nats.InProcessServer(s)) }, shortTimes(1))
	for i := range 10 {
		if _, err = st.Blobs.Put(t.Context(), bytes.Repeat(fmt.Append(nil, i), 1<<20)); err != nil {
			break
		}
	}
	if !errors.Is(err, store.ErrFull) {
		t.Errorf("10 MiB in a server for 4: %v", err)
	}
	if _, err := st.Log.Append(t.Context(), "a", 0, make([]byte, 512<<10)); !errors.Is(err, store.ErrFull) {
		t.Errorf("a record in a full server: %v", err)
	}
}
