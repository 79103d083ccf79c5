// Package grade judges submissions on a problem and emits events. It begins at [Judge.Grade];
// [Classify] maps the measurements of a run to its verdict.
package grade

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// Submission is a program to judge.
type Submission struct {
	Source   *build.Source
	Expected verdict.Verdict // None when nothing is expected
	All      bool            // judge all cases, as Task.All says for all submissions
	// Until, if not 0, is the CPU time at which a run is stopped, unless the CPU limit and the grace
	// of the pool allow more. It shows by how much a program exceeds the limit.
	Until time.Duration
	// Decided, if not nil, gets each case in the order of their events, one at a time and before the
	// event, and reports whether the remaining ones need not be judged.
	Decided func(*Case) bool
	// Known, if not nil, returns the result of the case with this index from an earlier judging under
	// the same conditions, or nil if there is none. A case whose result is known is not run.
	Known func(index int) *Case
}

// Task is what to judge and how: a problem, submissions and options.
type Task struct {
	Problem     *problem.Problem
	Cases       []cases.Case  // of the problem, prepared by CaseData, in case order; the problem's groups decide only if none is missing
	LeftOut     []cases.Group // optional groups whose cases are not among Cases, for the report
	Submissions []Submission
	Limits      limits.Limits // of one run, with every field set; CPUs is the problem's number of CPUs
	Uniform     bool          // the problem's exceptions to its limits do not count, because Limits are raised for all runs
	Show        diff.Options  // how much of a difference is shown
	All         bool          // judge all cases, not only up to the first failure
	Points      *points.Group // gives points to a problem that has none, as [points.Share] does, whatever the verdict; nil for none
	Order       []int         // indices of the cases to run and report first; the others follow in case order
	Transcript  limits.Bytes  // bytes to keep of what the program writes, and as many of its interactor; 0 keeps nothing, which is faster
	Drawable    bool          // as in [Begin]
	Outputs     limits.Bytes  // largest output of a failing case that its event has; 0 means none
	Keep        string        // folder for the programs' outputs, named by [Task.KeptName]; "" keeps none
	Alone       bool          // run every case while nothing else runs, for measurements
	Edges       bool          // accept runs whose times are near a limit, instead of repeating them
	AtOnce      int           // about how many cases are judged at a time, fewer for a caller with several Grades at a time; 0 means one on each slot
	Repeat      int           // runs of each case; 0 and 1 mean one run, and more while its verdict is in doubt
	Command     []string      // as in [Begin]
}

// CompareAll makes the task compare the outputs of all its cases by o, and ask no output validator,
// whatever the problem and the cases say.
func (t *Task) CompareAll(o diff.Options) {
	t.Problem = t.Problem.WithValidator(nil)
	t.Problem.Compare = o
	t.Cases = slices.Clone(t.Cases)
	for i := range t.Cases {
		t.Cases[i].Compare = nil
	}
}

// limits returns the limits of a submission on a case, both given by index.
func (t *Task) limits(submission, index int) limits.Limits {
	if t.Uniform {
		return t.Limits
	}
	return t.Problem.LimitsFor(t.Limits, t.Submissions[submission].Source.Language, t.Cases[index].Name)
}

// groups returns the test groups whose rules decide, nil if there are none.
func (t *Task) groups() *points.Group {
	if g := t.Problem.Groups; g != nil && g.Size() == len(t.Cases) {
		return g
	}
	return nil
}

// Score returns what [Task.Points] make of the results of a submission, by case index; nil if there are none.
func (t *Task) Score(results []points.Result) *points.Score {
	if t.Points == nil {
		return nil
	}
	score, _ := t.Points.Add(results, nil) // no error: it asks no grader, and validators give no scores
	return &score
}

// Judge grades tasks. All fields but Memo must be set. It runs one Grade at a time, but several
// judges may grade at the same time on one pool, even with one CaseData.
type Judge struct {
	Temp     string // folder for temporary files
	Pool     *run.Pool
	Builder  *build.Builder
	CaseData *casedata.Provider
	Memo     *run.Memo // outcomes of earlier runs; not used if nil, nor for submissions if Task.Repeat is more than 1
}

// Grade judges every submission of the task on its cases and passes events to emit, in the order
// that [Event] describes. An error means that the judge could not work at all; a failure that
// affects one case only is the verdict JE of that case. When ctx ends, Grade stops all runs and
// returns the error of ctx.
func (j *Judge) Grade(ctx context.Context, t Task, emit func(Event)) error {
	start := time.Now()
	g := &grading{judge: j, task: t, compare: t.Problem.Options(t.Show), groups: t.groups(), events: newEventQueue(emit), order: t.order(), programs: newPrograms(j.Builder, t.Submissions), unreported: map[string]bool{}}
	defer g.events.close()
	width := j.Pool.Width(t.Limits.CPUs)
	facts := j.Pool.Facts()
	begin := &Begin{
		Problem: t.Problem.ID, Title: t.Problem.Title, Dialect: t.Problem.Dialect, Because: t.Problem.Because, LeftOut: t.LeftOut,
		Slots: j.Pool.Slots() / width, CPUs: width, WantedCPUs: max(t.Limits.CPUs, 1),
		Limits: t.Limits, Compare: compareName(g.compare), Command: t.Command, Drawable: t.Drawable,
		Mechanisms: facts.Mechanisms, Notes: facts.Notes, Busy: j.Pool.Busy(),
	}
	if !t.Uniform {
		begin.Exceptions = t.Problem.Exceptions
	}
	if t.Repeat > 1 {
		begin.Repeat = t.Repeat
	}
	switch {
	case t.Problem.Checker():
		begin.Compare += "+checker"
	case t.Problem.Validator != nil:
		begin.Compare = "validator"
	}
	for _, c := range t.Cases {
		begin.Cases = append(begin.Cases, c.Name)
	}
	for _, s := range t.Submissions {
		begin.Submissions = append(begin.Submissions, s.Source.Name)
	}
	g.events.send(begin)

	defer g.close()
	if err := g.build(ctx); err != nil {
		return err
	}
	var err error
	if g.checker, err = j.checker(ctx, t.Problem.Validator); err != nil {
		return err
	}
	if err := g.judgeAll(ctx); err != nil {
		return err
	}
	g.events.send(&End{Elapsed: time.Since(start)})
	return nil
}

// compareName names a comparison in events: the mode, but all ways to ask for byte equality alike, such
// as the flags that packages have for it.
func compareName(o diff.Options) string {
	if o.Mode == "" || o.Mode == diff.Tokens && o.Spaces && !o.FoldCase {
		return string(diff.Exact)
	}
	return string(o.Mode)
}

// KeptName returns the name of a file about a submission on a case, both given by index, relative
// to the folder for kept files.
func (t *Task) KeptName(submission, index int, ending string) string {
	name := filepath.FromSlash(t.Cases[index].Name) + ending
	if len(t.Submissions) > 1 {
		name = filepath.Join(fmt.Sprintf("%d-%s", submission+1, filepath.Base(t.Submissions[submission].Source.Name)), name)
	}
	return name
}
