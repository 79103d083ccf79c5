package rate

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestAllow checks requests of two keys at given times: two at once, then one in each half second.
func TestAllow(t *testing.T) {
	t.Parallel()
	type request struct {
		why   string
		pause time.Duration // before it
		key   string
		retry time.Duration // 0 if it is allowed
	}
	synctest.Test(t, func(t *testing.T) {
		l := New(2, 2, 10)
		for _, r := range []request{
			{"the first", 0, "a", 0},
			{"the second at once", 0, "a", 0},
			{"one more than the burst", 0, "a", 500 * time.Millisecond},
			{"a refused request costs nothing", 0, "a", 500 * time.Millisecond},
			{"another key has its own bucket", 0, "b", 0},
			{"too early", 300 * time.Millisecond, "a", 200 * time.Millisecond},
			{"at the announced time", 200 * time.Millisecond, "a", 0},
			{"and again", 0, "a", 500 * time.Millisecond},
			{"a pause fills the bucket", time.Hour, "a", 0},
			{"with the burst", 0, "a", 0},
			{"and no more", 0, "a", 500 * time.Millisecond},
		} {
			time.Sleep(r.pause)
			if ok, retry := l.Allow(r.key); ok != (r.retry == 0) || retry != r.retry {
				t.Errorf("%s: %v, retry after %v, want %v", r.why, ok, retry, r.retry)
			}
		}
	})
}

// TestRetryAfter checks that a client that obeys is always allowed at its second attempt, and that it
// gets the whole rate, whatever rate and burst are.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, perSecond := range []float64{0.001, 0.7, 1, 3, 1.0 / 60, 33.3, 1234.5} {
			burst := 1 + r.IntN(5)
			l := New(perSecond, burst, 1)
			start := time.Now()
			const requests = 300
			for range requests {
				ok, retry := l.Allow("a")
				if ok {
					continue
				}
				if retry <= 0 {
					t.Fatalf("%v per second: refused, but may retry after %v", perSecond, retry)
				}
				time.Sleep(retry)
				if ok, again := l.Allow("a"); !ok {
					t.Fatalf("%v per second: refused again after %v, now for %v", perSecond, retry, again)
				}
			}
			got := time.Since(start).Seconds()
			if want := float64(requests-burst) / perSecond; got < 0.999*want || got > 1.001*want {
				t.Errorf("%v per second, burst %d: took %.3f s, want %.3f s", perSecond, burst, got, want)
			}
		}
	})
}

// TestKeys checks that a full limiter forgets the least recently used key, and holds no more keys than
// it may.
func TestKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(1, 1, 3)
		for _, step := range []struct {
			why, key string
			want     bool
		}{
			{"new", "a", true}, {"new", "b", true}, {"new", "c", true},
			{"known, and used by this refused request", "a", false},
			{"new, drops b", "d", true},
			{"still known", "a", false}, {"still known", "c", false},
			{"dropped, so its bucket is full; drops d", "b", true},
			{"still known", "c", false},
			{"dropped", "d", true},
		} {
			if got, _ := l.Allow(step.key); got != step.want {
				t.Errorf("%s: %s: %v, want %v", step.key, step.why, got, step.want)
			}
		}
		for i := range 1000 {
			l.Allow(fmt.Sprint(i))
		}
		if len(l.buckets) != 3 || l.recent.Len() != 3 {
			t.Errorf("%d and %d keys are held, want 3", len(l.buckets), l.recent.Len())
		}
	})
}

// TestConcurrent checks that clients with one key together are allowed no more than one is.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(1, 20, 2)
		var allowed atomic.Int32
		var clients sync.WaitGroup
		for range 50 {
			clients.Go(func() {
				if ok, _ := l.Allow("a"); ok {
					allowed.Add(1)
				}
			})
		}
		clients.Wait()
		if got := allowed.Load(); got != 20 {
			t.Errorf("%d requests were allowed, want 20", got)
		}
	})
}

// TestAddressKey checks which addresses are one client.
func TestAddressKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, address, want string }{
		{"an IPv4 address is a client", "192.0.2.7", "192.0.2.7"},
		{"its neighbour another", "192.0.2.8", "192.0.2.8"},
		{"IPv4 in IPv6 notation is the same client", "::ffff:192.0.2.7", "192.0.2.7"},
		{"an IPv6 address counts as its network", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"and so does another of that network", "2001:db8:1:2::1", "2001:db8:1:2::/64"},
		{"the next network is another client", "2001:db8:1:3::1", "2001:db8:1:3::/64"},
		{"a zone is a matter of this host", "fe80::1%eth0", "fe80::/64"},
		{"this host", "::1", "::/64"},
	} {
		if got := AddressKey(netip.MustParseAddr(tt.address)); got != tt.want {
			t.Errorf("%s: %s has the key %s, want %s", tt.why, tt.address, got, tt.want)
		}
	}
}

// TestNew checks that New refuses limits that are not positive.
func TestNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		perSecond   float64
		burst, keys int
	}{{0, 1, 1}, {-1, 1, 1}, {1, 0, 1}, {1, 1, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is accepted", tt)
				}
			}()
			New(tt.perSecond, tt.burst, tt.keys)
		}()
	}
}
