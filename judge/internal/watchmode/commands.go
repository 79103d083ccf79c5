package watchmode

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// everything adds the work of a start for every problem: to judge the watched submission if there
// is one, and the reference if not.
func (s *session) everything(reason Reason) {
	s.reason = reason
	for _, id := range s.problems() {
		s.enqueue(id, work{Expectations: true, Reference: s.Submission == "", Submission: s.Submission != ""})
	}
}

// command executes a command, or adds the work for it.
func (s *session) command(current **round, c Command) {
	switch c {
	case Explain:
		s.explain = true
	case Write:
		if len(s.pending) > 0 {
			s.stop(current) // it may be reading the files to write
			s.write(slices.Sorted(maps.Keys(s.pending)))
		}
	case Everything:
		s.stop(current)
		s.everything(All)
	case Repeat:
		s.stop(current)
		if s.reason = Again; len(s.last) == 0 {
			s.everything(Again)
		}
		for id, w := range s.last {
			w.Fresh, w.OnlyFails = true, false
			s.enqueue(id, w)
		}
	case OnlyFails:
		s.stop(current)
		s.reason = Fails
		for id := range s.broken {
			s.enqueue(id, s.workFor(id, Effect{Part: Solver}))
		}
		for of, wrong := range s.wrong {
			if wrong {
				s.enqueue(of.problem, s.workToRepeat(of))
			}
		}
	}
}

// workToRepeat returns the work to judge a program again on the cases that it failed, without the
// cache.
func (s *session) workToRepeat(of subject) work {
	w := work{OnlyFails: true, Fresh: true, Expectations: s.broken[of.problem]}
	switch of.role {
	case Reference:
		w.Reference = true
	case Submission:
		w.Submission = true
	case Example:
		w.Examples = []string{of.name}
	case BruteForce:
		w.Brute = true
	}
	return w
}

// write writes pending expected outputs, and remembers the new content of the files so that the
// watch does not take it for a change by the user. It reports whether all writes succeeded.
func (s *session) write(ids []string) bool {
	ok := true
	for _, id := range ids {
		plan := s.pending[id]
		delete(s.pending, id)
		delete(s.held, id)
		if err := plan.Apply(); err != nil {
			ok = false
			s.broken[id] = true // until they can be
			s.emit(&Failed{Problem: id, Err: err})
			continue
		}
		for _, e := range plan.Writes() {
			s.seen[e.Path] = sha256.Sum256(e.Text)
		}
		s.emit(&Expectations{Problem: id, Plan: plan, State: Written})
	}
	return ok
}
