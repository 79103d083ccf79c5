package watchmode

import (
	"context"
	"errors"
	"path/filepath"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/stress"
)

// huntSeed is the seed of a search for a counterexample: always the same, so that the same program
// gets the same one, and judge stress finds it again.
const huntSeed = 1

// maxHunted is the largest input of a failed case that is shrunk. A larger one takes too long.
const maxHunted = 64 * limits.KiB

// maxSlow is the size of the largest input that is shown for a program that was too slow. A program
// that needs long for a larger one is only slow, but for a small one it may never end.
const maxSlow = 4 * limits.KiB

// hunting looks for a small input on which the program of a failure fails. It is silent if it finds
// none, or if the problem does not have the programs that this needs.
func (s *session) hunting(ctx context.Context, r *round, f *failure) {
	r.ok = true
	w := &worker{session: s, round: r, task: task{problem: f.problem}}
	if c, err := w.hunt(ctx, f); err == nil && c != nil && ctx.Err() == nil {
		s.emit(c)
	}
}

// hunt returns the smallest failing input that it finds in the time that the options allow: of those
// that the problem's generator makes or, if the program fails on none, of those that the failed case
// shrinks to. It is nil if there is none that is smaller than that of the case.
func (w *worker) hunt(ctx context.Context, f *failure) (c *Counterexample, err error) {
	closeProblem, err := w.openProblem(ctx)
	if err != nil {
		return nil, err
	}
	defer closeProblem(&err)
	if err := w.problem.Need(problem.Outputs, problem.Check, problem.Reference); err != nil || !w.has(w.problem.Check) {
		return nil, err
	}
	if _, err := w.expectations(ctx); err != nil {
		return nil, err
	}
	source, err := w.reopen(f.subject)
	if err != nil {
		return nil, err
	}
	judge := w.session.engine.Judge(w.caseData, false)
	program, err := judge.Builder.Build(ctx, source)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, program.Close()) }()
	t, err := w.session.engine.Task(ctx, w.caseData)
	if err != nil {
		return nil, err
	}
	chosen := only(w.list, []string{f.name})
	if len(chosen) == 0 {
		return nil, nil
	}
	if err := w.caseData.Prepare(ctx, chosen); err != nil {
		return nil, err
	}
	data, err := w.caseData.Load(ctx, &chosen[0])
	if err != nil {
		return nil, err
	}
	c = &Counterexample{Problem: f.problem, Role: f.role, Submission: source.Name, Case: f.name, Seed: huntSeed, Flags: w.session.Flags}
	search := &stress.Search{Judge: judge, Task: t, A: stress.Side{Name: source.Name, Program: program, Limits: t.Limits}}
	search.Given = w.problem.Generator == "" || !w.has(w.problem.Generator)
	slow := f.verdict.Is(verdict.TooSlow)
	found, err := w.find(ctx, search, data, slow)
	if found == nil || err != nil {
		return nil, err
	}
	c.Inputs = found.Number
	bound, cancel := context.WithTimeout(ctx, w.session.Hunt/2)
	defer cancel()
	k, err := search.Shrink(ctx, bound, found)
	if k != nil {
		found.Take(k)
	}
	if err != nil || int64(found.Bytes) >= data.Input.Size() || slow && int64(found.Bytes) > int64(maxSlow) {
		return nil, err
	}
	c.Input, c.Want, c.Answer = found.Input, found.Want, found.A
	return c, nil
}

// has reports whether the problem has the sources of a program.
func (w *worker) has(path string) bool {
	return build.HasSource(filepath.Join(w.session.Root, path), w.session.engine.Languages())
}

// find looks for an input of the problem's generator on which the program fails. If there is none it
// tries that of the failed case, unless the program was too slow, because that would take too long. It
// finds none if one of the problem's own programs fails: judge stress says how.
func (w *worker) find(ctx context.Context, search *stress.Search, failed casedata.Data, slow bool) (*stress.Finding, error) {
	bound, cancel := context.WithTimeout(ctx, w.session.Hunt/2)
	defer cancel()
	if !search.Given {
		ladder, err := w.caseData.Sizes(ctx)
		if err == nil && len(ladder) > 0 {
			found, err := search.Find(ctx, bound, stress.NewClimb(ladder, huntSeed), 0)
			if found != nil || err != nil {
				return found, err
			}
		}
	}
	if slow || failed.Input.Size() > int64(maxHunted) {
		return nil, nil
	}
	input, err := failed.Input.Bytes()
	if err != nil {
		return nil, err
	}
	search.Given = true
	return search.On(ctx, ctx, input)
}
