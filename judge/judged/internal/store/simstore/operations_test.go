package simstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

// operations are all operations: what they do, and how another actor sees their effect. Those without
// an effect only read.
var operations = []struct {
	op     string
	do     func(*store.Store) error
	effect func(*testing.T, *store.Store) bool
}{
	{"log.append", func(s *store.Store) error { _, err := s.Log.Append(ctx, "new", 0, nil); return err }, func(t *testing.T, s *store.Store) bool { return lastOf(t, s) == 3 }},
	{"tokens.append", func(s *store.Store) error { _, err := s.Tokens.Append(ctx, "new", 0, nil); return err }, func(_ *testing.T, s *store.Store) bool { return !missing(s.Tokens.Get(ctx, 1)) }},
	{"log.follow", func(s *store.Store) error { return idle(s.Log.Follow(ctx, 0, func(store.Record) error { return nil })) }, nil},
	{"log.get", func(s *store.Store) error { _, err := s.Log.Get(ctx, 1); return err }, nil},
	{"log.last", func(s *store.Store) error { _, err := s.Log.Last(ctx); return err }, nil},
	{"log.forget", func(s *store.Store) error { return s.Log.Forget(ctx, "old") }, func(_ *testing.T, s *store.Store) bool { return missing(s.Log.Get(ctx, 1)) }},
	{"blobs.put", func(s *store.Store) error { _, err := s.Blobs.Put(ctx, []byte("new")); return err }, func(_ *testing.T, s *store.Store) bool { return !missing(s.Blobs.Get(ctx, store.RefOf([]byte("new")))) }},
	{"blobs.get", func(s *store.Store) error { _, err := s.Blobs.Get(ctx, store.RefOf([]byte("old"))); return err }, nil},
	{"blobs.delete", func(s *store.Store) error { return s.Blobs.Delete(ctx, store.RefOf([]byte("old")).Hash) }, func(_ *testing.T, s *store.Store) bool { return missing(s.Blobs.Get(ctx, store.RefOf([]byte("old")))) }},
	{"blobs.list", func(s *store.Store) error { _, err := s.Blobs.List(ctx, time.Now()); return err }, nil},
	{"blobs.putnamed", func(s *store.Store) error { return s.Blobs.PutNamed(ctx, "new", nil) }, func(_ *testing.T, s *store.Store) bool { return !missing(s.Blobs.GetNamed(ctx, "new")) }},
	{"blobs.getnamed", func(s *store.Store) error { _, err := s.Blobs.GetNamed(ctx, "old"); return err }, nil},
	{"work.push", func(s *store.Store) error { return s.Work.Push(ctx, "new", nil) }, func(_ *testing.T, s *store.Store) bool { has, _ := s.Work.Has(ctx, "new"); return has }},
	{"results.push", func(s *store.Store) error { return s.Results.Push(ctx, "new", nil) }, func(_ *testing.T, s *store.Store) bool { has, _ := s.Results.Has(ctx, "new"); return has }},
	{"work.pull", func(s *store.Store) error { _, err := s.Work.Pull(ctx); return err }, func(_ *testing.T, s *store.Store) bool { _, err := s.Work.Pull(ctx); return errors.Is(err, ErrIdle) }},
	{"work.remove", func(s *store.Store) error { return s.Work.Remove(ctx, "old") }, func(_ *testing.T, s *store.Store) bool { has, _ := s.Work.Has(ctx, "old.1"); return !has }},
	{"work.has", func(s *store.Store) error { _, err := s.Work.Has(ctx, "old"); return err }, nil},
	{"work.len", func(s *store.Store) error { _, err := s.Work.Len(ctx); return err }, nil},
	{"work.lane", func(s *store.Store) error { _, err := s.Work.Lane(ctx, "a"); return err }, nil},
	{"work.tidy", func(s *store.Store) error { return s.Work.Tidy(ctx, nil) }, func(_ *testing.T, s *store.Store) bool { has, _ := s.Work.Has(ctx, "stranded"); return !has }},
	{"work.ack", func(s *store.Store) error { return pulled(s).Ack(ctx) }, func(_ *testing.T, s *store.Store) bool { has, _ := s.Work.Has(ctx, "old.1"); return !has }},
	{"work.return", func(s *store.Store) error { return pulled(s).Return(0) }, func(_ *testing.T, s *store.Store) bool { m, _ := s.Work.Pull(ctx); return m != nil }},
	{"work.working", func(s *store.Store) error { return pulled(s).Working() }, nil}, // see TestWorkingLater
	{"board.post", func(s *store.Store) error { return s.Board.Post(ctx, "a.new", nil) }, func(_ *testing.T, s *store.Store) bool { return posted(s, "a.new") }},
	{"board.claim", func(s *store.Store) error { _, err := s.Board.Claim(ctx, "a.new", "me"); return err }, func(_ *testing.T, s *store.Store) bool { return posted(s, "a.new") }},
	{"board.withdraw", func(s *store.Store) error { return s.Board.Withdraw(ctx, "a.old", "") }, func(_ *testing.T, s *store.Store) bool { return !posted(s, "a.old") }},
	{"board.list", func(s *store.Store) error { _, err := s.Board.List(ctx, "a"); return err }, nil},
	{"board.keep", func(s *store.Store) error { _, err := s.Board.Keep(ctx, "new", []byte("first")); return err }, func(_ *testing.T, s *store.Store) bool {
		kept, _ := s.Board.Keep(ctx, "new", []byte("second"))
		return string(kept) == "first"
	}},
	{"signals.send", func(s *store.Store) error { return s.Signals.Send("news", nil) }, nil}, // see TestSignals
	{"signals.listen", func(s *store.Store) error { _, err := s.Signals.Listen("news", nil); return err }, nil},
}

var ctx = context.Background()

func missing[T any](_ T, err error) bool { return errors.Is(err, store.ErrNotFound) }

// idle turns the end of what there is into success.
func idle(err error) error {
	if errors.Is(err, ErrIdle) {
		return nil
	}
	return err
}

func lastOf(t *testing.T, s *store.Store) uint64 {
	t.Helper()
	last, err := s.Log.Last(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return last
}

func pulled(s *store.Store) store.Message {
	m, err := s.Work.Pull(ctx)
	if err != nil {
		panic(err)
	}
	return m
}

func posted(s *store.Store, key string) bool {
	list, _ := s.Board.List(ctx, "a")
	_, there := list[key]
	return there
}

// furnished returns a world in which every operation finds something.
func furnished(t *testing.T) (*World, *clock) {
	t.Helper()
	w, c := simulation(1)
	s := w.Actor(nil).Store
	first, err1 := s.Log.Append(ctx, "old", 0, nil)
	_, err2 := s.Log.Append(ctx, "old", first, nil)
	_, err3 := s.Blobs.Put(ctx, []byte("old"))
	err4 := s.Work.Push(ctx, "stranded", nil)
	err5 := pulled(w.Actor(once("work.ack", Strand)).Store).Ack(ctx)
	err := errors.Join(err1, err2, err3, err4, err5, s.Blobs.PutNamed(ctx, "old", nil), s.Work.Push(ctx, "old.1", nil), s.Board.Post(ctx, "a.old", nil))
	if err != nil {
		t.Fatal(err)
	}
	return w, c
}
