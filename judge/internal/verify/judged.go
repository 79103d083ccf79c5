package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// reference finds cases on which the reference is not accepted, or needs more than
// half of a limit.
func reference(ctx context.Context, s *subject) error {
	r, err := s.solve(ctx)
	if err != nil || r == nil {
		return err
	}
	for _, c := range r.Cases {
		if c.Verdict != verdict.AC {
			s.find(located(s.caseOf(c.Name).Errorf("", "mend the reference or the case", "the reference gets %s: %s", c.Verdict, c.Cause)))
		}
	}
	if p := r.Done.Points; p != nil && p.Points != float64(p.Best) && r.Done.Verdict == verdict.AC {
		s.find(s.p.Errorf("scoring", "mend the groups or the reference", "the reference gets %.10g points of %.10g", p.Points, float64(p.Best)))
	}
	return s.tight(ctx, r)
}

// solve judges the reference; nil when there is none besides the submissions, or nothing to
// judge it by.
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

// bruteCPU is how long the second opinion may think about one case.
const bruteCPU = 5 * time.Second

// declines is the status by which a program says that a case is not for it.
const declines = 3

// brute finds cases on which the second opinion differs from what is expected.
func brute(ctx context.Context, s *subject) error {
	folder := s.p.Brute
	if !exists(s.path(folder)) {
		s.note("not checked: there is no %s", s.path(folder))
		return nil
	}
	list, err := s.usableCases(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	source, err := s.open(ctx, folder)
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	if err != nil {
		return err
	}
	l, err := s.limits(ctx)
	if err != nil {
		return err
	}
	l.CPU, l.Wall, l.Memory, l.CPUs = bruteCPU, 3*bruteCPU, max(l.Memory, limits.GiB), 1
	all, err := s.grade(ctx, grade.Task{Cases: list, Limits: l, All: true, Submissions: []grade.Submission{{Source: source}}})
	if err != nil {
		return err
	}
	for _, c := range all[0].Cases {
		s.hear(&c)
	}
	return nil
}

// hear takes the second opinion on a case.
func (s *subject) hear(c *grade.Case) {
	switch r := c.Result; {
	case c.Verdict == verdict.AC:
		s.summary.Brute.Agrees++
	case c.Verdict.OverLimit():
		s.summary.Brute.Beyond++
	case c.Verdict == verdict.RTE && r.Stop == sandbox.Exited && r.ExitCode == declines:
		s.summary.Brute.Declined++
	case c.Verdict.Is(verdict.WrongOutput):
		s.find(located(s.caseOf(c.Name).Errorf("output", "one of brute and reference is wrong", "brute disagrees: %s", c.Cause)))
	default:
		s.find(located(s.caseOf(c.Name).Errorf("", fmt.Sprintf("status %d declines a case", declines), "brute gets %s: %s", c.Verdict, c.Cause)))
	}
}
