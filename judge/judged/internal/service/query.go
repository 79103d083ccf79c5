package service

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Get returns the state of a submission. The error wraps ErrUnknown if there is none.
func (s *Service) Get(id string) (ledger.Submission, error) {
	sub, err := s.find(id)
	if err != nil {
		return ledger.Submission{}, err
	}
	return *sub, nil
}

// List returns at most most of the submissions that satisfy filter, the newest first, beginning behind the one with
// the id after, or with the newest if after is "".
func (s *Service) List(filter func(*ledger.Submission) bool, after string, most int) []ledger.Submission {
	s.mu.RLock()
	defer s.mu.RUnlock()
	border := uint64(1<<64 - 1)
	if sub := s.fold.Submissions[after]; sub != nil {
		border = sub.First
	}
	var found []*ledger.Submission
	for _, sub := range s.fold.Submissions {
		if !sub.Erased && sub.First < border && filter(sub) {
			found = append(found, sub)
		}
	}
	slices.SortFunc(found, func(a, b *ledger.Submission) int { return -cmpUint(a.First, b.First) })
	list := make([]ledger.Submission, min(most, len(found)))
	for i := range list {
		list[i] = *found[i]
	}
	return list
}

func cmpUint(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Result returns the result of a judging that is done, a [task.Result] in JSON. The error wraps
// ErrState if the judging is not done.
func (s *Service) Result(ctx context.Context, id string, number int) ([]byte, error) {
	sub, err := s.find(id)
	if err != nil {
		return nil, err
	}
	j := sub.Judging(number)
	if j == nil {
		return nil, fmt.Errorf("judging %d of %s: %w", number, id, ErrUnknown)
	}
	if j.Status != ledger.Done {
		return nil, fmt.Errorf("judging %d of %s is %s: %w", number, id, j.Status, ErrState)
	}
	r, err := s.recordAt(ctx, j.Result)
	if err != nil {
		return nil, fmt.Errorf("the result of %s: %w", id, err)
	}
	e, err := ledger.Decode(r)
	if err != nil {
		return nil, err
	}
	return store.Fetch(ctx, s.store.Blobs, e.Ended.Result)
}

func (s *Service) Source(ctx context.Context, id string) (*ledger.Submitted, []byte, error) {
	in, err := s.Submitted(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	text, err := store.Fetch(ctx, s.store.Blobs, in.Source)
	return in, text, err
}

// Submitted returns what was handed in, of which [Service.Content] reads the contents.
func (s *Service) Submitted(ctx context.Context, id string) (*ledger.Submitted, error) {
	sub, err := s.find(id)
	if err != nil {
		return nil, err
	}
	return s.submitted(ctx, sub)
}

// Problem is a problem with its versions, the newest first.
type Problem struct {
	ID       string
	Newest   string // the version that counts if none is named; "" if none can be judged
	Versions []ledger.Version
}

// Problems returns all problems, sorted by id.
func (s *Service) Problems() (list []Problem) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, id := range slices.Sorted(maps.Keys(s.fold.Versions)) {
		p := Problem{ID: id, Newest: s.fold.Newest[id]}
		for _, v := range s.fold.Versions[id] {
			p.Versions = append(p.Versions, *v)
		}
		slices.SortFunc(p.Versions, func(a, b ledger.Version) int { return b.At.Compare(a.At) })
		list = append(list, p)
	}
	return list
}

// Version returns a version of a problem; "" is the newest that can be judged, and the beginning of
// a version is enough if no other begins like that.
func (s *Service) Version(id, version string) (ledger.Version, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if version == "" {
		version = s.fold.Newest[id]
	}
	v, err := match(s.fold.Versions[id], version)
	if err != nil || version == "" {
		return ledger.Version{}, fmt.Errorf("problem %s@%s: %w", id, version, ErrUnknown)
	}
	return *v, nil
}

// Stats are figures of the present state.
type Stats struct {
	Submissions int
	Waiting     int
	Held        int
	Oldest      time.Duration           // how long the oldest waiting judging has waited
	Verdicts    map[verdict.Verdict]int // of the effective judgings
	Leader      bool
	Sequence    uint64
	Ignored     int
}

// Stats returns figures of the present state. It looks at every submission.
func (s *Service) Stats() Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := Stats{Submissions: len(s.fold.Submissions), Verdicts: map[verdict.Verdict]int{}, Leader: s.leading, Sequence: s.fold.Sequence, Ignored: s.fold.Ignored}
	var oldest time.Time
	for _, sub := range s.fold.Submissions {
		for i := range sub.Judgings {
			switch j := &sub.Judgings[i]; j.Status {
			case ledger.Waiting:
				if st.Waiting++; oldest.IsZero() || j.Since.Before(oldest) {
					oldest = j.Since
				}
			case ledger.Held:
				st.Held++
			}
		}
		if j := sub.Counts(); j != nil && j.Summary != nil {
			st.Verdicts[j.Summary.Verdict]++
		}
	}
	if !oldest.IsZero() {
		st.Oldest = s.o.Now().Sub(oldest)
	}
	return st
}

// Metrics count what has happened since the service started.
type Metrics struct {
	Submitted atomic.Int64 // submissions taken
	Refused   atomic.Int64 // answers with a wrong proof or that cannot be read
	Erased    atomic.Int64 // submissions that were erased because of their age
	Stale     atomic.Int64 // answers to attempts that were over
	Failed    atomic.Int64 // attempts that failed by an error of the judge, at any service of the store
	Ignored   atomic.Int64 // records that do not fit
}

func (s *Service) Metrics() *Metrics { return &s.metrics }

// readyKey begins the entries of the board that services write to test that they can.
const readyKey = "ready"

// Ready returns an error unless the service could take a submission now: it knows the ledger, and can write to its
// store. A store of several servers still answers readers when too few servers are left for writing.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.o.Room(); err != nil {
		return err
	}
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	return s.store.Board.Post(ctx, readyKey+"."+s.o.Name, nil)
}
