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
	judge    *Judge
	task     Task
	compare  diff.Options  // how outputs are compared, unless a case says otherwise
	groups   *points.Group // as in [problem.Problem]; nil too if some cases are left out
	checker  *checker
	events   *eventQueue
	programs *programs
	order    []int // indices of the cases in the order of their runs; order[k] is at place k
	subs     []*submission

	mu         sync.Mutex
	built      int // submissions that have been built, or could not be
	done       int
	worst      verdict.Verdict
	unreported map[string]bool // paths of kept outputs that no event has reported
}

// submission is the state of one submission. The grading's mutex guards the fields that workers
// share.
type submission struct {
	program *build.Program       // as it was built, open or closed; nil after a compile error, if broken, or if it is unclear which files are the program
	broken  error                // why the judge could not build it
	failed  []int                // places of failed cases, unless all cases are judged
	needed  *points.Count        // if there are groups: which cases can still change what they decide
	stops   []context.CancelFunc // by place: stops the case while it is judged
	all     bool                 // judge all cases, up to cut
	cut     int                  // the first place whose case is not judged, because the submission is decided
	late    []error              // the checker's time limit errors
	decided func(*Case) bool     // as in Submission; may be nil
	early   map[int]*Case        // by place: cases that have ended before others in front of them
	next    int                  // the lowest place whose case has not ended

	// Used by deliver alone.
	results []points.Result               // by case index; nil if neither groups nor points need them
	firsts  map[verdict.Verdict]firstCase // by verdict: the first case that got it; none for AC
	summary Done
}

// close closes all programs, and removes kept outputs that no event has reported.
func (g *grading) close() {
	for path := range g.unreported {
		removeKept(g.task.Keep, path)
	}
	g.programs.close()
}

