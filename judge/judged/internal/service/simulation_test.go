package service_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tribunal/internal/tier"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/worker"
)

var (
	simulations = flag.Int("simulations", 0, "number of simulated fault schedules; 0: 1,000 with all tests, otherwise fewer")
	seed        = flag.Uint64("seed", 0, "simulate the schedule of this seed alone, and print what happens")
)

// TestSimulation plays schedules of faults with two services, three workers and two clients over a
// simulated store, and checks what everybody has seen. To repeat the one that fails:
//
//	go test ./judge/judged/internal/service -run TestSimulation -seed N
func TestSimulation(t *testing.T) {
	t.Parallel()
	if *seed > 0 {
		t.Log(simulate(t, *seed))
		return
	}
	n := *simulations
	if n == 0 {
		n = schedules(t)
	}
	for s := range n {
		if simulate(t, uint64(s+1)); t.Failed() {
			t.Fatalf("seed %d", s+1)
		}
	}
}

// schedules returns how many schedules the tests of this tier simulate.
func schedules(t *testing.T) int {
	const all, some, few = 1000, 150, 40
	n := few
	switch {
	case tier.All():
		return all
	case !testing.Short():
		n = some
	}
	t.Logf("not checked: schedules of faults %d to %d (%s=all checks them)", n+1, all, tier.Variable)
	return n
}

// TestSimulationRepeats plays a schedule twice: the same must happen.
func TestSimulationRepeats(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		if diff := gocmp.Diff(simulate(t, 1000+seed), simulate(t, 1000+seed)); diff != "" {
			t.Fatalf("seed %d does not repeat:\n%s", 1000+seed, diff)
		}
	}
}

// The sizes of a simulation.
const (
	simServices, simWorkers, simClients = 2, 3, 2
	simSubmissions                      = 8   // of each client
	simStorm                            = 400 // steps with faults
	simMost                             = 6000
)

// sim is a simulation. Its actors take turns, one step each. While a worker performs a task, the others
// go on.
type sim struct {
	t      *testing.T
	world  *simstore.World
	now    time.Time
	random *rand.Rand
	trace  strings.Builder
	steps  int
	calm   bool

	services [simServices]*simService
	workers  [simWorkers]*simWorker
	clients  [simClients]*simClient
	seen     map[string]verdict.Verdict // by submission: the verdict that a service has shown
}

type simService struct {
	actor *simstore.Actor
	*service.Service
	in bool // it is in a step
}

type simWorker struct {
	actor     *simstore.Actor
	performer *simPerformer
	*worker.Worker
	in bool
}

// simClient hands in submissions until all are acknowledged. It lives for ever.
type simClient struct {
	name   string
	next   int
	acked  map[int]string // ids by number
	cancel map[int]bool   // was asked to be cancelled, and that was acknowledged
}

func simulate(t *testing.T, seed uint64) string {
	t.Helper()
	s := &sim{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(seed, 1)), seen: map[string]verdict.Verdict{}}
	s.world = simstore.New(simstore.Options{Now: func() time.Time { return s.now }, Seed: seed, AckWait: 30 * time.Second, Presence: 15 * time.Second, Late: time.Minute})
	for i := range s.clients {
		s.clients[i] = &simClient{name: fmt.Sprint("client-", i), acked: map[int]string{}, cancel: map[int]bool{}}
	}
	for !s.done() {
		if s.step(); s.steps > simMost {
			t.Fatalf("seed %d does not come to an end:\n%s", seed, s.trace.String())
		}
	}
	s.check()
	if t.Failed() {
		t.Logf("seed %d:\n%s", seed, s.trace.String())
	}
	return s.trace.String()
}

// decide lets a fault happen to one of a dozen operations in the storm.
func (s *sim) decide(op string) simstore.Fault {
	f, possible := simstore.None, simstore.Possible(op)
	if !s.calm && s.random.IntN(12) == 0 {
		f = possible[s.random.IntN(len(possible))]
	}
	if f == simstore.Full && s.random.IntN(4) > 0 {
		f = simstore.None
	}
	if f != simstore.None {
		fmt.Fprintf(&s.trace, " [%s: %s]", op, f)
	}
	return f
}

