// Package fair orders waiting judgings so that no submitter waits for the backlog of another.
//
// Within a priority it is deficit round robin (Shreedhar and Varghese, "Efficient Fair Queueing Using
// Deficit Round Robin", SIGCOMM 1995), on two levels. The owners with waiting items take turns. Each turn
// adds a quantum of time to what the owner may spend, and its items leave while it can pay their costs;
// the rest it keeps for its next turn, unless nothing of it is left waiting. Which of its items is next,
// its submitters decide in the same way, and the items of one submitter leave in order of arrival. So
// owners get equal shares of the time of the workers, however many submitters they name, and the
// submitters of an owner get equal shares of that. One item waits for at most a turn of every other
// submitter of its owner for each quantum that it costs, and for a turn of every other owner for each of
// those, whatever they have queued.
//
// A higher priority goes first, except that each lower one with waiting items is given at least a
// sixteenth of the time, so that rejudging ends even if a contest never does. That share is not saved
// up: a priority without waiting items loses what it did not use.
package fair

import "time"

// Priority is the class of an item.
type Priority int

// The priorities, the highest first.
const (
	Interactive Priority = iota // a person waits for the result
	Batch                       // an archive of submissions that is judged in one go
	Rejudge                     // a judging that repeats earlier ones
)

// String returns the name of the priority, such as "batch".
func (p Priority) String() string { return [...]string{"interactive", "batch", "rejudge"}[p] }

const (
	priorities = 3
	share      = 16 // a lower priority with waiting items gets at least 1/share of the time

	// An item is charged at least 1/cheapest of a quantum, so that a turn has at most that many items,
	// and at most dearest quanta, so that looking for the next item stays cheap.
	cheapest = 16
	dearest  = 256
)

// Queue holds waiting items, each with an id, a priority, an owner and a submitter. Its order depends on
// nothing but the operations. It is not safe for concurrent use, except that Position and the other
// methods that return figures may be called at the same time.
//
// All operations but Position, PopAble and PopUrgent take amortized constant time. An item takes about 200 bytes,
// with its id but without what T refers to.
type Queue[T any] struct {
	quantum time.Duration
	start   time.Time            // when the queue was made
	entries map[string]*entry[T] // by id
	classes [priorities]class[T]
}

// class holds the waiting items of a priority.
type class[T any] struct {
	root   party[T]       // whose members are the owners
	ages   list[entry[T]] // all items, the oldest first
	credit time.Duration  // share-1 times what is left of the guaranteed share; negative is a debt
}

// entry is a waiting item.
type entry[T any] struct {
	id    string
	item  T
	cost  time.Duration // what its submitter and its owner are charged
	since time.Duration // when it was pushed, after the start of the queue
	class *class[T]
	of    *party[T]      // its submitter
	place node[entry[T]] // in of.entries
	age   node[entry[T]] // in class.ages
}

// New returns an empty queue. The quantum is from a millisecond to an hour; any other panics. It should
// be about the cost of a usual item: with a smaller one an item waits for several turns, with a larger
// one several items of a submitter leave in one turn.
func New[T any](quantum time.Duration) *Queue[T] {
	if quantum < time.Millisecond || quantum > time.Hour {
		panic("fair: a quantum of " + quantum.String())
	}
	q := &Queue[T]{quantum: quantum, start: time.Now(), entries: map[string]*entry[T]{}}
	for i := range q.classes {
		q.classes[i].root.members = map[string]*party[T]{}
	}
	return q
}

// Push adds an item behind those of the same submitter and priority. A submitter's name counts only together with
// the owner. The cost is the expected time of a worker. An item is charged at least 1/16 of a quantum and at most
// 256 quanta. If an item with this id is waiting, Push changes nothing and returns false.
func (q *Queue[T]) Push(p Priority, owner, submitter string, cost time.Duration, id string, item T) bool {
	if q.entries[id] != nil {
		return false
	}
	c := &q.classes[p]
	cost = min(max(cost, q.quantum/cheapest), q.quantum*dearest)
	e := &entry[T]{id: id, item: item, cost: cost, since: time.Since(q.start), class: c}
	c.root.member(owner).member(submitter).push(e)
	c.ages.add(&e.age, e)
	q.entries[id] = e
	return true
}

// Pop removes the next item and returns it, or false if none waits.
func (q *Queue[T]) Pop() (item T, ok bool) {
	first, served := q.next()
	if served == nil {
		return item, false
	}
	return q.take(first, served.root.next(q.quantum)), true
}

