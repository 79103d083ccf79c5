package grade

import (
	"context"
	"errors"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// order returns the indices of all cases in the order of their runs: those in Task.Order, then the
// others in case order.
func (t Task) order() []int {
	order := make([]int, 0, len(t.Cases))
	listed := make([]bool, len(t.Cases))
	for _, c := range t.Order {
		if !listed[c] {
			listed[c] = true
			order = append(order, c)
		}
	}
	for c := range t.Cases {
		if !listed[c] {
			order = append(order, c)
		}
	}
	return order
}

// irrelevant reports whether the case at place k can no longer change the verdict. If there
// are groups, s.needed decides. Otherwise a case must have failed that comes before k both in run
// order and in case order, so that the first failing case in case order is always judged. Which
// cases are reported does not depend on timing, because deliver drops irrelevant ones. The caller
// holds mu.
func (g *grading) irrelevant(s *submission, k int) bool {
	if k >= s.cut {
		return true
	}
	if s.needed != nil {
		return !s.all && !s.needed.Needed(g.order[k])
	}
	for _, f := range s.failed {
		if f < k && g.order[f] < g.order[k] {
			return true
		}
	}
	return false
}

// start reports whether the case at place k must be judged. finish calls stop if the case becomes
// irrelevant while it is judged.
func (g *grading) start(s *submission, k int, stop context.CancelFunc) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.program == nil && s.broken == nil || g.irrelevant(s, k) {
		return false
	}
	s.stops[k] = stop
	return true
}

// finish records the verdict on the case at place k, if c is not nil. After a failure it stops the
// cases that have become irrelevant.
func (g *grading) finish(s *submission, k int, c *Case) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.stops[k] = nil
	if c != nil && c.Verdict != verdict.AC && !s.all {
		s.failed = append(s.failed, k)
		if s.needed != nil {
			s.needed.Set(g.order[k], c.Verdict)
		}
		g.stopIrrelevant(s)
	}
	g.decide(s, k, c)
}

// stopIrrelevant stops the cases that have become irrelevant. The caller holds mu.
func (g *grading) stopIrrelevant(s *submission) {
	for other, stop := range s.stops {
		if stop != nil && g.irrelevant(s, other) {
			stop()
		}
	}
}

// decide records the end of the case at place k, which may be nil, and asks the task whether a case
// decides about the submission, as soon as all before it have ended. It then skips those after it:
// now, and not when the case is delivered, because the next run begins when the work on this case is
// over. The caller holds mu.
func (g *grading) decide(s *submission, k int, c *Case) {
	if s.decided == nil {
		return
	}
	s.early[k] = c
	for c, ended := s.early[s.next]; ended; c, ended = s.early[s.next] {
		delete(s.early, s.next)
		if c != nil && !g.irrelevant(s, s.next) && s.decided(c) {
			s.cut = s.next + 1
			g.stopIrrelevant(s)
		}
		s.next++
	}
}

// deliver reports the cases of a submission in the order of their places, and its verdict after the
// last. It drops irrelevant cases that were run beyond a failure, because whether they finished
// depends on timing.
func (g *grading) deliver(ctx context.Context, si, k int, c *Case) {
	s := g.subs[si]
	g.mu.Lock()
	irrelevant := g.irrelevant(s, k) // all cases before it are done
	g.mu.Unlock()
	if c != nil && irrelevant {
		g.drop(c.Kept)
		c = nil
	}
	if c != nil {
		g.reported(c.Kept)
		g.events.send(c)
		s.count(c, g.task.Repeat > 1)
		if s.results != nil {
			s.results[c.Index] = c.Counted(g.task.Problem)
		}
	}
	if k == len(g.order)-1 {
		g.score(ctx, s)
		if sum := &s.summary; sum.Verdict == verdict.None && sum.Cause == "" && sum.Passed == sum.Total {
			sum.Verdict = verdict.AC
		}
		s.summary.Settle()
		g.events.send(&s.summary)
	}
}

// score has the groups decide about a submission after its last case, and gives it the points of the task. If a result
// breaks the rules of scoring, the verdict is JE; most likely the validator is wrong.
func (g *grading) score(ctx context.Context, s *submission) {
	sum := &s.summary
	if s.results == nil || s.program == nil || sum.Verdict == verdict.JE {
		return
	}
	if g.groups == nil {
		sum.Points = g.task.Score(s.results)
		return
	}
	score, err := g.groups.Add(s.results, g.judge.grader(ctx, g.task.Problem.Grader))
	if err != nil {
		sum.Verdict, sum.First, sum.Cause = verdict.JE, "", "the judge failed: points: "+err.Error()
		if of, ok := errors.AsType[*points.CaseError](err); ok {
			sum.First = g.task.Cases[of.Case].Name
			if s.results[of.Case].Verdict == verdict.AC {
				sum.Passed--
			}
		}
		return
	}
	if sum.Points = &score; !g.task.Problem.Scoring {
		sum.Points = g.task.Score(s.results)
	}
	sum.Verdict = score.Verdict
	if f, known := s.firsts[sum.Verdict]; known { // the groups may give another verdict than the first failing case has
		sum.First, sum.Cause = f.name, f.cause
	} else if sum.Verdict == verdict.AC {
		sum.First, sum.Cause = "", ""
	}
}

// count adds a case to the summary of its submission. If the task repeats cases, the summary covers
// the usage of all attempts, and otherwise only that of the run that decided.
func (s *submission) count(e *Case, repeated bool) {
	sum := &s.summary
	sum.Judged++
	if e.Cached {
		sum.Cached++
	}
	sum.CPU = max(sum.CPU, e.Result.CPU)
	sum.Wall = max(sum.Wall, e.Result.Wall)
	sum.Memory = max(sum.Memory, e.Result.Memory)
	if repeated {
		for _, r := range e.Attempts {
			sum.CPU, sum.Wall, sum.Memory = max(sum.CPU, r.CPU), max(sum.Wall, r.Wall), max(sum.Memory, r.Memory)
		}
	}
	if e.Verdict == verdict.AC {
		sum.Passed++
		return
	}
	if sum.Verdict == verdict.None || e.Index < s.firsts[sum.Verdict].index {
		sum.Verdict, sum.First, sum.Cause = e.Verdict, e.Name, e.Cause
	}
	if f, known := s.firsts[e.Verdict]; !known || e.Index < f.index {
		s.firsts[e.Verdict] = firstCase{e.Index, e.Name, e.Cause}
	}
}

// firstCase is the first case of a submission in case order that got a verdict.
type firstCase struct {
	index       int
	name, cause string
}
