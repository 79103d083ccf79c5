package watchmode

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"tribunal/judge/internal/grade"
)

// everything adds, for every problem, the work with which a watch starts: computing the expected
// outputs, and judging the watched submission, or the reference if there is none.
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
		if *current != nil && (*current).aside {
			s.stop(current)
		}
		s.explain = true
	case Write:
		if len(s.pending) > 0 {
			s.stop(current) // the round may be reading the files to write
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
		for subj, wrong := range s.wrong {
			if wrong {
				s.enqueue(subj.problem, s.workToRepeat(subj))
			}
		}
	}
}

// workToRepeat returns the work of judging a program again, on the cases that it failed, without
// the cache.
func (s *session) workToRepeat(subj subject) work {
	w := work{OnlyFails: true, Fresh: true, Expectations: s.broken[subj.problem]}
	switch subj.role {
	case Reference:
		w.Reference = true
	case Submission:
		w.Submission = true
	case Example:
		w.Examples = []string{subj.name}
	case BruteForce:
		w.Brute = true
	}
	return w
}

// write writes the pending expected outputs of problems. It records the hashes of the new files, so
// that the watch does not take its own writes for saves of the user. It reports whether all writes
// succeeded.
func (s *session) write(ids []string) bool {
	ok := true
	for _, id := range ids {
		plan := s.pending[id]
		delete(s.pending, id)
		delete(s.held, id)
		if err := plan.Apply(); err != nil {
			ok = false
			s.broken[id] = true // until the outputs can be written
			s.emit(&Failed{Problem: id, Err: err})
			continue
		}
		for _, e := range plan.Writes() {
			s.hashes[e.Path] = sha256.Sum256(e.Text)
		}
		s.emit(&Expectations{Problem: id, Plan: plan, State: Written})
	}
	return ok
}

// submit submits the watched submission to the server, beside the rounds.
func (s *session) submit(ctx context.Context) {
	tell := func(state SubmissionState, why string) {
		s.emit(&Submitted{Submission: s.Submission, Server: s.Server, State: state, Why: why})
	}
	switch {
	case s.Options.Submit == nil:
		tell(Refused, "no server is known (hint: judge watch --server URL --token-file FILE PROBLEM SUBMISSION)")
		return
	case !s.underway.CompareAndSwap(false, true):
		tell(Already, "")
		return
	}
	tell(Sent, "")
	s.submitting.Go(func() {
		var events []grade.Event
		err := s.Options.Submit(ctx, func(e grade.Event) { events = append(events, e) }, func(why string) { tell(Waiting, why) })
		s.underway.Store(false) // the result invites to the next submission
		for _, e := range events {
			s.emit(&Grading{Problem: s.Problems[0], Role: Served, Event: e})
		}
		if err != nil && ctx.Err() == nil {
			tell(Refused, err.Error())
		}
	})
}
