package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// zoo is what became of the example submissions of a problem.
type zoo struct {
	judged []example
	absent map[verdict.Verdict]int // how many could not be judged here, by what is expected
}

// example is one of them.
type example struct {
	judged
	want verdict.Verdict // None of one that gets a part of the points
	over bool            // stopped even where the CPU limit has reach to spare: [limits.Beyond]
}

// examples finds submissions that do not get the verdict of their folder, which is about
// all cases. It notes which of them fail in optional groups alone.
func examples(ctx context.Context, s *subject) error {
	z, err := s.examples(ctx)
	if err != nil {
		return err
	}
	var lenient []string // fail where a case need not count
	for _, e := range z.judged {
		if c := s.caseOf(e.done.First); c != nil && c.Optional { // optional groups are judged last
			lenient = append(lenient, strings.TrimPrefix(e.name, s.path(repo.Submissions(s.p.ID))+"/"))
		}
		if p := e.done.Points; e.want == verdict.None || e.want == verdict.AC && p != nil && e.done.Verdict == verdict.AC {
			if got, part := pointsOf(p); part != (e.want == verdict.None) {
				s.at(e.name, "mend the cases, or move it", "gets %s, and its folder says otherwise", got)
			}
		} else if got := e.done.Verdict; got != e.want {
			where, why := e.done.First, e.done.Cause
			if where != "" {
				where = " on " + where
			}
			if why != "" {
				why = ": " + why
			}
			s.at(e.name, "mend the cases, or move it", "gets %s%s, and its folder says %s%s", got, where, e.want, why)
		}
	}
	if len(lenient) > 0 {
		slices.Sort(lenient)
		s.note("accepted without the optional groups: %s", strings.Join(lenient, ", "))
	}
	return nil
}

// pointsOf says in words what a submission got, and whether it is a part of the points.
func pointsOf(t *points.Score) (text string, part bool) {
	if t == nil {
		return "no points", false
	}
	return fmt.Sprintf("%.10g points of %.10g", t.Points, float64(t.Best)), t.Points != 0 && t.Points != float64(t.Best)
}

// examples judges the example submissions. Those that must exceed the CPU time get more of
// it at first: one that is stopped there is stopped by the limit as well.
func (s *subject) examples(ctx context.Context) (*zoo, error) {
	if s.zoo != nil {
		return s.zoo, nil
	}
	z := &zoo{absent: map[verdict.Verdict]int{}}
	groups, err := s.submissions(ctx, z)
	if err != nil {
		return nil, err
	}
	list, err := s.fixtures(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return z, nil
	}
	task := grade.Task{Cases: list, Limits: s.task.Limits}
	beyond := task
	beyond.Limits.CPU = limits.Beyond(task.Limits.CPU)
	beyond.Limits.Wall = max(task.Limits.Wall, 2*beyond.Limits.CPU)
	beyond.Submissions = groups[verdict.TLE]
	slow, err := s.grade(ctx, beyond)
	if err != nil {
		return nil, err
	}
	for i, j := range slow {
		if j.done.Verdict == verdict.TLE {
			z.judged = append(z.judged, example{j, verdict.TLE, true})
		} else {
			task.Submissions = append(task.Submissions, groups[verdict.TLE][i])
		}
	}
	task.Submissions = append(task.Submissions, groups[verdict.None]...)
	all, err := s.grade(ctx, task)
	if err != nil {
		return nil, err
	}
	for i, j := range all {
		z.judged = append(z.judged, example{judged: j, want: task.Submissions[i].Expected})
	}
	s.summary.Examples = len(z.judged)
	s.zoo = z
	return z, nil
}

// submissions reads the example submissions: those that must exceed the CPU time under that
// verdict, and all others under None. One whose language is not installed here is noted.
func (s *subject) submissions(ctx context.Context, z *zoo) (map[verdict.Verdict][]grade.Submission, error) {
	groups := map[verdict.Verdict][]grade.Submission{}
	for i := range s.p.Submissions {
		e := &s.p.Submissions[i]
		at, want := s.p.Show(e.Path), e.Expect.Main()
		source, err := s.p.Own(e, s.judge.Builder.Languages())
		if err != nil {
			found := build.Located(at, err)
			if strings.Contains(found.Hint, "--lang") {
				found.Hint = "examples have the ending of their language; what is none stands elsewhere"
			}
			s.find(found)
			continue
		}
		if _, err := s.judge.Builder.Key(ctx, source); err != nil { // a tool that is not there, or a shim that leads to none
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.note("not checked: %s: %v", at, err)
			s.summary.Unchecked++
			z.absent[want]++
			continue
		}
		group := verdict.None
		if want == verdict.TLE {
			group = want
		}
		groups[group] = append(groups[group], grade.Submission{Source: source, Expected: want})
	}
	return groups, nil
}
