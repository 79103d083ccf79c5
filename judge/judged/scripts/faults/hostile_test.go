package faults

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// villain is a worker that does with its tasks whatever an honest service can notice: a wrong verdict
// for a task that it was given is not among that, and so it gives none before the right one counts.
type villain struct {
	store *store.Store
	actor *actor

	mu     sync.Mutex
	ended  map[string]chan struct{} // by submission; closed when it has its verdict
	played int                      // tricks so far
	victim task.Task                // a task that has no answer yet
}

func newVillain(st *store.Store, a *actor) *villain {
	return &villain{store: st, actor: a, ended: map[string]chan struct{}{}}
}

func (v *villain) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return v.follow(ctx) })
	for range v.actor.host.Slots {
		g.Go(func() error {
			for ctx.Err() == nil {
				if err := v.play(ctx); err != nil && ctx.Err() == nil {
					logger().Warn("a trick failed", "error", err)
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// follow learns which submissions have their verdicts.
func (v *villain) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		_ = v.store.Log.Follow(ctx, 0, func(r store.Record) error {
			e, err := ledger.Decode(r)
			if id, ok := ledger.SubmissionOf(r.Subject); ok && err == nil && e.Ended != nil {
				select {
				case <-v.end(id):
				default:
					close(v.end(id))
				}
			}
			return err
		})
	}
	return ctx.Err()
}

// end returns a channel that is closed when a submission has its verdict.
func (v *villain) end(id string) chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended[id] == nil {
		v.ended[id] = make(chan struct{})
	}
	return v.ended[id]
}

// play takes a task and plays a trick with it.
func (v *villain) play(ctx context.Context) error {
	m, err := v.store.Work.Pull(ctx)
	if err != nil {
		return err
	}
	var t task.Task
	if err := json.Unmarshal(m.Data(), &t); err != nil {
		return err
	}
	if t.Part != task.Whole {
		return v.swallow(ctx, m, &t)
	}
	tricks := []func(context.Context, store.Message, *task.Task) error{v.late, v.forge, v.twice, v.flood, v.babble, v.swallow}
	v.mu.Lock()
	trick := tricks[v.played%len(tricks)]
	v.played++
	v.mu.Unlock()
	return trick(ctx, m, &t)
}

// swallow takes a task out of the queue without an answer.
func (v *villain) swallow(ctx context.Context, m store.Message, _ *task.Task) error {
	return m.Ack(ctx)
}

// twice answers rightly, and wrongly as soon as the right answer counts.
func (v *villain) twice(ctx context.Context, m store.Message, t *task.Task) error {
	a, err := v.actor.Perform(ctx, t, func(any) {})
	if err != nil {
		return m.Return(0)
	}
	if err := v.send(ctx, v.complete(a, t)); err != nil {
		return err
	}
	if err := m.Ack(ctx); err != nil {
		return err
	}
	return v.lie(ctx, t)
}

// late keeps a task until another worker has done it, and then answers wrongly.
func (v *villain) late(ctx context.Context, m store.Message, t *task.Task) error {
	v.mu.Lock()
	v.victim = *t
	v.mu.Unlock()
	if err := v.lie(ctx, t); err != nil {
		return err
	}
	return m.Ack(ctx)
}

// lie answers wrongly when a judging has ended.
func (v *villain) lie(ctx context.Context, t *task.Task) error {
	select {
	case <-v.end(t.Submission):
	case <-time.After(4 * ackWait):
	case <-ctx.Done():
	}
	select {
	case <-v.end(t.Submission):
		return v.send(ctx, v.wrong(t))
	default:
		return ctx.Err()
	}
}

// forge answers for another submission, with the proof of its own task.
func (v *villain) forge(ctx context.Context, m store.Message, t *task.Task) error {
	v.mu.Lock()
	victim := v.victim
	v.mu.Unlock()
	if victim.Proof == t.Proof { // the victim was delivered again, so this would be its own answer
		return m.Return(0)
	}
	a := v.wrong(&victim)
	a.Proof = t.Proof
	return errors.Join(v.send(ctx, a), m.Return(0))
}

// flood answers with more than an event of the ledger can hold.
func (v *villain) flood(ctx context.Context, m store.Message, t *task.Task) error {
	a := v.wrong(t)
	a.Result.Inline = make([]byte, 700<<10)
	if err := v.send(ctx, a); err != nil {
		return err
	}
	return m.Ack(ctx)
}

// babble sends what is no answer.
func (v *villain) babble(ctx context.Context, m store.Message, t *task.Task) error {
	return errors.Join(
		v.store.Results.Push(ctx, "babble."+rand.Text(), []byte(strings.Repeat("{", 1000))),
		v.store.Results.Push(ctx, "babble."+rand.Text(), fmt.Appendf(nil, `{"submission":%q,"part":-9,"judging":-1}`, t.Submission)),
		m.Return(0),
	)
}

// complete fills in whose answer it is.
func (v *villain) complete(a *task.Answer, t *task.Task) *task.Answer {
	a.Submission, a.Judging, a.Attempt, a.Part = t.Submission, t.Judging, t.Attempt, t.Part
	a.Problem, a.Version, a.Proof, a.Worker = t.Problem, t.Version, t.Proof, v.actor.host.Worker
	return a
}

// wrong returns an answer with a verdict that no script has.
func (v *villain) wrong(t *task.Task) *task.Answer {
	return v.complete(&task.Answer{Summary: &ledger.Summary{Verdict: verdict.SV, Cause: "a lie"}, Result: store.RefOf(nil)}, t)
}

func (v *villain) send(ctx context.Context, a *task.Answer) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return v.store.Results.Push(ctx, "trick."+rand.Text(), data)
}
