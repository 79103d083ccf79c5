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

// round does work in a goroutine, and holds its results.
type round struct {
	number int
	began  time.Time
	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutine has ended
	todo   []task
	aside  bool // the round only explains a failure or looks for a counterexample, and has no results

	// The results, which may be read after ended is closed:
	finished map[string]work      // finished work, including failed work, by problem
	plans    []*regen.Plan        // new expected outputs, confirmed but not written
	known    []string             // problems whose expected outputs could be computed
	broken   []string             // problems whose expected outputs could not be computed
	failing  map[subject][]string // see session
	wrong    map[subject]bool     // see session
	failure  *failure             // the first failure of the round
	ok       bool                 // nothing failed, and all verdicts are as expected
}

// task is the work for one problem.
type task struct {
	problem string
	work
}

func compareTasks(a, b task) int { return strings.Compare(a.problem, b.problem) }

// failure is a case that a program failed.
type failure struct {
	subject
	expected verdict.Verdict
	verdict  verdict.Verdict // of the case that decided
	name     string          // name of the case
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
		r.finished[t.problem] = t.work
	}
}

// worker does the work for one problem.
type worker struct {
	session *session
	round   *round
	task    task

	problem  *problem.Problem
	caseData *casedata.Provider
	list     []cases.Case // the cases to judge on
	reported string       // text of the last error that was reported
}

// work does all work for the problem. It returns only errors that it has not reported yet.
func (w *worker) work(ctx context.Context) (err error) {
	closeProblem, err := w.openProblem(ctx)
	if err != nil {
		w.round.broken = append(w.round.broken, w.task.problem)
		return err
	}
	defer closeProblem(&err)
	plan, err := w.expectations(ctx)
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
	w.stage("confirming the expected outputs")
	if err := plan.Confirm(ctx, w.session.engine.Judge(w.caseData, false)); err != nil {
		w.round.broken = append(w.round.broken, w.task.problem)
		return err
	}
	if kept := w.kept(); kept != "" {
		regen.Sweep(kept)
	}
	w.round.known = append(w.round.known, w.task.problem)
	if plan.Stale || plan.Renew {
		// A file may have been read while it was being saved: write outputs only when files are
		// quiet.
		if err := w.session.calm.wait(ctx); err != nil {
			return err
		}
		w.round.plans = append(w.round.plans, plan)
	}
	return nil
}

// openProblem loads the problem of the task. closeProblem closes it, and adds its errors to *err.
func (w *worker) openProblem(ctx context.Context) (closeProblem func(*error), err error) {
	p, close, err := w.session.load(ctx, w.task.problem)
	if err != nil {
		return nil, err
	}
	w.problem, w.caseData = p, w.session.engine.CaseData(p)
	return func(err *error) { *err = errors.Join(*err, w.caseData.Close(), close()) }, nil
}

// expectations sets w.list, the cases to judge on. If the work includes it, it also returns a plan
// of new expected outputs. If planning fails, it reports the error and uses the outputs in the
// files.
func (w *worker) expectations(ctx context.Context) (*regen.Plan, error) {
	id := w.task.problem
	if !w.problem.HasReference() { // the answers are given, not computed
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
		Judge: w.session.engine.Judge(w.caseData, false),
		Show:  w.session.engine.Show(), Keep: w.kept(), Stage: w.stage,
		Fresh: w.task.Fresh && !w.task.OnlyFails, // OnlyFails reruns only what failed
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
		w.task.Reference = false // judging it would report the same error
	}
	if w.load() != nil {
		w.task.work = work{} // no cases can be loaded to judge on; one reported error is enough
	}
	return nil, nil
}

// validate reports the first input that an input validator of the problem refuses. It ignores
// validators that fail: judge verify reports those.
func (w *worker) validate(ctx context.Context) error {
	var results []casedata.Validation
	if build.HasSource(filepath.Join(w.session.Root, w.caseData.Problem.Check), w.session.engine.Languages()) {
		var err error
		if results, err = w.caseData.Validate(ctx, w.list); err != nil {
			return w.fail(ctx, err)
		}
	}
	for _, validator := range w.problem.InputValidators {
		more, err := w.caseData.ValidateWith(ctx, validator, w.list)
		if _, missing := errors.AsType[*build.MissingError](err); missing {
			continue
		}
		if err != nil {
			return w.fail(ctx, err)
		}
		results = append(results, more...)
	}
	for _, v := range results {
		if v.Invalid != nil {
			return w.fail(ctx, v.Invalid)
		}
	}
	return nil
}

// kept returns the folder for inputs on which a program of the problem fails.
func (w *worker) kept() string {
	if w.session.Kept == "" {
		return ""
	}
	return filepath.Join(w.session.Kept, w.task.problem)
}

// load reads the cases as they are in the files.
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

// fail waits until the files are quiet and reports an error. Waiting hides errors that only
// half-saved files cause: the rest of the save stops the round. fail itself returns an error only
// if ctx ends.
func (w *worker) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := w.session.calm.wait(ctx); err != nil {
		return err
	}
	w.round.ok = false
	if text := err.Error(); text != w.reported {
		w.reported = text
		w.session.emit(&Failed{Problem: w.task.problem, Err: err})
	}
	return nil
}

func (w *worker) stage(name string) {
	w.session.emit(&Stage{Problem: w.task.problem, What: name})
}
