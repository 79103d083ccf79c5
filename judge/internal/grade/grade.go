package grade

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Submission is a program to judge.
type Submission struct {
	Source   *build.Source
	Expected verdict.Verdict // None when nothing is expected
}

// Task is what to judge and how.
type Task struct {
	Problem     string
	Title       string
	Cases       []cases.Case  // prepared by Fixtures, or of Data, in case order
	LeftOut     []cases.Group // optional groups whose cases are not among Cases, for the report
	Submissions []Submission
	Limits      limits.Limits // of one run; CPUs is what the problem asks for
	Compare     diff.Options
	Checker     bool          // let the problem's validator decide where the bytes differ
	Validator   *Validator    // of a package, in the place of Checker; nil where bytes decide
	Data        Data          // makes the cases into bytes; nil is the judge's Fixtures
	Points      *points.Group // of a scoring problem: the groups of Cases, by their indices, that have passed Check; nil otherwise
	Grader      *Grader       // asked about custom groups of Points; nil if there are none
	All         bool          // judge all cases, not only up to the first failure
	Order       []int         // indices of cases to run and tell first, each once; the others follow in case order
	Transcript  limits.Bytes  // how much to keep of what a program and its interactive validator say, each; 0 keeps nothing, which is faster
	Keep        string        // folder for the outputs produced, by [Task.KeptName]; "" keeps none
	Repeat      int           // run each case so many times; up to 1 is once, and again if in doubt
}

// Data makes cases into bytes. Make may be called by several goroutines at once; what it
// returns is used until the run on that case is over. An error is JE on that case, unless
// it is a [*yamlstrict.Error], which ends the Grade.
type Data interface {
	Make(ctx context.Context, c *cases.Case) (fixture.Fixture, error)
}

// data returns what makes the cases of a task into bytes.
func (j *Judge) data(t Task) Data {
	if t.Data != nil {
		return t.Data
	}
	return j.Fixtures
}

// Judge grades tasks on one host. Its fields must be set, but for Memo; one Grade at
// a time.
type Judge struct {
	Host     *sandbox.Host
	Pool     *run.Pool
	Builder  *build.Builder
	Fixtures *fixture.Maker
	Memo     *run.Memo // knows runs of earlier tasks; nil runs everything, as does Task.Repeat
}

// Grade judges every submission of the task on its cases and tells emit what
// happens, as [Event] describes. An error means that the judge could not do its
// work at all; what fails for one case alone is the verdict JE of that case. When
// ctx ends, Grade stops what runs and returns its error.
func (j *Judge) Grade(ctx context.Context, t Task, emit func(Event)) error {
	start := time.Now()
	g := &grading{judge: j, task: t, emitTo: emit, order: t.order(), stock: newStock(j.Builder, t.Submissions)}
	width := j.Pool.Width(t.Limits.CPUs)
	begin := &Begin{
		Problem: t.Problem, Title: t.Title, LeftOut: t.LeftOut,
		Slots: j.Pool.Slots() / width, CPUs: width, WantedCPUs: max(t.Limits.CPUs, 1),
		Limits: t.Limits, Compare: string(t.Compare.Mode),
		Mechanisms: j.Host.Mechanisms(), Notes: j.Host.Notes(), Busy: j.Pool.Busy(),
	}
	if t.Repeat > 1 {
		begin.Repeat = t.Repeat
	}
	if begin.Compare == "" {
		begin.Compare = string(diff.Exact)
	}
	switch {
	case t.Validator != nil && t.Validator.Always:
		begin.Compare = "validator"
	case t.Checker || t.Validator != nil:
		begin.Compare += "+checker"
	}
	for _, c := range t.Cases {
		begin.Cases = append(begin.Cases, c.Name)
	}
	for _, s := range t.Submissions {
		begin.Submissions = append(begin.Submissions, s.Source.Name)
	}
	g.emit(begin)

	if err := g.build(ctx); err != nil {
		return err
	}
	defer g.close()
	var err error
	if g.checker, err = j.checker(ctx, t); err != nil {
		return err
	}
	defer g.checker.close()
	if err := g.judgeAll(ctx); err != nil {
		return err
	}
	g.emit(&End{Elapsed: time.Since(start)})
	return nil
}

