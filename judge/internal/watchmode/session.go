package watchmode

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watch"
)

// session is a watch in progress. It belongs to the goroutine of Run. A round works on copies;
// record adds its results to the session when the round has ended.
type session struct {
	Options
	emit   func(Event)
	engine Engine // nil until Open succeeds
	layout layout
	roots  []string // the watched paths
	listed []string // ids of problems, as last listed without an error
	hashes files
	calm   calm

	todo    map[string]*work       // the work to do, by problem
	broken  map[string]bool        // problems whose expected outputs could not be computed
	pending map[string]*regen.Plan // new expected outputs to write, by problem
	held    map[string]bool        // problems in pending that wait for git
	failing map[subject][]string   // the cases that a program failed when last judged
	wrong   map[subject]bool       // whether a program's last verdict was unexpected

	number  int             // of the last round
	reason  Reason          // of the next round
	paths   []string        // files saved since the last round that settled
	last    map[string]work // the work of the last round that settled
	failure *failure        // the first failure of the last round that judged
	explain bool            // explain failure when no round runs
	hunted  *failure        // the failure to find a counterexample for when nothing else is to do; nil for none

	submitting sync.WaitGroup // counts the submission to the server that has no result yet
	underway   atomic.Bool    // there is one
}

// work lists what to do for a problem.
type work struct {
	Expectations, Reference, Brute, Submission bool

	Examples         []string // paths of examples to judge, below the root, sorted
	OnlyFails, Fresh bool
}

func (w *work) add(more work) {
	w.Expectations = w.Expectations || more.Expectations
	w.Reference = w.Reference || more.Reference
	w.Brute = w.Brute || more.Brute
	w.Submission = w.Submission || more.Submission
	w.OnlyFails = w.OnlyFails && more.OnlyFails
	w.Fresh = w.Fresh || more.Fresh
	w.Examples = append(w.Examples, more.Examples...)
	slices.Sort(w.Examples)
	w.Examples = slices.Compact(w.Examples)
}

// subject identifies a judged program.
type subject struct {
	problem string
	role    Role
	name    string
}

// loop runs rounds and handles batches and commands. It stops a running round before it changes
// anything in the session that the round reads.
func (s *session) loop(ctx context.Context, commands <-chan Command) error {
	var current *round
	for {
		if current == nil {
			current = s.begin(ctx)
		}
		var ended <-chan struct{}
		if current != nil {
			ended = current.ended
		}
		var gitTick <-chan time.Time
		if (current == nil || current.aside) && len(s.held) > 0 {
			gitTick = time.After(gitInterval)
		}
		select {
		case <-gitTick:
			if gitAtWork(s.Root) == "" {
				s.stop(&current)
				s.release()
			}
		case <-ctx.Done():
			s.stop(&current)
			return ctx.Err()
		case <-ended:
			s.settle(&current)
		case b, open := <-s.Watcher.Batches():
			if !open {
				s.stop(&current)
				return errors.New("the watcher of the files has stopped")
			}
			s.saved(&current, b)
		case c, open := <-commands:
			switch {
			case !open:
				commands = nil
			case c == Quit:
				s.stop(&current)
				return nil
			case c == Submit:
				s.submit(ctx)
			default:
				s.command(&current, c)
			}
		}
	}
}

// saved adds the work that a batch of changed files triggers. If there is any, it stops the current
// round.
func (s *session) saved(current **round, b watch.Batch) {
	paths := b.Paths
	if b.Lost {
		paths = slices.Concat(s.roots, slices.Sorted(maps.Keys(s.hashes)))
	}
	changed := s.hashes.changes(paths)
	if *current != nil && !(*current).aside {
		// A file with its old content may have had a different one when the round read it. That includes
		// files that the round wrote. An aside has no results that could be wrong.
		changed = append(changed, paths...)
		slices.Sort(changed)
		changed = slices.Compact(changed)
	}
	effects := s.effects(changed)
	if len(changed) == 0 {
		s.follow() // a symbolic link may have a new target with the same content
	}
	if len(effects) == 0 {
		s.calm.newBatch(b.Settled)
		return
	}
	s.stop(current)
	s.calm.newBatch(b.Settled) // after stop, so that the old round does not wait for the new batch
	if s.engine != nil && slices.ContainsFunc(effects, func(e Effect) bool { return e.Part == Machine }) {
		s.engine.Close()
		s.engine = nil
	}
	for _, e := range effects {
		for _, id := range s.affectedProblems(e) {
			s.enqueue(id, s.workFor(id, e))
		}
	}
	s.reason = Save
	s.paths = append(s.paths, changed...)
	slices.Sort(s.paths)
	s.paths = slices.Compact(s.paths)
}

