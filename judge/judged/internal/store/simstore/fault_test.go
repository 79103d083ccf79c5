package simstore

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

const (
	ackWait  = 30 * time.Second
	presence = 15 * time.Second
	late     = time.Minute
)

// clock is the time of a simulation.
type clock struct{ now time.Time }

func (c *clock) add(d time.Duration) { c.now = c.now.Add(d) }

// simulation returns a world and its clock.
func simulation(seed uint64) (*World, *clock) {
	c := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return New(Options{Now: func() time.Time { return c.now }, Seed: seed, AckWait: ackWait, Presence: presence, Late: late}), c
}

// once lets a fault happen to the first operation with a name.
func once(op string, f Fault) func(string) Fault {
	return func(name string) Fault {
		if name != op {
			return None
		}
		op = ""
		return f
	}
}

// TestFaults lets every possible fault happen to every operation.
func TestFaults(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{"signals.hear": true} // see TestSignals
	for _, tt := range operations {
		tried[tt.op] = true
		for _, f := range append([]Fault{None}, Possible(tt.op)...) {
			// perform returns what happened, and whether the effect is there after a while.
			perform := func(while time.Duration) (died, effect bool, err error) {
				w, c := furnished(t)
				a := w.Actor(once(tt.op, f))
				died = Catch(func() { err = tt.do(a.Store) })
				c.add(while)
				return died, tt.effect != nil && tt.effect(t, w.Actor(nil).Store), err
			}
			died, now, err := perform(0)
			_, then, _ := perform(late)
			want := error(nil)
			switch f {
			case Fail, FailAfter:
				want = ErrFault
			case Full:
				want = store.ErrFull
			case Later:
				if slices.Contains(Possible(tt.op), FailAfter) {
					want = ErrFault
				}
			}
			if !errors.Is(err, want) || died != strings.HasPrefix(string(f), "crash") {
				t.Errorf("%s: %s: %v, died: %v", tt.op, f, err, died)
			}
			if tt.effect == nil {
				continue
			}
			if happens := f == None || f == FailAfter || f == CrashAfter || f == Shuffle; now != happens {
				t.Errorf("%s: %s: it has its effect: %v", tt.op, f, now)
			}
			if f == Later && !then {
				t.Errorf("%s: %s: it has no effect later", tt.op, f)
			}
		}
	}
	for op := range faults {
		if !tried[op] {
			t.Errorf("%s is not tried", op)
		}
	}
	for _, twins := range [][2]string{{"work.pull", "results.pull"}, {"log.follow", "tokens.follow"}} {
		if one, other := Possible(twins[0]), Possible(twins[1]); !slices.Equal(one, other) || len(one) == 0 {
			t.Errorf("the faults of %s are %v, and of %s %v", twins[0], one, twins[1], other)
		}
	}
}

// TestWorkingLater lets a sign of life come late: the message was delivered to another receiver.
func TestWorkingLater(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    Fault
		free bool
	}{{None, false}, {Fail, true}, {Lose, true}, {Later, true}, {CrashBefore, true}, {CrashAfter, false}} {
		w, c := furnished(t)
		m := pulled(w.Actor(once("work.working", tt.f)).Store)
		c.add(ackWait - time.Second)
		Catch(func() { _ = m.Working() })
		c.add(time.Second)
		if _, err := w.Actor(nil).Store.Work.Pull(ctx); (err == nil) != tt.free {
			t.Errorf("%s: %v", tt.f, err)
		}
	}
}

// TestDeliveries pulls with the faults of deliveries.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	w, c := furnished(t)
	if m := pulled(w.Actor(once("work.pull", Repeat)).Store); m.Delivery() != 1 {
		t.Errorf("delivery %d is the first", m.Delivery())
	}
	if m := pulled(w.Actor(nil).Store); m.Delivery() != 2 {
		t.Errorf("delivery %d follows one that is repeated", m.Delivery())
	}
	c.add(ackWait)
	if _, err := w.Actor(once("work.pull", FailAfter)).Store.Work.Pull(ctx); !errors.Is(err, ErrFault) {
		t.Errorf("a delivery that was lost: %v", err)
	}
	c.add(ackWait)
	if m := pulled(w.Actor(nil).Store); m.Delivery() != 4 {
		t.Errorf("delivery %d follows one that was lost", m.Delivery())
	}
	orders := map[string]bool{}
	for seed := range uint64(30) {
		w, _ := simulation(seed)
		s := w.Actor(func(op string) Fault {
			if op == "work.pull" {
				return Shuffle
			}
			return None
		}).Store
		var order string
		for _, id := range []string{"1", "2", "3"} {
			if err := s.Work.Push(ctx, id, nil); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			order += pulled(s).ID()
		}
		orders[order] = true
	}
	if len(orders) != 6 {
		t.Errorf("three messages came in the orders %v", slices.Sorted(maps.Keys(orders)))
	}
}