// step lets one actor act.
func (s *sim) step() {
	s.steps++
	if s.calm = s.steps > simStorm; s.steps%7 == 0 || s.calm && s.steps%2 == 0 {
		s.now = s.now.Add(time.Duration(s.random.IntN(4000)) * time.Millisecond)
	}
	switch n := s.random.IntN(simServices*2 + simWorkers + simClients); {
	case n < simServices:
		s.service(n, true)
	case n < 2*simServices:
		s.service(n-simServices, false)
	case n < 2*simServices+simWorkers:
		s.work(n - 2*simServices)
	default:
		s.client(n - 2*simServices - simWorkers)
	}
}

func (s *sim) say(format string, args ...any) { fmt.Fprintf(&s.trace, format, args...) }

// act lets an actor take a step, and forgets it if it dies.
func (s *sim) act(what string, step func() error, died func()) {
	s.say("%d %s %s:", s.steps, s.now.Format("04:05.000"), what)
	var err error
	if simstore.Catch(func() { err = step() }) {
		died()
		s.say(" dies")
	}
	s.say(" %v\n", err)
}

// serviceAt returns a service that is alive, or nil while its actor cannot start.
func (s *sim) serviceAt(i int) *simService {
	if s.services[i] != nil {
		return s.services[i]
	}
	a := s.world.Actor(s.decide)
	svc, err := service.New(context.Background(), a.Store, service.Options{
		Name: fmt.Sprint("service-", i), Attempts: 3, Patience: 40 * time.Second, Tick: time.Second, Parts: 1,
		Now: func() time.Time { return s.now }, Stepped: true,
		Wait: s.wait,
	})
	if err != nil {
		s.say(" %v", err)
		return nil
	}
	s.services[i] = &simService{actor: a, Service: svc}
	return s.services[i]
}

// wait lets time pass.
func (s *sim) wait(_ context.Context, d time.Duration) error {
	s.now = s.now.Add(d)
	return nil
}

// service lets a service lead, or take an answer.
func (s *sim) service(i int, lead bool) {
	what := map[bool]string{true: "leads", false: "takes answers"}[lead]
	s.act(fmt.Sprintf("service %d %s", i, what), func() error {
		svc := s.serviceAt(i)
		if svc == nil || svc.in {
			return nil
		}
		svc.in = true
		defer func() { svc.in = false }()
		ctx := context.Background()
		if lead {
			_ = svc.CatchUp(ctx)
			return svc.Lead(ctx)
		}
		m, err := svc.actor.Store.Results.Pull(ctx)
		if err != nil {
			return err
		}
		return svc.Take(ctx, m)
	}, func() { s.services[i] = nil })
}

// simPerformer performs tasks; the source of a submission is its verdict.
type simPerformer struct {
	sim       *sim
	name      string
	actor     *simstore.Actor
	languages []string // when it took its task
}

// languages are those of the workers. The last one installs a tool now and then, and removes it; sometimes it is of
// an earlier build, which does not say what it has.
func (s *sim) languages(i int) []string {
	last := [][]string{{"x"}, {"x", "z"}, nil}
	switch {
	case i < simWorkers-1:
		return [][]string{{"x", "y"}, {"y", "z"}}[i]
	case !s.calm:
		return last[s.steps/20%len(last)]
	}
	return last[1]
}

// simLanguages are those of submissions, by number; the last one is in an archive, so that only the worker finds
// it out.
var simLanguages = []string{"x", "y", "z", ""}

func (p *simPerformer) Host() task.Host               { return task.Host{Worker: p.name, Slots: 2} }
func (p *simPerformer) Examine(context.Context) error { return nil }

