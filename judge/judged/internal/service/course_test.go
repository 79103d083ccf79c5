package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// TestTwoEditors lets many editors change what they have all seen: one succeeds, and the others hear of it.
func TestTwoEditors(t *testing.T) {
	t.Parallel()
	st := open(t)
	services := []*service.Service{start(t, st, service.Options{}), start(t, st, service.Options{})}
	ctx := t.Context()
	set := func(editor int, title string, after uint64) error {
		return services[editor%2].SetCourse(ctx, "c", ledger.Course{Title: title}, after, fmt.Sprint("editor ", editor))
	}
	race := func(after uint64) {
		t.Helper()
		var succeeded atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				switch err := set(i, fmt.Sprint("title ", i), after); {
				case err == nil:
					succeeded.Add(1)
				case !errors.Is(err, service.ErrChanged):
					t.Errorf("editor %d: %v", i, err)
				}
			})
		}
		all.Wait()
		if n := succeeded.Load(); n != 1 {
			t.Fatalf("%d of 8 editors succeeded", n)
		}
	}
	race(0)
	seen, err := services[0].Course("c")
	if err != nil {
		t.Fatal(err)
	}
	race(seen.Sequence)
	if err := set(0, "last", service.Newest); err != nil {
		t.Fatal(err)
	}
	for _, s := range services {
		if err := s.CatchUp(ctx); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Course("c"); err != nil || c.Title != "last" || c.By != "editor 0" {
			t.Errorf("the course is %+v, %v", c, err)
		}
	}
}

