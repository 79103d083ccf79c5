package verify

import (
	"context"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// checkReference finds cases on which the reference is not accepted, or needs more than half of a
// limit.
func checkReference(ctx context.Context, s *subject) error {
	r, err := s.solve(ctx)
	if err != nil || r == nil {
		return err
	}
	for _, c := range r.Cases {
		if c.Verdict != verdict.AC {
			s.find(located(s.caseOf(c.Name).Errorf("", "correct the reference or the case", "the reference gets %s: %s", c.Verdict, c.Cause)))
		}
	}
	if p := r.Done.Points; p != nil && p.Points != float64(p.Best) && r.Done.Verdict == verdict.AC {
		s.find(s.p.Errorf("scoring", "correct the groups or the reference", "the reference gets %.10g points of %.10g", p.Points, float64(p.Best)))
	}
	return s.findTight(ctx, r)
}

// solve judges the reference when first called, and remembers the result. It returns nil if the
// problem has no reference, or no usable case.
func (s *subject) solve(ctx context.Context) (*judged, error) {
	if s.solved != nil || !s.p.HasReference() {
		return s.solved, nil
	}
	list, err := s.usableCases(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	source, err := s.open(ctx, s.p.Reference)
	if err != nil {
		return nil, err
	}
	l, err := s.limits(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.grade(ctx, grade.Task{Cases: list, Limits: l, All: true, Submissions: []grade.Submission{{Source: source}}})
	if err != nil {
		return nil, err
	}
	s.solved = &all[0]
	return s.solved, nil
}
