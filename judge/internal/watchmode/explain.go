package watchmode

import (
	"context"
	"fmt"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
)

// whole bounds a difference that is shown as a whole.
var whole = diff.Options{Lines: 1000, Bytes: int(limits.MiB)}

// explanation judges the first failure of the last round once more, to show all of
// its difference.
func (s *session) explanation(ctx context.Context, r *round) {
	r.aside, r.ok = true, true
	f := s.failure
	if f == nil {
		s.emit(&Difference{})
		return
	}
	w := &worker{session: s, round: r, task: task{problem: f.problem}}
	if err := w.explain(ctx, f); err != nil {
		_ = w.fail(ctx, err) // which is only that of a round that was stopped
	}
}

func (w *worker) explain(ctx context.Context, f *failure) (err error) {
	leave, err := w.enter(ctx)
	if err != nil {
		return err
	}
	defer leave(&err)
	if _, err := w.expect(ctx); err != nil {
		return err
	}
	source, err := w.open(f.subject)
	if err != nil {
		return err
	}
	t, err := w.session.bench.Task(ctx, w.caseData)
	if err != nil {
		return err
	}
	t.Cases = only(w.list, []string{f.name})
	t.Submissions = []grade.Submission{{Source: source}}
	t.Show.Lines, t.Show.Bytes = whole.Lines, whole.Bytes
	if err := w.caseData.Prepare(ctx, t.Cases); err != nil {
		return err
	}
	d := &Difference{Problem: f.problem, Role: f.role, Case: f.name, Cause: f.cause}
	err = w.session.bench.Judge(w.caseData, false).Grade(ctx, t, func(e grade.Event) {
		if c, ok := e.(*grade.Case); ok {
			d.Mismatch, d.Cause = c.Mismatch, c.Cause
		}
	})
	if err == nil {
		w.session.emit(d)
	}
	return err
}

// open reads a program again that was judged before.
func (w *worker) open(of subject) (*build.Source, error) {
	s := w.session
	switch of.role {
	case Reference:
		return w.caseData.Source(w.caseData.Problem.Reference)
	case Brutal:
		return w.caseData.Source(w.caseData.Problem.Brute)
	case Submission:
		return w.problem.Contestant(s.Submission, s.Language, s.bench.Languages())
	}
	if own := w.problem.Submission(of.name); own != nil {
		return w.problem.Own(own, s.bench.Languages())
	}
	return nil, fmt.Errorf("%s: it is not there any more", of.name)
}
