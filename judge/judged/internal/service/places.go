package service

import "tribunal/judge/judged/internal/ledger"

// Spare is how many more tasks a worker performs at a time than it has slots: one, so that no slot is
// idle while a task begins or ends, and as many as there are reserved places. What a worker performs at
// a time shares its slots, run by run.
const Spare = 3

// place is where a task counts among those that the workers perform at a time. If the shared places were
// all, judgings that take minutes could hold them, and what one waits for would be the end of one of them,
// however fair their order is. So one place is kept for each kind of judging that people wait for and that
// others must not delay.
type place int

const (
	shared       place = iota // for the next submitter, whichever that is
	forOwner                  // for an interactive judging of an owner who holds no place
	forSubmitter              // for an interactive judging of a submitter who holds no place
	kindsOfPlaces
)

// places counts the tasks that are out by their places, and by who holds these.
type places struct {
	taken              [kindsOfPlaces]int
	owners, submitters map[string]int
}

// take takes a place for a submitter, or for none ("").
func (p *places) take(at place, submitter string) { p.change(at, submitter, +1) }

// give gives a place back.
func (p *places) give(at place, submitter string) { p.change(at, submitter, -1) }

func (p *places) change(at place, submitter string, n int) {
	p.taken[at] += n
	if submitter != "" {
		add(p.owners, ledger.OwnerOf(submitter), n)
		add(p.submitters, submitter, n)
	}
}

// next takes the judging to hand out next from the queue, and a place for it, or returns nil if there is
// none of either.
func (l *leader) next() *start {
	p := &l.out.places
	if p.taken[shared] < l.room() {
		c, ok := l.queue.Pop()
		return l.placed(c, ok, shared)
	}
	anyone := func(string) bool { return true }
	if p.taken[forOwner] == 0 {
		c, ok := l.queue.PopUrgent(func(owner string) bool { return p.owners[owner] == 0 }, anyone)
		if ok {
			return l.placed(c, ok, forOwner)
		}
	}
	if p.taken[forSubmitter] == 0 {
		c, ok := l.queue.PopUrgent(anyone, func(submitter string) bool { return p.submitters[submitter] == 0 })
		return l.placed(c, ok, forSubmitter)
	}
	return nil
}

// placed returns the start of a judging that has taken a place, or nil.
func (l *leader) placed(c candidate, ok bool, at place) *start {
	if !ok {
		return nil
	}
	l.out.places.take(at, c.submitter)
	return &start{candidate: c, at: at}
}

// room returns how many tasks may have shared places: with the others, as many as the workers perform at a
// time, so that none waits behind them. Checks leave at least one to judgings. The leader may not know the
// workers yet.
func (l *leader) room() int {
	checks := 0
	for range l.out.of("check") {
		checks++
	}
	return max(2, checks+1, l.capacity()-int(kindsOfPlaces-1))
}

// capacity returns how many tasks the workers perform at a time.
func (l *leader) capacity() (n int) {
	for _, w := range l.workers {
		if w.Ready() {
			n += w.Slots + Spare
		}
	}
	return n
}
