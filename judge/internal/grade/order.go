package grade

import (
	"context"
	"errors"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// order returns the indices of all cases in the order in which they are run: those
// that come first by Task.Order, then the others.
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

// moot reports whether the case at place k cannot matter any more: one that comes
// before it has failed, both as they are run and in case order. So the first failing
// case in case order is always judged, and which others are does not depend on who was
// faster. The caller holds mu.
func (g *grading) moot(s *submission, k int) bool {
	if s.needed != nil {
		return !g.task.All && !s.needed.Needed(g.order[k])
	}
	for _, f := range s.failed {
		if f < k && g.order[f] < g.order[k] {
			return true
		}
	}
	return false
}

// wanted reports whether the case at place k is to be judged.
func (g *grading) wanted(s *submission, k int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return (s.program != nil || s.broken != nil) && !g.moot(s, k)
}

// stopLater ends the runs of cases that cannot matter any more after a failure.
func (g *grading) stopLater(s *submission, failed int, v verdict.Verdict) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.failed = append(s.failed, failed)
	if s.needed != nil {
		s.needed.Set(g.order[failed], v)
	}
	for k, a := range s.cases {
		if a != nil && a.cancel != nil && g.moot(s, k) {
			a.cancel()
		}
	}
}

// deliver reports the cases of a submission in the order of their places, and its
// verdict after the last. What was run without being asked for, beyond a failure, is
// dropped: whether it came to an end depended on luck.
func (g *grading) deliver(ctx context.Context, si, k int) {
	s := g.subs[si]
	g.mu.Lock()
	a := s.cases[k]
	s.cases[k] = nil
	moot := g.moot(s, k) // by now all before it are done
	g.mu.Unlock()
	sum := &s.summary
	if a != nil && (a.event == nil || a.event.Verdict == verdict.None || moot) {
		if a.event != nil && a.event.Kept != "" {
			removeKept(g.task.Keep, a.event.Kept)
		}
		a = nil
	}
	if a != nil {
		g.emit(a.event)
		s.count(a.event, g.task.Repeat > 1)
		if s.results != nil {
			s.results[a.event.Index] = points.Result{Verdict: a.event.Verdict, Score: a.event.Score, Multiplier: a.event.Multiplier}
		}
	}
	if k == len(g.order)-1 {
		g.addUp(ctx, s)
		if sum.Verdict == verdict.None && sum.Passed == sum.Total {
			sum.Verdict = verdict.AC
		}
		g.emit(sum)
	}
}

// addUp tells the points of a submission of which all cases are known. That a result
// breaks the rules of the format is the judge's failure: most likely its validator's.
func (g *grading) addUp(ctx context.Context, s *submission) {
	sum := &s.summary
	if s.results == nil || s.program == nil || sum.Verdict == verdict.JE {
		return
	}
	tally, err := g.task.Points.Add(s.results, g.task.Grader.points(ctx, g.judge.Host))
	if err != nil {
		sum.Verdict, sum.First, sum.Cause = verdict.JE, "", "the judge failed: points: "+err.Error()
		if of, ok := errors.AsType[*points.CaseError](err); ok {
			sum.First = g.task.Cases[of.Case].Name
		}
		return
	}
	sum.Points = &tally
	if sum.Verdict = tally.Verdict; sum.Verdict == verdict.AC {
		sum.First, sum.Cause = "", ""
	}
}

// count adds a case to what is told of its submission. Of a doubtful run only the last
// one counts, of repeated ones all.
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
	switch {
	case e.Verdict == verdict.AC:
		sum.Passed++
	case sum.Verdict == verdict.None || e.Index < s.first:
		s.first = e.Index
		sum.Verdict, sum.First, sum.Cause = e.Verdict, e.Name, e.Cause
	}
}
