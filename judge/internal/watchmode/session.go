package watchmode

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/watch"
)

// session is a watch in progress. It belongs to the goroutine of Run; a round works
// on copies, and what it came to is taken over when it has ended.
type session struct {
	Options
	emit   func(Event)
	bench  Bench // nil until it could be opened
	layout layout
	roots  []string // that are watched
	listed []string // problems, when they could last be listed
	seen   files
	calm   calm

	todo    map[string]*work // what is not up to date, by problem
	broken  map[string]bool  // problems whose expectations could not be settled
	pending map[string]*regen.Plan
	held    map[string]bool      // problems of pending that are written when git is done
	failing map[subject][]string // cases that failed when the subject was last judged
	wrong   map[subject]bool     // whether its verdict was another one than expected

	number  int
	reason  Reason
	paths   []string        // saved since the last round that settled
	last    map[string]work // what that one did
	failure *failure        // the first of the last round that judged
	explain bool            // it is to be explained as soon as nothing runs
}

// work is what has to be done for a problem.
type work struct {
	Expectations, Reference, Brute, Submission bool

	Examples         []string // paths below the root, sorted
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

// subject is whose program was judged on what.
type subject struct {
	problem string
	role    Role
	name    string
}

// loop does one thing at a time: a round is stopped before anything else changes.
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
		var look <-chan time.Time
		if current == nil && len(s.held) > 0 {
			look = time.After(gitLook)
		}
		select {
		case <-look:
			s.release()
		case <-ctx.Done():
			s.stop(&current)
			return ctx.Err()
		case <-ended:
			s.settle(&current)
		case b, open := <-s.Watcher.Batches():
			if !open {
				s.stop(&current)
				return errors.New("the files are not watched any more")
			}
			s.saved(&current, b)
		case c, open := <-commands:
			switch {
			case !open:
				commands = nil
			case c == Quit:
				s.stop(&current)
				return nil
			default:
				s.command(&current, c)
			}
		}
	}
}

// saved notes what a batch concerns. A round at work goes on when the batch is none
// of its business.
func (s *session) saved(current **round, b watch.Batch) {
	paths := b.Paths
	if b.Lost {
		paths = slices.Concat(s.roots, slices.Sorted(maps.Keys(s.seen)))
	}
	changed := s.seen.news(paths)
	if *current != nil {
		// What is as it was before may have been something else when the round read it.
		changed = append(changed, paths...)
		slices.Sort(changed)
		changed = slices.Compact(changed)
	}
	effects := s.effects(changed)
	if len(changed) == 0 {
		s.follow() // what changed may be a link to the same
	}
	if len(effects) == 0 {
		s.calm.after(b.Settled)
		return
	}
	s.stop(current)
	s.calm.after(b.Settled) // not before: the round must not take it for its own
	if s.bench != nil && slices.ContainsFunc(effects, func(e Effect) bool { return e.Part == Machine }) {
		s.bench.Close()
		s.bench = nil
	}
	for _, e := range effects {
		for _, id := range s.concerned(e) {
			s.want(id, s.workOf(id, e))
		}
	}
	s.reason = Save
	s.paths = append(s.paths, changed...)
	slices.Sort(s.paths)
	s.paths = slices.Compact(s.paths)
}

// effects returns what the changed files concern, by what programs were made of
// before and by what they are made of now.
func (s *session) effects(changed []string) (list []Effect) {
	if len(changed) == 0 {
		return nil
	}
	for _, path := range changed {
		list = append(list, s.layout.Affects(path)...)
	}
	s.learn()
	for _, path := range changed {
		list = append(list, s.layout.Affects(path)...)
	}
	return slices.DeleteFunc(list, func(e Effect) bool { return e.Problem != "" && len(s.concerned(e)) == 0 })
}

// learn reads what programs are made of now, and sees to it that this is watched.
func (s *session) learn() {
	if s.bench == nil {
		return
	}
	s.layout.learn(s.problems(), s.bench.Languages())
	s.follow()
}

// follow sees to it that what programs are made of elsewhere is watched, and what links
// lead to.
func (s *session) follow() {
	roots := s.places()
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
	// What changes there after this is in a batch.
	s.seen.news(slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return slices.Contains(before, root) }))
}

// problems returns the ids of what is watched.
func (s *session) problems() []string {
	if len(s.Problems) > 0 {
		return s.Problems
	}
	if ids, err := repo.List(s.Root); err == nil {
		s.listed = ids
	}
	return s.listed // a file of a bad name makes no other problem go away
}

// gone reports whether all problems are watched and this one is not there any more.
func (s *session) gone(id string) bool {
	ids, err := repo.List(s.Root)
	return len(s.Problems) == 0 && err == nil && !slices.Contains(ids, id)
}

