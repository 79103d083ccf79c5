package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"tribunal/judge/judged/internal/fair"
	"tribunal/judge/judged/internal/ledger"
)

// leaderKey is the entry of the board that the leader claims.
const leaderKey = "leader"

// quantum is the share of each owner, and of each of an owner's submitters, in a round of the fair queue. A judging
// of unknown cost counts as usual.
const (
	quantum   = time.Second
	usualCost = time.Second
)

// leader decides which judging is next. Everything it knows can be found out again.
type leader struct {
	*Service
	queue   *fair.Queue[candidate]
	checks  *fair.Queue[*ledger.Version] // versions that wait for their check, by who uploaded them
	blocked map[string][]ledger.Member   // by problem and version: judgings that wait for its check
	out     *outbox                      // tasks that workers have or can take
	split   map[ledger.Member]bool       // judgings in parts, of which something has changed
	lanes   map[string]*lane             // of the workers, by name; "" is always there
	learned map[string]map[string]bool   // languages that tasks of a judging, or of a version, turned out to need
	looked  time.Time                    // when the workers were listed
	swept   time.Time                    // when tasks and deadlines were last looked after
	counted uint64                       // the sequence at which the last snapshot was made
	cleanup cleanup
}

// leads makes this service lead whenever no other does, until ctx ends.
func (s *Service) leads(ctx context.Context) error {
	tick := time.NewTicker(s.o.Tick)
	defer tick.Stop()
	e := s.effort("leading")
	for {
		_ = e.After(ctx, s.Lead(ctx)) // what has to be done when ctx ends is below
		select {
		case <-tick.C:
		case <-s.wake:
		case <-ctx.Done():
			// Another service can lead at once, and begin with all that this one knew.
			if s.lead != nil {
				_ = briefly(ctx, s.Snapshot)
				_ = briefly(ctx, func(end context.Context) error { return s.store.Board.Withdraw(end, leaderKey, s.o.Name) })
			}
			return ctx.Err()
		}
	}
}

// briefly calls do with a context that outlives ctx by two seconds at most.
func briefly(ctx context.Context, do func(context.Context) error) error {
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer stop()
	return do(end)
}

// Lead does what the leader has to do now, if this service leads. It is not safe for concurrent use;
// Run calls it.
func (s *Service) Lead(ctx context.Context) error {
	if err := s.claim(ctx); err != nil || s.lead == nil {
		return err
	}
	l := s.lead
	l.listen()
	return errors.Join(l.sweep(ctx), l.handOut(ctx), l.clean(ctx))
}

// claim renews the claim of this service, or finds out whether it may lead now.
func (s *Service) claim(ctx context.Context) error {
	if s.lead != nil && s.o.Now().Sub(s.lead.looked) < s.o.Tick {
		return nil // claimed a moment ago
	}
	leads, err := s.store.Board.Claim(ctx, leaderKey, s.o.Name)
	if err != nil || !leads {
		s.resign()
		return err
	}
	if s.lead == nil {
		if err := s.take(ctx); err != nil {
			s.resign()
			return err
		}
	}
	s.lead.looked = s.o.Now()
	return s.lead.look(ctx)
}

func (s *Service) resign() {
	s.lead = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leading, s.news = false, nil
}

// take makes this service the leader, which begins with everything that waits.
func (s *Service) take(ctx context.Context) error {
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	l := &leader{Service: s, queue: fair.New[candidate](quantum), checks: fair.New[*ledger.Version](quantum), blocked: map[string][]ledger.Member{}, out: newOutbox(), split: map[ledger.Member]bool{}, learned: map[string]map[string]bool{}}
	l.group(nil)
	s.mu.Lock()
	s.leading, s.news = true, nil
	waiting := s.waitingSince()
	var unchecked []*ledger.Version
	for _, id := range slices.Sorted(maps.Keys(s.fold.Versions)) {
		for _, version := range slices.Sorted(maps.Keys(s.fold.Versions[id])) {
			if v := s.fold.Versions[id][version]; !v.Checked {
				unchecked = append(unchecked, v)
			}
		}
	}
	for _, m := range waiting {
		l.hear(s.fold.Submissions[m.Submission], m.Judging)
	}
	l.counted = s.fold.Sequence
	s.mu.Unlock()
	s.lead = l
	for _, v := range unchecked {
		l.check(v)
	}
	s.o.Log.Info("this service leads", "waiting", len(waiting))
	return nil
}

