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

// bruteCPU is the brute's CPU time limit on one case.
const bruteCPU = 5 * time.Second

// declined is the exit status of a brute that declines a case.
const declined = 3

// checkBrute finds cases on which the brute disagrees with the expected output.
func checkBrute(ctx context.Context, s *subject) error {
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
		s.recordBrute(&c)
	}
	return nil
}

// recordBrute counts the brute's result on a case, or reports it as a finding.
func (s *subject) recordBrute(c *grade.Case) {
	switch r := c.Result; {
	case c.Verdict == verdict.AC:
		s.summary.Brute.Agrees++
	case c.Verdict.OverLimit():
		s.summary.Brute.Beyond++
	case c.Verdict == verdict.RTE && r.Stop == sandbox.Exited && r.ExitCode == declined:
		s.summary.Brute.Declined++
	case c.Verdict.Is(verdict.WrongOutput):
		s.find(located(s.caseOf(c.Name).Errorf("output", "the brute or the reference is wrong", "brute disagrees: %s", c.Cause)))
	default:
		s.find(located(s.caseOf(c.Name).Errorf("", fmt.Sprintf("a brute declines a case by exit status %d", declined), "brute gets %s: %s", c.Verdict, c.Cause)))
	}
}