// grading is one Grade in progress.
type grading struct {
	judge   *Judge
	task    Task
	checker *checker

	emitting sync.Mutex
	emitTo   func(Event)

	stock *stock
	order []int // indices of the cases as they are run; what is k-th in it is at place k
	subs  []*submission

	mu    sync.Mutex
	done  int
	worst verdict.Verdict
}

// submission is the state of one submission.
type submission struct {
	program *build.Program  // as it was built, open or not; nil after a compile error, and when broken
	broken  error           // why the judge could not build it
	failed  []int           // places of cases that failed, unless all are judged anyway
	needed  *points.Count   // of a scoring problem: which cases count
	results []points.Result // of a scoring problem: by the index of the case
	cases   []*attempt      // by place
	first   int             // index of the failing case that summary tells of
	late    []error         // how the checker ran out of its time
	summary Done
}

// attempt is the state of one case of one submission. Its fields belong to the
// worker that runs it until the pool delivers it.
type attempt struct {
	fixture  fixture.Fixture
	comparer *diff.Comparer
	output   *kept // the output as a whole, when somebody wants it
	cancel   context.CancelFunc
	event    *Case          // about the run that decides so far
	trials   []trial        // the runs that came to an end
	late     bool           // [Ruling.Late] of the last of them
	takes    bool           // a program from the stock, to be given back after the run
	died     bool           // a box did, under an earlier run
	pass     pass           // which run of this case it is, where a validator asks for several
	peak     sandbox.Result // the most that earlier passes used
}

// decided reports whether no further run of a repeated case can matter.
func (a *attempt) decided() bool { return a.event != nil && a.event.Verdict != verdict.AC }

func (g *grading) emit(e Event) {
	g.emitting.Lock()
	defer g.emitting.Unlock()
	g.emitTo(e)
}

// close lets go of everything, also of what was opened for cases whose run was given up:
// an output that nobody will judge is not kept.
func (g *grading) close() {
	for _, s := range g.subs {
		for _, a := range s.cases {
			if a == nil {
				continue
			}
			if a.cancel != nil {
				a.cancel()
			}
			a.output.discard()
		}
	}
	g.stock.close()
}

// build builds all submissions, several at a time, and reports them in order. One
// that cannot be built by the judge's own fault is no reason not to judge the others. An
// error is returned if the cache fails, or if the tools of all of them are missing.
func (g *grading) build(ctx context.Context) error {
	programs := make([]*build.Program, len(g.task.Submissions))
	failures := make([]error, len(g.task.Submissions))
	group, building := errgroup.WithContext(ctx)
	group.SetLimit(g.judge.Pool.Slots())
	for i, s := range g.task.Submissions {
		group.Go(func() error {
			p, err := g.judge.Builder.Build(building, s.Source)
			if err == nil {
				programs[i] = p
				g.stock.keep(i, p)
				return nil
			}
			failures[i] = err
			_, store := errors.AsType[*cache.Error](err)
			if store || building.Err() != nil {
				return err
			}
			return nil
		})
	}
	err := group.Wait()
	if !slices.ContainsFunc(failures, func(err error) bool { return !missingTool(err) }) {
		err = errors.Join(err, errors.Join(failures...))
	}
	for i, s := range g.task.Submissions {
		sub := &submission{program: programs[i], cases: make([]*attempt, len(g.task.Cases))}
		sub.summary = Done{Submission: i, Expected: s.Expected, Total: len(g.task.Cases)}
		if g.task.Points != nil {
			sub.needed, sub.results = g.task.Points.Count(), make([]points.Result, len(g.task.Cases))
		}
		g.subs = append(g.subs, sub)
	}
	if err != nil {
		g.close()
		return err
	}
	for i, s := range g.task.Submissions {
		event := &Built{Submission: i, Language: s.Source.Language}
		if p := programs[i]; p != nil {
			event.Cached, event.Time = p.Cached, p.Time
		} else if compile, ok := errors.AsType[*build.CompileError](failures[i]); ok {
			event.Time = compile.Time
			event.Error = strings.TrimPrefix(failures[i].Error(), "compile error: ")
			g.subs[i].summary.Verdict, g.subs[i].summary.Cause = verdict.CE, compile.Cause()
		} else {
			g.subs[i].broken, event.NoTools = failures[i], missingTool(failures[i])
		}
		g.emit(event)
	}
	return nil
}

