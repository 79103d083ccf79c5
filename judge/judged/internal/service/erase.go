package service

import (
	"context"
	"errors"
	"fmt"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Erase removes everything about a submission but the fact that it existed: its records, and blobs that nothing
// else refers to. The caller then calls Snapshot, because older snapshots contain it. Erasing again completes what
// an error interrupted; the error then wraps ErrUnknown.
func (s *Service) Erase(ctx context.Context, id, by string) error {
	if err := s.CatchUp(ctx); err != nil { // what was handed in before is erased, wherever that was
		return err
	}
	var blobs []store.Ref
	err := s.update(ctx, id, func(sub *ledger.Submission) (*ledger.Event, error) {
		blobs = sub.Blobs
		return &ledger.Event{By: by, Erased: &ledger.Erased{}}, nil
	})
	if errors.Is(err, ErrUnknown) {
		return errors.Join(err, s.forget(ctx, id))
	}
	if err != nil {
		return err
	}
	_ = s.store.Work.Remove(ctx, id)
	_ = s.store.Signals.Send(StopSignal+"."+id, nil)
	if err := s.forget(ctx, id); err != nil {
		return err
	}
	for _, ref := range blobs {
		if _, err := s.free(ctx, ref, s.inUse); err != nil {
			return fmt.Errorf("erasing a blob of %s: %w", id, err)
		}
	}
	return nil
}

// forget removes the records of an erased submission. The service that erased it may have died before it did so.
func (s *Service) forget(ctx context.Context, id string) error {
	s.mu.RLock()
	sub := s.fold.Submissions[id]
	s.mu.RUnlock()
	if sub == nil || !sub.Erased {
		return nil
	}
	if err := s.store.Log.Forget(ctx, ledger.SubmissionSubject(id)); err != nil {
		return fmt.Errorf("erasing %s: %w", id, err)
	}
	return nil
}

// free removes a blob that is not needed, and reports whether it did. If the same content is handed in at this
// moment, its service stores it before the ledger says so, and checks afterwards that it is still there
// ([Service.restow]); if that was too early, free notices it in the ledger and stores the content again.
func (s *Service) free(ctx context.Context, ref store.Ref, needed func(context.Context, store.Ref) (bool, error)) (bool, error) {
	if is, err := needed(ctx, ref); is || err != nil {
		return false, err
	}
	data, unreadable := s.store.Blobs.Get(ctx, ref)
	if err := s.store.Blobs.Delete(ctx, ref.Hash); err != nil {
		return false, err
	}
	is, err := needed(ctx, ref)
	if unreadable == nil && (is || err != nil) {
		_, e := s.store.Blobs.Put(ctx, data)
		return false, errors.Join(err, e)
	}
	return true, err
}

// inUse reports whether a submission or a problem has a blob.
func (s *Service) inUse(ctx context.Context, ref store.Ref) (bool, error) {
	if err := s.CatchUp(ctx); err != nil {
		return false, err
	}
	return s.has(ref.Hash), nil
}

// wanted reports whether a blob is in use, or may be soon, because it was stored lately.
func (s *Service) wanted(ctx context.Context, ref store.Ref) (bool, error) {
	if is, err := s.inUse(ctx, ref); is || err != nil {
		return is, err
	}
	return s.hasLately(ctx, func(day int64) []byte { return s.mark(ref, day) })
}

// restow stores the content of an event in the ledger again if it is gone: another service may have removed it
// before the ledger referred to it.
func (s *Service) restow(ctx context.Context, ref *store.Ref, data []byte) {
	if ref == nil || ref.Inline != nil || ref.Size == 0 {
		return
	}
	if _, err := s.store.Blobs.Put(ctx, data); err != nil {
		s.o.Log.Warn("a blob may be missing", "blob", ref.Hash, "error", err)
	}
}

// has reports whether a submission or a problem has a blob, as far as the service knows.
func (s *Service) has(hash string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.holders[hash] > 0 {
		return true
	}
	for _, versions := range s.fold.Versions {
		if versions[hash] != nil {
			return true
		}
		for _, v := range versions {
			if v.Page != nil && v.Page.Hash == hash {
				return true
			}
		}
	}
	return false
}

// EraseSubmitter erases all submissions of a submitter, and returns how many there were.
func (s *Service) EraseSubmitter(ctx context.Context, submitter, by string) (n int, err error) {
	if err := s.CatchUp(ctx); err != nil {
		return 0, err
	}
	defer func() {
		if n > 0 {
			err = errors.Join(err, s.Snapshot(ctx))
		}
	}()
	for _, sub := range s.List(func(sub *ledger.Submission) bool { return sub.Submitter == submitter }, "", 1<<30) {
		if err := s.Erase(ctx, sub.ID, by); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
