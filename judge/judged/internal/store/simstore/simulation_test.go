package simstore

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/store"
)

// counting is a small simulation, as an example of how to make one: a producer pushes tasks, and workers
// record each of them in the log, exactly once, whatever happens to them.
type counting struct {
	world  *World
	clock  *clock
	random *rand.Rand
	calm   bool // no more faults
	trace  strings.Builder
	actors [4]*Actor // the first is the producer
	pushed int       // what the producer knows
}

const tasks = 12

// run plays a seed and returns what happened.
func run(t *testing.T, seed uint64) string {
	t.Helper()
	w, clock := simulation(seed)
	s := &counting{world: w, clock: clock, random: rand.New(rand.NewPCG(seed, 2))}
	for step := 0; !s.done(); step++ {
		s.calm = step > 400
		if step > 1000 {
			t.Fatalf("seed %d does not come to an end:\n%s", seed, s.trace.String())
		}
		s.step()
	}
	s.check(t, seed)
	return s.trace.String()
}

// step lets one actor act. Time passes when it has nothing to do.
func (s *counting) step() {
	i := s.random.IntN(len(s.actors))
	if s.actors[i] == nil {
		s.actors[i] = s.world.Actor(s.decide)
		if i == 0 {
			s.pushed = 0 // it knows nothing
		}
	}
	act := s.work
	if i == 0 {
		act = s.produce
	}
	fmt.Fprintf(&s.trace, "%s actor %d:", s.clock.now.Format("15:04:05.000"), i)
	var err error
	if Catch(func() { err = act(s.actors[i].Store) }) {
		s.actors[i] = nil
		err = errors.New("died")
	}
	fmt.Fprintln(&s.trace, "", err)
	if errors.Is(err, ErrIdle) {
		if at, ok := s.world.Next(); ok {
			s.clock.now = at
		}
	}
}

// decide lets a fault happen to one of five operations.
func (s *counting) decide(op string) Fault {
	f, possible := None, Possible(op)
	if !s.calm && s.random.IntN(5) == 0 {
		f = possible[s.random.IntN(len(possible))]
	}
	fmt.Fprintf(&s.trace, " %s %s;", op, f)
	return f
}

func (s *counting) produce(st *store.Store) error {
	if s.pushed == tasks {
		return cmp.Or(st.Work.Tidy(ctx, nil), ErrIdle)
	}
	err := st.Work.Push(ctx, fmt.Sprint("task.", s.pushed), nil)
	if err == nil || errors.Is(err, store.ErrConflict) {
		s.pushed++
	}
	return err
}

func (s *counting) work(st *store.Store) error {
	m, err := st.Work.Pull(ctx)
	if err != nil {
		return err
	}
	if _, err := st.Log.Append(ctx, m.ID(), 0, nil); err != nil && !errors.Is(err, store.ErrConflict) {
		return err
	}
	return m.Ack(ctx)
}

func (s *counting) done() bool {
	n, err := s.world.Actor(nil).Store.Work.Len(ctx)
	_, pending := s.world.Next()
	return err == nil && n == 0 && !pending && s.pushed == tasks
}

func (s *counting) check(t *testing.T, seed uint64) {
	t.Helper()
	seen := map[string]int{}
	_ = s.world.Actor(nil).Store.Log.Follow(ctx, 0, func(r store.Record) error {
		seen[r.Subject]++
		return nil
	})
	for i := range tasks {
		if n := seen[fmt.Sprint("task.", i)]; n != 1 {
			t.Errorf("seed %d: task %d was recorded %d times", seed, i, n)
		}
	}
}

// TestSimulation plays many seeds, and each of them twice: the same seed gives the same run.
func TestSimulation(t *testing.T) {
	t.Parallel()
	runs, words := map[string]bool{}, map[string]bool{}
	for seed := range uint64(300) {
		first := run(t, seed)
		if again := run(t, seed); again != first {
			t.Fatalf("seed %d was played as\n%s\nand as\n%s", seed, first, again)
		}
		runs[first] = true
		for event := range strings.SplitSeq(first, ";") {
			words[strings.TrimSpace(event[strings.LastIndex(event, ":")+1:])] = true
		}
	}
	if len(runs) != 300 {
		t.Errorf("300 seeds gave %d different runs", len(runs))
	}
	for _, op := range []string{"work.push", "work.pull", "work.ack", "log.append"} {
		for _, f := range Possible(op) {
			if !words[op+" "+string(f)] {
				t.Errorf("%s: %s has not happened", op, f)
			}
		}
	}
}