// judgeAll runs every case of every submission through the pool: one queue,
// submission by submission, so that no slot is idle between two.
func (g *grading) judgeAll(ctx context.Context) error {
	n := len(g.task.Cases)
	return g.judge.Pool.Each(ctx, n*len(g.subs), g.task.Limits.CPUs,
		func(i int) (run.Job, bool, error) { return g.prepare(ctx, i/n, i%n) },
		func(i int, o run.Outcome) run.Next { return g.finish(ctx, i/n, i%n, o) },
		func(i int, _ bool) { g.deliver(ctx, i/n, i%n) })
}

// prepare returns the run of the case at place k, unless it cannot matter any more.
func (g *grading) prepare(ctx context.Context, si, k int) (run.Job, bool, error) {
	s := g.subs[si]
	if !g.wanted(s, k) {
		g.progress(si, verdict.None)
		return run.Job{}, false, nil
	}
	if s.broken != nil {
		return run.Job{}, false, g.cannot(ctx, si, k, s.broken)
	}
	f, err := g.judge.data(g.task).Make(ctx, &g.task.Cases[g.order[k]])
	if err != nil {
		return run.Job{}, false, g.cannot(ctx, si, k, err)
	}
	g.mu.Lock()
	before := s.cases[k] // when it is run again
	g.mu.Unlock()
	a := &attempt{fixture: f, comparer: g.checker.comparer(f, g.task.Compare)}
	folder := g.task.Keep
	if before != nil {
		a.event, a.trials, a.died, a.pass, a.peak = before.event, before.trials, before.died, before.pass, before.peak
		if g.task.Repeat > 1 && a.decided() {
			folder = "" // what is kept is the output that decided
		}
	}
	var stdout io.Writer = a.comparer
	if (folder != "" || g.checker != nil) && !g.checker.interactive() {
		if a.output, err = newKept(g.judge.Host.Temp(), folder, g.task.KeptName(si, g.order[k], ".out")); err != nil {
			if folder != "" && !sandbox.Exhausted(err) {
				return run.Job{}, false, err // another folder has to be named
			}
			return run.Job{}, false, g.cannot(ctx, si, k, err)
		}
		stdout = io.MultiWriter(a.comparer, a.output)
	}
	program, err := g.stock.take(ctx, si, s.program)
	if err != nil {
		a.output.discard()
		return run.Job{}, false, g.cannot(ctx, si, k, err)
	}
	a.takes = true
	job := run.Job{Program: program, Args: f.Args, Files: f.Files, Input: f.Input, Stdout: stdout, Limits: g.task.Limits}
	job.Limits.CPUs = g.judge.Pool.Width(g.task.Limits.CPUs)
	switch {
	case g.checker.interactive():
		if job.Partner, err = g.checker.invite(f, &a.pass, g.task.Transcript); err != nil {
			g.stock.give(si)
			return run.Job{}, false, g.cannot(ctx, si, k, err)
		}
		job.Input, job.Stdout = content.Content{}, nil
	case a.pass.number > 0:
		job.Input, a.pass.asked = content.Of(a.pass.input), false
	case g.task.Repeat <= 1 && !g.checker.passes():
		job.Memo = g.judge.Memo
	}
	if !g.task.All {
		job.Context, a.cancel = context.WithCancel(ctx)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s.cases[k] = a
	if a.cancel != nil && g.moot(s, k) {
		a.cancel() // an earlier case failed while this one was prepared
	}
	return job, true, nil
}

// cannot settles a case that cannot be prepared: the judge has failed for it, and
// goes on with the others. What is wrong with the case itself is returned as the
// error that it is.
func (g *grading) cannot(ctx context.Context, si, k int, err error) error {
	if _, located := errors.AsType[*yamlstrict.Error](err); located || ctx.Err() != nil {
		return err
	}
	g.mu.Lock()
	if cases := g.subs[si].cases; cases[k] == nil {
		cases[k] = &attempt{}
	}
	g.mu.Unlock()
	for g.finish(ctx, si, k, run.Outcome{Err: err}) != run.Done {
		continue // every run that was asked for
	}
	return nil
}

// KeptName returns the path, below the folder for that, of a file about what a submission
// did on a case: they are told apart by their indices.
func (t *Task) KeptName(submission, index int, ending string) string {
	name := filepath.FromSlash(t.Cases[index].Name) + ending
	if len(t.Submissions) > 1 {
		name = filepath.Join(fmt.Sprintf("%d-%s", submission+1, filepath.Base(t.Submissions[submission].Source.Name)), name)
	}
	return name
}

// finish judges one run, on the worker's goroutine, and tells whether the case has to
// be run again. Until it has not, its verdict has no consequences.
func (g *grading) finish(ctx context.Context, si, k int, o run.Outcome) run.Next {
	s, ci := g.subs[si], g.order[k]
	g.mu.Lock()
	a := s.cases[k]
	g.mu.Unlock()
	if a.cancel != nil {
		a.cancel()
	}
	if a.takes {
		a.takes = false
		g.stock.give(si)
	}
	if errors.Is(o.Err, sandbox.ErrDied) && !a.died {
		// Neither the program nor the case is to blame: once more, in a fresh box.
		a.output.discard()
		if g.checker.interactive() {
			g.checker.give(a.pass.box, true)
			a.pass.box = nil
		}
		g.mu.Lock()
		*a = attempt{cancel: a.cancel, event: a.event, trials: a.trials, died: true, pass: a.pass, peak: a.peak}
		g.mu.Unlock()
		if len(a.trials) > 0 && g.task.Repeat <= 1 {
			return run.Alone // as the run that was lost
		}
		return run.Again
	}
	v, event := g.judgeCase(ctx, s, a, o)
	if a.output != nil {
		path, err := a.output.finish()
		if err != nil && v != verdict.JE {
			v, event = judgeFailed(err)
		}
		event.Kept = path
	}
	raise(&event.Result, a.peak)
	if v == verdict.AC && a.pass.asked {
		if event.Kept != "" {
			removeKept(g.task.Keep, event.Kept) // the output of the last pass is kept
		}
		g.mu.Lock()
		*a = attempt{cancel: a.cancel, event: a.event, trials: a.trials, died: a.died, pass: a.pass, peak: event.Result}
		g.mu.Unlock()
		if len(a.trials) > 0 && g.task.Repeat <= 1 {
			return run.Alone
		}
		return run.Again
	}
	if a.pass.box != nil {
		g.checker.give(a.pass.box, o.Err != nil) // nobody has asked what is in it
		a.pass.box = nil
	}
	event.Submission, event.Index, event.Name, event.Verdict = si, ci, g.task.Cases[ci].Name, v
	trials, what := a.trials, run.Done
	if v != verdict.None { // else it was stopped, and nothing of it counts
		t := newTrial(v, a.late, g.task.Limits, g.judge.Pool.Grace(), event.Result, o.Err)
		t.doubtful = t.doubtful && !o.Cached // runs that agreed were doubted when they were made
		trials = append(trials, t)
		what = next(trials, g.task.Repeat)
		overruled := g.task.Repeat > 1 && a.decided() || g.task.Repeat <= 1 && decisive(trials) != len(trials)-1
		if overruled && a.event != nil {
			event = a.event
		}
		v = event.Verdict
		event.Attempts, event.Unstable = attempts(trials), unstable(trials, g.task.Repeat)
	}
	if a.event != nil && event.Kept == "" {
		event.Kept = a.event.Kept
	}
	g.mu.Lock()
	*a = attempt{cancel: a.cancel, event: event, trials: trials} // the bytes are no longer needed
	g.mu.Unlock()
	if what != run.Done {
		return what
	}
	if v != verdict.None && v != verdict.AC && !g.task.All {
		g.stopLater(s, k, v)
	}
	g.progress(si, v)
	return run.Done
}

func (g *grading) judgeCase(ctx context.Context, s *submission, a *attempt, o run.Outcome) (verdict.Verdict, *Case) {
	event := &Case{Result: o.Result, Truncated: o.Truncated, Cached: o.Cached}
	if o.Err != nil {
		// Only an executable of the contestant can be the reason, not a tool or its partner.
		var start *sandbox.StartError
		_, partner := errors.AsType[*run.PartnerError](o.Err)
		if errors.As(o.Err, &start) && !partner && s.program != nil && s.program.Executable() {
			event.Cause = o.Err.Error()
			return verdict.RTE, event
		}
		return judgeFailed(o.Err)
	}
	event.Stderr = strings.ToValidUTF8(string(o.Stderr), "\uFFFD")
	var ruling Ruling
	var err error
	if o.Duet != nil {
		event.Said = o.Duet.Said
		ruling, err = g.checker.hear(ctx, g.task.Limits, a.fixture, o, &a.pass)
	} else if mismatch := a.comparer.Close(); a.comparer.Err() != nil {
		err = a.comparer.Err()
	} else {
		ruling, err = rule(ctx, g.checker, g.task.Limits, o.Result, mismatch, a.fixture, &a.pass, func() (*os.File, error) {
			if err := g.late(s, nil); err != nil {
				return nil, err
			}
			return a.openOutput()
		})
	}
	if late, ok := errors.AsType[*lateError](err); ok {
		_ = g.late(s, late)
	}
	if ctx.Err() != nil && err != nil {
		return verdict.None, event // stopped together with all else
	}
	if err != nil {
		return judgeFailed(err)
	}
	a.late = ruling.Late
	event.Cause, event.Mismatch, event.Message = ruling.Cause, ruling.Mismatch, ruling.Message
	event.Score, event.Multiplier = ruling.Score, ruling.Multiplier
	return ruling.Verdict, event
}

// lateMost is on how many cases of a submission a checker may run out of its time. On the
// others it is not asked any more, for it takes a minute or so on each; whether it does so
// may depend on the submission, so that others are not affected.
const lateMost = 3

// late notes how the checker ran out of its time on a submission, if it did, and returns
// the error for the cases on which it is not asked any more, nil as long as it is.
func (g *grading) late(s *submission, err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		s.late = append(s.late, err)
	}
	if len(s.late) < lateMost {
		return nil
	}
	return s.late[0]
}