// listen learns what has changed since it was last called.
func (l *leader) listen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	news := l.news
	l.news = nil
	for _, c := range news {
		switch {
		case c.Version != nil && !c.Version.Checked:
			l.check(c.Version)
		case c.Version != nil:
			l.out.remove(checkID(c.Version))
			l.checks.Remove(checkID(c.Version))
			key := versionKey(c.Version.Problem, c.Version.ID)
			for _, m := range l.blocked[key] {
				if sub := l.fold.Submissions[m.Submission]; sub != nil {
					l.hear(sub, m.Judging)
				}
			}
			delete(l.blocked, key)
		case c.Submission != nil && c.Submission.Erased:
			l.drop(c.Submission.ID)
		case c.Submission != nil:
			l.hear(c.Submission, c.Judging)
		}
	}
}

// hear learns that a judging has changed. The present state counts, whichever change announced it.
func (l *leader) hear(sub *ledger.Submission, number int) {
	if now := l.fold.Submissions[sub.ID]; now != nil {
		sub = now
	}
	j := sub.Judging(number)
	switch {
	case j == nil:
		return
	case j.Status != ledger.Waiting:
		l.drop(judgingID(sub.ID, number))
		return
	case j.Parts != nil:
		l.split[ledger.Member{Submission: sub.ID, Judging: number}] = true
		return
	}
	under := false
	for key, h := range l.out.of(judgingID(sub.ID, number)) {
		if h.task.Attempt == j.Attempt {
			under = true
		} else {
			l.out.remove(key)
		}
	}
	if !under {
		l.enqueue(sub, number)
	}
}

// drop forgets what waits or is out for a submission or for one of its judgings.
func (l *leader) drop(id string) {
	l.queue.Remove(id)
	delete(l.learned, id)
	for key := range l.out.of(id) {
		l.out.remove(key)
	}
}

// enqueue adds a judging to the queue, unless it has to wait for the check of its problem.
func (l *leader) enqueue(sub *ledger.Submission, number int) {
	j := sub.Judging(number)
	cost := usualCost
	if v := l.fold.Versions[sub.Problem][j.Version]; v != nil {
		if !v.Checked {
			key := versionKey(v.Problem, v.ID)
			l.blocked[key] = append(l.blocked[key], ledger.Member{Submission: sub.ID, Judging: number})
			return
		}
		if v.Cost > 0 {
			cost = v.Cost
		}
	}
	l.queue.Push(classes[j.Priority], ledger.OwnerOf(sub.Submitter), sub.Submitter, cost, judgingID(sub.ID, number), candidate{ledger.Member{Submission: sub.ID, Judging: number}, sub.Submitter, l.wantOf(sub, j)})
}

// candidate is a judging that waits to be handed out.
type candidate struct {
	of        ledger.Member
	submitter string
	want      want
}

var classes = map[ledger.Priority]fair.Priority{
	ledger.Interactive: fair.Interactive, ledger.Batch: fair.Batch, ledger.Rejudge: fair.Rejudge,
}

func judgingID(submission string, number int) string { return fmt.Sprintf("%s.%d", submission, number) }

func versionKey(problem, version string) string { return problem + "@" + version }

func checkID(v *ledger.Version) string { return "check." + v.Problem + "." + v.ID }

// check adds a version to those that wait for their check.
func (l *leader) check(v *ledger.Version) {
	id := checkID(v)
	if h := l.out.get(id); h != nil && h.task.Attempt == v.Failures+1 {
		return // it is under way
	}
	l.out.remove(id)
	l.checks.Remove(id) // an older state of the version
	l.checks.Push(fair.Interactive, v.By, v.By, usualCost, id, v)
}