// effects returns the parts of watched problems to which the changed files belong. A file may
// belong to a program by the sources that the program had before the change, or by those that it
// has now.
func (s *session) effects(changed []string) (list []Effect) {
	if len(changed) == 0 {
		return nil
	}
	for _, path := range changed {
		list = append(list, s.layout.Affects(path)...)
	}
	s.updateSources()
	for _, path := range changed {
		list = append(list, s.layout.Affects(path)...)
	}
	return slices.DeleteFunc(list, func(e Effect) bool { return e.Problem != "" && len(s.affectedProblems(e)) == 0 })
}

// updateSources finds the source files of all programs again, and watches them.
func (s *session) updateSources() {
	if s.engine == nil {
		return
	}
	s.layout.readSources(s.problems(), s.engine.Languages())
	s.follow()
}

// follow updates the watched roots: those of the options, the folders of sources outside of them,
// and symbolic links.
func (s *session) follow() {
	roots := s.baseRoots()
	roots = append(roots, s.layout.outside()...)
	roots = append(roots, links(roots)...)
	if slices.Equal(roots, s.roots) {
		return
	}
	before := s.roots
	s.roots = roots
	if err := s.Watcher.Set(roots); err != nil {
		s.emit(&Failed{Err: err})
	}
	// Hash the files below new roots; the watcher reports later changes.
	s.hashes.changes(slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return slices.Contains(before, root) }))
}

// problems returns the ids of the watched problems.
func (s *session) problems() []string {
	if len(s.Problems) > 0 {
		return s.Problems
	}
	if ids, err := repo.List(s.Root); err == nil {
		s.listed = ids
	}
	return s.listed // a file with a bad name must not remove the other problems
}

// removed reports whether the session watches all problems, and this one no longer exists.
func (s *session) removed(id string) bool {
	ids, err := repo.List(s.Root)
	return len(s.Problems) == 0 && err == nil && !slices.Contains(ids, id)
}

// affectedProblems returns the watched problems that an effect concerns. If all problems are
// watched, the file of a statement concerns its problem even if the problem is new or no longer
// exists.
func (s *session) affectedProblems(e Effect) []string {
	switch all := s.problems(); {
	case e.Problem == "":
		return all
	case slices.Contains(all, e.Problem), len(s.Problems) == 0 && e.Part == Statement:
		return []string{e.Problem}
	}
	return nil
}

// workFor returns the work that a change triggers. It may include work that the change does not
// affect: the results of that are in the cache.
func (s *session) workFor(id string, e Effect) work {
	again := s.broken[id] // report the mistake until it is corrected
	switch e.Part {
	case Contestant:
		return work{Submission: true, Expectations: again}
	case Examples:
		return work{Examples: []string{e.Name}, Expectations: again}
	case Brute:
		return work{Brute: true, Expectations: again}
	}
	return work{Expectations: true, Reference: true, Submission: s.Submission != ""}
}

// enqueue adds work for a problem. Work on expected outputs discards those that are pending.
func (s *session) enqueue(id string, w work) {
	if s.todo[id] == nil {
		s.todo[id] = &work{OnlyFails: w.OnlyFails}
	}
	s.todo[id].add(w)
	if w.Expectations {
		delete(s.pending, id)
		delete(s.held, id)
	}
}

// begin starts a round if there is work, and returns nil if not.
func (s *session) begin(ctx context.Context) *round {
	if len(s.todo) == 0 {
		if !s.explain {
			return s.hunt(ctx)
		}
		s.explain = false
		if s.engine == nil { // runner.yaml is broken: nothing can be judged
			s.emit(&Difference{})
			return nil
		}
		return s.start(ctx, true, s.explanation)
	}
	s.number++
	var ids, gone []string
	for _, id := range slices.Sorted(maps.Keys(s.todo)) {
		if !s.removed(id) {
			ids = append(ids, id)
			continue
		}
		gone = append(gone, id)
		delete(s.todo, id)
		delete(s.broken, id)
		delete(s.pending, id)
		delete(s.held, id)
		maps.DeleteFunc(s.wrong, func(subj subject, _ bool) bool { return subj.problem == id })
	}
	s.emit(&Round{Number: s.number, Reason: s.reason, Paths: slices.Clone(s.paths), Problems: ids, Gone: gone})
	if s.engine == nil {
		engine, err := s.Open()
		if err != nil {
			clear(s.todo) // correcting runner.yaml triggers all work again
			s.emit(&Failed{Err: err})
			s.emit(&Settled{Number: s.number})
			return nil
		}
		s.engine = engine
		s.updateSources()
	}
	return s.start(ctx, false, s.round)
}

