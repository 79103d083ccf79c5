package service

import (
	"cmp"
	"slices"

	"tribunal/judge/judged/internal/fair"
	"tribunal/judge/judged/internal/ledger"
)

// Position returns the place in line of a waiting judging, 1 for the one that probably ends next, or 0 if it does
// not wait. Each service estimates it from the ledger, which does not show which judgings have begun: they count,
// too. It assumes that all take the same time, see [fair.Queue.Position].
func (s *Service) Position(id string, number int) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.line.Position(judgingID(id, number))
}

// lineUp adds the waiting judgings of a submission to the line, and removes all others, including those of a
// submission that was erased.
func (s *Service) lineUp(before, sub *ledger.Submission) {
	for i := range sub.Judgings {
		if j := &sub.Judgings[i]; j.Status == ledger.Waiting {
			s.line.Push(classes[j.Priority], ledger.OwnerOf(sub.Submitter), sub.Submitter, usualCost, judgingID(sub.ID, j.Number), struct{}{})
		} else {
			s.line.Remove(judgingID(sub.ID, j.Number))
		}
	}
	if before != nil {
		for i := len(sub.Judgings); i < len(before.Judgings); i++ {
			s.line.Remove(judgingID(sub.ID, i+1))
		}
	}
}

func newLine() *fair.Queue[struct{}] { return fair.New[struct{}](quantum) }

// waitingSince returns the judgings that wait, those first that have waited longest. The caller holds mu.
func (s *Service) waitingSince() []ledger.Member {
	list := s.fold.Waiting()
	slices.SortStableFunc(list, func(a, b ledger.Member) int {
		x, y := s.fold.Submissions[a.Submission], s.fold.Submissions[b.Submission]
		return cmp.Or(x.Judging(a.Judging).Since.Compare(y.Judging(b.Judging).Since), cmpUint(x.First, y.First))
	})
	return list
}
