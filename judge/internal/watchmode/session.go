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

// session is a watch in progress. It belongs to the goroutine of Run. A round works on copies, and
// its results are recorded when it has ended.
type session struct {
	Options
	emit   func(Event)
	engine Engine // nil until it could be opened
	layout layout
	roots  []string // the watched paths
	listed []string // problems, from the last time that listing them worked
	seen   files
	calm   calm

	todo    map[string]*work // the work to do, by problem
	broken  map[string]bool  // problems whose expected outputs could not be made
	pending map[string]*regen.Plan
	held    map[string]bool      // problems of pending that wait for git
	failing map[subject][]string // cases on which the subject failed last
	wrong   map[subject]bool     // whether its last verdict was unexpected

	number  int
	reason  Reason
	paths   []string        // saved since the last round that settled
	last    map[string]work // the work of that round
	failure *failure        // the first failure of the last round that judged
	explain bool            // explain it as soon as nothing runs
}

// work lists what to do for a problem.
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

// subject identifies a judged program.
type subject struct {
	problem string
	role    Role
	name    string
}

// loop runs rounds and handles batches and commands. It stops a round before it changes the
// session.
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

// saved adds the work that a batch triggers, and stops the current round if there is any.
func (s *session) saved(current **round, b watch.Batch) {
	paths := b.Paths
	if b.Lost {
		paths = slices.Concat(s.roots, slices.Sorted(maps.Keys(s.seen)))
	}
	changed := s.seen.news(paths)
	if *current != nil {
		// A file that has its old content again may have had another when the round read it.
		changed = append(changed, paths...)
		slices.Sort(changed)
		changed = slices.Compact(changed)
	}
	effects := s.effects(changed)
	if len(changed) == 0 {
		s.follow() // a link may have changed that leads to the same content
	}
	if len(effects) == 0 {
		s.calm.after(b.Settled)
		return
	}
	s.stop(current)
	s.calm.after(b.Settled) // only now: the old round must not wait for the new batch
	if s.engine != nil && slices.ContainsFunc(effects, func(e Effect) bool { return e.Part == Machine }) {
		s.engine.Close()
		s.engine = nil
	}
	for _, e := range effects {
		for _, id := range s.concerned(e) {
			s.enqueue(id, s.workFor(id, e))
		}
	}
	s.reason = Save
	s.paths = append(s.paths, changed...)
	slices.Sort(s.paths)
	s.paths = slices.Compact(s.paths)
}

// effects returns the parts of problems to which the changed files belong, by the sources that
// programs had before and by those that they have now.
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

// learn reads of which files programs are made now, and watches those.
func (s *session) learn() {
	if s.engine == nil {
		return
	}
	s.layout.learn(s.problems(), s.engine.Languages())
	s.follow()
}

// follow watches the sources of programs that are outside of the layout's places, and the targets
// of links.
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
	// Later changes there come in batches.
	s.seen.news(slices.DeleteFunc(slices.Clone(roots), func(root string) bool { return slices.Contains(before, root) }))
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

// gone reports whether all problems are watched and this one no longer exists.
func (s *session) gone(id string) bool {
	ids, err := repo.List(s.Root)
	return len(s.Problems) == 0 && err == nil && !slices.Contains(ids, id)
}

// concerned returns the watched problems that an effect concerns. A problem comes and goes with its
// statement.
func (s *session) concerned(e Effect) []string {
	switch all := s.problems(); {
	case e.Problem == "":
		return all
	case slices.Contains(all, e.Problem), len(s.Problems) == 0 && e.Part == Statement:
		return []string{e.Problem}
	}
	return nil
}

// workFor returns the work that a change triggers. Parts of it that the change does not affect cost
// nothing, because their results are in the cache.
func (s *session) workFor(id string, e Effect) work {
	again := s.broken[id] // report what is wrong until it is corrected
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

// enqueue adds work for a problem. New expected outputs replace those that are pending.
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
			return nil
		}
		s.explain = false
		if s.engine == nil { // runner.yaml is broken: nothing can be judged
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
	if s.engine == nil {
		engine, err := s.Open()
		if err != nil {
			clear(s.todo) // a change of runner.yaml triggers all of it again
			s.emit(&Failed{Err: err})
			s.emit(&Settled{Number: s.number})
			return nil
		}
		s.engine = engine
		s.learn()
	}
	return s.start(ctx, s.round)
}

// start runs a round in a goroutine of its own.
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

// stop ends a round early, if there is one. Its finished work stays finished, except for expected
// outputs that were still to be written.
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
	s.record(r)
}

// record takes over the results of a round.
func (s *session) record(r *round) {
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

// settle records a round that has finished its work, and writes the new expected outputs, unless
// the user or git must come first.
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

// release makes the expected outputs that wait for git anew if git is done, because it may have
// changed the files from which they were made.
func (s *session) release() {
	if gitAtWork(s.Root) != "" {
		return
	}
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
