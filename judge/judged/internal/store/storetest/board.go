package storetest

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
)

func post(t *testing.T, b store.Board, key, data string) {
	t.Helper()
	must(t, b.Post(Patient(t), key, []byte(data)))
}

// listed returns the entries whose keys begin with words.
func listed(t *testing.T, b store.Board, words string) map[string]string {
	t.Helper()
	entries, err := b.List(Patient(t), words)
	must(t, err)
	got := map[string]string{}
	for key, data := range entries {
		got[key] = string(data)
	}
	return got
}

// claims claims a key and checks whether that succeeds.
func claims(t *testing.T, b store.Board, key, holder string, want bool) {
	t.Helper()
	if got, err := b.Claim(Patient(t), key, holder); err != nil || got != want {
		t.Errorf("%s claims %s: %v, %v, want %v", holder, key, got, err, want)
	}
}

// list posts entries and lists them before they can disappear.
func list(t *testing.T, p place) {
	other := p.connect().Board
	if got := listed(t, other, "nothing"); len(got) != 0 {
		t.Errorf("an empty board has %v", got)
	}
	entries := map[string]string{"worker.a": "1", "worker.b-1.x": "2", "worker": "3", "workers.a": "4", "ab.worker.a": "5"}
	trial(t, p.Presence/2, func() (time.Duration, error) {
		before := time.Now()
		for key, data := range entries {
			post(t, p.Board, key, "old")
			given := []byte(data)
			must(t, p.Board.Post(Patient(t), key, given))
			clear(given) // the caller may use its memory again
		}
		for _, tt := range []struct {
			words string
			want  []string
		}{
			{"worker", []string{"worker.a", "worker.b-1.x"}}, {"worker.b-1", []string{"worker.b-1.x"}}, {"worker.b-1.x", nil},
			{"workers", []string{"workers.a"}}, {"work", nil}, {"ab", []string{"ab.worker.a"}}, {"none", nil},
		} {
			want := map[string]string{}
			for _, key := range tt.want {
				want[key] = entries[key]
			}
			if got := listed(t, other, tt.words); !maps.Equal(got, want) {
				return time.Since(before), fmt.Errorf("under %q: %v, want %v", tt.words, got, want)
			}
		}
		return 0, nil
	})
}

// expiry writes one entry again and again until another has disappeared.
func expiry(t *testing.T, p place) {
	trial(t, p.Presence/2, func() (longest time.Duration, err error) {
		post(t, p.Board, "expiry.gone", "x")
		written := time.Now()
		post(t, p.Board, "expiry.kept", "x")
		until(t, "an entry disappears", func() bool {
			got := listed(t, p.Board, "expiry")
			longest = max(longest, time.Since(written))
			if got["expiry.kept"] == "" {
				err = fmt.Errorf("an entry has disappeared that was written %v ago", longest)
				return true
			}
			if time.Since(written) > p.Presence/8 {
				written = time.Now()
				post(t, p.Board, "expiry.kept", "x")
			}
			return got["expiry.gone"] == ""
		})
		return longest, err
	})
}

func claim(t *testing.T, p place) {
	other := p.connect().Board
	trial(t, p.Presence/2, func() (time.Duration, error) {
		before := time.Now()
		for _, tt := range []struct {
			b      store.Board
			holder string
			want   bool
		}{
			{p.Board, "one", true}, {other, "two", false}, {p.Board, "one", true}, {p.Board, "two", false}, {other, "one", true}, {other, "two", false},
		} {
			if got, err := tt.b.Claim(Patient(t), "claim.lead", tt.holder); err != nil || got != tt.want {
				return time.Since(before), fmt.Errorf("%s claims: %v, %v, want %v", tt.holder, got, err, tt.want)
			}
		}
		if got := listed(t, other, "claim"); got["claim.lead"] != "one" {
			return time.Since(before), fmt.Errorf("claimed by one, and listed are %v", got)
		}
		must(t, p.Board.Withdraw(Patient(t), "claim.lead", ""))
		return 0, nil
	})
}

