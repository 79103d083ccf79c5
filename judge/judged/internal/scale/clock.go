package scale

import "time"

// clock is the time of a simulation: it goes on from event to event. Its zero value is ready for use.
type clock struct {
	now     time.Duration // since the beginning
	events  []event       // a heap: none is before its parent, the one at half its index
	planned uint64
}

// event is something that happens at a time. Events of the same time happen in the order in which they
// were planned, so that a simulation can be repeated.
type event struct {
	at    time.Duration
	order uint64
	do    func()
}

func (e *event) before(o *event) bool { return e.at < o.at || e.at == o.at && e.order < o.order }

// after plans an event.
func (c *clock) after(d time.Duration, do func()) {
	c.planned++
	e := event{c.now + d, c.planned, do}
	i := len(c.events)
	c.events = append(c.events, e)
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&c.events[parent]) {
			break
		}
		c.events[i] = c.events[parent]
		i = parent
	}
	c.events[i] = e
}

// next lets the first event happen, and reports whether there was one.
func (c *clock) next() bool {
	if len(c.events) == 0 {
		return false
	}
	first := c.events[0]
	last := len(c.events) - 1
	e := c.events[last]
	c.events[last] = event{}
	c.events = c.events[:last]
	if last > 0 {
		c.sink(e)
	}
	c.now = first.at
	first.do()
	return true
}

// sink puts an event into the place of the first one, and moves it down to where it belongs.
func (c *clock) sink(e event) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(c.events) {
			break
		}
		if right := child + 1; right < len(c.events) && c.events[right].before(&c.events[child]) {
			child = right
		}
		if !c.events[child].before(&e) {
			break
		}
		c.events[i] = c.events[child]
		i = child
	}
	c.events[i] = e
}