// Perform lets the others go on for a while, so that a task may be given to another worker meanwhile.
func (p *simPerformer) Perform(ctx context.Context, t *task.Task, _ func(any)) (*task.Answer, error) {
	s := p.sim
	s.say(" performs %s.%d.a%d part %d {\n", t.Submission, t.Judging, t.Attempt, t.Part)
	for range s.random.IntN(6) {
		if s.steps < simMost {
			s.step()
		}
	}
	if !s.calm && s.random.IntN(20) == 0 {
		s.say("} killed")
		p.actor.Kill()
	}
	s.say("}")
	if t.Part == task.Check {
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Cases: 10}}, nil
	}
	if has := p.languages; has != nil && !slices.Contains(has, cmp.Or(t.Language, "z")) {
		if t.Language != "" {
			s.t.Errorf("%s has %v, and got a task in %s", p.name, has, t.Language)
		}
		return &task.Answer{Error: "no z", Lacks: &task.Lack{Language: "z"}}, nil
	}
	if !s.calm && s.random.IntN(15) == 0 {
		return nil, errors.New("the judge failed")
	}
	source, err := store.Fetch(ctx, p.actor.Store.Blobs, t.Source)
	if err != nil {
		return nil, err
	}
	a := verdictOf(t, string(source))
	if a.Summary.Spent = 10 * time.Second; t.Part >= 0 {
		a.Summary = nil
		a.Decides = string(source) != "AC" && t.Cases.From <= 4 && 4 < t.Cases.To
	}
	return a, nil
}

// work lets a worker perform a task.
func (s *sim) work(i int) {
	s.act(fmt.Sprintf("worker %d", i), func() error {
		w := s.workers[i]
		if w == nil {
			a := s.world.Actor(s.decide)
			p := &simPerformer{sim: s, name: fmt.Sprint("w", i), actor: a}
			w = &simWorker{actor: a, performer: p, Worker: worker.New(a.Store, p, worker.Options{
				Now: func() time.Time { return s.now }, Wait: s.wait, Tasks: 1,
				Languages: func(context.Context) []string { return s.languages(i) },
			})}
			s.workers[i] = w
		}
		if w.in {
			return nil
		}
		w.in = true
		defer func() { w.in = false }()
		w.Choose(context.Background())
		w.performer.languages = s.languages(i)
		if err := w.Post(context.Background()); err != nil {
			return err
		}
		return w.Step(context.Background(), context.Background())
	}, func() { s.workers[i] = nil })
}

var simVerdicts = []string{"AC", "WA", "TLE", "RTE"}

// client hands in a submission, again if it was not acknowledged, cancels one, releases what is held, or
// looks at one.
func (s *sim) client(i int) {
	c := s.clients[i]
	n := s.random.IntN(simServices)
	s.act(fmt.Sprintf("%s at service %d", c.name, n), func() error {
		svc := s.serviceAt(n)
		if svc == nil || svc.in {
			return nil
		}
		svc.in = true
		defer func() { svc.in = false }()
		ctx := context.Background()
		if c.next < simSubmissions && s.random.IntN(2) == 0 {
			_, _, err := svc.Upload(ctx, service.Upload{ID: "a", Archive: []byte("archive")})
			if err != nil {
				return err
			}
			v := store.RefOf([]byte("archive")).Hash
			number := c.next
			sub, created, err := svc.Submit(ctx, service.Request{
				Owner: c.name, Key: fmt.Sprint(number), Code: []byte(simVerdicts[number%len(simVerdicts)]),
				Submitted: ledger.Submitted{Submitter: c.name, Problem: "a", Version: v, Name: "a.zip", Language: simLanguages[number%len(simLanguages)], Priority: ledger.Interactive},
			})
			if err != nil {
				return err
			}
			s.say(" acknowledges %d as %s (new: %v)", number, sub.ID, created)
			c.acked[number] = sub.ID
			c.next++
			return nil
		}
		if len(c.acked) == 0 {
			return nil
		}
		number := s.random.IntN(c.next)
		id := c.acked[number]
		if err := svc.CatchUp(ctx); err != nil {
			return err // what it knows is old
		}
		sub, err := svc.Get(id)
		if err != nil {
			s.t.Errorf("%s does not know %s, which was acknowledged", svc.Name(), id)
			return err
		}
		s.look(&sub)
		switch {
		case sub.Counts().Status == ledger.Held: // perhaps because every worker died that checked the version
			if _, _, err := svc.Upload(ctx, service.Upload{ID: "a", Archive: []byte("archive")}); err != nil {
				return err
			}
			return svc.Release(ctx, id, 1, "jury")
		case !s.calm && number == 3 && sub.Counts().Status == ledger.Waiting:
			err := svc.Cancel(ctx, id, 1, c.name, "not needed")
			if err == nil {
				c.cancel[number] = true
			}
			return err
		}
		return nil
	}, func() { s.services[n] = nil })
}

