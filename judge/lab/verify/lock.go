package verify

import (
	"context"
	"errors"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/regen"
)

// checkLock finds expected outputs that differ from those of the reference, cases missing from the
// lock, and entries of the lock without a case.
func checkLock(ctx context.Context, s *subject) error {
	file, renew := s.path("cases", s.p.ID, "lock.yaml"), "run judge regen "+s.p.ID
	if !exists(file) {
		s.findAt(file, renew, "no such file")
		return nil
	}
	before, reported := len(s.report.Findings), false
	for i := range s.set.Cases {
		switch c := &s.set.Cases[i]; {
		case c.Lock != (cases.LockCase{}):
		case c.Derived(): // usableCases reports it, below or for an earlier check
			reported = true
		default:
			s.find(located(c.Errorf("", renew, "not in lock.yaml")))
		}
	}
	for name := range s.set.Lock.Cases {
		if s.caseOf(name) == nil {
			s.findAt(file, renew, "has %s, which is not a case", name)
		}
	}
	// Cases that do not match the lock are reported with the messages of judge grade.
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
			s.find(located(c.Errorf("output", renew, "the expected output differs from that of the reference")))
		}
	}
	switch {
	case plan.Stale && !reported && len(s.report.Findings) == before:
		s.findAt(file, renew, "differs from what judge regen would write")
	case plan.Renew:
		s.note("lock.yaml records other versions of the programs, whose outputs are the same (%s)", renew)
	}
	return nil
}

// plan returns the changes that judge regen would make.
func (s *subject) plan(ctx context.Context) (*regen.Plan, error) {
	o := regen.Options{Judge: s.judge, Show: s.env.Show, Fresh: s.caseData().Fresh}
	plan, err := regen.Look(ctx, s.caseData(), o)
	if err == nil && plan == nil {
		plan, err = regen.Make(ctx, s.caseData(), o)
	}
	return plan, err
}
