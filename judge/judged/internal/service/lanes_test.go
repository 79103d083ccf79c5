package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
	"tribunal/judge/judged/internal/task"
)

// toolbox is a worker that has some languages. What it gets in another fails the test, unless the task did not say
// what it needs: then the worker does, by the name of the archive.
type toolbox struct {
	mu        sync.Mutex
	languages []string
	did       map[string]int // how often it did what, by submission
}

func (b *toolbox) list(context.Context) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.languages)
}

func (b *toolbox) set(languages ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.languages = languages
}

// actor returns the worker.
func (b *toolbox) actor(t *testing.T, name string) *actor {
	return &actor{name: name, slots: 2, languages: b.list, play: func(_ context.Context, k *task.Task, source string) (*task.Answer, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		needs, archive := k.Language, strings.HasSuffix(k.Name, ".zip")
		if archive {
			needs = strings.TrimSuffix(k.Name, ".zip")
		}
		if needs == "" {
			needs = named(k.Name)[0]
		}
		switch {
		case slices.Contains(b.languages, needs):
		case archive:
			return &task.Answer{Error: "language " + needs + ": not found", Lacks: &task.Lack{Language: needs}}, nil
		default:
			t.Errorf("%s got a task in %s", name, needs)
		}
		if b.did == nil {
			b.did = map[string]int{}
		}
		b.did[k.Submission]++
		return verdictOf(k, source), nil
	}}
}

// named returns the languages of a name.
func named(name string) []string {
	if strings.HasSuffix(name, ".py") {
		return []string{"python3", "pypy3"}
	}
	return nil
}

func inLanguage(i int, name, language string) service.Request {
	r := request(i, "AC")
	r.Name, r.Language = name, language
	return r
}

// post posts on the board that a worker is there.
func post(t *testing.T, st *store.Store, w *service.Worker) error {
	t.Helper()
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return st.Board.Post(t.Context(), service.WorkersKey+"."+w.Worker, data)
}

// TestWorkersDiffer lets workers with different languages judge submissions in all of these. Each is judged once.
func TestWorkersDiffer(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: 20 * time.Millisecond, LanguagesOf: named})
	one, two := &toolbox{languages: []string{"c", "python3"}}, &toolbox{languages: []string{"kotlin", "python3"}}
	work(t, st, one.actor(t, "one"))
	work(t, st, two.actor(t, "two"))
	both(t, s, 2)
	usable(t, s)
	var ids []string
	for i := range 120 {
		kind := [][2]string{{"a.c", "c"}, {"a.kt", "kotlin"}, {"a.py", ""}, {"c.zip", ""}, {"kotlin.zip", ""}, {"a.txt", "python3"}}[i%6]
		ids = append(ids, submit(t, s, inLanguage(i, kind[0], kind[1])))
	}
	for i, id := range ids {
		sub := await(t, s, id, ended)
		if j := sub.Counts(); j.Status != ledger.Done || j.Attempt != 1 {
			t.Fatalf("%s is %s in attempt %d: %s", sub.Name, j.Status, j.Attempt, j.Error)
		}
		one.mu.Lock()
		two.mu.Lock()
		a, b := one.did[id], two.did[id]
		one.mu.Unlock()
		two.mu.Unlock()
		if a+b != 1 {
			t.Errorf("%s was judged %d times", sub.Name, a+b)
		}
		switch i % 6 {
		case 0, 3:
			a, b = b, a
		case 2, 5:
			continue
		}
		if a != 0 {
			t.Errorf("%s was judged by the worker that has not its language", sub.Name)
		}
	}
}

// both waits until the service knows so many workers.
func both(t *testing.T, s *service.Service, n int) {
	t.Helper()
	until(t, func() bool {
		list, err := s.Workers(t.Context())
		return err == nil && len(list) == n
	})
}