// raise has a result tell the most that passes used, whichever did.
func raise(r *sandbox.Result, o sandbox.Result) {
	r.CPU, r.Wall, r.Memory = max(r.CPU, o.CPU), max(r.Wall, o.Wall), max(r.Memory, o.Memory)
}

// openOutput returns the output as a whole, from its start.
func (a *attempt) openOutput() (*os.File, error) { return a.output.open() }

// judgeFailed tells of a failure of the judge, after which nothing that was measured
// counts.
func judgeFailed(err error) (verdict.Verdict, *Case) {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	cause := "the judge failed: "
	if _, unread := errors.AsType[*build.UnreadError](err); unread || missingTool(err) {
		cause = "not judged: "
	}
	return verdict.JE, &Case{Cause: cause + strings.Join(lines, "; ")}
}

// missingTool reports whether a submission was not built because the tools of its language
// are not installed here or do not work.
func missingTool(err error) bool {
	_, missing := errors.AsType[*build.MissingError](err)
	return missing
}

// progress counts one case as done, judged or not.
func (g *grading) progress(si int, v verdict.Verdict) {
	g.emitting.Lock() // before counting, so that counts are told in order
	defer g.emitting.Unlock()
	g.mu.Lock()
	g.done++
	g.worst = verdict.Worst(g.worst, v)
	e := &Progress{Submission: si, Done: g.done, Total: len(g.subs) * len(g.task.Cases), Worst: g.worst}
	g.mu.Unlock()
	g.emitTo(e)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
