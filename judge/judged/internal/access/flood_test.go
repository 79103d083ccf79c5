package access

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newSlowBench returns a bench whose hashes take a second each, of fake time, and fails the test if
// more of them run at a time than may.
func newSlowBench(t *testing.T, o Options) *bench {
	b := newBench(o)
	quick := b.derive
	var mu sync.Mutex
	running := 0
	b.derive = func(secret, salt []byte, c Cost, size int) []byte {
		count := func(change int) {
			mu.Lock()
			defer mu.Unlock()
			if running += change; running > o.Hashes {
				t.Errorf("%d hashes are computed at a time, want at most %d", running, o.Hashes)
			}
		}
		count(1)
		defer count(-1)
		time.Sleep(time.Second)
		return quick(secret, salt, c, size)
	}
	return b
}

// verifyAll verifies tokens at once and counts the errors.
func (b *bench) verifyAll(t *testing.T, tokens []string) (fine, wrong, busy int) {
	var mu sync.Mutex
	var callers sync.WaitGroup
	for _, token := range tokens {
		callers.Go(func() {
			_, err := b.Verify(t.Context(), token)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				fine++
			case errors.Is(err, Wrong):
				wrong++
			case errors.Is(err, ErrBusy):
				busy++
			default:
				t.Error(err)
			}
		})
	}
	callers.Wait()
	if n := len(b.gate.lanes) + len(b.gate.slots); n > 0 {
		t.Errorf("%d lanes and slots are in use after all callers left", n)
	}
	return fine, wrong, busy
}

// TestFlood checks how many of many simultaneous callers are served, and how many hashes that takes.
// Two hashes are computed at a time, and three callers wait for a token or tokens for a slot.
func TestFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newSlowBench(t, Options{Hashes: 2, Waiting: 3})
		var tokens []string
		for range 20 {
			token, _ := b.issue(t, grant)
			tokens = append(tokens, token)
		}
		repeat := func(token string, n int) (list []string) {
			for range n {
				list = append(list, token)
			}
			return list
		}
		var wrong []string
		for _, token := range tokens {
			wrong = append(wrong, forged(token))
		}
		for _, tt := range []struct {
			why               string
			tokens            []string
			fine, wrong, busy int
			hashes            int32
			seconds           int
		}{
			{"a wrong secret of each token", wrong, 0, 5, 15, 5, 3},
			{"wrong secrets of one token", repeat(wrong[0], 20), 0, 4, 16, 4, 4},
			{"wrong secrets of one token leave a slot for another", append(repeat(wrong[0], 20), tokens[1]), 1, 4, 16, 5, 4},
			{"the right secret, from several callers, is hashed once", repeat(tokens[2], 4), 4, 0, 0, 1, 1},
			{"a remembered token is not kept waiting", append(repeat(wrong[0], 20), repeat(tokens[2], 20)...), 20, 4, 16, 4, 4},
			{"a flood of wrong secrets of a remembered token", repeat(wrong[2], 100), 0, 100, 0, 0, 0},
		} {
			start := time.Now()
			fine, wrong, busy := b.verifyAll(t, tt.tokens)
			if fine != tt.fine || wrong != tt.wrong || busy != tt.busy {
				t.Errorf("%s: %d right, %d wrong, %d busy, want %d, %d, %d", tt.why, fine, wrong, busy, tt.fine, tt.wrong, tt.busy)
			}
			if n := b.hashes.Swap(0); n != tt.hashes {
				t.Errorf("%s: %d hashes, want %d", tt.why, n, tt.hashes)
			}
			if got := time.Since(start); got != time.Duration(tt.seconds)*time.Second {
				t.Errorf("%s: took %v, want %d s", tt.why, got, tt.seconds)
			}
		}
	})
}

// TestBusyIssue checks that tokens are issued only when there is a slot.
func TestBusyIssue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newSlowBench(t, Options{Hashes: 1, Waiting: 1})
		var busy int
		var mu sync.Mutex
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(func() {
				if token, _, err := b.Issue(t.Context(), grant); errors.Is(err, ErrBusy) && token == "" {
					mu.Lock()
					defer mu.Unlock()
					busy++
				} else if err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if busy != 3 {
			t.Errorf("%d callers were refused, want 3", busy)
		}
	})
}

// TestCancel checks that a caller can stop waiting, for the same token and for a slot, and leaves
// nothing behind.
func TestCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newSlowBench(t, Options{Hashes: 1, Waiting: 3})
		first, _ := b.issue(t, grant)
		second, _ := b.issue(t, grant)
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, err := b.Verify(t.Context(), first); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait() // it has the slot
		for why, token := range map[string]string{"for the same token": forged(first), "for a slot": second} {
			callers.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
				defer cancel()
				if _, err := b.Verify(ctx, token); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("waiting %s: %v", why, err)
				}
			})
		}
		synctest.Wait()
		callers.Go(func() { // behind the impatient ones
			if _, err := b.Verify(t.Context(), second); err != nil {
				t.Error(err)
			}
		})
		callers.Wait()
		if n := b.hashes.Load(); n != 2 {
			t.Errorf("%d hashes, want 2", n)
		}
		if fine, wrong, busy := b.verifyAll(t, []string{first, second}); fine != 2 {
			t.Errorf("afterwards: %d right, %d wrong, %d busy", fine, wrong, busy)
		}
	})
}