// PopAble is Pop for a worker that cannot do all items: it passes over those that are not able, which keep their
// turns. If it passes over any, its time grows with their number.
func (q *Queue[T]) PopAble(able func(item T) bool) (item T, ok bool) {
	first, served := q.next()
	if served == nil {
		return item, false
	}
	if e := served.root.next(q.quantum); able(e.item) {
		return q.take(first, e), true
	}
	classes := []*class[T]{served}
	for i := range q.classes {
		classes = append(classes, &q.classes[i])
	}
	for _, c := range classes {
		if e := c.root.first(able, anyone, anyone); e != nil {
			return q.take(first, e), true
		}
	}
	return item, false
}

func anyone(string) bool { return true }

// PopUrgent removes and returns the first interactive item, in order of turns, that is able and whose owner and
// submitter satisfy the functions, or returns false. The item is charged like any other. The time grows with the
// number of owners, submitters and items that it skips.
func (q *Queue[T]) PopUrgent(owner, submitter func(name string) bool, able func(item T) bool) (item T, ok bool) {
	c := &q.classes[Interactive]
	e := c.root.first(able, owner, submitter)
	if e == nil {
		return item, false
	}
	return q.take(c, e), true
}

// take removes an entry, charges it, and returns its item. first is the highest class with waiting items.
func (q *Queue[T]) take(first *class[T], e *entry[T]) T {
	q.settle(first, e.class, e.cost)
	for p := e.of; p.parent != nil; p = p.parent {
		p.budget -= e.cost
	}
	q.drop(e)
	e.of.settle(q.quantum)
	return e.item
}

// Remove removes the item with this id and returns it, or false if it does not wait. The credit that its submitter
// and its owner had saved for it is lost, except for a quantum; otherwise many cheap items behind a dear one would
// leave at once.
func (q *Queue[T]) Remove(id string) (item T, ok bool) {
	e := q.entries[id]
	if e == nil {
		return item, false
	}
	if e.place.prev == nil {
		for p := e.of; p.parent != nil; p = p.parent {
			p.budget = min(p.budget, q.quantum)
		}
	}
	q.drop(e)
	return e.item, true
}

func (q *Queue[T]) drop(e *entry[T]) {
	delete(q.entries, e.id)
	e.class.ages.remove(&e.age)
	e.of.remove(e)
	e.class.forfeit()
}

// forfeit drops the credit of a class without entries, but not a debt.
func (c *class[T]) forfeit() {
	if c.ages.len == 0 {
		c.credit = min(c.credit, 0)
	}
}

// next returns the highest class with waiting items, and the class whose turn it is: the same, or a lower one that
// is owed its guaranteed share. Both are nil if nothing waits.
func (q *Queue[T]) next() (first, served *class[T]) {
	for i := range q.classes {
		switch c := &q.classes[i]; {
		case c.ages.len == 0:
		case first == nil:
			first = c
		case c.credit >= (share-1)*q.quantum:
			return first, c
		}
	}
	return first, first
}

// settle credits the classes that were passed over with the cost of an item of the served class. A
// class that was served before a higher one pays for it share-1 times as much, which makes its share
// of the time 1/share.
func (q *Queue[T]) settle(first, served *class[T], cost time.Duration) {
	for i := range q.classes {
		switch c := &q.classes[i]; c {
		case first:
		case served:
			c.credit -= (share - 1) * cost
		default:
			c.credit += cost
			c.forfeit()
		}
	}
}

// Position returns the place of an item in line, 1 for the one to leave next, or 0 if it does not wait.
// It is an estimate for items that cost a quantum each: all waiting items of higher priorities go first;
// then those of earlier rounds of its owner, and of earlier turns in the same round, of which there may
// be fewer than it counts. The same holds for the submitters of an owner. It ignores the guaranteed
// shares and what will be pushed. The time grows with the number of earlier items of the owner.
func (q *Queue[T]) Position(id string) int {
	e := q.entries[id]
	if e == nil {
		return 0
	}
	higher := 0
	for i := 0; &q.classes[i] != e.class; i++ {
		higher += q.classes[i].ages.len
	}
	return higher + e.of.position(e)
}

func (q *Queue[T]) Len() int { return len(q.entries) }

// Oldest returns how long the oldest waiting item of a priority has been in the queue, or 0 if none
// waits.
func (q *Queue[T]) Oldest(p Priority) time.Duration {
	oldest := q.classes[p].ages.head
	if oldest == nil {
		return 0
	}
	return time.Since(q.start) - oldest.of.since
}