// build builds all submissions, several at a time, and reports them in order. If the judge fails to
// build one, it still judges the others. build returns an error if the cache fails, or if the tools
// for all submissions are missing.
func (g *grading) build(ctx context.Context) error {
	programs := make([]*build.Program, len(g.task.Submissions))
	failures := make([]error, len(g.task.Submissions))
	group, building := errgroup.WithContext(ctx)
	group.SetLimit(g.judge.Pool.Slots())
	for i, s := range g.task.Submissions {
		group.Go(func() error {
			p, err := g.judge.Builder.Build(building, s.Source)
			g.countBuilt()
			if err == nil {
				programs[i] = p
				g.programs.add(i, p)
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
		sub := &submission{program: programs[i], stops: make([]context.CancelFunc, len(g.task.Cases)), firsts: map[verdict.Verdict]firstCase{}}
		sub.all, sub.cut = g.task.All || s.All, len(g.order)
		sub.decided, sub.early = s.Decided, map[int]*Case{}
		sub.summary = Done{Submission: i, Expected: s.Expected, Total: len(g.task.Cases)}
		if g.groups != nil {
			sub.needed = g.groups.Count()
		}
		if g.groups != nil || g.task.Points != nil {
			sub.results = make([]points.Result, len(g.task.Cases))
		}
		g.subs = append(g.subs, sub)
	}
	if err != nil {
		return err
	}
	for i, s := range g.task.Submissions {
		event := &Built{Submission: i, Language: s.Source.Language, Choice: s.Source.Choice().String()}
		if p := programs[i]; p != nil {
			event.Cached, event.Time = p.Cached, p.Time
		} else if compile, ok := errors.AsType[*build.CompileError](failures[i]); ok {
			event.Time = compile.Time
			event.Error = document.First(strings.TrimPrefix(failures[i].Error(), "compile error: "))
			g.subs[i].summary.Verdict, g.subs[i].summary.Cause = verdict.CE, compile.Cause()
		} else if unclear, ok := errors.AsType[*build.UnclearError](failures[i]); ok {
			g.subs[i].summary.Cause = unclear.Why
		} else {
			g.subs[i].broken, event.NoTools = failures[i], missingTool(failures[i])
		}
		g.events.send(event)
	}
	return nil
}

func (g *grading) countBuilt() {
	g.mu.Lock()
	defer g.mu.Unlock() // only after sending, so that counts are sent in order
	g.built++
	g.events.send(&Building{Done: g.built, Total: len(g.task.Submissions)})
}

// beside is how many submissions are judged beside each other if there are several slots. It is more
// than two because most that fail do so early, and less than a memo holds.
const beside = 4

// judgeAll judges every submission on every case. All are in one queue, so that no slot is idle
// between two submissions. Several submissions take turns: as long as each slot works on another one,
// no run is wasted when a case fails, and one that hangs does not also hold the other slot.
func (g *grading) judgeAll(ctx context.Context) error {
	n, cpus := len(g.task.Cases), g.task.Limits.CPUs
	if most := g.task.AtOnce; most > 0 {
		cpus = max(cpus, g.judge.Pool.Slots()/most)
	}
	item := func(at int) int {
		if g.judge.Pool.Slots() < 2*g.judge.Pool.Width(cpus) {
			return at // one case at a time
		}
		first := at / (beside * n) * beside
		size := min(beside, len(g.subs)-first)
		at -= first * n
		return (first+at%size)*n + at/size
	}
	return run.EachIn(ctx, g.judge.Pool, n*len(g.subs), cpus, item,
		func(ctx context.Context, w *run.Worker, i int) (*Case, error) { return g.judgeCase(ctx, w, i/n, i%n) },
		func(i int, c *Case) error {
			g.deliver(ctx, i/n, i%n, c)
			return nil
		})
}

// judgeCase judges a submission on the case at place k. It returns nil if the case cannot change
// the verdict. An error ends the Grade.
func (g *grading) judgeCase(ctx context.Context, w *run.Worker, si, k int) (*Case, error) {
	s := g.subs[si]
	own, stop := context.WithCancel(ctx)
	defer stop()
	if !g.start(s, k, stop) {
		g.finish(s, k, nil)
		g.progress(si, verdict.None)
		return nil, nil
	}
	c, err := g.known(si, g.order[k]), error(nil)
	if c == nil {
		x := &examination{grading: g, worker: w, sub: s, si: si, ci: g.order[k]}
		x.limits = g.task.limits(si, x.ci)
		c, err = x.examine(own)
	}
	g.finish(s, k, c)
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

// known returns a copy of the known result of a submission on a case, or nil if there is none.
func (g *grading) known(si, ci int) *Case {
	find := g.task.Submissions[si].Known
	if find == nil {
		return nil
	}
	c := find(ci)
	if c == nil {
		return nil
	}
	copied := *c
	copied.Submission, copied.Index, copied.Name = si, ci, g.task.Cases[ci].Name
	return &copied
}

// maxLate is the number of cases of a submission on which the checker may exceed its time limit.
// After that, the judge does not run it on this submission any more, because each case would take a
// minute or so. Other submissions are not affected, because the cause may be this submission.
const maxLate = 3

// late records err, if it is not nil, as a time limit error of the checker on a submission. It
// returns nil as long as the checker may be run, and then the error for the remaining cases.
func (g *grading) late(s *submission, err error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		s.late = append(s.late, err)
	}
	if len(s.late) < maxLate {
		return nil
	}
	return s.late[0]
}

// addKept records a kept output, which close removes if no event reports it.
func (g *grading) addKept(path string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unreported[path] = true
}

// drop removes a kept output; path may be "".
func (g *grading) drop(path string) {
	if path == "" {
		return
	}
	removeKept(g.task.Keep, path)
	g.reported(path)
}

// reported records that a kept output has been reported or removed.
func (g *grading) reported(path string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.unreported, path)
}

// progress counts one case as done, whether or not it was judged.
func (g *grading) progress(si int, v verdict.Verdict) {
	g.mu.Lock()
	defer g.mu.Unlock() // only after sending, so that counts are sent in order
	g.done++
	g.worst = verdict.Worst(g.worst, v)
	g.events.send(&Progress{Submission: si, Done: g.done, Total: len(g.subs) * len(g.task.Cases), Worst: g.worst})
}
