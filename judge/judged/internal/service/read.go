package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// ErrCutShort means that records at the beginning of the ledger are gone. The service itself never removes them.
var ErrCutShort = errors.New("the ledger has lost its beginning: its first record is gone, and no snapshot knows it " +
	"(hint: something else has removed records, such as nats stream purge; restore the streams from a backup)")

// awayError is an error of the store, which may only be away for a moment.
type awayError struct{ err error }

func (e *awayError) Error() string { return "reading the ledger: " + e.err.Error() }
func (e *awayError) Unwrap() error { return e.err }

// readPatiently is read, but waits for a store that is away.
func (s *Service) readPatiently(ctx context.Context) error {
	return s.effort("reading the ledger").Until(ctx, func() error { return s.read(ctx) }, func(n int, err error) bool {
		_, away := errors.AsType[*awayError](err)
		return !away || n == tries
	})
}

// read computes the present state from the ledger, beginning with the newest usable snapshot. It begins the ledger
// if there is none.
func (s *Service) read(ctx context.Context) error {
	last, err := s.store.Log.Last(ctx)
	if err != nil {
		return &awayError{err}
	}
	if last == 0 {
		_, err := s.append(ctx, ledger.Beginning, 0, &ledger.Event{By: s.o.Name, Began: &ledger.Began{}})
		if err != nil && !errors.Is(err, store.ErrConflict) {
			return &awayError{err}
		}
		last = 1
	}
	if err := s.restore(ctx); err != nil {
		return err
	}
	if err := s.whole(ctx); err != nil {
		return err
	}
	if s.o.Stepped || s.Sequence() >= last {
		return s.sync(ctx, last)
	}
	until, stop := context.WithCancel(ctx)
	defer stop()
	err = s.follow(until, func() {
		if s.Sequence() >= last {
			stop()
		}
	})
	if ctx.Err() == nil && until.Err() != nil {
		s.metrics.Failed.Store(0) // they failed before this service was started
		return nil
	}
	return err
}

// restore begins with the newest snapshot, unless that cannot be read, or belongs to another ledger: one that was
// restored from a backup since, and may have gone on differently.
func (s *Service) restore(ctx context.Context) error {
	data, err := s.store.Blobs.GetNamed(ctx, snapshotName)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil && !errors.Is(err, store.ErrDamaged):
		return &awayError{err}
	}
	var fold *ledger.Fold
	if err == nil {
		fold, err = ledger.Restore(data)
	}
	if err == nil {
		var r store.Record
		r, err = s.store.Log.Get(ctx, fold.Sequence)
		if err == nil && !fold.Mark.Is(r) {
			err = errors.New("it is another record")
		}
		if err != nil {
			err = fmt.Errorf("it ends with record %d: %w", fold.Sequence, err)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.o.Log.Warn("the snapshot is not used, so the whole ledger is read", "error", err)
		return nil
	}
	s.fold, s.waiting, s.ofOwner, s.holders, s.total, s.line = fold, map[string]int{}, map[string]int{}, map[string]int{}, 0, newLine()
	for _, sub := range fold.Submissions {
		s.count(sub, +1)
	}
	for _, m := range s.waitingSince() {
		s.lineUp(nil, fold.Submissions[m.Submission])
	}
	return nil
}

// late is how much later than another a server of a cluster may hear of a record of which the service knows.
const late = 10 * time.Millisecond

// recordAt reads a record that the service knows of. It is only not found if it was removed: the leading server may
// hear of it a moment later than the one from which the service has it.
func (s *Service) recordAt(ctx context.Context, sequence uint64) (store.Record, error) {
	for try := 1; ; try++ {
		r, err := s.store.Log.Get(ctx, sequence)
		if !errors.Is(err, store.ErrNotFound) {
			return r, err
		}
		last, e := s.store.Log.Last(ctx)
		if e != nil {
			return r, e
		}
		if last >= sequence {
			return s.store.Log.Get(ctx, sequence) // it may have come since it was not found
		}
		if try == tries {
			return r, err
		}
		if err := s.o.Wait(ctx, late); err != nil {
			return r, err
		}
	}
}

// whole returns an error unless the service can know the whole ledger. That is so if its first record is there, or
// if a snapshot covers what is missing and the last record of the snapshot is still there. The last record is never
// removed either.
func (s *Service) whole(ctx context.Context) error {
	for {
		last, err := s.store.Log.Last(ctx)
		if err != nil {
			return &awayError{err}
		}
		_, err = s.store.Log.Get(ctx, last)
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrNotFound) {
			return &awayError{err}
		}
		// It may have been erased, and a newer one have taken its place.
		if now, err := s.store.Log.Last(ctx); err == nil && now == last {
			return ErrCutShort
		}
	}
	_, err := s.store.Log.Get(ctx, 1)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, store.ErrNotFound):
		return &awayError{err}
	case s.Sequence() == 0:
		return ErrCutShort
	}
	s.o.Log.Error("records at the beginning of the ledger are gone: what was handed in there, and its results, cannot be read any more", "snapshot", s.Sequence())
	return nil
}
