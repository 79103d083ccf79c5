package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"time"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// LogStore is a Store that keeps entries in a log, and answers from a copy in memory. All processes with the same
// log have the same entries. While [LogStore.Run] runs, Get sees changes by other processes a moment later.
type LogStore struct {
	records store.Log
	log     *slog.Logger

	mu       sync.Mutex
	entries  map[string]version // by id
	sequence uint64             // up to which the copy follows the log
}

// version is the state of an entry in one record.
type version struct {
	revision uint64
	entry    *Entry // nil if it was deleted
}

// NewLogStore returns a store with all entries that the log has now. It logs when it cannot follow the log.
func NewLogStore(ctx context.Context, records store.Log, log *slog.Logger) (*LogStore, error) {
	s := &LogStore{records: records, log: log, entries: map[string]version{}}
	if err := s.CatchUp(ctx); err != nil {
		return nil, fmt.Errorf("reading the tokens: %w", err)
	}
	return s, nil
}

// Run adds changes by other processes to the copy until ctx ends; then it returns nil. It waits for a log that is
// away. A record that is not an entry is an error, because the copy would miss revocations behind it.
func (s *LogStore) Run(ctx context.Context) error {
	err := s.follow(ctx, math.MaxUint64)
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("following the tokens: %w", err)
}

var errCaughtUp = errors.New("the copy has all records")

// CatchUp implements [Store]: it adds the records to the copy that are in the log now.
func (s *LogStore) CatchUp(ctx context.Context) error {
	last, err := s.records.Last(ctx)
	if err != nil || s.following() >= last {
		return err
	}
	if err = s.follow(ctx, last); errors.Is(err, errCaughtUp) {
		return nil
	}
	return err
}

// pause is how long to wait before trying again to follow a log.
const pause = 250 * time.Millisecond

// follow adds records to the copy. It returns errCaughtUp after the record with the sequence last, the error of
// ctx, or that of a record that is not an entry. If the log is away, it continues later behind the last record that
// it got.
func (s *LogStore) follow(ctx context.Context, last uint64) error {
	e := &retry.Effort{What: "following the tokens", Log: s.log, Pause: pause}
	for {
		var ended error
		err := s.records.Follow(ctx, s.following(), func(r store.Record) error {
			if ended = s.add(r); ended == nil && r.Sequence >= last {
				ended = errCaughtUp
			}
			e.Succeeded()
			return ended
		})
		if ended != nil {
			return ended
		}
		if err := e.After(ctx, err); err != nil {
			return err
		}
	}
}

func (s *LogStore) add(r store.Record) error {
	var e Entry
	if err := json.Unmarshal(r.Data, &e); err != nil {
		return fmt.Errorf("record %d is not an entry: %w", r.Sequence, err)
	}
	s.learn(r.Subject, r.Sequence, e)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sequence = max(s.sequence, r.Sequence)
	return nil
}

// following returns the sequence up to which the copy follows the log.
func (s *LogStore) following() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sequence
}

// learn adds a version of an entry to the copy, unless it has a newer one. A deleted one has no hash.
func (s *LogStore) learn(id string, revision uint64, e Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[id].revision >= revision {
		return
	}
	v := version{revision: revision}
	if e.Hash != "" {
		e.Revision = revision
		v.entry = &e
	}
	s.entries[id] = v
}

func (s *LogStore) version(id string) version {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id]
}

func (s *LogStore) Get(_ context.Context, id string) (Entry, error) {
	v := s.version(id)
	if v.entry == nil {
		return Entry{}, ErrNotFound
	}
	return v.entry.clone(), nil
}

func (s *LogStore) Put(ctx context.Context, e Entry) (uint64, error) {
	after := e.Revision
	if v := s.version(e.ID); after == 0 && v.entry == nil {
		after = v.revision
	}
	revision, err := s.append(ctx, e.ID, after, e)
	if errors.Is(err, store.ErrConflict) {
		return 0, ErrConflict
	}
	return revision, err
}

func (s *LogStore) append(ctx context.Context, id string, after uint64, e Entry) (uint64, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	var revision uint64
	tried := 0
	effort := &retry.Effort{What: "adding to the tokens", Log: s.log, Pause: pause}
	err = effort.Until(ctx, func() error {
		revision, err = s.records.Append(ctx, id, after, data)
		return err
	}, func(n int, err error) bool {
		tried = n
		return n == tries || errors.Is(err, store.ErrConflict) || store.IsFinal(err)
	})
	if tried > 1 && errors.Is(err, store.ErrConflict) && s.CatchUp(ctx) == nil { // an earlier try may have succeeded
		revision = s.version(id).revision
		if own, _ := store.Wrote(ctx, s.records, revision, data); own {
			err = nil
		}
	}
	if err == nil {
		s.learn(id, revision, e.clone())
	}
	return revision, err
}

// tries is how often a record is added while the outcome is unknown.
const tries = 3

func (s *LogStore) List(context.Context) (list []Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.entries {
		if v.entry != nil {
			list = append(list, v.entry.clone())
		}
	}
	return list, nil
}

// Delete implements [Store]. Nothing of the entry stays in the log but its id.
func (s *LogStore) Delete(ctx context.Context, id string) error {
	for {
		v := s.version(id)
		if v.entry == nil {
			return nil
		}
		_, err := s.append(ctx, id, v.revision, Entry{ID: id})
		if err == nil {
			return s.records.Forget(ctx, id)
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
		if err := s.CatchUp(ctx); err != nil {
			return err
		}
	}
}
