package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/trace"
)

// handOut hands out tasks as long as there are workers that can take them at once: a task that has been handed out
// cannot be overtaken any more.
func (l *leader) handOut(ctx context.Context) error {
	// In a fixed order, so that a simulation can be repeated.
	for _, m := range slices.SortedFunc(maps.Keys(l.split), func(a, b ledger.Member) int {
		return cmp.Or(strings.Compare(a.Submission, b.Submission), a.Judging-b.Judging)
	}) {
		if err := l.gather(ctx, m); err != nil {
			return err
		}
		delete(l.split, m)
	}
	l.handOutChecks()
	for id, h := range l.out.unpushed() { // checks, joins, and what could not be pushed before
		if !l.place(id, h) {
			continue // no worker can do it now
		}
		if err := l.push(ctx, id, h); err != nil {
			return err
		}
	}
	for {
		var list []*start
		for len(list) < atOnce {
			s := l.next()
			if s == nil {
				break
			}
			list = append(list, s)
		}
		if len(list) == 0 {
			return nil
		}
		err := l.begin(ctx, list)
		for _, s := range list { // tasks that are out have places of their own now
			l.out.in(s.lane).give(s.at, s.submitter)
		}
		if err != nil {
			return err
		}
	}
}

// handOutChecks hands out checks, but at most half as many as programs can run at a time: verifying a package can
// take long, and judgings must go on meanwhile.
func (l *leader) handOutChecks() {
	n := 0
	for range l.out.of("check") {
		n++
	}
	for ; n < max(1, l.slots()/2); n++ {
		v, ok := l.checks.Pop()
		if !ok {
			return
		}
		l.out.add(checkID(v), &handed{lane: unplaced, task: &task.Task{Part: task.Check, Attempt: v.Failures + 1, Problem: v.Problem, Version: v.ID, Archive: v.Archive, Quick: v.Quick, Within: l.o.Check}})
	}
}

// atOnce is how many judgings are handed out at a time, because each waits twice for the store.
const atOnce = 16

type start struct {
	candidate
	lane string
	at   place
	task *task.Task // nil if it has ended, or is done in parts
	err  error
}

// begin hands out judgings. After an error, those that are not out wait again.
func (l *leader) begin(ctx context.Context, list []*start) error {
	l.each(list, func(s *start) { s.task, s.err = l.ready(ctx, s.of) })
	for _, s := range list {
		if s.task != nil {
			s.task, s.err = l.whole(ctx, s)
		}
	}
	l.each(list, func(s *start) {
		if s.task != nil {
			s.err = l.send(ctx, wholeID(s.of), s.lane, s.task)
		}
	})
	var all []error
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, s := range list {
		switch {
		case s.err != nil:
			all = append(all, s.err)
			if sub := l.fold.Submissions[s.of.Submission]; sub != nil {
				l.hear(sub, s.of.Judging)
			}
		case s.task != nil:
			l.out.pushed(wholeID(s.of), l.o.Now())
		}
	}
	return errors.Join(all...)
}

// each calls do for all in list at the same time, or one by one in a simulation.
func (l *leader) each(list []*start, do func(*start)) {
	var calls sync.WaitGroup
	for _, s := range list {
		if l.o.Stepped {
			do(s)
		} else {
			calls.Go(func() { do(s) })
		}
	}
	calls.Wait()
}

// ready returns the task of a judging, nil if that has ended or ends now.
func (l *leader) ready(ctx context.Context, m ledger.Member) (*task.Task, error) {
	sub, j, version := l.state(m)
	if j == nil || j.Status != ledger.Waiting {
		return nil, nil
	}
	if sub.Problem != "" && sub.Problem != ledger.InlineProblem && (version == nil || !version.Usable) {
		return nil, l.refuse(ctx, sub, j, version)
	}
	if sub.Late(j, l.o.Now()) {
		return nil, l.Cancel(ctx, sub.ID, j.Number, l.o.Name, lateReason)
	}
	t, err := l.taskOf(ctx, sub, j, version)
	if err != nil {
		return nil, l.lost(ctx, sub, j, err)
	}
	return t, nil
}

// whole adds the task of a judging to those that are out, and returns it. If judging in parts is faster, it splits
// the judging instead and returns nil.
func (l *leader) whole(ctx context.Context, s *start) (*task.Task, error) {
	t := s.task
	sub, j, version := l.state(s.of)
	if j == nil || j.Status != ledger.Waiting { // it has ended since the task was made
		return nil, nil
	}
	if parts := l.parts(sub, j, version); parts != nil {
		return nil, l.update(ctx, sub.ID, func(now *ledger.Submission) (*ledger.Event, error) {
			if n := now.Judging(j.Number); n.Status != ledger.Waiting || n.Attempt != t.Attempt || n.Parts != nil {
				return nil, nil
			}
			return &ledger.Event{By: l.o.Name, Split: &ledger.Split{Judging: j.Number, Attempt: t.Attempt, Parts: parts}}, nil
		}) // its parts are handed out when the ledger has it
	}
	l.out.add(wholeID(s.of), &handed{task: t, lane: s.lane, at: s.at, submitter: s.submitter})
	return t, nil
}

// wholeID returns the id of the task of a judging as a whole.
func wholeID(m ledger.Member) string { return judgingID(m.Submission, m.Judging) + ".whole" }

