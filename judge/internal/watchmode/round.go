package watchmode

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/verdict"
)

// round is one piece of work and what came of it.
type round struct {
	number int
	began  time.Time
	cancel context.CancelFunc
	ended  chan struct{} // closed when nothing of it runs any more
	todo   []task
	aside  bool // it only explains: what is known stays as it is

	// What it came to, to be read when it has ended.
	did     map[string]work // problems that came to an end, also to a bad one
	plans   []*regen.Plan   // of expectations that changed: checked, not written
	known   []string        // problems whose expectations are settled
	broken  []string        // and those where they could not be
	failing map[subject][]string
	wrong   map[subject]bool
	failure *failure // the first
	ok      bool     // nothing failed, and all verdicts are as expected
}

// task is the work for one problem.
type task struct {
	problem string
	work
}

func compareTasks(a, b task) int { return strings.Compare(a.problem, b.problem) }

// failure is a case that failed.
type failure struct {
	subject
	expected verdict.Verdict
	name     string // of the case
	cause    string
}

// round does the work for all problems, one after the other.
func (s *session) round(ctx context.Context, r *round) {
	r.ok = true
	for _, t := range r.todo {
		w := &worker{session: s, round: r, task: t}
		if err := w.work(ctx); err != nil && w.fail(ctx, err) != nil {
			return
		}
		if ctx.Err() != nil {
			return
		}
		r.did[t.problem] = t.work
	}
}

// worker does the work for one problem.
type worker struct {
	session *session
	round   *round
	task    task

	problem  *problem.Problem
	caseData *casedata.Provider
	list     []cases.Case // to judge by
	told     string       // the last failure
}

// work does all of it. The error is one that nothing was told of yet.
func (w *worker) work(ctx context.Context) (err error) {
	leave, err := w.enter(ctx)
	if err != nil {
		w.round.broken = append(w.round.broken, w.task.problem)
		return err
	}
	defer leave(&err)
	plan, err := w.expect(ctx)
	if err != nil {
		return err
	}
	if err := w.judgeAll(ctx); err != nil {
		return err
	}
	if plan == nil {
		return nil
	}
	if err := w.validate(ctx); err != nil {
		return err
	}
	w.say("checking what changed once more")
	if err := plan.Confirm(ctx, w.session.bench.Judge(w.caseData, false)); err != nil {
		w.round.broken = append(w.round.broken, w.task.problem)
		return err
	}
	if kept := w.kept(); kept != "" {
		regen.Sweep(kept)
	}
	w.round.known = append(w.round.known, w.task.problem)
	if plan.Stale || plan.Renew {
		// What is read while somebody saves may be half of it, and is not written.
		if err := w.session.calm.wait(ctx); err != nil {
			return err
		}
		w.round.plans = append(w.round.plans, plan)
	}
	return nil
}

// enter reads the problem. What leave finds wrong it adds to the error.
func (w *worker) enter(ctx context.Context) (leave func(*error), err error) {
	p, close, err := w.session.load(ctx, w.task.problem)
	if err != nil {
		return nil, err
	}
	w.problem, w.caseData = p, w.session.bench.CaseData(p)
	return func(err *error) { *err = errors.Join(*err, w.caseData.Close(), close()) }, nil
}

// expect finds the cases to judge by, and plans new expectations when asked to. When
// that fails it tells so, and what stands in the files is judged by.
func (w *worker) expect(ctx context.Context) (*regen.Plan, error) {
	id := w.task.problem
	if !w.problem.HasReference() { // nothing computes the answers: they are given
		err := w.load()
		if err != nil {
			w.round.broken = append(w.round.broken, id)
		} else {
			w.round.known = append(w.round.known, id)
		}
		return nil, err
	}
	if !w.task.Expectations {
		if plan := w.session.pending[id]; plan != nil {
			w.list = plan.Cases()
			return nil, nil
		}
		return nil, w.load()
	}
	plan, err := regen.Make(ctx, w.caseData, regen.Options{
		Judge: w.session.bench.Judge(w.caseData, false),
		Show:  w.session.bench.Show(), Keep: w.kept(), Stage: w.say,
		Fresh: w.task.Fresh && !w.task.OnlyFails, // what failed is all that is run again
	})
	if err == nil {
		w.list = plan.Cases()
		state := Fresh
		if plan.Stale {
			state = Checking
		}
		w.session.emit(&Expectations{Problem: id, Plan: plan, State: state})
		return plan, nil
	}
	w.round.broken = append(w.round.broken, id)
	if err := w.fail(ctx, err); err != nil {
		return nil, err
	}
	if _, ok := errors.AsType[*build.CompileError](err); ok {
		w.task.Reference = false // the same words again
	}
	if w.load() != nil {
		w.task.work = work{} // there is nothing to judge by, for the same reason
	}
	return nil, nil
}

// validate tells of the first input that the problem's validator refuses, if there is
// a validator. One that fails has refused nothing; that is found by judge verify.
func (w *worker) validate(ctx context.Context) error {
	var said []casedata.Validation
	if build.HasSource(filepath.Join(w.session.Root, w.caseData.Problem.Check), w.session.bench.Languages()) {
		var err error
		if said, err = w.caseData.Validate(ctx, w.list); err != nil {
			return w.fail(ctx, err)
		}
	}
	for _, by := range w.problem.InputValidators {
		more, err := w.caseData.ValidateWith(ctx, by, w.list)
		if _, missing := errors.AsType[*build.MissingError](err); missing {
			continue
		}
		if err != nil {
			return w.fail(ctx, err)
		}
		said = append(said, more...)
	}
	for _, v := range said {
		if v.Invalid != nil {
			return w.fail(ctx, v.Invalid)
		}
	}
	return nil
}

// kept is the folder for inputs that a program of the problem fails on.
func (w *worker) kept() string {
	if w.session.Kept == "" {
		return ""
	}
	return filepath.Join(w.session.Kept, w.task.problem)
}

// load takes the cases as they stand in the files.
func (w *worker) load() error {
	set, err := w.problem.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err == nil {
		w.list = set.Cases
	}
	return err
}

// fail tells what went wrong, when the files have come to rest: half a save makes
// errors that nobody has to see. Its own error is the context's.
func (w *worker) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := w.session.calm.wait(ctx); err != nil {
		return err
	}
	w.round.ok = false
	if text := err.Error(); text != w.told {
		w.told = text
		w.session.emit(&Failed{Problem: w.task.problem, Err: err})
	}
	return nil
}

func (w *worker) say(what string) {
	w.session.emit(&Stage{Problem: w.task.problem, What: what})
}
