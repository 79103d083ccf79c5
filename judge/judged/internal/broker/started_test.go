//go:build linux

package broker

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/store"
)

// TestStartedFull starts a server while another program has filled its disk. It says so, and takes what fits as soon
// as there is room.
func TestStartedFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("started", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("not checked: this user cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	e := Embedded{Dir: dir, Reserve: limits.MiB}
	first, err := Start(e)
	if err != nil {
		t.Fatal(err)
	}
	openStore(t, func() (*nats.Conn, error) { return first.Connect("") }, Options{})
	first.Shutdown()
	other := filepath.Join(dir, "other")
	f, err := os.Create(other)
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 20; size > 1<<18; { // the rest is room for one message or two
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, e)
	st := openStore(t, func() (*nats.Conn, error) { return s.Connect("") }, Options{})
	if err := s.Room(); !errors.Is(err, store.ErrFull) {
		t.Errorf("with a full disk: %v", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for i := 0; i < 12; <-pause.C {
		if s.Room() != nil {
			continue // a restart is due
		}
		if _, err = st.Blobs.Put(t.Context(), bytes.Repeat(fmt.Append(nil, i%10), 1<<20-i)); err == nil {
			i++
		} else if errors.Is(err, store.ErrFull) {
			t.Fatalf("after %d MiB of 24: %v", i, err)
		}
	}
}
