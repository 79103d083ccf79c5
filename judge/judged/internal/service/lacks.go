package service

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// lacksKey begins the entries of the board by which the leader learns that tasks need other workers. If an entry is
// lost, so is its task, which then counts as failed.
const lacksKey = "lacks"

// lack is the content of an entry whose key begins with lacksKey.
type lack struct {
	Task    string // its id in the outbox
	Attempt int
	Of      task.Lack
	Error   string
}

// lacking passes on that a worker could not do a task.
func (s *Service) lacking(ctx context.Context, a *task.Answer) error {
	id := judgingID(a.Submission, a.Judging)
	switch {
	case a.Part == task.Check:
		id = checkID(&ledger.Version{Problem: a.Problem, ID: a.Version})
	case a.Part == task.Whole:
		id += ".whole"
	case a.Part == task.Join:
		id += ".join"
	default:
		id = fmt.Sprint(id, ".", a.Part)
	}
	data, err := json.Marshal(lack{id, a.Attempt, *a.Lacks, a.Error})
	if err != nil {
		return err
	}
	return s.store.Board.Post(ctx, lacksKey+"."+queueID(id, a.Attempt), data)
}

// learn hands tasks that turned out to need another language to workers that have it.
func (l *leader) learn(ctx context.Context) error {
	entries, err := l.store.Board.List(ctx, lacksKey)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		var k lack
		if json.Unmarshal(entries[key], &k) == nil {
			if err := l.learnOf(ctx, &k); err != nil {
				return err
			}
		}
		if err := l.store.Board.Withdraw(ctx, key, ""); err != nil {
			return err
		}
	}
	return nil
}

func (l *leader) learnOf(ctx context.Context, k *lack) error {
	h := l.out.get(k.Task)
	if h == nil || h.task.Attempt != k.Attempt {
		return nil
	}
	n := l.lanes[h.lane]
	if n != nil && (n.languages == nil || n.languages[k.Of.Language]) { // the lane's workers say that they have the language
		return l.giveUp(ctx, h.task, k.Error)
	}
	w := l.wantOfTask(h.task)
	key := w.learned[0]
	if k.Of.Problem {
		key = w.learned[1]
	}
	if !l.somebodyHas(k.Of.Language) && !l.offer.has(k.Of.Language) {
		return l.giveUp(ctx, h.task, k.Error)
	}
	if l.learned[key] == nil {
		l.learned[key] = map[string]bool{}
	}
	l.learned[key][k.Of.Language] = true
	if err := l.store.Work.Remove(ctx, queueID(k.Task, k.Attempt)); err != nil {
		return err
	}
	l.out.move(k.Task, unplaced)
	return nil
}
