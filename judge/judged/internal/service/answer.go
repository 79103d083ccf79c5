package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// proof returns what the answer to a task must repeat. Only a worker that was given the task knows it, so no worker
// can answer for another. All deliveries of a task have the same proof: whichever answer comes first counts.
func (s *Service) proof(key string) string {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(key))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// answer takes an answer from the queue of results.
func (s *Service) answer(ctx context.Context) error {
	m, err := s.store.Results.Pull(ctx)
	if err != nil {
		return err
	}
	return s.Take(ctx, m)
}

// Take writes a worker's answer into the ledger and acknowledges it. An answer that is not valid, or
// comes too late, has no effect. After an error, the answer is delivered again.
func (s *Service) Take(ctx context.Context, m store.Message) (err error) {
	if strings.HasPrefix(m.ID(), callbackID) {
		return s.call(ctx, m)
	}
	var a task.Answer
	err = json.Unmarshal(m.Data(), &a)
	if err == nil {
		err = s.valid(&a, len(m.Data()))
	}
	if err != nil {
		s.metrics.Refused.Add(1)
		s.o.Log.Error("an answer is refused", "answer", m.ID(), "worker", fmt.Sprintf("%.64s", a.Worker), "error", err)
		return m.Ack(ctx)
	}
	span := s.o.Trace.Begin(a.Trace, "answer", "submission", a.Submission, "problem", a.Problem, "worker", a.Worker)
	defer func() { span.End(err) }()
	if a.Lacks != nil {
		if err = s.lacking(ctx, &a); err != nil {
			return errors.Join(err, m.Return(pause))
		}
		return m.Ack(ctx)
	}
	err = s.record(ctx, &a)
	if isLate(err) { // the answer may be about a record that this service has not read yet
		if err = s.CatchUp(ctx); err == nil {
			err = s.record(ctx, &a)
		}
	}
	switch {
	case isLate(err):
		s.metrics.Stale.Add(1)
	case err != nil:
		return errors.Join(err, m.Return(min(pause<<min(m.Delivery()-1, 10), time.Minute)))
	}
	return m.Ack(ctx)
}

// maxName bounds the names of workers in bytes: every judging and many lines of the log contain one.
const maxName = 255

// maxAnswer bounds the size of an answer in bytes, so that it fits into a record. Large results are
// blobs.
const maxAnswer = 256 << 10

// valid returns an error unless an answer of this size comes from a worker that was given the task, and everything
// it refers to can be read.
func (s *Service) valid(a *task.Answer, size int) error {
	if size > maxAnswer {
		return fmt.Errorf("it has %d bytes, and an answer has at most %d", size, maxAnswer)
	}
	if len(a.Worker) > maxName {
		return fmt.Errorf("the name of its worker has %d bytes, and a name has at most %d", len(a.Worker), maxName)
	}
	if !hmac.Equal([]byte(a.Proof), []byte(s.proof(a.Key()))) {
		return errors.New("its proof is wrong")
	}
	if a.Summary != nil || a.Part >= 0 && a.Error == "" {
		return a.Result.Valid()
	}
	return nil
}

// errLate means that an answer is not to the present attempt.
var errLate = errors.New("the attempt is over")

// isLate reports whether an error means that nothing waits for an answer (any more).
func isLate(err error) bool {
	return errors.Is(err, errLate) || errors.Is(err, ErrUnknown) || errors.Is(err, ErrState)
}

// record adds what an answer says to the ledger. If the answer is not to the present attempt, the error satisfies
// isLate.
func (s *Service) record(ctx context.Context, a *task.Answer) error {
	if a.Part == task.Check {
		return s.recordCheck(ctx, a)
	}
	return s.update(ctx, a.Submission, func(sub *ledger.Submission) (*ledger.Event, error) {
		j := sub.Judging(a.Judging)
		if j == nil || j.Status != ledger.Waiting || j.Attempt != a.Attempt {
			return nil, errLate
		}
		switch {
		case a.Error != "":
			return s.failed(sub.ID, j, a.Worker, a.Error, false), nil
		case a.Part < 0 && a.Summary != nil:
			return &ledger.Event{By: a.Worker, Ended: &ledger.Ended{Judging: a.Judging, Attempt: a.Attempt, Summary: *a.Summary, Result: a.Result}}, nil
		case a.Part < 0 || a.Part >= len(j.Results) || j.Results[a.Part].Ref.Hash != "":
			return nil, errLate
		}
		return &ledger.Event{By: a.Worker, Part: &ledger.Part{Judging: a.Judging, Attempt: a.Attempt, Part: a.Part, Decides: a.Decides, Result: a.Result}}, nil
	})
}

// failed returns the event that the present attempt of a judging has failed. The last attempt of a series holds the
// judging; with held set, this one does.
func (s *Service) failed(id string, j *ledger.Judging, by, reason string, held bool) *ledger.Event {
	held = held || j.Attempt-j.Series >= s.o.Attempts
	if held {
		s.o.Log.Error("a judging is held", "submission", id, "judging", j.Number, "error", reason)
	}
	return &ledger.Event{By: by, Failed: &ledger.Failed{Judging: j.Number, Attempt: j.Attempt, Error: reason, Held: held}}
}

// Cancel ends a judging that waits or is held. The error wraps ErrState if it has ended before.
func (s *Service) Cancel(ctx context.Context, id string, number int, by, reason string) error {
	err := s.update(ctx, id, func(sub *ledger.Submission) (*ledger.Event, error) {
		j := sub.Judging(number)
		switch {
		case j == nil:
			return nil, fmt.Errorf("judging %d of %s: %w", number, id, ErrUnknown)
		case j.Status == ledger.Dropped:
			return nil, nil
		case j.Status == ledger.Done:
			return nil, fmt.Errorf("judging %d of %s is done: %w", number, id, ErrState)
		}
		return &ledger.Event{By: by, Cancelled: &ledger.Cancelled{Judging: number, Reason: reason}}, nil
	})
	if err == nil {
		_ = s.store.Work.Remove(ctx, judgingID(id, number))
		_ = s.store.Signals.Send(StopSignal+"."+judgingID(id, number), nil)
	}
	return err
}

// Release lets a judging that is held wait again. The error wraps ErrState if it is not held.
func (s *Service) Release(ctx context.Context, id string, number int, by string) error {
	return s.update(ctx, id, func(sub *ledger.Submission) (*ledger.Event, error) {
		j := sub.Judging(number)
		if j == nil {
			return nil, fmt.Errorf("judging %d of %s: %w", number, id, ErrUnknown)
		}
		if j.Status != ledger.Held {
			return nil, fmt.Errorf("judging %d of %s is not held, but %s: %w", number, id, j.Status, ErrState)
		}
		return &ledger.Event{By: by, Released: &ledger.Released{Judging: number}}, nil
	})
}