// hunt starts the search for a counterexample, if the last round calls for one.
func (s *session) hunt(ctx context.Context) *round {
	f := s.hunted
	s.hunted = nil
	if f == nil || s.Hunt == 0 || s.Search == nil || s.engine == nil || f.role != Submission || !f.verdict.Is(verdict.WrongOutput, verdict.Crashed, verdict.TooSlow) {
		return nil
	}
	return s.start(ctx, true, func(ctx context.Context, r *round) { s.hunting(ctx, r, f) })
}

// start makes a round of the work to do, or an aside, and runs it in a new goroutine.
func (s *session) start(ctx context.Context, aside bool, do func(context.Context, *round)) *round {
	r := &round{number: s.number, aside: aside, began: time.Now(), ended: make(chan struct{}), finished: map[string]work{}, failing: map[subject][]string{}, wrong: map[subject]bool{}}
	for id, w := range s.todo {
		r.todo = append(r.todo, task{id, *w})
	}
	slices.SortFunc(r.todo, compareTasks)
	ctx, r.cancel = context.WithCancel(ctx)
	go func() {
		defer close(r.ended)
		do(ctx, r)
	}()
	return r
}

// stop ends the current round early, if there is one. It records the work that the round has
// finished, except for expected outputs that have not been written.
func (s *session) stop(current **round) {
	r := *current
	*current = nil
	if r == nil {
		return
	}
	r.cancel()
	<-r.ended
	for _, plan := range r.plans {
		delete(r.finished, plan.Problem)
	}
	s.record(r)
}

// record adds the results of an ended round to the session.
func (s *session) record(r *round) {
	for id := range r.finished {
		delete(s.todo, id)
	}
	maps.Copy(s.failing, r.failing)
	maps.Copy(s.wrong, r.wrong)
	for _, id := range r.known {
		delete(s.broken, id)
	}
	for _, id := range r.broken {
		s.broken[id] = true
	}
	if r.failure != nil || !r.aside {
		s.failure = r.failure
	}
}

// settle records a round that has finished its work. It writes the new expected outputs, unless the user wants to
// be asked or git is in the middle of an operation. If no output changes, it does not write the lock alone: when a
// user only looks at a commit, a changed file would be in the way of the next checkout.
func (s *session) settle(current **round) {
	r := *current
	*current = nil
	r.cancel()
	s.record(r)
	if err := s.engine.Rest(); err != nil {
		s.emit(&Failed{Err: err})
	}
	if r.aside {
		return
	}
	s.hunted = r.failure
	s.last, s.paths = r.finished, nil
	var ids []string
	why := gitAtWork(s.Root)
	for _, plan := range r.plans {
		s.pending[plan.Problem] = plan
		switch {
		case s.Ask:
			s.emit(&Expectations{Problem: plan.Problem, Plan: plan, State: Pending})
		case !plan.Stale:
			s.emit(&Expectations{Problem: plan.Problem, Plan: plan, State: Outdated})
		case why != "":
			s.held[plan.Problem] = true
			s.emit(&Expectations{Problem: plan.Problem, Plan: plan, State: Held, Why: why})
		default:
			ids = append(ids, plan.Problem)
		}
	}
	r.ok = s.write(ids) && r.ok
	s.emit(&Settled{Number: r.number, OK: r.ok, Elapsed: time.Since(r.began)})
}

// release adds the work to compute held expected outputs again after git has finished its operation:
// git may have changed the files from which they were computed.
func (s *session) release() {
	for id := range s.held {
		s.enqueue(id, work{Expectations: true})
	}
	s.reason = Git
}

func (s *session) close() {
	if s.engine != nil {
		s.engine.Close()
	}
}
