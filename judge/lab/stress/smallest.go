package stress

import (
	"context"
	"time"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/limits"
)

// maxGiven is the largest input of a failed case that [Search.Smallest] shrinks. A larger one takes too long.
const maxGiven = 64 * limits.KiB

// maxSlow is the size of the largest input that [Search.Smallest] returns for a program that was too slow. A program
// that needs long for a larger one is only slow, but for a small one it may never end.
const maxSlow = 4 * limits.KiB

// Smallest looks for a small input on which A fails, as it has on failed: among those that the generator of m's problem
// makes with seed or, if A fails on none, among those that failed shrinks to, unless A was too slow there, because that
// would take too long. It searches and shrinks for at most the time each, and returns nil if it finds no input that is
// smaller than failed. An s that is Given has no generator. Number of a finding is 0 if its input is failed made smaller.
func (s *Search) Smallest(ctx context.Context, m *casedata.Provider, seed uint64, failed casedata.Data, slow bool, each time.Duration) (*Finding, error) {
	found, err := s.first(ctx, m, seed, failed, slow, each)
	if found == nil || err != nil {
		return nil, err
	}
	bound, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	k, err := s.Shrink(ctx, bound, found)
	if k != nil {
		found.Take(k)
	}
	if err != nil || int64(found.Bytes) >= failed.Input.Size() || slow && int64(found.Bytes) > int64(maxSlow) {
		return nil, err
	}
	return found, nil
}

// first returns the input that Smallest shrinks, or nil. It finds none if one of the problem's own programs fails: Find
// says how.
func (s *Search) first(ctx context.Context, m *casedata.Provider, seed uint64, failed casedata.Data, slow bool, each time.Duration) (*Finding, error) {
	bound, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	if !s.Given {
		ladder, err := m.Sizes(ctx)
		if err == nil && len(ladder) > 0 {
			found, err := s.Find(ctx, bound, NewClimb(ladder, seed), 0)
			if found != nil || err != nil {
				return found, err
			}
		}
	}
	if slow || failed.Input.Size() > int64(maxGiven) {
		return nil, nil
	}
	input, err := failed.Input.Bytes()
	if err != nil {
		return nil, err
	}
	s.Given = true
	return s.On(ctx, ctx, input)
}
