package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Errors of requests. Package web knows their status codes.
var (
	ErrUnknown = errors.New("no such thing")     // the id names nothing
	ErrState   = errors.New("not in this state") // the thing exists, but what is asked does not fit it
	ErrReused  = errors.New("the idempotency key was used for another request")
	ErrBusy    = errors.New("too many judgings wait") // ask again later
	ErrInvalid = errors.New("invalid request")
)

// tries bounds how often a change is tried again because others change the same state.
const tries = 20

// update changes a submission. decide returns the event that makes the change in the present state, or nil if there
// is nothing to do; it may be called several times. Whatever the store answers, the change happens at most once,
// because the event names the state that decide saw.
func (s *Service) update(ctx context.Context, id string, decide func(*ledger.Submission) (*ledger.Event, error)) error {
	var last error
	for range tries {
		sub, err := s.find(id)
		if err != nil {
			return err
		}
		e, err := decide(sub)
		if e == nil || err != nil {
			return err
		}
		sequence, err := s.append(ctx, ledger.SubmissionSubject(id), sub.Sequence, e)
		if err == nil {
			return s.sync(ctx, sequence)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if store.IsFinal(err) {
			return err
		}
		last = err // after a conflict as after an unknown outcome, look at the newest state
		if err := s.CatchUp(ctx); err != nil {
			last = err
			if err := s.o.Wait(ctx, pause); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("changing %s: %w", id, last)
}

func (s *Service) append(ctx context.Context, subject string, after uint64, e *ledger.Event) (uint64, error) {
	return s.store.Log.Append(ctx, subject, after, s.encode(e))
}

// encode returns the record of an event that happens now.
func (s *Service) encode(e *ledger.Event) []byte {
	e.At = s.Now().UTC().Round(time.Millisecond)
	return ledger.Encode(*e)
}

// mostBack is how far behind the ledger a clock may be without being believed. If time stood still for longer, a clock
// that was ahead for a moment would end a contest for everybody when it is set right.
const mostBack = 10 * time.Minute

// Now returns the time of the clock, but not one before the newest event: a clock that is set back a little reorders
// nothing, and begins no phase of a course again. A clock that is further behind is believed.
func (s *Service) Now() time.Time {
	now := s.o.Now()
	s.mu.RLock()
	latest := s.fold.Latest
	s.mu.RUnlock()
	if behind := latest.Sub(now); behind <= 0 {
		s.behind.Succeeded()
	} else if behind <= mostBack {
		return latest
	} else if _, log := s.behind.Failed(); log {
		s.o.Log.Error("the clock is far behind the ledger (hint: set it; what was handed in meanwhile has wrong times)", "error", fmt.Sprintf("it is %v behind", behind.Round(time.Second)))
	}
	return now
}

func (s *Service) find(id string) (*ledger.Submission, error) {
	sub := s.submission(id)
	if sub == nil || sub.Erased {
		return nil, fmt.Errorf("submission %s: %w", id, ErrUnknown)
	}
	return sub, nil
}

// submission returns the state of a submission, even if it was erased, nil if there is none.
func (s *Service) submission(id string) *ledger.Submission {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.fold.Submissions[id]
}

// Lately calls look. If that returns ErrUnknown, the thing may be so new that only another service knows it: Lately
// calls look once more when this service has read everything that is in the ledger now.
func (s *Service) Lately(ctx context.Context, look func() error) error {
	err := look()
	if !errors.Is(err, ErrUnknown) {
		return err
	}
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	return look()
}

// unread is the error for something that is in the ledger, but not in the part that this service could read: the
// server that says where the ledger ends may have been cut off, and know less.
func unread(subject string) error {
	return fmt.Errorf("%s is in the ledger, but cannot be read yet", subject)
}