// TestLanguageAtTheDoor checks which languages are taken, as workers come, change and go.
func TestLanguageAtTheDoor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	after := func(d time.Duration) { now = now.Add(d) }
	st := simstore.New(simstore.Options{Now: clock, AckWait: time.Minute, Presence: 1000 * time.Hour}).Actor(nil).Store
	o := service.Options{LanguagesOf: named, Now: clock, Stepped: true}
	s, err := service.New(t.Context(), st, o)
	if err != nil {
		t.Fatal(err)
	}
	post := func(workers ...*service.Worker) {
		t.Helper()
		for _, w := range workers {
			if err := post(t, st, w); err != nil {
				t.Fatal(err)
			}
		}
		after(time.Minute)
	}
	worker := func(name string, languages ...string) *service.Worker {
		return &service.Worker{Host: task.Host{Worker: name, Slots: 1}, Languages: languages}
	}
	i := 0
	expect := func(why, name, language, refused string) {
		t.Helper()
		i++
		r := inLanguage(i, name, language)
		r.Problem, r.Input = "", nil
		_, _, err := s.Submit(t.Context(), r)
		var absent *service.LanguageError
		switch {
		case refused == "" && err != nil:
			t.Errorf("%s: %v", why, err)
		case refused != "" && (!errors.As(err, &absent) || err.Error() != refused):
			t.Errorf("%s: %v, want %s", why, err, refused)
		}
	}
	expect("no worker has ever been there", "a.kt", "kotlin", "")
	post(worker("a", "c", "pypy3"), worker("b", "kotlin"))
	expect("a ready worker has it", "a.kt", "kotlin", "")
	expect("one of the languages that the name may mean", "a.py", "", "")
	expect("nobody knows what is in the archive", "a.zip", "", "")
	expect("no worker has it", "a.awk", "awk", "no worker has the language awk (hint: the workers have c, kotlin, pypy3)")
	if taken, ready := s.Offer(t.Context())("kotlin"); !taken || ready != 1 {
		t.Errorf("kotlin is taken: %v, by %d workers", taken, ready)
	}
	if err := s.Lead(t.Context()); err != nil { // it keeps what the workers have
		t.Fatal(err)
	}
	sick := worker("b", "kotlin")
	sick.Sick = "its doctor found something"
	post(sick)
	expect("its only worker is not ready, a moment ago it was", "a.kt", "kotlin", "")
	if taken, ready := s.Offer(t.Context())("kotlin"); !taken || ready != 0 {
		t.Errorf("kotlin is taken: %v, by %d workers", taken, ready)
	}
	after(service.Absence)
	post(sick, worker("a", "c", "pypy3"))
	expect("nor will it be soon", "a.kt", "kotlin", "no worker has the language kotlin (hint: the workers have c, pypy3)")
	post(worker("a", "c", "rust"))
	expect("a compiler was installed", "a.rs", "rust", "")
	a := worker("a", "c")
	a.Draining = true
	post(a)
	after(100 * time.Hour)
	expect("no worker is ready: all that they had last count", "a.rs", "rust", "")
	if s, err = service.New(t.Context(), st, o); err != nil {
		t.Fatal(err)
	}
	expect("a service that starts remembers what it stored last", "a.kt", "kotlin", "")
	expect("and no more than that", "a.awk", "awk", "no worker has the language awk (hint: the workers have c, kotlin, pypy3)")
	post(&service.Worker{Host: task.Host{Worker: "old", Slots: 1}})
	expect("a worker of an earlier build does not say what it has", "a.awk", "awk", "")
}

// TestKeyBeforeLanguage repeats a request that was taken, when its language is not taken any more.
func TestKeyBeforeLanguage(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: time.Millisecond})
	r := inLanguage(1, "a.kt", "kotlin")
	r.Problem = ""
	id := submit(t, s, r)
	await(t, s, id, func(*ledger.Submission) bool { return true })
	if err := post(t, st, &service.Worker{Host: task.Host{Worker: "a", Slots: 1}, Languages: []string{"c"}}); err != nil {
		t.Fatal(err)
	}
	both(t, s, 1)
	if again := submit(t, s, r); again != id {
		t.Errorf("got %s, want %s", again, id)
	}
}

// TestToolsComeAndGo lets a submission wait until a worker has its language: one that installs it, and one that
// comes when the other, which had it and has taken the task, is gone.
func TestToolsComeAndGo(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: 20 * time.Millisecond, LanguagesOf: named})
	kotlin := inLanguage(1, "a.kt", "kotlin")
	kotlin.Problem = ""
	early := submit(t, s, kotlin)
	box := &toolbox{languages: []string{"c"}}
	work(t, st, box.actor(t, "first"))
	c := inLanguage(2, "a.c", "c")
	c.Problem = ""
	await(t, s, submit(t, s, c), ended) // it works, and leaves the other one
	if sub, err := s.Get(early); err != nil || sub.Counts().Status != ledger.Waiting {
		t.Fatalf("%+v, %v", sub, err)
	}
	box.set("c", "kotlin")
	if j := await(t, s, early, ended).Counts(); j.Status != ledger.Done || j.Attempt != 1 {
		t.Errorf("%+v", j)
	}

	taken := make(chan struct{}, 1)
	end := working(t, st, &actor{name: "dies", slots: 1, languages: func(context.Context) []string { return []string{"rust", "zig"} },
		play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
			taken <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}})
	both(t, s, 2)
	rust := inLanguage(3, "a.rs", "rust")
	rust.Problem = ""
	id := submit(t, s, rust)
	<-taken
	end()
	heir := &toolbox{languages: []string{"rust"}}
	work(t, st, heir.actor(t, "heir"))
	if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done || j.Attempt != 1 || j.Worker != "heir" {
		t.Errorf("%+v", j)
	}
}

// TestLacksEverywhere hands in an archive in a language that no worker has: it is held, with the reason.
func TestLacksEverywhere(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{Tick: 20 * time.Millisecond})
	box := &toolbox{languages: []string{"c"}}
	work(t, st, box.actor(t, "one"))
	both(t, s, 1)
	r := inLanguage(1, "zig.zip", "")
	r.Problem = ""
	if j := await(t, s, submit(t, s, r), ended).Counts(); j.Status != ledger.Held || j.Error != "language zig: not found" {
		t.Errorf("%+v", j)
	}
}
