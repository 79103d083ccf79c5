package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// ended calls every method with a context that has ended.
func ended(t *testing.T, p place) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ref := store.RefOf(noise(40, 1<<20))
	post(t, p.Board, "ended.a", "x")
	for name, call := range map[string]func() error{
		"Log.Append":       func() error { _, err := p.Log.Append(ctx, "ended", 0, nil); return err },
		"Log.Follow":       func() error { return p.Log.Follow(ctx, 0, func(store.Record) error { return nil }) },
		"Log.Get":          func() error { _, err := p.Log.Get(ctx, 1); return err },
		"Log.Last":         func() error { _, err := p.Log.Last(ctx); return err },
		"Log.Forget":       func() error { return p.Log.Forget(ctx, "ended") },
		"Blobs.Put":        func() error { _, err := p.Blobs.Put(ctx, noise(40, 1<<20)); return err },
		"Blobs.Get":        func() error { _, err := p.Blobs.Get(ctx, ref); return err },
		"Blobs.Delete":     func() error { return p.Blobs.Delete(ctx, ref.Hash) },
		"Blobs.PutNamed":   func() error { return p.Blobs.PutNamed(ctx, "ended", nil) },
		"Blobs.GetNamed":   func() error { _, err := p.Blobs.GetNamed(ctx, "ended"); return err },
		"Queue.Push":       func() error { return p.Work.Push(ctx, "ended", nil) },
		"Queue.Pull":       func() error { _, err := p.Work.Pull(ctx); return err },
		"Queue.Remove":     func() error { return p.Work.Remove(ctx, "ended") },
		"Queue.Has":        func() error { _, err := p.Work.Has(ctx, "ended"); return err },
		"Queue.Len":        func() error { _, err := p.Work.Len(ctx); return err },
		"Queue.Lane":       func() error { _, err := p.Work.Lane(ctx, "ended"); return err },
		"Board.Post":       func() error { return p.Board.Post(ctx, "ended.a", nil) },
		"Board.Claim":      func() error { _, err := p.Board.Claim(ctx, "ended.b", "one"); return err },
		"Board.Withdraw":   func() error { return p.Board.Withdraw(ctx, "ended.a", "") },
		"Board.Withdraw 1": func() error { return p.Board.Withdraw(ctx, "ended.a", "one") },
		"Board.List":       func() error { _, err := p.Board.List(ctx, "ended"); return err },
		"Board.Keep":       func() error { _, err := p.Board.Keep(ctx, "ended", nil); return err },
	} {
		result := make(chan error, 1)
		go func() { result <- call() }()
		if err := receive(t, result, fmt.Sprint("end of ", name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