// claimExpires waits until the claim of a holder that is gone ends.
func claimExpires(t *testing.T, p place) {
	claims(t, p.Board, "expires.lead", "gone", true)
	other := p.connect().Board
	until(t, "a claim ends", func() bool {
		got, err := other.Claim(Patient(t), "expires.lead", "next")
		must(t, err)
		return got
	})
}

// claimRace lets several holders claim a key: each time, one must win.
func claimRace(t *testing.T, p place) {
	const holders = 5
	boards := make([]store.Board, holders)
	for i := range boards {
		boards[i] = p.connect().Board
	}
	for round := range 8 {
		key := fmt.Sprint("race.", round)
		trial(t, p.Presence/2, func() (time.Duration, error) {
			before := time.Now()
			var wins atomic.Int32
			var g sync.WaitGroup
			for i, b := range boards {
				g.Go(func() {
					won, err := b.Claim(Patient(t), key, fmt.Sprint("holder-", i))
					if err != nil {
						t.Errorf("claiming: %v", err)
					}
					if won {
						wins.Add(1)
					}
				})
			}
			g.Wait()
			if n := wins.Load(); n != 1 {
				return time.Since(before), fmt.Errorf("%d of %d holders have claimed the key", n, holders)
			}
			return 0, nil
		})
	}
}

func withdraw(t *testing.T, p place) {
	must(t, p.Board.Withdraw(Patient(t), "withdraw.none", ""))
	must(t, p.Board.Withdraw(Patient(t), "withdraw.none", "one"))
	post(t, p.Board, "withdraw.posted", "x")
	must(t, p.Board.Withdraw(Patient(t), "withdraw.posted", ""))
	if got := listed(t, p.Board, "withdraw"); len(got) != 0 {
		t.Errorf("after the withdrawal: %v", got)
	}
	trial(t, p.Presence/2, func() (time.Duration, error) {
		before := time.Now()
		claims(t, p.Board, "withdraw.lead", "one", true)
		must(t, p.Board.Withdraw(Patient(t), "withdraw.lead", "two"))
		if got, err := p.connect().Board.Claim(Patient(t), "withdraw.lead", "two"); got || err != nil {
			return time.Since(before), fmt.Errorf("withdrawn by another holder, who has claimed it now: %v, %v", got, err)
		}
		must(t, p.Board.Withdraw(Patient(t), "withdraw.lead", "one"))
		claims(t, p.Board, "withdraw.lead", "two", true)
		must(t, p.Board.Withdraw(Patient(t), "withdraw.lead", "two"))
		return 0, nil
	})
}

// keep writes entries that stay, while others disappear.
func keep(t *testing.T, p place) {
	kept := func(b store.Board, key, data, want string) {
		t.Helper()
		if got, err := b.Keep(Patient(t), key, []byte(data)); err != nil || string(got) != want {
			t.Errorf("keeping %s: %q, %v, want %q", key, got, err, want)
		}
	}
	other := p.connect().Board
	kept(p.Board, "keep.one", "first", "first")
	kept(other, "keep.one", "second", "first")
	kept(p.Board, "keep.two", "second", "second")
	post(t, p.Board, "keep.passing", "x")
	until(t, "an entry disappears", func() bool { return len(listed(t, p.Board, "keep")) == 0 })
	kept(other, "keep.one", "third", "first")
	var g sync.WaitGroup
	var all sync.Map
	for i := range 5 {
		b := p.connect().Board
		g.Go(func() {
			got, err := b.Keep(Patient(t), "keep.race", fmt.Append(nil, i))
			if err != nil {
				t.Errorf("keeping: %v", err)
			}
			all.Store(string(got), true)
		})
	}
	g.Wait()
	count := 0
	all.Range(func(any, any) bool { count++; return true })
	if count != 1 {
		t.Errorf("%d different entries were kept under a key", count)
	}
}
