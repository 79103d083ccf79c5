package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// snapshotName is the name of the blob with the newest snapshot. A new one is made after snapshotEvery records.
const (
	snapshotName  = "snapshot"
	snapshotEvery = 50_000
)

// WorkersKey begins the entries of the board that workers post about themselves.
const WorkersKey = "worker"

// MaxSlots bounds the slots of a worker. One that claimed more could take all tasks.
const MaxSlots = 1024

// Worker is a worker's entry on the board.
type Worker struct {
	task.Host
	Draining bool      `json:"draining"` // takes no tasks any more
	Sick     string    `json:"sick"`     // why it takes no tasks, such as what its doctor found; "" if it is well
	Busy     int       `json:"busy"`     // tasks that it does now
	Since    time.Time `json:"since"`    // when it started
	Seen     time.Time `json:"seen"`     // when it posted this, by its clock; zero by older builds
	// Languages are those in which it can judge. nil: it does not say, and is asked to do everything.
	Languages []string `json:"languages"`
}

// Ready reports whether a worker takes tasks.
func (w *Worker) Ready() bool { return !w.Draining && w.Sick == "" }

// Workers returns the workers that are there, by name.
func (s *Service) Workers(ctx context.Context) (map[string]Worker, error) {
	entries, err := s.store.Board.List(ctx, WorkersKey)
	if err != nil {
		return nil, fmt.Errorf("listing the workers: %w", err)
	}
	workers := map[string]Worker{}
	for key, data := range entries {
		var w Worker
		if json.Unmarshal(data, &w) == nil && w.Worker != "" && key == WorkersKey+"."+w.Worker { // a worker writes only its own entry
			w.Slots = min(max(w.Slots, 0), MaxSlots)
			w.Languages = sane(w.Languages)
			workers[w.Worker] = w
		}
	}
	s.offer.note(workers, s.o.Now())
	return workers, nil
}

// slots returns how many programs the workers run at a time.
func (l *leader) slots() (n int) {
	for _, lane := range l.lanes {
		n += lane.slots
	}
	return n
}

// sweep looks after what no event announces: messages and tasks that are lost, deadlines, and the snapshot.
func (l *leader) sweep(ctx context.Context) error {
	now := l.o.Now()
	if now.Sub(l.swept) < l.o.Patience/4 {
		return nil
	}
	l.swept = now
	all := []error{l.store.Work.Tidy(ctx, l.busyLanes()), l.store.Results.Tidy(ctx, nil)} // an error keeps only the messages of its own queue from being looked after
	for id, h := range l.out.waiting() {
		all = append(all, l.seek(ctx, id, h, now))
	}
	for _, m := range l.late(now) {
		if err := l.Cancel(ctx, m.Submission, m.Judging, l.o.Name, lateReason); !errors.Is(err, ErrState) {
			all = append(all, err)
		}
	}
	if sequence := l.Sequence(); sequence >= l.counted+snapshotEvery {
		err := l.Snapshot(ctx)
		if err == nil {
			l.counted = sequence
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// seek finds out whether a task is lost: a worker has acknowledged it, but no valid answer came. A lost task counts
// as failed, so that a worker that swallows tasks cannot keep a judging for ever.
func (l *leader) seek(ctx context.Context, id string, h *handed, now time.Time) error {
	if now.Sub(h.pushed) < l.o.Patience/4 {
		return nil // most tasks are done before they need to be asked about
	}
	n := l.lanes[h.lane]
	if n == nil || n.queue == nil {
		return nil // its workers are gone, and no others can do it
	}
	has, err := n.queue.Has(ctx, queueID(id, h.task.Attempt))
	switch {
	case err != nil:
		return err
	case has:
		h.missing = time.Time{}
	case h.missing.IsZero():
		h.missing = now
	case now.Sub(h.missing) >= l.o.Patience:
		return l.giveUp(ctx, h.task, "the task is gone: a worker took it and gave no valid answer")
	}
	return nil
}

// giveUp records that a task has failed without an answer of a worker.
func (l *leader) giveUp(ctx context.Context, t *task.Task, reason string) error {
	err := l.record(ctx, &task.Answer{
		Submission: t.Submission, Judging: t.Judging, Attempt: t.Attempt, Part: t.Part, Problem: t.Problem, Version: t.Version,
		Worker: l.o.Name, Error: reason,
	})
	if isLate(err) {
		return nil
	}
	return err
}

// late returns the judgings that have not begun although their deadlines have passed.
func (l *leader) late(now time.Time) (list []ledger.Member) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, sub := range l.fold.Submissions {
		if sub.Deadline.IsZero() || now.Before(sub.Deadline) {
			continue
		}
		for i := range sub.Judgings {
			j := &sub.Judgings[i]
			if j.Status == ledger.Waiting && sub.Late(j, now) && !l.out.has(judgingID(sub.ID, j.Number)) {
				list = append(list, ledger.Member{Submission: sub.ID, Judging: j.Number})
			}
		}
	}
	slices.SortFunc(list, func(a, b ledger.Member) int {
		return cmp.Or(strings.Compare(a.Submission, b.Submission), a.Judging-b.Judging)
	})
	return list
}

// Snapshot stores the present state, so that a starting service need not read the whole ledger. Unless it returns
// an error, the snapshot contains nothing that any service had erased before.
func (s *Service) Snapshot(ctx context.Context) error {
	for range tries {
		s.mu.RLock()
		fold, erased := s.fold.Clone(), s.erased
		s.mu.RUnlock()
		data, err := fold.Snapshot()
		if err != nil {
			return err
		}
		if err := s.store.Blobs.PutNamed(ctx, snapshotName, data); err != nil {
			return fmt.Errorf("storing the snapshot: %w", err)
		}
		if err := s.CatchUp(ctx); err != nil {
			return fmt.Errorf("looking whether the snapshot has what was erased: %w", err)
		}
		s.mu.RLock()
		same := s.erased == erased
		s.mu.RUnlock()
		if same {
			return nil
		}
	}
	return errors.New("something is always erased while a snapshot is being stored")
}
