package service

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
)

// callback asks to report the end of a submission. It waits in the queue of results, which only services read, so it
// survives them. Workers can write to that queue; the proof shows that a service wrote it.
type callback struct {
	Submission string `json:"submission"`
	URL        string `json:"url"`
	Proof      string `json:"proof"`
}

// callbackID begins the ids of callbacks in the queue.
const callbackID = "callback."

// senders is how many callbacks a service sends at a time. The other answerers are left for answers.
const senders = answerers / 4

func (s *Service) callbackProof(c callback) string {
	return s.proof("callback " + c.Submission + " " + c.URL)
}

// CallBack has the end of a submission reported to a URL, at least once unless that fails. A submission is reported to
// one URL only.
func (s *Service) CallBack(ctx context.Context, id, url string) error {
	c := callback{Submission: id, URL: url}
	c.Proof = s.callbackProof(c)
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := s.store.Results.Push(ctx, callbackID+id, data); !errors.Is(err, store.ErrConflict) {
		return err
	}
	return nil // it was pushed before, by an earlier try or a request with the same key
}

// Calls sets how a callback is sent, and how often it is tried. Until then they wait.
func (s *Service) Calls(tries int, send func(ctx context.Context, sub ledger.Submission, url string) error) {
	s.caller.Store(&caller{tries, send})
}

type caller struct {
	tries int
	send  func(ctx context.Context, sub ledger.Submission, url string) error
}

// call sends the callback of a message if its submission has ended, and hands it back if it has not.
func (s *Service) call(ctx context.Context, m store.Message) error {
	var c callback
	err := json.Unmarshal(m.Data(), &c)
	if err != nil || !hmac.Equal([]byte(c.Proof), []byte(s.callbackProof(c))) {
		s.metrics.Refused.Add(1)
		s.o.Log.Error("a callback is refused", "callback", m.ID(), "error", err)
		return m.Ack(ctx)
	}
	if err := s.CatchUp(ctx); err != nil {
		return errors.Join(err, m.Return(pause))
	}
	sub, err := s.find(c.Submission)
	if err != nil { // it was erased
		return m.Ack(ctx)
	}
	by, j := s.caller.Load(), sub.Counts()
	if by == nil || j == nil || j.Status == ledger.Waiting {
		return m.Return(min(time.Duration(m.Delivery())*pause, 10*time.Second))
	}
	if s.sending.Add(1) > senders {
		s.sending.Add(-1)
		return m.Return(pause)
	}
	defer s.sending.Add(-1)
	e := retry.Effort{What: "a callback", Log: s.o.Log, Pause: time.Second, Wait: s.o.Wait}
	err = e.Until(ctx, func() error {
		_ = m.Working()
		return by.send(ctx, *sub, c.URL)
	}, func(n int, _ error) bool { return n >= by.tries })
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), m.Return(pause))
	}
	if err != nil {
		s.o.Log.Warn("a callback is given up", "submission", c.Submission, "error", err)
	}
	return m.Ack(ctx)
}
