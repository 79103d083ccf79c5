package watch

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// bench holds the channels of a batcher under test, which has quiet periods of 100 ms and lulls of
// 10 ms.
type bench struct {
	in  chan findings
	out chan Batch
}

// testBatcher calls f with a running batcher, in a synctest bubble.
func testBatcher(t *testing.T, f func(t *testing.T, b bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := bench{make(chan findings), make(chan Batch)}
		go (&batcher{quiet: 100 * time.Millisecond, lull: 10 * time.Millisecond, in: b.in, out: b.out}).run()
		f(t, b)
		close(b.in)
		if batch, more := <-b.out; more {
			t.Errorf("a batch comes after in was closed: %q", batch.Paths)
		}
	})
}

// write sends findings of changed files that existed before.
func (b bench) write(paths ...string) {
	var n findings
	for _, p := range paths {
		n.changes = append(n.changes, change{p, true, true})
	}
	b.in <- n
}

// after sleeps for d, and then waits until all other goroutines are blocked.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// want checks that a batch with exactly these paths is delivered now. "" means that no batch is, or
// one with only Lost set.
func (b bench) want(t *testing.T, why, paths string) Batch {
	t.Helper()
	synctest.Wait()
	select {
	case batch := <-b.out:
		if got := strings.Join(batch.Paths, " "); got != paths || paths == "" && !batch.Lost {
			t.Errorf("%s: got %q, want %q", why, got, paths)
		}
		return batch
	default:
		if paths != "" {
			t.Errorf("%s: got nothing, want %q", why, paths)
		}
		return Batch{}
	}
}

// settled reports whether the batch has settled.
func (b Batch) settled() bool {
	synctest.Wait()
	select {
	case <-b.Settled:
		return true
	default:
		return false
	}
}

func TestBatchWaitsForLull(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.write("b")
		after(9 * time.Millisecond)
		b.want(t, "9 ms after a change", "")
		b.write("a", "b")
		after(9 * time.Millisecond)
		b.want(t, "each change begins a new lull", "")
		after(time.Millisecond)
		batch := b.want(t, "all changes before the lull, sorted, without repeats", "a b")
		after(89 * time.Millisecond)
		if batch.settled() {
			t.Error("settled 99 ms after the last change")
		}
		after(time.Millisecond)
		if !batch.settled() {
			t.Error("not settled 100 ms after the last change")
		}
	})
}

func TestAnotherBatchUnsettles(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.write("a")
		after(50 * time.Millisecond)
		first := b.want(t, "the first", "a")
		b.write("b")
		after(time.Second)
		if first.settled() {
			t.Error("the first batch settled although a second one is waiting")
		}
		second := b.want(t, "the second", "b")
		if !second.settled() {
			t.Error("the second batch is not settled after a second")
		}
		after(time.Second)
		if first.settled() {
			t.Error("the first batch settled after the second one")
		}
	})
}

func TestSlowReaderLosesNothing(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.write("a")
		after(time.Second)
		b.write("b")
		b.want(t, "no lull since the last change", "")
		after(10 * time.Millisecond)
		if batch := b.want(t, "both changes in one batch", "a b"); batch.settled() {
			t.Error("settled 10 ms after the second change")
		}
	})
}

// TestCameAndWent checks that a file that is created and removed again is reported only if it was
// reported before.
func TestCameAndWent(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.write("a")
		after(20 * time.Millisecond)
		b.want(t, "a save", "a")

		b.in <- findings{changes: []change{{"tmp", false, true}}}
		b.in <- findings{changes: []change{{"a", true, false}}}
		b.in <- findings{changes: []change{{"a", false, true}}}
		b.in <- findings{changes: []change{{"a", true, false}}}
		b.in <- findings{changes: []change{{"tmp", true, false}}}
		after(20 * time.Millisecond)
		batch := b.want(t, "a removed file", "a")

		b.in <- findings{changes: []change{{"tmp", false, true}}}
		after(5 * time.Millisecond)
		b.in <- findings{changes: []change{{"tmp", true, false}}}
		after(99 * time.Millisecond)
		b.want(t, "nothing has changed", "")
		if batch.settled() {
			t.Error("settled 99 ms after the last change")
		}
		after(time.Millisecond)
		if !batch.settled() {
			t.Error("not settled 100 ms after the last change")
		}
	})
}

// TestReaderMayHaveSeenMore checks that a file that was reported as removed is reported again if it
// may have existed for a moment since then: the reader may have read it.
func TestReaderMayHaveSeenMore(t *testing.T) {
	t.Parallel()
	for why, hint := range map[string]string{"a possible change of the file": "d/a", "a possible change of its folder": "d"} {
		testBatcher(t, func(t *testing.T, b bench) {
			b.in <- findings{changes: []change{{"d/a", true, false}, {"e", true, true}}}
			after(10 * time.Millisecond)
			b.want(t, "a removed file and a changed one", "d/a e")
			b.in <- findings{changes: []change{{hint, false, false}}}
			after(10 * time.Millisecond)
			b.want(t, why, "d/a")
		})
	}
}

// TestUnsureIsNotSettled checks that a batch of polled files settles only after a scan has found
// the files unchanged.
func TestUnsureIsNotSettled(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.in <- findings{changes: []change{{"a", true, true}}, unsure: true}
		after(10 * time.Millisecond)
		batch := b.want(t, "a save", "a")
		after(time.Second)
		b.in <- findings{unsure: true}
		if batch.settled() {
			t.Error("settled before the next scan")
		}
		b.in <- findings{}
		if !batch.settled() {
			t.Error("not settled after the next scan")
		}
	})
}

func TestPollingIsCheap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why        string
		poll, took time.Duration
		want       time.Duration
	}{
		{"few files", 0, time.Millisecond, 500 * time.Millisecond},
		{"so many files that a scan takes a second", 0, time.Second, 100 * time.Second},
		{"an interval set by the user", time.Second, time.Second, time.Second},
	} {
		c := newClock(Options{Quiet: 100 * time.Millisecond, Poll: tt.poll})
		if c.scanned(tt.took, false); c.interval != tt.want {
			t.Errorf("%s: scans every %v, want %v", tt.why, c.interval, tt.want)
		}
	}
}

func TestFloodIsDelivered(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		start := time.Now()
		for time.Since(start) < 3*time.Second {
			b.write("log")
			after(5 * time.Millisecond)
			select {
			case batch := <-b.out:
				if d := time.Since(start); d < 2*time.Second || d > 2010*time.Millisecond {
					t.Errorf("delivered after %v, want 2s", d)
				}
				if batch.settled() {
					t.Error("settled in the middle of a flood")
				}
				if !slices.Equal(batch.Paths, []string{"log"}) {
					t.Errorf("got %q", batch.Paths)
				}
				return
			default:
			}
		}
		t.Error("not delivered in 3s")
	})
}

func TestLostAlone(t *testing.T) {
	t.Parallel()
	testBatcher(t, func(t *testing.T, b bench) {
		b.in <- findings{lost: true}
		after(10 * time.Millisecond)
		if !b.want(t, "a batch with only Lost", "").Lost {
			t.Error("no batch reports that events were lost")
		}
		b.write("a")
		after(10 * time.Millisecond)
		if b.want(t, "the next batch", "a").Lost {
			t.Error("the next batch reports again that events were lost")
		}
	})
}
