package broker

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/store"
)

// TestRoom asks a server for more room than any disk has.
func TestRoom(t *testing.T) {
	t.Parallel()
	if err := start(t, Embedded{Dir: t.TempDir(), Reserve: 1}).Room(); err != nil {
		t.Errorf("one byte in reserve: %v", err)
	}
	if err := start(t, Embedded{Dir: t.TempDir(), Reserve: 1 << 60}).Room(); !errors.Is(err, store.ErrFull) {
		t.Errorf("%v in reserve: %v", limits.Bytes(1<<60), err)
	}
}

// TestFullDisk lets a server say that its disk is full, although it is not. It starts again, and its
// connections are made again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := start(t, Embedded{Dir: t.TempDir(), Listen: "127.0.0.1:0", Reserve: 1})
	stores := []*store.Store{
		openStore(t, func() (*nats.Conn, error) { return s.Connect("") }, Options{}),
		openStore(t, func() (*nats.Conn, error) { return Dial(s.URL(), "") }, Options{}),
	}
	before := s.running.Load()
	before.log.Errorf("writing a message: %v", syscall.ENOSPC)
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for ; s.running.Load() == before; <-pause.C {
		if err := s.Room(); !errors.Is(err, store.ErrFull) && s.running.Load() == before {
			t.Fatalf("room of a server whose disk was full: %v", err)
		}
	}
	if err := s.Room(); err != nil {
		t.Errorf("room after the restart: %v", err)
	}
	for _, st := range stores {
		last, err := st.Log.Last(t.Context())
		for ; err != nil && t.Context().Err() == nil; <-pause.C {
			last, err = st.Log.Last(t.Context())
		}
		if _, err := st.Log.Append(t.Context(), "a", last, nil); err != nil {
			t.Errorf("after the restart: %v", err)
		}
	}
}

// TestNotice gives messages of the server to the logger, which must find out whether the disk is full.
func TestNotice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		full      bool
	}{
		{"a write", "JetStream failed to store a msg on stream '$G > a': write blks/1.blk: no space left on device", true},
		{"a quota", "writing: disk quota exceeded", true},
		{"something else", "JetStream resource limits exceeded for server", false},
		{"the name of a user who was refused", `127.0.0.1:1234 - cid:5 - authentication error - User "no space left on device"`, false},
	} {
		var l logger
		if l.notice(tt.text); l.full.Load() != tt.full {
			t.Errorf("%s: full is %v, want %v", tt.why, !tt.full, tt.full)
		}
	}
}
