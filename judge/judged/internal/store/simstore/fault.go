package simstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/judged/internal/store"
)

// Fault is a way in which an operation fails.
type Fault string

// The faults. [Possible] says which can happen to an operation.
const (
	None        Fault = ""
	Fail        Fault = "fail"         // it has no effect, and returns ErrFault
	FailAfter   Fault = "fail after"   // it has its effect, and returns ErrFault
	Later       Fault = "later"        // it has its effect later, and returns ErrFault if it waits for that
	Full        Fault = "full"         // it has no effect, and returns store.ErrFull
	Lose        Fault = "lose"         // it has no effect, and no error
	Hide        Fault = "hide"         // a follower does not see the record yet, nor those behind it
	Repeat      Fault = "repeat"       // the message is delivered, and can be delivered to another receiver
	Shuffle     Fault = "shuffle"      // any message is delivered, not the oldest
	Strand      Fault = "strand"       // the message is not delivered again, but stays until the queue is tidied
	CrashBefore Fault = "crash before" // the actor dies before the operation
	CrashAfter  Fault = "crash after"  // the actor dies when the operation has had its effect
)

// ErrFault is the error of operations that fail.
var ErrFault = errors.New("injected fault")

var (
	reads   = []Fault{Fail, CrashBefore, CrashAfter}
	writes  = []Fault{Fail, FailAfter, Later, CrashBefore, CrashAfter}
	grows   = []Fault{Fail, FailAfter, Later, Full, CrashBefore, CrashAfter}
	forgets = []Fault{Fail, Later, Lose, CrashBefore, CrashAfter} // those that do not wait
)

// faults lists the faults that can happen to each operation. Both logs share theirs, and so do both queues.
var faults = map[string][]Fault{
	"log.append": grows, "log.follow": {Fail, Hide, CrashBefore, CrashAfter}, "log.get": reads, "log.last": reads, "log.forget": writes,
	"blobs.put": grows, "blobs.get": reads, "blobs.delete": writes, "blobs.list": reads, "blobs.putnamed": grows, "blobs.getnamed": reads,
	"work.push": grows, "work.pull": {Fail, FailAfter, Repeat, Shuffle, CrashBefore, CrashAfter}, "work.remove": writes,
	"work.has": reads, "work.len": reads, "work.lane": reads, "work.ack": append(slices.Clone(forgets), Strand), "work.tidy": writes, "work.return": forgets, "work.working": forgets,
	"board.post": writes, "board.claim": writes, "board.withdraw": writes, "board.list": reads, "board.keep": writes,
	"signals.send": forgets, "signals.listen": reads, "signals.hear": {Lose},
}

// Possible returns the faults that can happen to an operation. Operations are called like log.append: the name of a
// part of the store and a method, in lower case. Faults of follow happen to single records, and those of
// signals.hear to single messages for a listener.
func Possible(op string) []Fault {
	part, method, _ := strings.Cut(op, ".")
	switch part {
	case tokens:
		part = events
	case results:
		part = work
	}
	return faults[part+"."+method]
}

// Actor is a process that uses the store. It dies if a Crash happens to one of its operations: the operation
// panics, up to [Catch]. The simulation then forgets everything that the actor knew, and may start another.
type Actor struct {
	Store *store.Store

	world  *World
	decide func(op string) Fault
	dead   bool
}

// Actor returns a new actor. decide, if not nil, is called with each of its operations, and returns the fault that
// happens to it, "" for none.
func (w *World) Actor(decide func(op string) Fault) *Actor {
	a := &Actor{world: w, decide: decide}
	a.Store = &store.Store{
		Log: ledger{a, events}, Tokens: ledger{a, tokens}, Blobs: blobs{a}, Work: queue{a, work, ""}, Results: queue{a, results, ""}, Board: board{a}, Signals: signals{a},
		Silence: w.o.AckWait,
	}
	return a
}

// Kill ends an actor between two of its operations. If it is used again, it panics as in a crash.
func (a *Actor) Kill() {
	a.world.mu.Lock()
	defer a.world.mu.Unlock()
	a.end()
}

func (a *Actor) end() {
	a.dead = true
	a.world.silence(func(l *listener) bool { return l.actor == a })
}

// crash is the value of the panic in which an actor dies.
type crash struct{ op string }

// Catch runs a step of an actor, and reports whether the actor died in it.
func Catch(step func()) (died bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case crash:
			died = true
		default:
			panic(r)
		}
	}()
	step()
	return false
}

// die ends an actor in an operation. The caller holds the lock of the world.
func (a *Actor) die(op string) {
	a.end()
	panic(crash{op})
}

// fault returns what happens to an operation.
func (a *Actor) fault(op string) Fault {
	if a.dead {
		panic(crash{op})
	}
	if a.decide == nil {
		return None
	}
	f := a.decide(op)
	if f != None && !slices.Contains(Possible(op), f) {
		panic(fmt.Sprintf("simstore: %q cannot happen to %s", f, op))
	}
	return f
}

// failed returns the error of an operation that fails.
func failed(op string) error { return fmt.Errorf("%s: %w", op, ErrFault) }

// do performs an operation: effect makes its changes to the world, perhaps later, or never.
func (a *Actor) do(ctx context.Context, op string, effect func() error) error {
	return a.suffer(ctx, op, a.fault(op), effect)
}

// suffer performs an operation to which a fault happens.
func (a *Actor) suffer(ctx context.Context, op string, f Fault, effect func() error) (err error) {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.world.access(func() {
		switch f {
		case Fail:
			err = failed(op)
		case Full:
			err = fmt.Errorf("%s: %w", op, store.ErrFull)
		case Later:
			a.world.later(effect)
			if slices.Contains(Possible(op), FailAfter) { // it waits
				err = failed(op)
			}
		case Lose:
		case CrashBefore:
			a.die(op)
		default:
			err = effect()
			a.world.change()
			if f == CrashAfter {
				a.die(op)
			}
			if f == FailAfter {
				err = failed(op)
			}
		}
	})
	return err
}
