package verify

import (
	"context"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// resources lists the limited resources, measured in nanoseconds or bytes.
var resources = []struct {
	name string
	unit string                    // unit of have and need: ns or B
	have func(limits.Limits) int64 // returns the limit
	need func(grade.Case) int64    // returns the amount used on a case
	text func(int64) string        // formats an amount
	// Whether a measurement may exceed the program's need: time on a busy machine, or memory of
	// the first program that touches the pages of a shared library.
	noisy bool
}{
	{"cpu", "ns", func(l limits.Limits) int64 { return int64(l.CPU) }, func(c grade.Case) int64 { return int64(c.Result.CPU) }, duration, true},
	{"wall", "ns", func(l limits.Limits) int64 { return int64(l.Wall) }, func(c grade.Case) int64 { return int64(c.Result.Counted()) }, duration, true},
	{"memory", "B", func(l limits.Limits) int64 { return int64(l.Memory) }, func(c grade.Case) int64 { return int64(c.Result.Memory) }, size, true},
	{"output", "B", func(l limits.Limits) int64 { return int64(l.Output) }, func(c grade.Case) int64 { return c.Result.Stdout }, size, false},
}

func duration(n int64) string { return time.Duration(n).Round(100 * time.Microsecond).String() }
func size(n int64) string     { return limits.Bytes(n).Human() }

// checkLimits finds limits of which an accepted program uses more than half, and time limits that
// no example exceeds.
func checkLimits(ctx context.Context, s *subject) error {
	r, err := s.solve(ctx)
	if err != nil || r == nil && s.p.HasReference() {
		return err
	}
	results, err := s.judgeExamples(ctx)
	if err != nil || !results.judgeable {
		return err
	}
	var accepted []*judged
	if r != nil {
		accepted = append(accepted, r)
	}
	for i := range results.judged {
		if e := &results.judged[i]; e.want == verdict.AC && e.Done.Verdict == verdict.AC {
			accepted = append(accepted, &e.judged)
			if err := s.findTight(ctx, &e.judged); err != nil {
				return err
			}
		}
	}
	s.summary.Margins = nil
	for _, r := range resources {
		m := Margin{Limit: r.name, Have: r.have(s.runs), Unit: r.unit}
		for _, j := range accepted {
			for _, c := range j.Cases {
				have, need := r.have(c.Under(s.runs)), r.need(c)
				tighter := need > m.Need
				if have != m.Have {
					tighter = float64(need)*float64(m.Have) > float64(m.Need)*float64(have)
				}
				if tighter {
					m.Have, m.Need, m.By, m.Case = have, need, j.name, c.Name
				}
			}
		}
		s.summary.Margins = append(s.summary.Margins, m)
	}
	s.findPointless(results)
	return nil
}

// findTight finds limits of which the accepted program j uses more than half. It measures noisy
// resources again before it reports them.
func (s *subject) findTight(ctx context.Context, j *judged) error {
	var doubted []cases.Case
	for _, c := range j.Cases {
		for _, r := range resources {
			if c.Verdict == verdict.AC && r.noisy && limits.Tight(r.have(c.Under(s.runs)), r.need(c)) {
				doubted = append(doubted, *s.caseOf(c.Name))
				break
			}
		}
	}
	if err := s.remeasure(ctx, j, doubted); err != nil {
		return err
	}
	for _, r := range resources {
		for _, c := range j.Cases {
			have := r.have(c.Under(s.runs))
			if c.Verdict == verdict.AC && limits.Tight(have, r.need(c)) {
				s.findOrNote(s.p.Errorf("limits", "raise the limit, or make the case smaller", "%s: %s needs %s of %s on %s, more than half",
					r.name, j.name, r.text(r.need(c)), r.text(have), c.Name))
				break // one finding for each limit and program
			}
		}
	}
	return nil
}

// remeasure runs a program on doubted cases again, with nothing beside it, and replaces measurements
// in j by those of accepted runs.
func (s *subject) remeasure(ctx context.Context, j *judged, doubted []cases.Case) error {
	if len(doubted) == 0 {
		return nil
	}
	again, err := s.grade(ctx, grade.Task{
		Cases: doubted, Limits: s.runs, All: true, Alone: true, Edges: true, Submissions: []grade.Submission{{Source: j.Source}},
	})
	if err != nil {
		return err
	}
	for _, c := range again[0].Cases {
		for i := range j.Cases {
			if j.Cases[i].Name == c.Name && c.Verdict == verdict.AC {
				j.Cases[i].Result = c.Result
			}
		}
	}
	return nil
}

// findPointless finds a CPU limit that cannot be reached within the wall limit, that no example
// exceeds, or that an example exceeds by so little that a faster machine would accept it.
func (s *subject) findPointless(results *exampleResults) {
	found := func(hint, format string, args ...any) {
		s.findOrNote(s.p.Errorf("limits", hint, "cpu: "+format, args...))
	}
	if l := s.runs; time.Duration(max(l.CPUs, 1))*l.Wall <= l.CPU {
		found("raise wall or lower cpu", "%v cannot be reached in %v of wall time", l.CPU, l.Wall)
	}
	folder := s.path(repo.Submissions(s.p.ID), verdict.TLE.Folder())
	slow := 0
	for _, e := range results.judged {
		switch {
		case e.want != verdict.TLE:
		case e.over || e.Done.Verdict == verdict.TLE && len(e.promise.Rules) > 0: // with rules, it was not judged under the larger limit
			slow++
		case e.Done.Verdict == verdict.TLE:
			slow++
			found("add a larger case, or lower the limit", "%s exceeds %v but not %v", e.name, s.runs.CPU, limits.Beyond(s.runs.CPU))
		}
	}
	switch {
	case slow > 0:
	case results.absent[verdict.TLE] > 0 || s.choice.partial():
		s.note("not checked: whether any example exceeds the CPU limit")
	default:
		found("add one to "+folder, "no example exceeds it")
	}
}