// concerned returns the watched problems that an effect is about. A problem comes and
// goes with its statement.
func (s *session) concerned(e Effect) []string {
	switch all := s.problems(); {
	case e.Problem == "":
		return all
	case slices.Contains(all, e.Problem), len(s.Problems) == 0 && e.Part == Statement:
		return []string{e.Problem}
	}
	return nil
}

// workOf returns what an effect makes necessary. What it does not reach costs
// nothing: it is taken from the cache.
func (s *session) workOf(id string, e Effect) work {
	again := s.broken[id] // what is wrong is told until it is mended
	switch e.Part {
	case Handed:
		return work{Submission: true, Expectations: again}
	case Examples:
		return work{Examples: []string{e.Name}, Expectations: again}
	case Brute:
		return work{Brute: true, Expectations: again}
	}
	return work{Expectations: true, Reference: true, Submission: s.Submission != ""}
}

func (s *session) want(id string, w work) {
	if s.todo[id] == nil {
		s.todo[id] = &work{OnlyFails: w.OnlyFails}
	}
	s.todo[id].add(w)
	if w.Expectations {
		delete(s.pending, id)
		delete(s.held, id)
	}
}

// begin starts a round when there is something to do, or returns nil.
func (s *session) begin(ctx context.Context) *round {
	if len(s.todo) == 0 {
		if !s.explain {
			return nil
		}
		s.explain = false
		if s.bench == nil { // runner.yaml is broken: nothing can be judged
			s.emit(&Difference{})
			return nil
		}
		return s.start(ctx, s.explanation)
	}
	s.number++
	var ids, gone []string
	for _, id := range slices.Sorted(maps.Keys(s.todo)) {
		if !s.gone(id) {
			ids = append(ids, id)
			continue
		}
		gone = append(gone, id)
		delete(s.todo, id)
		delete(s.broken, id)
		delete(s.pending, id)
		delete(s.held, id)
		maps.DeleteFunc(s.wrong, func(of subject, _ bool) bool { return of.problem == id })
	}
	s.emit(&Round{Number: s.number, Reason: s.reason, Paths: slices.Clone(s.paths), Problems: ids, Gone: gone})
	if s.bench == nil {
		bench, err := s.Open()
		if err != nil {
			clear(s.todo) // all of it comes back when runner.yaml is mended
			s.emit(&Failed{Err: err})
			s.emit(&Settled{Number: s.number})
			return nil
		}
		s.bench = bench
		s.learn()
	}
	return s.start(ctx, s.round)
}

// start lets a round do its work beside this goroutine.
func (s *session) start(ctx context.Context, do func(context.Context, *round)) *round {
	r := &round{number: s.number, began: time.Now(), ended: make(chan struct{}), did: map[string]work{}, failing: map[subject][]string{}, wrong: map[subject]bool{}}
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

// stop ends a round early, if there is one. What it has finished stays finished, but
// for what was still to be written.
func (s *session) stop(current **round) {
	r := *current
	*current = nil
	if r == nil {
		return
	}
	r.cancel()
	<-r.ended
	for _, plan := range r.plans {
		delete(r.did, plan.Problem)
	}
	s.take(r)
}

// take notes what a round came to.
func (s *session) take(r *round) {
	for id := range r.did {
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

// settle ends a round that has come to its end: what it found is written.
func (s *session) settle(current **round) {
	r := *current
	*current = nil
	r.cancel()
	s.take(r)
	if err := s.bench.Rest(); err != nil {
		s.emit(&Failed{Err: err})
	}
	if r.aside {
		return
	}
	s.last, s.paths = r.did, nil
	var ids []string
	for _, plan := range r.plans {
		s.pending[plan.Problem] = plan
		ids = append(ids, plan.Problem)
	}
	why := gitAtWork(s.Root)
	switch {
	case s.Ask:
		for _, plan := range r.plans {
			s.emit(&Expectations{Problem: plan.Problem, Plan: plan, State: Pending})
		}
	case why != "":
		for _, plan := range r.plans {
			s.held[plan.Problem] = true
			s.emit(&Expectations{Problem: plan.Problem, Plan: plan, State: Held, Why: why})
		}
	default:
		r.ok = s.write(ids) && r.ok
	}
	s.emit(&Settled{Number: r.number, OK: r.ok, Elapsed: time.Since(r.began)})
}

// release looks again at what waits for git, if git is done by now: it may have changed the
// files that the plans were made of.
func (s *session) release() {
	if gitAtWork(s.Root) != "" {
		return
	}
	for id := range s.held {
		s.want(id, work{Expectations: true})
	}
	s.reason = Git
}

func (s *session) close() {
	if s.bench != nil {
		s.bench.Close()
	}
}
