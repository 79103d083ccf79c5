// Package storetest is the conformance suite of stores: it tests the contract that all of them share.
package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/store"
)

// Options describe the stores under test. The suite waits for both times to pass, so they should be
// short, but long enough for a busy host to do something several times meanwhile.
type Options struct {
	AckWait  time.Duration // after which a queue delivers the message of a silent receiver again
	Presence time.Duration // after which an entry of the board disappears
}

// Run tests stores. Each call of open makes an empty one and returns a function that opens it, each
// time as a further process would.
func Run(t *testing.T, open func(*testing.T) func() *store.Store, o Options) {
	for _, group := range []struct {
		name  string
		tests []part
	}{
		{"log", []part{
			{"empty", emptyLog}, {"append", appends}, {"content", contents}, {"race", race}, {"follow", follows},
			{"follow writers", followWriters}, {"stop", stopFollowing}, {"forget", forget}, {"gaps", gaps}, {"two logs", twoLogs},
		}},
		{"blobs", []part{{"sizes", sizes}, {"missing", missing}, {"checked", checked}, {"delete", deletes}, {"list", lists}, {"named", named}, {"race", putRace}, {"stow", stow}}},
		{"queue", []part{
			{"messages", messages}, {"conflict", conflict}, {"waiting", pullWaits}, {"receivers", receivers}, {"return", returns},
			{"silence", silence}, {"working", working}, {"late", lateAck}, {"remove", remove}, {"remove beside", beside}, {"replaced", replaced}, {"two queues", twoQueues}, {"lanes", lanes},
		}},
		{"board", []part{{"list", list}, {"expiry", expiry}, {"claim", claim}, {"claim expires", claimExpires}, {"claim race", claimRace}, {"withdraw", withdraw}, {"keep", keep}}},
		{"signals", []part{{"patterns", patterns}, {"stop", stopListening}, {"apart", apart}}},
		{"context", []part{{"ended", ended}}},
	} {
		t.Run(group.name, func(t *testing.T) {
			connect := open(t)
			p := place{o, connect, connect()}
			for _, test := range group.tests {
				if !t.Run(test.name, func(t *testing.T) { test.run(t, p) }) {
					return // what it left behind would confuse the next one
				}
			}
		})
	}
}

// part is a test. The parts of a group share a store, whose queues each leaves empty.
type part struct {
	name string
	run  func(*testing.T, place)
}

// place is a store under test.
type place struct {
	Options
	connect func() *store.Store
	*store.Store
}

// Patient returns a context for an operation that must end by itself, however busy the host is: it ends only
// shortly before the test binary times out, see [tier.Deadline]. It may be used in cleanups.
func Patient(t testing.TB) context.Context {
	ctx, cancel := context.WithDeadline(context.Background(), tier.Deadline(t))
	t.Cleanup(cancel)
	return ctx
}

// Opened opens a store with a real server, and tries again if that does not answer in time, as services do: on a
// busy host it takes long to make its files.
func Opened(t testing.TB, open func(context.Context) (*store.Store, error)) *store.Store {
	t.Helper()
	for ctx := Patient(t); ; {
		s, err := open(ctx)
		if err == nil {
			return s
		}
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		t.Logf("not yet: %v", err)
	}
}

// until repeats a check until it holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, pause := Patient(t), time.NewTicker(2*time.Millisecond)
	defer pause.Stop()
	for !holds() {
		select {
		case <-pause.C:
		case <-ctx.Done():
			t.Fatalf("the time is over, and still not: %s", what)
		}
	}
}

func receive[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-Patient(t).Done():
		t.Fatalf("the time is over, and still no %s", what)
	}
	return v
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// attempts bounds how often a trial whose times were disturbed by other load is repeated.
const attempts = 20

// trial repeats a trial that depends on an action being repeated in time. try returns an error if it saw something
// wrong, and the longest time between two actions: if that exceeds most, the trial does not count.
func trial(t *testing.T, most time.Duration, try func() (longest time.Duration, err error)) {
	t.Helper()
	for range attempts {
		longest, err := try()
		if err == nil {
			return
		}
		if longest <= most {
			t.Fatal(err)
		}
		t.Logf("disturbed for %v: %v", longest, err)
	}
	t.Skipf("not checked: this host was too busy, %d times", attempts)
}
