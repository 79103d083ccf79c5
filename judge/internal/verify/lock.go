package verify

import (
	"context"
	"errors"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/regen"
)

// lock finds expectations that are not what the reference says, and what the lock has
// too little or too much.
func lock(ctx context.Context, s *subject) error {
	file, renew := s.path("cases", s.p.ID, "lock.yaml"), "run judge regen "+s.p.ID
	if !exists(file) {
		s.at(file, renew, "no such file")
		return nil
	}
	found, told := len(s.report.Findings), false
	for i := range s.set.Cases {
		switch c := &s.set.Cases[i]; {
		case c.Lock != (cases.LockCase{}):
		case c.Derived(): // as whoever judges would be told, below or by a check before
			told = true
		default:
			s.find(located(c.Errorf("", renew, "not in lock.yaml")))
		}
	}
	for name := range s.set.Lock.Cases {
		if s.caseOf(name) == nil {
			s.at(file, renew, "has %s, which is no case", name)
		}
	}
	// What does not match the lock is told as whoever judges would be told.
	if _, err := s.usableCases(ctx); err != nil {
		return err
	}
	if _, err := s.p.Cases(); err != nil {
		if err := s.settle(err); err != nil {
			return err
		}
	}
	plan, err := s.plan(ctx)
	if refusal, ok := errors.AsType[*regen.Refusal](err); ok && (refusal.Kind == regen.Pinned || refusal.Kind == regen.Rejected) {
		s.find(located(refusal.Err))
		for _, o := range refusal.Others {
			s.find(located(o.Err))
		}
		return nil
	}
	if err != nil {
		return err
	}
	for _, change := range plan.Changes {
		if c := s.caseOf(change.Case); c.Lock != (cases.LockCase{}) {
			s.find(located(c.Errorf("output", renew, "the expected output is not what the reference says")))
		}
	}
	switch {
	case plan.Stale && !told && len(s.report.Findings) == found:
		s.at(file, renew, "is not what regen would write")
	case plan.Renew:
		s.note("lock.yaml was made with other programs that say the same (%s)", renew)
	}
	return nil
}

// plan returns what regen would do.
func (s *subject) plan(ctx context.Context) (*regen.Plan, error) {
	o := regen.Options{Judge: s.judge, Show: s.bench.Show, Fresh: s.caseData().Fresh}
	plan, err := regen.Look(ctx, s.caseData(), o)
	if err == nil && plan == nil {
		plan, err = regen.Make(ctx, s.caseData(), o)
	}
	return plan, err
}
