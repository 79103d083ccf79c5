package service

import "tribunal/judge/judged/internal/ledger"

// Spare is how many more tasks a worker performs at a time than it has slots: one so that no slot is idle while a
// task begins or ends, and one for each reserved place. The tasks of a worker share its slots, run by run.
const Spare = 3

// place is the kind of place that a task takes among those that the workers perform at a time. If all places were
// shared, judgings of minutes could take all of them, and others would wait for one of these to end, however fair
// the order is. So one place is kept for each kind of judging that people wait for and others must not delay.
type place int

const (
	shared       place = iota // for the next submitter, whichever that is
	forOwner                  // for an interactive judging of an owner who holds no place
	forSubmitter              // for an interactive judging of a submitter who holds no place
	kindsOfPlaces
)

// places counts the tasks of a lane that are out, by their places and by who holds them.
type places struct {
	taken              [kindsOfPlaces]int
	owners, submitters map[string]int
	tasks              int // those of an [outbox]
}

// take takes a place for a submitter, or for none ("").
func (p *places) take(at place, submitter string) { p.change(at, submitter, +1) }

func (p *places) give(at place, submitter string) { p.change(at, submitter, -1) }

func (p *places) change(at place, submitter string, n int) {
	p.taken[at] += n
	if submitter != "" {
		add(p.owners, ledger.OwnerOf(submitter), n)
		add(p.submitters, submitter, n)
	}
}

// next takes the judging to hand out next from the queue, and a place for it. It returns nil if there is no judging
// or no place.
func (l *leader) next() *start {
	for _, n := range l.open() {
		if s := l.nextOf(n); s != nil {
			return s
		}
	}
	return nil
}

// nextOf is next for the workers of a lane.
func (l *leader) nextOf(n *lane) *start {
	p := l.out.in(n.name)
	able := func(c candidate) bool { return l.can(n, c.want) }
	if p.taken[shared] < l.room(n) {
		c, ok := l.queue.PopAble(able)
		return l.placed(n, c, ok, shared)
	}
	anyone := func(string) bool { return true }
	if p.taken[forOwner] == 0 {
		c, ok := l.queue.PopUrgent(func(owner string) bool { return p.owners[owner] == 0 }, anyone, able)
		if ok {
			return l.placed(n, c, ok, forOwner)
		}
	}
	if p.taken[forSubmitter] == 0 {
		c, ok := l.queue.PopUrgent(anyone, func(submitter string) bool { return p.submitters[submitter] == 0 }, able)
		return l.placed(n, c, ok, forSubmitter)
	}
	return nil
}

// placed returns the start of a judging that has taken a place, or nil.
func (l *leader) placed(n *lane, c candidate, ok bool, at place) *start {
	if !ok {
		return nil
	}
	l.out.in(n.name).take(at, c.submitter)
	return &start{candidate: c, lane: n.name, at: at}
}

// room returns how many tasks may have shared places in a lane: together with the reserved places, as many as its
// workers perform at a time, so that no task waits behind others. Checks leave at least one to judgings. The leader
// may not know the workers yet.
func (l *leader) room(n *lane) int {
	checks := 0
	for _, h := range l.out.of("check") {
		if h.lane == n.name {
			checks++
		}
	}
	return max(2, checks+1, n.capacity-int(kindsOfPlaces-1))
}
