package service

import (
	"context"
	"fmt"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// maxParts bounds the parts of a judging.
const maxParts = 64

// parts returns the ranges of cases in which a judging is done, nil if it is done as a whole. A worker uses all its
// slots for one judging, so parts help only if there are several workers.
func (l *leader) parts(sub *ledger.Submission, j *ledger.Judging, v *ledger.Version) []ledger.Range {
	if v == nil || sub.Run || v.Cases < 2 || v.Cost < l.o.Parts || j.Attempt > j.Series+1 {
		return nil
	}
	idle, workers, want := 0, 0, l.wantOf(sub, j)
	for _, n := range l.open() {
		if l.can(n, want) {
			idle += max(0, n.slots-l.out.in(n.name).tasks)
			workers += n.workers
		}
	}
	if workers < 2 {
		return nil
	}
	n := min(idle, v.Cases, maxParts, max(2, int(2*v.Cost/l.o.Parts)))
	if n < 2 {
		return nil
	}
	ranges := make([]ledger.Range, n)
	for i := range ranges {
		ranges[i] = ledger.Range{From: v.Cases * i / n, To: v.Cases * (i + 1) / n}
	}
	return ranges
}

// gather hands out the parts of a judging, or the task that joins their results when enough are there.
func (l *leader) gather(ctx context.Context, m ledger.Member) error {
	sub, j, v := l.state(m)
	if j == nil || j.Status != ledger.Waiting || j.Parts == nil || v == nil {
		return nil
	}
	t, err := l.taskOf(ctx, sub, j, v)
	if err != nil {
		return l.lost(ctx, sub, j, err)
	}
	id := judgingID(m.Submission, m.Judging)
	n, complete := j.Complete()
	if complete {
		t.Part = task.Join
		for _, r := range j.Results[:n] {
			t.Parts = append(t.Parts, r.Ref)
		}
	}
	for i, r := range j.Parts {
		key := fmt.Sprintf("%s.%d", id, i)
		if complete || j.Results[i].Ref.Hash != "" || i > j.Decided() {
			if l.out.get(key) != nil && j.Results[i].Ref.Hash == "" {
				l.stop(ctx, key, j.Attempt)
			}
			l.out.remove(key)
			continue
		}
		if l.out.get(key) == nil {
			part := *t
			part.Part, part.Cases = i, r
			l.out.add(key, &handed{lane: unplaced, task: &part, submitter: sub.Submitter})
		}
	}
	if key := id + ".join"; complete && l.out.get(key) == nil {
		l.out.add(key, &handed{lane: unplaced, task: t, submitter: sub.Submitter})
	}
	return nil
}

// stop ends a task that is no longer needed, wherever it is. It does no harm if a worker finishes it nevertheless.
func (l *leader) stop(ctx context.Context, id string, attempt int) {
	_ = l.store.Work.Remove(ctx, queueID(id, attempt))
	_ = l.store.Signals.Send(StopSignal+"."+queueID(id, attempt), nil)
}

// StopSignal begins the subjects of the signals that end tasks. The id of the task in the queue follows, or its
// first words.
const StopSignal = "stop"
