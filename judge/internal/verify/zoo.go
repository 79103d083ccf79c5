package verify

import (
	"context"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
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
	want verdict.Verdict
	over bool // stopped even at twice the CPU limit
}

// examples finds submissions that do not get the verdict of their folder.
func examples(ctx context.Context, s *subject) error {
	z, err := s.examples(ctx)
	if err != nil {
		return err
	}
	for _, e := range z.judged {
		if got := e.done.Verdict; got != e.want {
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
	return nil
}

// examples judges the example submissions, each as its folder deserves. Wall time is
// kept for those alone that must exceed it. Those that must exceed the CPU time get
// twice of it at first: one that is stopped there is stopped by the limit as well.
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
	task := grade.Task{Cases: list, Limits: s.patient()}
	twice := task
	twice.Limits.CPU *= 2
	twice.Limits.Wall = max(twice.Limits.Wall, 2*twice.Limits.CPU)
	twice.Submissions = groups[verdict.TLE]
	slow, err := s.grade(ctx, twice)
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
	idle := task
	idle.Limits, idle.Submissions = s.task.Limits, groups[verdict.ILE]
	task.Submissions = append(task.Submissions, groups[verdict.None]...)
	for _, t := range []grade.Task{task, idle} {
		all, err := s.grade(ctx, t)
		if err != nil {
			return nil, err
		}
		for i, j := range all {
			z.judged = append(z.judged, example{judged: j, want: t.Submissions[i].Expected})
		}
	}
	s.summary.Examples = len(z.judged)
	s.zoo = z
	return z, nil
}

// submissions reads the example submissions: those that must exceed the CPU time and
// those that must be idle under their verdicts, and all others under None. One whose
// language is not installed here is noted.
func (s *subject) submissions(ctx context.Context, z *zoo) (map[verdict.Verdict][]grade.Submission, error) {
	groups := map[verdict.Verdict][]grade.Submission{}
	top := s.path(s.maker().Reference(), submissions)
	folders, err := entries(top)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		want, ok := verdict.OfFolder(f.Name())
		if !ok || !f.IsDir() {
			continue // the check of orphans tells
		}
		list, err := entries(filepath.Join(top, f.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			name := filepath.Join(top, f.Name(), e.Name())
			source, err := build.Open(name, "", s.judge.Builder.Languages())
			if err != nil {
				e := build.Located(name, err)
				if strings.Contains(e.Hint, "--lang") {
					e.Hint = "examples have the ending of their language; what is none stands elsewhere"
				}
				s.find(e)
				continue
			}
			if _, err := s.judge.Builder.Key(ctx, source); err != nil { // a tool that is not there, or a shim that leads to none
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				s.note("not checked: %s: %v", name, err)
				s.summary.Unchecked++
				z.absent[want]++
				continue
			}
			group := verdict.None
			if want == verdict.TLE || want == verdict.ILE {
				group = want
			}
			groups[group] = append(groups[group], grade.Submission{Source: source, Expected: want})
		}
	}
	return groups, nil
}
