package watchmode

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// judgeAll judges the programs of the task, the watched submission first.
func (w *worker) judgeAll(ctx context.Context) error {
	s := w.session
	languages := s.engine.Languages()
	if w.task.Submission {
		source, err := w.problem.Contestant(s.Submission, s.Language, languages)
		if err := w.judge(ctx, Submission, source, "", nil, err); err != nil {
			return err
		}
	}
	if w.task.Reference && w.problem.Reference != "" {
		source, err := w.caseData.Source(w.problem.Reference)
		if err := w.judge(ctx, Reference, source, "", &problem.Expect{Final: verdict.SetOf(verdict.AC)}, err); err != nil {
			return err
		}
	}
	for _, path := range w.task.Examples {
		own := w.problem.Submission(path)
		if own == nil { // removed, or not an example
			w.round.wrong[subject{w.task.problem, Example, path}] = false
			continue
		}
		source, err := w.problem.Own(own, languages)
		if err := w.judge(ctx, Example, source, path, &own.Expect, err); err != nil {
			return err
		}
	}
	if w.task.Brute && w.problem.Brute != "" && build.HasSource(filepath.Join(s.Root, w.caseData.Problem.Brute), languages) { // not removed
		source, err := w.caseData.Source(w.caseData.Problem.Brute)
		if err := w.judge(ctx, BruteForce, source, "", nil, err); err != nil {
			return err
		}
	}
	return nil
}

// judge judges one program. If err, the error of opening its source, is not nil, it reports err
// instead. name identifies the program; "" means the name of the source. promised may be nil.
func (w *worker) judge(ctx context.Context, role Role, source *build.Source, name string, promised *problem.Expect, err error) error {
	if err != nil {
		return w.fail(ctx, err)
	}
	subj := subject{w.task.problem, role, cmp.Or(name, source.Name)}
	list := w.list
	if role == Submission {
		list = cases.Required(list) // leave out optional groups, as judge grade does
	}
	failed := w.session.failing[subj]
	if some := only(list, failed); w.task.OnlyFails && len(some) > 0 {
		list = some
	}
	t, err := w.newTask(ctx, list)
	if err != nil {
		return w.fail(ctx, err)
	}
	expected := verdict.None
	if promised != nil {
		expected = promised.Main()
	}
	t.Order, t.All = order(list, failed), true
	t.Submissions = []grade.Submission{{Source: source, Expected: expected}}
	if err := w.caseData.Prepare(ctx, list); err != nil {
		return w.fail(ctx, err)
	}
	var failing, broken []string
	verdictDiffers := false // the verdict alone shows that the promise is broken
	var judged []grade.Case
	err = w.session.engine.Judge(w.caseData, w.task.Fresh).Grade(ctx, t, func(e grade.Event) {
		switch e := e.(type) {
		case *grade.Built:
			if e.Error != "" && w.session.calm.wait(ctx) != nil {
				return // the round was stopped; the source may have been half saved
			}
		case *grade.Case:
			if e.Verdict != verdict.AC {
				failing = append(failing, e.Name)
			}
			judged = append(judged, *e)
			judged[len(judged)-1].Transcript = nil // not needed, and possibly long
		case *grade.Done:
			if promised != nil && !w.task.OnlyFails { // promises are about all cases
				broken = grade.Judged{Cases: judged, Done: *e}.Broken(*promised)
				e.AsExpected = new(broken == nil)
				verdictDiffers = expected != verdict.None && e.Verdict != expected
			}
			w.done(subj, e)
		}
		w.session.emit(&Grading{Problem: w.task.problem, Role: role, Event: e})
	})
	if err != nil {
		return w.fail(ctx, err)
	}
	w.round.failing[subj] = failing
	if len(broken) > 0 && !verdictDiffers {
		return w.fail(ctx, fmt.Errorf("%s: %s", source.Name, strings.Join(broken, "; ")))
	}
	return nil
}

// newTask returns the task of judging on some cases, as the options adapt it.
func (w *worker) newTask(ctx context.Context, list []cases.Case) (grade.Task, error) {
	t, err := w.session.engine.Task(ctx, w.caseData)
	if t.Cases = list; err == nil && w.session.Adapt != nil {
		err = w.session.Adapt(&t)
	}
	return t, err
}

// done records the verdict of a program, and the first failure of the round.
func (w *worker) done(subj subject, e *grade.Done) {
	w.round.wrong[subj] = !AsExpected(subj.role, e)
	w.round.ok = w.round.ok && !w.round.wrong[subj]
	if e.First != "" && w.round.failure == nil {
		w.round.failure = &failure{subject: subj, expected: e.Expected, verdict: e.Verdict, name: e.First, cause: e.Cause}
	}
}

// AsExpected reports whether the verdict is as expected of a program in this role. A brute may
// exceed limits or crash, but its outputs must not be wrong.
func AsExpected(role Role, e *grade.Done) bool {
	if role == BruteForce {
		return !e.Verdict.Is(verdict.WrongOutput, verdict.NotBuilt, verdict.JudgeFailed)
	}
	if e.AsExpected != nil {
		return *e.AsExpected
	}
	want := e.Expected
	if want == verdict.None {
		want = verdict.AC
	}
	return e.Verdict == want
}

// order returns the indices of the cases in the order of judging: those that failed last time, then
// the samples, then the others.
func order(list []cases.Case, failed []string) []int {
	rank := func(i int) int {
		switch {
		case slices.Contains(failed, list[i].Name):
			return 0
		case list[i].Group == "sample":
			return 1
		}
		return 2
	}
	indices := make([]int, len(list))
	for i := range indices {
		indices[i] = i
	}
	slices.SortStableFunc(indices, func(a, b int) int { return rank(a) - rank(b) })
	return indices
}

func only(list []cases.Case, names []string) (chosen []cases.Case) {
	for _, c := range list {
		if slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}
