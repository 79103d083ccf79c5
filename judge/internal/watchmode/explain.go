package watchmode

import (
	"context"
	"fmt"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
)

// whole bounds the difference that Explain shows.
var whole = diff.Options{Lines: 1000, Bytes: int(limits.MiB)}

// explanation judges the first failure of the last round once more, to show its whole difference.
func (s *session) explanation(ctx context.Context, r *round) {
	r.ok = true
	f := s.failure
	if f == nil {
		s.emit(&Difference{})
		return
	}
	w := &worker{session: s, round: r, task: task{problem: f.problem}}
	if err := w.explain(ctx, f); err != nil {
		_ = w.fail(ctx, err) // fail returns an error only if the round was stopped
	}
}

// explain judges the program of f on the case of f, and emits the whole difference.
func (w *worker) explain(ctx context.Context, f *failure) (err error) {
	closeProblem, err := w.openProblem(ctx)
	if err != nil {
		return err
	}
	defer closeProblem(&err)
	if _, err := w.expectations(ctx); err != nil {
		return err
	}
	source, err := w.reopen(f.subject)
	if err != nil {
		return err
	}
	t, err := w.newTask(ctx, only(w.list, []string{f.name}))
	if err != nil {
		return err
	}
	t.Submissions = []grade.Submission{{Source: source}}
	t.Show.Lines, t.Show.Bytes = whole.Lines, whole.Bytes
	if err := w.caseData.Prepare(ctx, t.Cases); err != nil {
		return err
	}
	d := &Difference{Problem: f.problem, Role: f.role, Case: f.name, Cause: f.cause}
	err = w.session.engine.Judge(w.caseData, false).Grade(ctx, t, func(e grade.Event) {
		if c, ok := e.(*grade.Case); ok {
			d.Mismatch, d.Cause = c.Mismatch, c.Cause
		}
	})
	if err == nil {
		w.session.emit(d)
	}
	return err
}

// reopen opens the source of a program that was judged before.
func (w *worker) reopen(subj subject) (*build.Source, error) {
	s := w.session
	switch subj.role {
	case Reference:
		return w.caseData.Source(w.caseData.Problem.Reference)
	case BruteForce:
		return w.caseData.Source(w.caseData.Problem.Brute)
	case Submission:
		return w.problem.Contestant(s.Submission, s.Language, s.engine.Languages())
	}
	if own := w.problem.Submission(subj.name); own != nil {
		return w.problem.Own(own, s.engine.Languages())
	}
	return nil, fmt.Errorf("%s: no longer exists", subj.name)
}