// taskOf returns the task of judging a submission as a whole.
func (l *leader) taskOf(ctx context.Context, sub *ledger.Submission, j *ledger.Judging, v *ledger.Version) (*task.Task, error) {
	in, err := l.submitted(ctx, sub)
	if err != nil {
		return nil, err
	}
	t := &task.Task{
		Submission: sub.ID, Judging: j.Number, Attempt: j.Attempt, Part: task.Whole,
		Problem: sub.Problem, Version: j.Version, Name: in.Name, Language: in.Language, Source: in.Source,
		Input: in.Input, Args: in.Args, Options: in.Options, Limits: in.Limits, All: in.All, Trace: in.Trace,
	}
	switch {
	case in.Tests != nil:
		t.Archive = *in.Tests
	case v != nil:
		t.Archive = v.Archive
	}
	return t, nil
}

// lost holds a judging whose submission is gone from the ledger. If all its records are gone, not even that can be
// recorded: the judging then waits, but the others do not wait for it. It returns any other error.
func (l *leader) lost(ctx context.Context, sub *ledger.Submission, j *ledger.Judging, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	unheld := l.hold(ctx, sub, j, "what was handed in is gone: "+err.Error())
	if errors.Is(unheld, store.ErrConflict) {
		l.o.Log.Error("a submission is gone from the ledger", "submission", sub.ID, "error", errors.Join(err, unheld))
		return nil
	}
	return unheld
}

// submitted reads what was handed in: the state of a submission does not hold it.
func (s *Service) submitted(ctx context.Context, sub *ledger.Submission) (*ledger.Submitted, error) {
	r, err := s.recordAt(ctx, sub.First)
	if err != nil {
		return nil, fmt.Errorf("submission %s: record %d: %w", sub.ID, sub.First, err)
	}
	e, err := ledger.Decode(r)
	if err == nil && e.Submitted == nil {
		err = fmt.Errorf("record %d is not what was handed in", sub.First)
	}
	return e.Submitted, err
}

// push hands a task to the workers.
func (l *leader) push(ctx context.Context, id string, h *handed) error {
	err := l.send(ctx, id, h.lane, h.task)
	if err == nil {
		l.out.pushed(id, l.o.Now())
	}
	return err
}

// send puts a task into a lane of the queue of tasks. If the queue already has it, this service or another put it
// there before.
func (l *leader) send(ctx context.Context, id, lane string, t *task.Task) (err error) {
	t.Proof = l.proof(t.Key())
	sent := *t
	span := l.dispatch(t)
	sent.Trace = span.Context()
	defer func() { span.End(err) }()
	data, err := json.Marshal(sent)
	if err != nil {
		return err
	}
	queue, key := l.lanes[lane].queue, queueID(id, t.Attempt)
	err = queue.Push(ctx, key, data)
	if errors.Is(err, store.ErrConflict) { // perhaps in another lane, whose workers may be gone
		var here bool
		if here, err = queue.Has(ctx, key); err == nil && !here {
			if err = l.store.Work.Remove(ctx, key); err == nil {
				err = queue.Push(ctx, key, data)
			}
		}
	}
	if errors.Is(err, store.ErrLarge) { // and always will be, while others wait
		return l.giveUp(ctx, t, fmt.Sprintf("its task cannot be handed out: %v", err))
	}
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("handing out %s: %w", id, err)
	}
	return nil
}

// dispatch begins the span in which a task is handed out: it has waited since the judging did.
func (l *leader) dispatch(t *task.Task) *trace.Span {
	if l.o.Trace == nil {
		return nil
	}
	var since time.Time
	if _, j, _ := l.state(ledger.Member{Submission: t.Submission, Judging: t.Judging}); j != nil {
		since = j.Since
	}
	return l.o.Trace.BeginAt(since, t.Trace, "dispatch", "submission", t.Submission, "problem", t.Problem)
}

// queueID returns the id of a task in the queue. Another attempt is another task.
func queueID(id string, attempt int) string { return fmt.Sprintf("%s.a%d", id, attempt) }

// refuse ends a judging whose version of the problem cannot be judged. If the judge may be to blame, it holds the
// judging, which can be released when the version has been uploaded again.
func (l *leader) refuse(ctx context.Context, sub *ledger.Submission, j *ledger.Judging, v *ledger.Version) error {
	reason := fmt.Sprintf("problem %s@%.12s is unknown", sub.Problem, j.Version)
	if v != nil {
		reason = unusable(v)
	}
	if v == nil || !v.Failed {
		return l.Cancel(ctx, sub.ID, j.Number, l.o.Name, reason)
	}
	return l.hold(ctx, sub, j, reason+": "+strings.Join(v.Findings, "; "))
}

// hold holds a judging, unless it has changed meanwhile.
func (l *leader) hold(ctx context.Context, sub *ledger.Submission, j *ledger.Judging, reason string) error {
	return l.update(ctx, sub.ID, func(now *ledger.Submission) (*ledger.Event, error) {
		if n := now.Judging(j.Number); n.Status == ledger.Waiting && n.Attempt == j.Attempt {
			return l.failed(sub.ID, n, l.o.Name, reason, true), nil
		}
		return nil, nil
	})
}

// lateReason is the reason for cancelling a judging after its deadline.
const lateReason = "its deadline passed before it was judged"

// state returns a submission, one of its judgings, and the version of its problem, each nil if there is
// none.
func (s *Service) state(m ledger.Member) (*ledger.Submission, *ledger.Judging, *ledger.Version) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sub := s.fold.Submissions[m.Submission]
	if sub == nil {
		return nil, nil, nil
	}
	j := sub.Judging(m.Judging)
	if j == nil {
		return sub, nil, nil
	}
	return sub, j, s.fold.Versions[sub.Problem][j.Version]
}
