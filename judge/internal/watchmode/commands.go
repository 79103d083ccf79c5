package watchmode

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// everything asks for all of every problem. Where somebody works on a submission, that
// is what they wait for.
func (s *session) everything(reason Reason) {
	s.reason = reason
	for _, id := range s.problems() {
		s.want(id, work{Expectations: true, Reference: s.Submission == "", Submission: s.Submission != ""})
	}
}

// command does what the user asks for, or sees to it that a round does.
func (s *session) command(current **round, c Command) {
	switch c {
	case Explain:
		s.explain = true
	case Write:
		if len(s.pending) > 0 {
			s.stop(current) // it may be reading what is written
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
			s.want(id, w)
		}
	case OnlyFails:
		s.stop(current)
		s.reason = Fails
		for id := range s.broken {
			s.want(id, s.workOf(id, Effect{Part: Solver}))
		}
		for of, wrong := range s.wrong {
			if wrong {
				s.want(of.problem, s.workOn(of))
			}
		}
	}
}

// workOn judges the cases again that a program failed, whatever is in the cache.
func (s *session) workOn(of subject) work {
	w := work{OnlyFails: true, Fresh: true, Expectations: s.broken[of.problem]}
	switch of.role {
	case Reference:
		w.Reference = true
	case Submission:
		w.Submission = true
	case Example:
		w.Examples = []string{of.name}
	case Brutal:
		w.Brute = true
	}
	return w
}

// write writes expectations that are pending, and notes what is in the files then,
// since it is no news. What somebody else has saved there meanwhile is. It reports
// whether all could be written.
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
