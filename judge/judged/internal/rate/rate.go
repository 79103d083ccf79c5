// Package rate limits how often each client may ask.
package rate

import (
	"container/list"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limiter limits the rate of requests by key, such as the id of a token or the key of an address. Each
// key has a bucket of tokens (a token bucket): a request takes a token, and tokens come back at a
// constant rate. It is safe for concurrent use.
type Limiter struct {
	refill      rate.Limit // tokens per second
	burst, keys int

	mu      sync.Mutex
	buckets map[string]*list.Element // by key, in recent
	recent  *list.List               // of *bucket, the most recently used first
}

type bucket struct {
	key    string
	tokens *rate.Limiter
}

// New returns a limiter that allows each key burst requests at once and perSecond of them in the long
// run. It remembers that many keys: one more drops the least recently used, whose next request finds a
// full bucket. All numbers must be positive; others panic.
func New(perSecond float64, burst, keys int) *Limiter {
	if !(perSecond > 0) || burst < 1 || keys < 1 {
		panic("rate: a limit is not positive")
	}
	return &Limiter{refill: rate.Limit(perSecond), burst: burst, keys: keys, buckets: map[string]*list.Element{}, recent: list.New()}
}

// Allow reports whether a request of this key is allowed now. If it is not, it costs nothing, and
// would be allowed after retryAfter, if the key sends no other request in the meantime.
func (l *Limiter) Allow(key string) (ok bool, retryAfter time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tokens, now := l.bucket(key), time.Now()
	reservation := tokens.ReserveN(now, 1)
	if retryAfter = reservation.DelayFrom(now); retryAfter > 0 {
		reservation.CancelAt(now)
	}
	return retryAfter == 0, retryAfter
}

// bucket returns the tokens of a key, now the most recently used.
func (l *Limiter) bucket(key string) *rate.Limiter {
	if e := l.buckets[key]; e != nil {
		l.recent.MoveToFront(e)
		return e.Value.(*bucket).tokens
	}
	if l.recent.Len() == l.keys {
		delete(l.buckets, l.recent.Remove(l.recent.Back()).(*bucket).key)
	}
	b := &bucket{key, rate.NewLimiter(l.refill, l.burst)}
	l.buckets[key] = l.recent.PushFront(b)
	return b.tokens
}

// AddressKey returns the key of the client at an address. An IPv6 address counts as its network of 64
// bits, because one client usually has all addresses of such a network. An IPv4 address in IPv6
// notation is the IPv4 address. Zones do not count.
func AddressKey(a netip.Addr) string {
	a = a.Unmap()
	if a.Is6() {
		return netip.PrefixFrom(a, 64).Masked().String()
	}
	return a.String()
}
