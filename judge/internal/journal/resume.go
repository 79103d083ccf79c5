package journal

import (
	"slices"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// Session judges a task with a journal: submissions that the journal knows are not judged again, and
// the others are added to it.
type Session struct {
	Journal *Journal
	Keys    []string // by submission; "" if its result cannot be kept
	Problem string

	emit  func(grade.Event)
	task  grade.Task
	names []string
	known []*Entry // by submission; nil if it is judged now
	rest  []int    // the submissions that are judged now
	built int      // how many submissions, from the first, have had their Built
	open  []*Entry // by submission; what has happened so far to one that is judged now
	err   error
}

// Known returns how many of the submissions are in the journal. Call it after Begin.
func (s *Session) Known() int { return len(s.known) - len(s.rest) }

// Begin returns the task without the submissions that the journal knows, and a function for its
// events. That passes to emit the events of the whole task, as if all submissions were judged now,
// and adds the others to the journal when they are done.
func (s *Session) Begin(t grade.Task, emit func(grade.Event)) (grade.Task, func(grade.Event)) {
	s.emit, s.task = emit, t
	s.known, s.open = make([]*Entry, len(t.Submissions)), make([]*Entry, len(t.Submissions))
	all := t.Submissions
	t.Submissions = nil
	for i, submission := range all {
		s.names = append(s.names, submission.Source.Name)
		if key := s.Keys[i]; key != "" {
			s.known[i] = s.Journal.Find(key)
		}
		if s.known[i] == nil {
			s.rest = append(s.rest, i)
			t.Submissions = append(t.Submissions, submission)
			s.open[i] = &Entry{Key: s.Keys[i], Problem: s.Problem, Submission: submission.Source.Name}
		}
	}
	return t, s.event
}

// Err returns the first error of writing to the journal.
func (s *Session) Err() error { return s.err }

func (s *Session) event(e grade.Event) {
	switch e := e.(type) {
	case *grade.Begin:
		begin := *e
		begin.Submissions = s.names
		s.emit(&begin)
		if len(s.rest) == 0 {
			s.replay()
		}
	case *grade.Built:
		e.Submission = s.rest[e.Submission]
		s.builtUntil(e.Submission)
		s.emit(e)
		s.built++
		s.open[e.Submission].Built = *e
		if e.Submission == s.rest[len(s.rest)-1] {
			s.replay()
		}
	case *grade.Progress:
		e.Submission = s.rest[e.Submission]
		if n := len(s.rest); n > 0 {
			each := e.Total / n
			e.Done += each * s.Known()
			e.Total += each * s.Known()
		}
		s.emit(e)
	case *grade.Case:
		e.Submission = s.rest[e.Submission]
		kept := *e
		kept.Transcript, kept.Kept = nil, ""
		s.open[e.Submission].Cases = append(s.open[e.Submission].Cases, Case{e.Index, kept})
		s.emit(e)
	case *grade.Done:
		e.Submission = s.rest[e.Submission]
		s.done(e)
		s.emit(e)
	default:
		s.emit(e)
	}
}

// builtUntil emits the Built of the known submissions before this one.
func (s *Session) builtUntil(submission int) {
	for ; s.built < submission; s.built++ {
		b := s.known[s.built].Built
		b.Submission = s.built
		s.emit(&b)
	}
}

// replay emits the remaining events of the known submissions. The Built of every submission that is judged now has
// been emitted.
func (s *Session) replay() {
	s.builtUntil(len(s.known))
	for i, entry := range s.known {
		if entry == nil {
			continue
		}
		results := make([]points.Result, len(s.task.Cases))
		for _, c := range entry.Cases {
			event := c.Case
			event.Submission, event.Index = i, c.Index
			results[c.Index] = c.Counted(s.task.Problem)
			s.emit(&event)
		}
		d := entry.Done
		if !s.task.Problem.Scoring { // points are of this task, not of the one that was judged
			if d.Points = nil; len(entry.Cases) > 0 {
				d.Points = s.task.Score(results)
			}
		}
		d.Submission, d.Expected, d.AsExpected = i, s.task.Submissions[i].Expected, nil
		d.Settle()
		s.emit(&d)
		if s.err == nil {
			s.err = s.Journal.renew(*entry, s.Problem, s.names[i])
		}
	}
}

// done adds a submission to the journal, unless the judge failed or its result cannot be kept.
func (s *Session) done(d *grade.Done) {
	entry := s.open[d.Submission]
	s.open[d.Submission] = nil
	failed := slices.ContainsFunc(entry.Cases, func(c Case) bool { return c.Verdict == verdict.JE })
	if s.err != nil || entry.Key == "" || failed || d.Verdict == verdict.JE || entry.Built.NoTools {
		return
	}
	entry.Done = *d
	s.err = s.Journal.Add(entry)
}