// TestCourseState checks what becomes of people, questions and rulings, also by a service that reads the ledger anew.
func TestCourseState(t *testing.T) {
	t.Parallel()
	st := open(t)
	work(t, st, &actor{name: "w", slots: 2, blobs: st.Blobs})
	s := start(t, st, service.Options{})
	ctx := t.Context()
	if err := s.SetPerson(ctx, "c", ledger.Person{Login: "ann"}, 0, "root"); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("a person of no course: %v", err)
	}
	if err := s.SetCourse(ctx, "No Id", ledger.Course{}, 0, "root"); !errors.Is(err, service.ErrInvalid) {
		t.Errorf("an id with a blank: %v", err)
	}
	for _, id := range []string{"c", "d"} {
		if err := s.SetCourse(ctx, id, ledger.Course{Title: id}, 0, "root"); err != nil {
			t.Fatal(err)
		}
		for _, login := range []string{"ann.lee@example.org", "bob"} {
			if err := s.SetPerson(ctx, id, ledger.Person{Login: login, Name: "N", Email: "secret mail of " + login, Role: ledger.Participant}, 0, "root"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, login := range []string{"", "Ann", "a b", "../x", "a/b"} {
		if err := s.SetPerson(ctx, "c", ledger.Person{Login: login}, 0, "root"); !errors.Is(err, service.ErrInvalid) {
			t.Errorf("login %q: %v", login, err)
		}
	}
	watch := s.WatchCourse("c")
	defer watch.Close()
	id, err := s.SetQuestion(ctx, "c", "", ledger.Question{Asker: "bob", Text: "why?"}, 0, "bob")
	if err != nil {
		t.Fatal(err)
	}
	if u := <-watch.C; u.Course != "c" {
		t.Errorf("the watch got %+v", u)
	}
	if _, err := s.SetQuestion(ctx, "c", id, ledger.Question{Asker: "bob", Text: "why?", Answer: "so"}, s.Questions("c")[0].Sequence, "tea"); err != nil {
		t.Fatal(err)
	}
	upload(t, s)
	r := request(1, "WA")
	r.Submitter = "/c/bob"
	sub, _, err := s.Submit(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	await(t, s, sub.ID, ended)
	if err := s.Rule(ctx, sub.ID, ledger.Ruled{Verdict: verdict.AC, Reason: "the case was wrong"}, "tea"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SetQuestion(ctx, "c", "", ledger.Question{Asker: "ann.lee@example.org", Text: "secret mail of ann.lee, in a question"}, 0, "ann.lee@example.org"); err != nil {
		t.Fatal(err)
	}
	if err := s.ErasePerson(ctx, "c", "ann.lee@example.org", "root"); err != nil {
		t.Fatal(err)
	}
	check := func(what string, s *service.Service) {
		t.Helper()
		if people := s.People("c"); len(people) != 1 || people[0].Login != "bob" {
			t.Errorf("%s: people %+v", what, people)
		}
		if got := s.CoursesOf("ann.lee@example.org"); len(got) != 1 || got[0] != "d" {
			t.Errorf("%s: the courses of the other are %v", what, got)
		}
		if q := s.Questions("c"); len(q) != 1 || q[0].Answer != "so" || q[0].By != "tea" {
			t.Errorf("%s: questions %+v", what, q)
		}
		got, err := s.Get(sub.ID)
		if err != nil {
			t.Fatal(err)
		}
		if o, done := got.Outcome(); !done || o.Verdict != verdict.AC || got.Counts().Summary.Verdict != verdict.WA {
			t.Errorf("%s: the outcome is %+v, the judging's %+v", what, o, got.Counts().Summary)
		}
	}
	check("the service", s)
	again := start(t, st, service.Options{})
	check("one that starts later", again)
	if err := s.Rule(ctx, sub.ID, ledger.Ruled{Reason: "it was right"}, "tea"); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(sub.ID); err != nil || got.Ruling != nil {
		t.Errorf("a ruling that was taken back: %+v, %v", got.Ruling, err)
	}
	// Nothing of the erased person is in the ledger but the login.
	last, err := st.Log.Last(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for n := uint64(1); n <= last; n++ {
		if r, err := st.Log.Get(ctx, n); err == nil && r.Subject != ledger.PersonSubject("d", "ann.lee@example.org") && bytes.Contains(r.Data, []byte("secret mail of ann.lee")) {
			t.Errorf("record %d still has %s", n, r.Data)
		}
	}
}

// forgetful is a log of which one call of Forget fails.
type forgetful struct {
	store.Log
	left int // calls before that one
}

func (l *forgetful) Forget(ctx context.Context, subject string) error {
	if l.left--; l.left == -1 {
		return errors.New("the log is away")
	}
	return l.Log.Forget(ctx, subject)
}

// TestErasePersonAgain fails at each step of an erasure, and expects that doing it again leaves nothing.
func TestErasePersonAgain(t *testing.T) {
	t.Parallel()
	st := *open(t)
	log := &forgetful{Log: st.Log, left: -1}
	st.Log = log
	s := start(t, &st, service.Options{})
	ctx := t.Context()
	if err := s.SetCourse(ctx, "c", ledger.Course{Title: "c"}, 0, "root"); err != nil {
		t.Fatal(err)
	}
	for step := range 3 { // the person and two questions
		if err := s.SetPerson(ctx, "c", ledger.Person{Login: "ann", Name: "secret name"}, service.Newest, "root"); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"secret one", "secret two"} {
			if _, err := s.SetQuestion(ctx, "c", "", ledger.Question{Asker: "ann", Text: text}, 0, "ann"); err != nil {
				t.Fatal(err)
			}
		}
		log.left = step
		if err := s.ErasePerson(ctx, "c", "ann", "root"); err == nil {
			t.Fatalf("step %d did not fail", step)
		}
		if people := s.People("c"); len(people) > 0 {
			t.Errorf("step %d: there are still %v", step, people)
		}
		if err := s.ErasePerson(ctx, "c", "ann", "root"); !errors.Is(err, service.ErrErased) {
			t.Errorf("step %d again: %v", step, err)
		}
		last, err := st.Log.Last(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for n := uint64(1); n <= last; n++ {
			if r, err := st.Log.Get(ctx, n); err == nil && bytes.Contains(r.Data, []byte("secret")) {
				t.Errorf("step %d: record %d still has %s", step, n, r.Data)
			}
		}
		if q := s.Questions("c"); len(q) > 0 {
			t.Errorf("step %d: questions %+v", step, q)
		}
	}
	if err := s.ErasePerson(ctx, "c", "bob", "root"); !errors.Is(err, service.ErrUnknown) || errors.Is(err, service.ErrErased) {
		t.Errorf("somebody who was no member: %v", err)
	}
}

// TestTurns hands in at the same time to two services of a store, which together take no more than is admitted.
func TestTurns(t *testing.T) {
	t.Parallel()
	st := open(t)
	services := []*service.Service{start(t, st, service.Options{}), start(t, st, service.Options{})}
	upload(t, services[0])
	refused := errors.New("too many")
	var taken atomic.Int32
	var all sync.WaitGroup
	for i := range 12 {
		s, r := services[i%2], request(i, "AC")
		r.Submitter = ledger.SubmitterOf("c", "ann")
		r.Admit = func() error {
			if len(s.List(func(sub *ledger.Submission) bool { return sub.Submitter == r.Submitter }, "", 100)) >= 3 {
				return refused
			}
			return nil
		}
		all.Go(func() {
			switch _, _, err := s.Submit(t.Context(), r); {
			case err == nil:
				taken.Add(1)
			case !errors.Is(err, refused):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n != 3 {
		t.Errorf("%d submissions were taken, want 3", n)
	}
	left, err := st.Board.List(t.Context(), "turn")
	if err != nil || len(left) > 0 {
		t.Errorf("turns that did not end: %v, %v", left, err)
	}
}

// unsure is a log of which the answer to every append is lost once.
type unsure struct {
	store.Log
	lost sync.Map
}

func (u *unsure) Append(ctx context.Context, subject string, after uint64, data []byte) (uint64, error) {
	n, err := u.Log.Append(ctx, subject, after, data)
	if _, before := u.lost.LoadOrStore(subject+string(data), true); err == nil && !before {
		return 0, errors.New("the answer was lost")
	}
	return n, err
}

// TestOwnChange changes everything about a course while the answers of the store are lost: an editor does not hear that
// somebody else was faster, and no change is made twice.
func TestOwnChange(t *testing.T) {
	t.Parallel()
	st := *open(t)
	st.Log = &unsure{Log: st.Log}
	s := start(t, &st, service.Options{})
	ctx := t.Context()
	version := upload(t, s)
	step := func(what string, do func() error) {
		t.Helper()
		before, err := st.Log.Last(ctx)
		if err == nil {
			err = do()
		}
		after, last := st.Log.Last(ctx)
		if err != nil || last != nil || after != before+1 {
			t.Errorf("%s: %v, %d records, %v", what, err, after-before, last)
		}
	}
	step("a new course", func() error { return s.SetCourse(ctx, "c", ledger.Course{Title: "C"}, 0, "root") })
	c, err := s.Course("c")
	if err != nil {
		t.Fatal(err)
	}
	step("an edited course", func() error { return s.SetCourse(ctx, "c", ledger.Course{Title: "D"}, c.Sequence, "root") })
	step("whatever is there", func() error { return s.SetCourse(ctx, "c", ledger.Course{Title: "E"}, service.Newest, "root") })
	step("a person", func() error { return s.SetPerson(ctx, "c", ledger.Person{Login: "ann", Name: "A"}, 0, "root") })
	var id string
	step("a question", func() (err error) {
		id, err = s.SetQuestion(ctx, "c", "", ledger.Question{Asker: "ann", Text: "?"}, 0, "/c/ann")
		return err
	})
	q := s.Questions("c")
	step("its answer", func() error {
		_, err := s.SetQuestion(ctx, "c", id, ledger.Question{Asker: "ann", Text: "?", Answer: "!"}, q[0].Sequence, "root")
		return err
	})
	r := request(1, "AC")
	r.Version = version.ID
	var sub ledger.Submission
	step("a submission", func() (err error) { sub, _, err = s.Submit(ctx, r); return err })
	step("a ruling", func() error {
		return s.Rule(ctx, sub.ID, ledger.Ruled{Verdict: verdict.AC, Reason: "r"}, "root")
	})
	if err := s.SetCourse(ctx, "c", ledger.Course{Title: "F"}, c.Sequence, "root"); !errors.Is(err, service.ErrChanged) {
		t.Errorf("an old state: %v", err)
	}
	if err := s.ErasePerson(ctx, "c", "ann", "root"); err != nil {
		t.Errorf("erasure: %v", err)
	}
}