// look checks that a verdict which a service has shown stays.
func (s *sim) look(sub *ledger.Submission) {
	j := sub.Counts()
	if j.Status != ledger.Done {
		if v, ok := s.seen[sub.ID]; ok {
			s.t.Errorf("%s had the verdict %v, and is %s now", sub.ID, v, j.Status)
		}
		return
	}
	if v, ok := s.seen[sub.ID]; ok && v != j.Summary.Verdict {
		s.t.Errorf("the verdict of %s was %v, and is %v now", sub.ID, v, j.Summary.Verdict)
	}
	s.seen[sub.ID] = j.Summary.Verdict
}

// done reports whether everything that was handed in has ended, in the eyes of a service, and nothing is
// left in the queues.
func (s *sim) done() bool {
	if s.steps <= simStorm {
		return false
	}
	for _, c := range s.clients {
		if c.next < simSubmissions {
			return false
		}
	}
	for _, svc := range s.services {
		if svc == nil {
			return false
		}
		for _, c := range s.clients {
			for _, id := range c.acked {
				sub, err := svc.Get(id)
				if err != nil || sub.Counts().Status == ledger.Waiting || sub.Counts().Status == ledger.Held {
					return false
				}
			}
		}
	}
	st := s.world.Actor(nil).Store
	work, err1 := st.Work.Len(context.Background())
	results, err2 := st.Results.Len(context.Background())
	return err1 == nil && err2 == nil && work+results == 0
}

// check checks the end: nothing is lost, nothing is doubled, and all agree.
func (s *sim) check() {
	s.t.Helper()
	s.calm = true
	fresh := s.world.Actor(nil)
	fold, ends := ledger.NewFold(), map[string]int{}
	_ = fresh.Store.Log.Follow(context.Background(), 0, func(r store.Record) error {
		e, err := ledger.Decode(r)
		if err != nil {
			s.t.Error(err)
			return nil
		}
		if e.Ended != nil {
			ends[fmt.Sprint(r.Subject, " ", e.Ended.Judging)]++
		}
		_, err = fold.Add(r)
		return err
	})
	if fold.Ignored > 0 {
		s.t.Errorf("%d records do not fit the state that they met", fold.Ignored)
	}
	for what, n := range ends {
		if n > 1 {
			s.t.Errorf("%s has ended %d times", what, n)
		}
	}
	submissions := 0
	for _, c := range s.clients {
		for _, number := range slices.Sorted(maps.Keys(c.acked)) {
			id := c.acked[number]
			submissions++
			sub := fold.Submissions[id]
			if sub == nil {
				s.t.Errorf("submission %d of %s, %s, is lost", number, c.name, id)
				continue
			}
			s.look(sub)
			j := sub.Counts()
			want := simVerdicts[number%len(simVerdicts)]
			switch {
			case j.Status == ledger.Dropped && number == 3:
			case j.Status != ledger.Done || j.Summary.Verdict.String() != want:
				s.t.Errorf("submission %d of %s, %s, is %s with %+v, want %s", number, c.name, id, j.Status, j.Summary, want)
			case c.cancel[number]:
				s.t.Errorf("submission %d of %s was cancelled, and has a verdict", number, c.name)
			}
		}
	}
	if len(fold.Submissions) != submissions {
		s.t.Errorf("%d submissions in the ledger, of %d that were acknowledged", len(fold.Submissions), submissions)
	}
	want := s.state(fold)
	for i, svc := range s.services {
		if err := svc.CatchUp(context.Background()); err != nil {
			s.t.Errorf("service %d: %v", i, err)
		}
		snapshot := ledger.NewFold()
		for _, sub := range svc.List(func(*ledger.Submission) bool { return true }, "", 1<<20) {
			snapshot.Submissions[sub.ID] = &sub
		}
		if diff := gocmp.Diff(want, s.state(snapshot)); diff != "" {
			s.t.Errorf("service %d disagrees with the ledger:\n%s", i, diff)
		}
	}
}

// state describes all submissions.
func (s *sim) state(f *ledger.Fold) string {
	var b bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(f.Submissions)) {
		for _, j := range f.Submissions[id].Judgings {
			fmt.Fprintf(&b, "%s %d %s attempt %d by %s %+v\n", id, j.Number, j.Status, j.Attempt, j.Worker, j.Summary)
		}
	}
	return b.String()
}
