package broker

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tribunal/judge/judged/internal/store"
)

// TestNoAnswer asks a server that takes every request and answers none, as if it died each time. A caller
// that has hours is told so nevertheless, and not that its time is over.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	server := start(t, Embedded{Dir: t.TempDir()})
	nc := connected(t, server)
	s := opened(t, nc, shortTimes(1))
	if err := server.running.Load().nats.DisableJetStream(); err != nil {
		t.Fatal(err)
	}
	if _, err := nc.Subscribe(">", func(*nats.Msg) {}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 24*time.Hour)
	defer stop()
	ref := store.RefOf([]byte("x"))
	var all sync.WaitGroup
	for name, ask := range map[string]func() error{
		"Open":           func() error { _, err := Open(ctx, nc, shortTimes(1)); return err },
		"Log.Append":     func() error { _, err := s.Log.Append(ctx, "a", 0, nil); return err },
		"Log.Get":        func() error { _, err := s.Log.Get(ctx, 1); return err },
		"Log.Last":       func() error { _, err := s.Log.Last(ctx); return err },
		"Log.Forget":     func() error { return s.Log.Forget(ctx, "a") },
		"Log.Follow":     func() error { return s.Log.Follow(ctx, 0, func(store.Record) error { return nil }) },
		"Blobs.Put":      func() error { _, err := s.Blobs.Put(ctx, []byte("x")); return err },
		"Blobs.Get":      func() error { _, err := s.Blobs.Get(ctx, ref); return err },
		"Blobs.Delete":   func() error { return s.Blobs.Delete(ctx, ref.Hash) },
		"Blobs.List":     func() error { _, err := s.Blobs.List(ctx, time.Now()); return err },
		"Blobs.PutNamed": func() error { return s.Blobs.PutNamed(ctx, "a", nil) },
		"Blobs.GetNamed": func() error { _, err := s.Blobs.GetNamed(ctx, "a"); return err },
		"Queue.Push":     func() error { return s.Work.Push(ctx, "a", nil) },
		"Queue.Remove":   func() error { return s.Work.Remove(ctx, "a") },
		"Queue.Has":      func() error { _, err := s.Work.Has(ctx, "a"); return err },
		"Queue.Len":      func() error { _, err := s.Work.Len(ctx); return err },
		"Queue.Lane":     func() error { _, err := s.Work.Lane(ctx, "a"); return err },
		"Board.Post":     func() error { return s.Board.Post(ctx, "a", nil) },
		"Board.Claim":    func() error { _, err := s.Board.Claim(ctx, "a", "b"); return err },
		"Board.Withdraw": func() error { return s.Board.Withdraw(ctx, "a", "") },
		"Board.List":     func() error { _, err := s.Board.List(ctx, "a"); return err },
		"Board.Keep":     func() error { _, err := s.Board.Keep(ctx, "a", nil); return err },
	} {
		all.Go(func() {
			if err := ask(); err == nil || ctx.Err() != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	all.Wait()
}
