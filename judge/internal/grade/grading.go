package grade

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// grading is one Grade in progress.
type grading struct {
	judge   *Judge
	task    Task
	compare diff.Options  // how outputs are compared, where no case has its own way
	scoring *points.Group // nil if there are no points
	checker *checker
	tell    *teller
	stock   *stock
	order   []int // indices of the cases as they are run; what is k-th in it is at place k
	subs    []*submission

	mu     sync.Mutex
	done   int
	worst  verdict.Verdict
	untold map[string]bool // outputs that are kept, and that no event has told of
}

// submission is the state of one submission. What workers share is guarded by the grading's
// mutex.
type submission struct {
	program *build.Program       // as it was built, open or not; nil after a compile error, and when broken
	broken  error                // why the judge could not build it
	failed  []int                // places of cases that failed, unless all are judged anyway
	needed  *points.Count        // of a scoring problem: which cases count
	stops   []context.CancelFunc // by place: stops the case that is being judged
	late    []error              // how the checker ran out of its time

	// Of the delivery alone.
	results []points.Result // of a scoring problem: by the index of the case
	first   int             // index of the failing case that summary tells of
	summary Done
}

// close closes what is open, and removes outputs that nobody will be told of.
func (g *grading) close() {
	for path := range g.untold {
		removeKept(g.task.Keep, path)
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
		sub := &submission{program: programs[i], stops: make([]context.CancelFunc, len(g.task.Cases))}
		sub.summary = Done{Submission: i, Expected: s.Expected, Total: len(g.task.Cases)}
		if g.scoring != nil {
			sub.needed, sub.results = g.scoring.Count(), make([]points.Result, len(g.task.Cases))
		}
		g.subs = append(g.subs, sub)
	}
	if err != nil {
		return err
	}
	for i, s := range g.task.Submissions {
		event := &Built{Submission: i, Language: s.Source.Language}
		if p := programs[i]; p != nil {
			event.Cached, event.Time = p.Cached, p.Time
		} else if compile, ok := errors.AsType[*build.CompileError](failures[i]); ok {
			event.Time = compile.Time
			event.Error = document.First(strings.TrimPrefix(failures[i].Error(), "compile error: "))
			g.subs[i].summary.Verdict, g.subs[i].summary.Cause = verdict.CE, compile.Cause()
		} else {
			g.subs[i].broken, event.NoTools = failures[i], missingTool(failures[i])
		}
		g.tell.tell(event)
	}
	return nil
}

// judgeAll judges every submission on every case: one queue, submission by submission, so
// that no slot is idle between two.
func (g *grading) judgeAll(ctx context.Context) error {
	n := len(g.task.Cases)
	return run.Each(ctx, g.judge.Pool, n*len(g.subs), g.task.Limits.CPUs,
		func(ctx context.Context, w *run.Worker, i int) (*Case, error) { return g.one(ctx, w, i/n, i%n) },
		func(i int, c *Case) error {
			g.deliver(ctx, i/n, i%n, c)
			return nil
		})
}

// one judges a submission on the case at place k, whatever runs that takes. It returns nil
// for a case that cannot matter, or no longer. An error ends the Grade.
func (g *grading) one(ctx context.Context, w *run.Worker, si, k int) (*Case, error) {
	s := g.subs[si]
	own, stop := context.WithCancel(ctx)
	defer stop()
	if !g.enter(s, k, stop) {
		g.progress(si, verdict.None)
		return nil, nil
	}
	x := &examination{grading: g, worker: w, sub: s, si: si, ci: g.order[k]}
	c, err := x.examine(own)
	g.leave(s, k, c)
	if err != nil || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	v := verdict.None
	if c != nil {
		v = c.Verdict
	}
	g.progress(si, v)
	return c, nil
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

// hold notes that an output is kept which must be told of, or removed in the end.
func (g *grading) hold(path string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.untold[path] = true
}

// drop removes an output that was kept, if there is one.
func (g *grading) drop(path string) {
	if path == "" {
		return
	}
	removeKept(g.task.Keep, path)
	g.told(path)
}

// told notes that an output that was kept has been told of, or is no more.
func (g *grading) told(path string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.untold, path)
}

// progress counts one case as done, judged or not.
func (g *grading) progress(si int, v verdict.Verdict) {
	g.mu.Lock()
	defer g.mu.Unlock() // after telling, so that counts are told in order
	g.done++
	g.worst = verdict.Worst(g.worst, v)
	g.tell.tell(&Progress{Submission: si, Done: g.done, Total: len(g.subs) * len(g.task.Cases), Worst: g.worst})
}
