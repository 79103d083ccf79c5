package scale

import "time"

// station is a number of servers with one line in front of them: first come, first served.
type station struct {
	*clock
	servers int
	busy    int
	line    line[func()]
	used    time.Duration // of all servers together, until changed
	changed time.Duration
}

func newStation(c *clock, servers int) *station { return &station{clock: c, servers: servers} }

// acquire calls do as soon as a server is free. Each call is followed by one of release.
func (s *station) acquire(do func()) {
	if s.busy == s.servers {
		s.line.add(do)
		return
	}
	s.count()
	s.busy++
	do()
}

// release lets the next one have the server.
func (s *station) release() {
	if do, ok := s.line.take(); ok {
		do()
		return
	}
	s.count()
	s.busy--
}

// serve keeps a server busy for a time, and then calls done.
func (s *station) serve(d time.Duration, done func()) {
	s.acquire(func() {
		s.after(d, func() {
			s.release()
			done()
		})
	})
}

// count adds the busy time since the last change to used.
func (s *station) count() {
	s.used += time.Duration(s.busy) * (s.now - s.changed)
	s.changed = s.now
}

// reset forgets what was used until now.
func (s *station) reset() {
	s.count()
	s.used = 0
}

// utilisation returns the share of the servers that were busy during the time since the last reset.
func (s *station) utilisation(during time.Duration) float64 {
	s.count()
	return float64(s.used) / float64(during) / float64(s.servers)
}

// line holds what waits: first in, first out. Its zero value is empty.
type line[T any] struct {
	items []T
	first int
}

func (l *line[T]) add(item T) { l.items = append(l.items, item) }

func (l *line[T]) len() int { return len(l.items) - l.first }

// take removes the first item, or returns false if there is none.
func (l *line[T]) take() (item T, ok bool) {
	if l.len() == 0 {
		return item, false
	}
	var none T
	item, l.items[l.first] = l.items[l.first], none
	if l.first++; l.first > len(l.items)/2 {
		l.items = append(l.items[:0], l.items[l.first:]...)
		l.first = 0
	}
	return item, true
}
