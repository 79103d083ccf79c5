package verify

import (
	"context"
	"fmt"
	"strings"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// promiseHint is the hint of findings about broken promises.
const promiseHint = "correct the cases, or the promise"

// judgeList judges the examples of list into results, and reports each broken promise as soon as it
// is known. An example is judged only up to the case that decides about its promise, which is the
// last one that counts if the promise is about points. If times near a limit decide, those cases are measured once more with nothing beside
// them; if they are still near it, the example is at the edge of the limit.
//
// Runs are stopped late enough to show whether a time is near the limit, and for an example that
// must be too slow whether it is by the factor of [limits.Beyond].
func (s *subject) judgeList(ctx context.Context, results *exampleResults, list []example, task grade.Task) error {
	var groups *points.Group
	if s.p.Groups != nil && s.p.Groups.Size() == len(task.Cases) {
		groups = s.p.Groups
	}
	custom := groups != nil && groups.Custom() // only its grader knows what a case decides
	task.Edges = !custom
	names := make([]string, len(task.Cases))
	for i, c := range task.Cases {
		names[i] = c.Name
	}
	decisions := make([]*decision, len(list))
	for i, e := range list {
		d := &decision{promise: e.promise, problem: s.p, groups: groups, limits: task.Limits, names: names}
		d.slow = e.want == verdict.TLE && len(e.promise.Rules) == 0
		sub := e.Submission
		sub.Until, sub.All = limits.Past(task.Limits.CPU), groups == nil || len(e.promise.Rules) > 0
		if d.slow {
			sub.Until = limits.Beyond(task.Limits.CPU)
		}
		if !custom {
			sub.Decided = d.add
		}
		decisions[i], task.Submissions = d, append(task.Submissions, sub)
	}
	_, err := s.gradeEach(ctx, task, func(i int, j judged) {
		e := &list[i]
		plain := e.Submission // later checks judge it on all cases
		e.Judged, e.Submission = j.Judged, plain
		e.over = decisions[i].slow && over(task.Limits, e.Cases)
		if custom || e.Done.Verdict == verdict.CE {
			e.broken = e.Broken(e.promise)
		} else {
			e.conclude(decisions[i])
		}
		s.reportBroken(e)
	})
	if err != nil {
		return err
	}
	for i := range list {
		if e := &list[i]; e.edge != "" {
			if err := s.measureEdges(ctx, e, decisions[i], task); err != nil {
				return err
			}
			s.reportBroken(e)
			if e.edge != "" {
				s.findOrNote(&yamlstrict.Error{File: e.name, Msg: e.edge, Hint: "change the cases or the limit so that it takes less than 0.8 or more than 1.2 times the limit"})
			}
		}
	}
	results.judged = list
	return nil
}

// reportBroken reports the promises that an example breaks, unless the judge failed on it.
func (s *subject) reportBroken(e *example) {
	if s.judgeFailed(e) {
		return
	}
	hint := promiseHint
	if e.Done.Verdict == verdict.CE {
		hint = "correct the program or its promise, or set the standard of its language in runner.yaml"
	}
	for _, message := range e.broken {
		s.findAt(e.name, hint, "%s", message)
	}
}

// conclude sets broken and edge from the cases that were judged.
func (e *example) conclude(d *decision) {
	e.broken, e.edge = nil, ""
	switch state := d.state(); {
	case state == kept:
	case state == undecided && d.edges() != nil:
		e.edge = d.describe()
	default:
		e.broken = e.Broken(e.promise)
	}
}

// measureEdges runs an example again, alone, on the cases on which its time is near a limit. It
// replaces their results and concludes anew.
func (s *subject) measureEdges(ctx context.Context, e *example, d *decision, task grade.Task) error {
	t := grade.Task{Limits: task.Limits, All: true, Alone: true, Edges: true}
	t.Submissions = []grade.Submission{{Source: e.Source, Until: limits.Past(task.Limits.CPU)}}
	for _, name := range d.edges() {
		t.Cases = append(t.Cases, *s.caseOf(name))
	}
	again, err := s.grade(ctx, t)
	if err != nil {
		return err
	}
	for _, c := range again[0].Cases {
		if c.Verdict == verdict.JE || run.Starved(c.Under(task.Limits), s.judge.Pool.Grace(), c.Result) {
			continue
		}
		for i := range e.Cases {
			if e.Cases[i].Name == c.Name {
				c.Submission, c.Index = e.Cases[i].Submission, e.Cases[i].Index
				e.Cases[i], d.cases[i] = c, c
			}
		}
	}
	e.Done.Verdict, e.Done.First, e.Done.Cause = verdict.AC, "", ""
	e.Done.Passed = 0
	for _, c := range e.Cases {
		if c.Verdict == verdict.AC {
			e.Done.Passed++
		} else if e.Done.First == "" {
			e.Done.Verdict, e.Done.First, e.Done.Cause = c.Verdict, c.Name, c.Cause
		}
	}
	if d.groups != nil {
		open, err := d.rescore(e)
		if err == nil && open && d.state() == undecided && d.edges() == nil { // cases count that did not before
			again, err := s.grade(ctx, grade.Task{Limits: task.Limits, Cases: task.Cases, Submissions: []grade.Submission{{Source: e.Source, All: len(e.promise.Rules) > 0}}})
			if err != nil {
				return err
			}
			place := e.Done.Submission
			e.Cases, e.Done = again[0].Cases, again[0].Done
			e.Done.Submission = place
			for i := range e.Cases {
				e.Cases[i].Submission = place
			}
			e.broken, e.edge = e.Broken(e.promise), ""
			return nil
		}
	}
	e.Done.Settle()
	e.conclude(d)
	return nil
}

// rescore has the groups decide about an example from its cases, and reports whether some that count
// were not judged.
func (d *decision) rescore(e *example) (open bool, err error) {
	score, err := d.groups.Add(d.results(), nil)
	if err != nil {
		return false, err
	}
	e.Done.Verdict, e.Done.First, e.Done.Cause = score.Verdict, "", ""
	if d.problem.Scoring {
		e.Done.Points = &score
	}
	for _, c := range e.Cases {
		if c.Verdict == score.Verdict && c.Verdict != verdict.AC {
			e.Done.First, e.Done.Cause = c.Name, c.Cause
			break
		}
	}
	return score.Open > 0, nil
}

// over reports whether a run took at least one and a half times its CPU limit, or was stopped for
// its wall time.
func over(l limits.Limits, list []grade.Case) bool {
	for _, c := range list {
		if c.Result.CPU >= limits.Beyond(c.Under(l).CPU) || c.Result.Stop == sandbox.OverCPU || c.Result.Stop == sandbox.OverWall {
			return true
		}
	}
	return false
}

// describe says which time is near a limit, and what the case may be on another machine.
func (d *decision) describe() string {
	edges := d.edges()
	for i := range d.cases {
		c := &d.cases[i]
		if c.Name != edges[0] {
			continue
		}
		l := c.Under(d.limits)
		what, used, limit := "CPU time", c.Result.CPU, l.CPU
		if !limits.Near(limit, used) {
			what, used, limit = "wall time", c.Result.Counted(), l.Wall
		}
		var words []string
		for _, v := range d.possible(c).List() {
			words = append(words, v.String())
		}
		text := fmt.Sprintf("is at the edge of the time limit: %s of %s at a limit of %v on %s, which may be %s on another machine",
			duration(int64(used)), what, limit, c.Name, strings.Join(words, " or "))
		if n := len(edges) - 1; n > 0 {
			text += fmt.Sprintf(", and likewise on %s", plural(n, "other case"))
		}
		if d.promise.From != "" {
			text += " (promised by " + d.promise.From + ")"
		}
		return text
	}
	return ""
}
