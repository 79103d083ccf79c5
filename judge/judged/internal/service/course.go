package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Newest as the sequence that an editor has seen means that the change replaces whatever is there.
const Newest = ^uint64(0)

// ErrChanged means that somebody else has changed what an editor saw. It wraps ErrState.
var ErrChanged = fmt.Errorf("somebody else has changed it meanwhile (hint: look at it again): %w", ErrState)

// loginForm is the form of logins.
var loginForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._@+-]{0,62}$`) })

// ValidLogin reports whether a text can be a login.
func ValidLogin(login string) bool { return loginForm().MatchString(login) }

// Courses returns all courses, the one that was set last first.
func (s *Service) Courses() []ledger.CourseState {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []ledger.CourseState
	for _, c := range s.fold.Courses {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b ledger.CourseState) int { return -cmpUint(a.Sequence, b.Sequence) })
	return list
}

// Course returns a course. The error wraps ErrUnknown if there is none.
func (s *Service) Course(id string) (ledger.CourseState, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := s.fold.Courses[id]
	if c == nil {
		return ledger.CourseState{}, fmt.Errorf("course %s: %w", id, ErrUnknown)
	}
	return *c, nil
}

// SetCourse sets a course. after is the sequence of the state that its editor saw, 0 for a new one, or Newest. The
// error wraps ErrInvalid if the id is not valid, and is ErrChanged if after is not the newest any more.
func (s *Service) SetCourse(ctx context.Context, id string, c ledger.Course, after uint64, by string) error {
	if !problemID().MatchString(id) {
		return fmt.Errorf("course %q: an id has up to 63 lower-case letters, digits, _ and -: %w", id, ErrInvalid)
	}
	return s.set(ctx, ledger.CourseSubject(id), after, &ledger.Event{By: by, Course: &c}, func() uint64 {
		if c := s.fold.Courses[id]; c != nil {
			return c.Sequence
		}
		return 0
	})
}

// People returns the members of a course, sorted by login.
func (s *Service) People(course string) []ledger.PersonState {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []ledger.PersonState
	for _, login := range slices.Sorted(maps.Keys(s.fold.People[course])) {
		if m := s.fold.People[course][login]; !m.Erased {
			list = append(list, *m)
		}
	}
	return list
}

// Person returns a member of a course. The error wraps ErrUnknown if there is none, and ErrErased if there was one.
func (s *Service) Person(course, login string) (ledger.PersonState, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	m, err := s.fold.People[course][login], ErrUnknown
	if m != nil && !m.Erased {
		return *m, nil
	}
	if m != nil {
		err = ErrErased
	}
	return ledger.PersonState{}, fmt.Errorf("%s in course %s: %w", login, course, err)
}

// CoursesOf returns the ids of the courses that have a member with a login, sorted.
func (s *Service) CoursesOf(login string) (list []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for id, members := range s.fold.People {
		if m := members[login]; m != nil && !m.Erased {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// SetPerson sets a member of a course, as SetCourse sets a course.
func (s *Service) SetPerson(ctx context.Context, course string, m ledger.Person, after uint64, by string) error {
	if !ValidLogin(m.Login) {
		return fmt.Errorf("login %q: want up to 63 lower-case letters, digits and ._@+-: %w", m.Login, ErrInvalid)
	}
	if _, err := s.Course(course); err != nil {
		return err
	}
	return s.set(ctx, ledger.PersonSubject(course, m.Login), after, &ledger.Event{By: by, Person: &m}, s.personSequence(course, m.Login))
}

// ErrErased means that a member was erased before. It wraps ErrUnknown.
var ErrErased = fmt.Errorf("was erased before: %w", ErrUnknown)

// ErasePerson removes a member from a course, with everything that the ledger says about it, and the questions that it
// has asked. Submissions are erased by EraseSubmitter. After an error, doing it again erases the rest; the error is
// ErrErased if the member had been erased, and now everything is.
func (s *Service) ErasePerson(ctx context.Context, course, login, by string) error {
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	_, unknown := s.Person(course, login)
	if unknown != nil && !errors.Is(unknown, ErrErased) {
		return unknown
	}
	erased := &ledger.Event{By: by, Erased: &ledger.Erased{}}
	if unknown == nil { // first, so that the person asks and hands in nothing more
		if err := s.set(ctx, ledger.PersonSubject(course, login), Newest, erased, s.personSequence(course, login)); err != nil {
			return err
		}
	}
	if err := s.store.Log.Forget(ctx, ledger.PersonSubject(course, login)); err != nil {
		return err
	}
	for _, q := range s.Questions(course) {
		if q.Asker != login {
			continue
		}
		// An erased question is unknown, so its text goes before.
		subject, present := ledger.QuestionSubject(course, q.ID), s.questionSequence(course, q.ID)
		blank := &ledger.Event{By: by, Question: &ledger.Question{Asker: login, Asked: q.Asked}}
		if err := s.set(ctx, subject, Newest, blank, present); err != nil {
			return err
		}
		if err := s.store.Log.Forget(ctx, subject); err != nil {
			return err
		}
		if err := s.set(ctx, subject, Newest, erased, present); err != nil {
			return err
		}
	}
	if err := s.Snapshot(ctx); err != nil {
		return err
	}
	return unknown
}

func (s *Service) questionSequence(course, id string) func() uint64 {
	return func() uint64 {
		if q := s.fold.Questions[course][id]; q != nil {
			return q.Sequence
		}
		return 0
	}
}

func (s *Service) personSequence(course, login string) func() uint64 {
	return func() uint64 {
		if m := s.fold.People[course][login]; m != nil {
			return m.Sequence
		}
		return 0
	}
}

// Questions returns the questions and announcements of a course, in the order in which they were asked.
func (s *Service) Questions(course string) []ledger.QuestionState {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []ledger.QuestionState
	for _, q := range s.fold.Questions[course] {
		list = append(list, *q)
	}
	slices.SortFunc(list, func(a, b ledger.QuestionState) int {
		return cmp.Or(a.Asked.Compare(b.Asked), strings.Compare(a.ID, b.ID))
	})
	return list
}

// SetQuestion sets a question of a course, as SetCourse sets a course; with the id "" it is a new one. It returns the
// id.
func (s *Service) SetQuestion(ctx context.Context, course, id string, q ledger.Question, after uint64, by string) (string, error) {
	if _, err := s.Course(course); err != nil {
		return "", err
	}
	if id == "" {
		id, after, q.Asked = newID(), 0, s.Now().UTC()
	}
	return id, s.set(ctx, ledger.QuestionSubject(course, id), after, &ledger.Event{By: by, Question: &q}, s.questionSequence(course, id))
}

// set adds an event that replaces the state of its subject. present returns the sequence of that state, 0 if there is
// none; it is called with the lock held. If the outcome of a try is unknown, set looks whether the state is its own.
func (s *Service) set(ctx context.Context, subject string, after uint64, e *ledger.Event, present func() uint64) error {
	if err := s.o.Room(); err != nil {
		return err
	}
	see := func() uint64 {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return present()
	}
	data := s.encode(e)
	var last error
	unsure := false // whether an earlier try may have succeeded
	for range tries {
		at := after
		if after == Newest {
			at = see()
		}
		sequence, err := s.store.Log.Append(ctx, subject, at, data)
		switch {
		case err == nil:
			return s.sync(ctx, sequence)
		case ctx.Err() != nil:
			return ctx.Err()
		case store.IsFinal(err):
			return err
		}
		last, unsure = err, unsure || !errors.Is(err, store.ErrConflict)
		if err := s.CatchUp(ctx); err != nil {
			last = err
			if err := s.o.Wait(ctx, pause); err != nil {
				return err
			}
			continue
		}
		now := see()
		own, err := store.Wrote(ctx, s.store.Log, now, data)
		switch {
		case unsure && (own || e.Erased != nil && now == 0):
			return nil
		case unsure && err != nil:
			last = err
		case after != Newest && now != after:
			return ErrChanged
		}
	}
	return fmt.Errorf("changing %s: %w", subject, last)
}

// Rule sets the outcome of a submission by hand, or takes that back if the verdict is None.
func (s *Service) Rule(ctx context.Context, id string, r ledger.Ruled, by string) error {
	return s.update(ctx, id, func(sub *ledger.Submission) (*ledger.Event, error) {
		if was := sub.Ruling; was == nil && r.Verdict == verdict.None || was != nil && was.Ruled == r {
			return nil, nil
		}
		return &ledger.Event{By: by, Ruled: &r}, nil
	})
}

// WatchCourse returns a watch of a course: of what its members hand in, and of the course itself. The caller closes
// it.
func (s *Service) WatchCourse(course string) *Watch {
	return s.hub.add(&Watch{C: make(chan Update, 16*watchBuffer), id: courseKey(course)})
}

// courseKey is the key of a course among the ids of submissions, which have no slash.
func courseKey(course string) string { return course + "/" }
