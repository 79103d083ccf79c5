package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Rejudge asks for another judging of the submissions, by a version of their problem ("": the newest one), or by
// the tests that came with them. Nothing changes before the batch is applied. It returns the id of the batch. After
// an error, the batch holds the submissions before the one that failed.
func (s *Service) Rejudge(ctx context.Context, ids []string, version, by string) (string, error) {
	batch := newID()
	if err := s.o.Room(); err != nil {
		return batch, err
	}
	for _, id := range ids {
		sub, err := s.find(id)
		if err != nil {
			return batch, err
		}
		to := version
		switch sub.Problem {
		case "":
		case ledger.InlineProblem:
			to = sub.Judgings[0].Version
		default:
			v, err := s.Version(sub.Problem, version)
			if err != nil {
				return batch, err
			}
			to = v.ID
		}
		err = s.update(ctx, id, func(sub *ledger.Submission) (*ledger.Event, error) {
			if n := len(sub.Judgings); sub.Judgings[n-1].Batch == batch {
				return nil, nil
			}
			return &ledger.Event{By: by, Rejudged: &ledger.Rejudged{Judging: len(sub.Judgings) + 1, Version: to, Batch: batch}}, nil
		})
		if err != nil {
			return batch, err
		}
	}
	return batch, nil
}

// Batch is a batch of rejudgings.
type Batch struct {
	ID       string
	By       string // who asked for it
	At       time.Time
	Judgings int // without those of submissions that were erased
	Waiting  int // judgings that are not done yet
	Applied  bool
}

// Batches returns all batches of rejudgings, the newest first.
func (s *Service) Batches() (list []Batch) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, b := range s.fold.Batches {
		info := Batch{ID: b.ID, By: b.By, At: b.At, Applied: b.Applied}
		for _, m := range b.Members {
			sub := s.fold.Submissions[m.Submission]
			if sub == nil || sub.Erased {
				continue
			}
			info.Judgings++
			if sub.Judging(m.Judging).Status != ledger.Done {
				info.Waiting++
			}
		}
		list = append(list, info)
	}
	slices.SortFunc(list, func(a, b Batch) int { return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID)) })
	return list
}

// Preview lists the changes that applying a batch would make.
type Preview struct {
	Batch   string
	Applied bool
	Waiting int // judgings of the batch that are not done yet; they would not take effect
	Same    int // submissions whose verdict, points and accepted cases stay
	Changed []Changed
}

// Changed is a submission whose verdict, points or accepted cases a batch changes, or has changed.
type Changed struct {
	Submission string
	Submitter  string
	Old, New   ledger.Summary
}

// Preview compares the judgings of a batch with the earlier ones of the same submissions.
func (s *Service) Preview(batch string) (p Preview, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	b := s.fold.Batches[batch]
	if b == nil {
		return p, fmt.Errorf("batch %s: %w", batch, ErrUnknown)
	}
	p = Preview{Batch: batch, Applied: b.Applied}
	for _, m := range b.Members {
		sub := s.fold.Submissions[m.Submission]
		if sub == nil || sub.Erased {
			continue
		}
		j := sub.Judging(m.Judging)
		if j.Status != ledger.Done {
			p.Waiting++
			continue
		}
		var old ledger.Summary
		for i := m.Judging - 1; i >= 1; i-- {
			if before := sub.Judging(i); before.Status == ledger.Done && (before.Batch == "" || s.applied(before.Batch)) {
				old = *before.Summary
				break
			}
		}
		if is := j.Summary; old.Verdict == is.Verdict && samePoints(old.Points, is.Points) && old.Passed == is.Passed && old.First == is.First && old.Verdict != verdict.None {
			p.Same++
			continue
		}
		p.Changed = append(p.Changed, Changed{Submission: sub.ID, Submitter: sub.Submitter, Old: old, New: *j.Summary})
	}
	return p, nil
}

func (s *Service) applied(batch string) bool {
	return s.fold.Batches[batch] != nil && s.fold.Batches[batch].Applied
}

func samePoints(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }

// Apply makes the judgings of a batch the ones that count, all at once. Unless partly is set, all of
// them must be done. The error wraps ErrState if they are not, or if the batch was applied before.
func (s *Service) Apply(ctx context.Context, batch, by string, partly bool) error {
	var p Preview
	err := s.Lately(ctx, func() (err error) { p, err = s.Preview(batch); return err })
	if err != nil {
		return err
	}
	if p.Applied {
		return fmt.Errorf("batch %s was applied before: %w", batch, ErrState)
	}
	if p.Waiting > 0 && !partly {
		return fmt.Errorf("%d judgings of batch %s are not done (hint: the others can be applied without them): %w", p.Waiting, batch, ErrState)
	}
	_, err = s.appendFirst(ctx, ledger.BatchSubject(batch), &ledger.Event{By: by, Applied: &ledger.Applied{}})
	if errors.Is(err, store.ErrConflict) {
		err = nil // by another request at the same time
	}
	if err != nil {
		return err
	}
	return s.CatchUp(ctx)
}