// TestFollow follows with the faults of single records.
func TestFollow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    Fault
		err  error // nil: it dies
		want string
	}{
		{None, ErrIdle, "1 2 3 4 5"},
		{Hide, ErrIdle, "1 2"},
		{Fail, ErrFault, "1 2"},
		{CrashBefore, nil, "1 2"},
		{CrashAfter, nil, "1 2 3"},
	} {
		w, _ := simulation(1)
		for i := range 5 {
			if _, err := w.Actor(nil).Store.Log.Append(ctx, fmt.Sprint(i), 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		count := 0
		a := w.Actor(func(op string) Fault {
			if count++; count == 3 {
				return tt.f
			}
			return None
		})
		var seen []string
		var err error
		died := Catch(func() {
			err = a.Store.Log.Follow(ctx, 0, func(r store.Record) error {
				seen = append(seen, fmt.Sprint(r.Sequence))
				return nil
			})
		})
		if died != (tt.err == nil) || !errors.Is(err, tt.err) || strings.Join(seen, " ") != tt.want {
			t.Errorf("%s: saw %v, %v, died: %v", tt.f, seen, err, died)
		}
		if !died {
			count, seen = 3, nil
			_ = a.Store.Log.Follow(ctx, 0, func(r store.Record) error {
				seen = append(seen, fmt.Sprint(r.Sequence))
				return nil
			})
			if len(seen) != 5 {
				t.Errorf("%s: saw %v the next time", tt.f, seen)
			}
		}
	}
}

// TestSignals sends signals to a listener that hears them, to one that does not, and to a dead one.
func TestSignals(t *testing.T) {
	t.Parallel()
	w, c := simulation(1)
	heard := map[string]int{}
	listen := func(name string, decide func(string) Fault) *Actor {
		a := w.Actor(decide)
		if _, err := a.Store.Signals.Listen("news.>", func(string, []byte) { heard[name]++ }); err != nil {
			t.Fatal(err)
		}
		return a
	}
	listen("well", nil)
	listen("badly", once("signals.hear", Lose))
	listen("dead", nil).Kill()
	for i, tt := range []struct {
		f    Fault
		want string
	}{
		{None, "map[well:1]"},
		{None, "map[badly:1 well:2]"},
		{Lose, "map[badly:1 well:2]"},
		{Fail, "map[badly:1 well:2]"},
		{CrashBefore, "map[badly:1 well:2]"},
		{CrashAfter, "map[badly:2 well:3]"},
		{Later, "map[badly:2 well:3]"},
	} {
		Catch(func() { _ = w.Actor(once("signals.send", tt.f)).Store.Signals.Send("news.a", nil) })
		if got := fmt.Sprint(heard); got != tt.want {
			t.Errorf("signal %d, %s: heard %s, want %s", i, tt.f, got, tt.want)
		}
	}
	c.add(late)
	lastOf(t, w.Actor(nil).Store) // any operation
	if got, want := fmt.Sprint(heard), "map[badly:3 well:4]"; got != want {
		t.Errorf("after a while: heard %s, want %s", got, want)
	}
}

func TestActors(t *testing.T) {
	t.Parallel()
	w, _ := furnished(t)
	a := w.Actor(once("log.last", CrashAfter))
	m := pulled(a.Store)
	use := func() { _, _ = a.Store.Log.Last(ctx) }
	for _, act := range []func(){use, use, func() { _ = m.Ack(ctx) }} {
		if !Catch(act) {
			t.Error("an actor acts that is dead")
		}
	}
	if lastOf(t, w.Actor(nil).Store) != 2 {
		t.Error("the world ended with the actor")
	}
	for why, step := range map[string]func(){
		"a bug of the actor":       func() { panic("bug") },
		"a fault that cannot be":   func() { _, _ = w.Actor(once("log.append", Lose)).Store.Log.Append(ctx, "a", 0, nil) },
		"a fault of another queue": func() { _, _ = w.Actor(once("results.pull", Lose)).Store.Results.Pull(ctx) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken for a crash", why)
				}
			}()
			Catch(step)
		}()
	}
}

// TestNext jumps from one event to the next.
func TestNext(t *testing.T) {
	t.Parallel()
	w, c := simulation(1)
	s := w.Actor(nil).Store
	if at, ok := w.Next(); ok {
		t.Errorf("in an empty world, something happens at %v", at)
	}
	start := c.now
	if err := errors.Join(s.Work.Push(ctx, "a", nil), s.Board.Post(ctx, "a.b", nil)); err != nil {
		t.Fatal(err)
	}
	m := pulled(s)
	_ = w.Actor(once("board.post", Later)).Store.Board.Post(ctx, "a.c", nil)
	var times []time.Duration
	for at, ok := w.Next(); ok && len(times) < 10; at, ok = w.Next() {
		c.now = at
		times = append(times, at.Sub(start))
		_ = posted(s, "a.b")
	}
	if len(times) != 4 || !slices.Contains(times, presence) || !slices.Contains(times, ackWait) || !slices.IsSorted(times) {
		t.Errorf("a late effect, its end, and the ends of an entry and a delivery are at %v", times)
	}
	if again := pulled(s); again.ID() != m.ID() || again.Delivery() != 2 {
		t.Errorf("got %s, delivery %d", again.ID(), again.Delivery())
	}
}

// TestLater lets many operations happen later: each at its time, in that order, and those of the same time
// in the order in which they began.
func TestLater(t *testing.T) {
	t.Parallel()
	w, c := simulation(1)
	begin := func(w *World, subject string) {
		_, _ = w.Actor(once("log.append", Later)).Store.Log.Append(ctx, subject, 0, nil)
	}
	for i := range 20 {
		begin(w, fmt.Sprint(i))
	}
	for n := uint64(0); n < 20; n++ {
		if got := lastOf(t, w.Actor(nil).Store); got != n {
			t.Fatalf("%d records were appended at %v, want %d", got, c.now, n)
		}
		c.now, _ = w.Next()
	}
	w = New(Options{Now: func() time.Time { return c.now }})
	begin(w, "first")
	begin(w, "second")
	if r, err := w.Actor(nil).Store.Log.Get(ctx, 1); err != nil || r.Subject != "first" {
		t.Errorf("the first record is %q, %v", r.Subject, err)
	}
}
