package fair

import "time"

// party takes turns with others of its kind: the owners of a class, or the submitters of an owner. The
// root of a class is the party of which the owners are members.
type party[T any] struct {
	name   string
	parent *party[T]      // nil of a root
	budget time.Duration  // what it may still spend: the deficit counter
	funded bool           // whether the budget includes the quantum of the present turn
	turn   node[party[T]] // in parent.round
	number int            // of the turn: the later, the larger
	items  int            // that wait, of all its members

	entries list[entry[T]]       // of a submitter, in order of arrival
	members map[string]*party[T] // of any other, by name; none is empty
	round   list[party[T]]       // the members in order of their turns: the first has its turn, or will have it next
	turns   int                  // how many turns of members have been queued
	longer  []int                // longer[n] is the number of members with more than n items
}

// member returns the member with a name, which it adds if it is new.
func (p *party[T]) member(name string) *party[T] {
	m := p.members[name]
	if m == nil {
		if p.members == nil {
			p.members = map[string]*party[T]{}
		}
		m = &party[T]{name: name, parent: p}
		p.members[name] = m
		p.queue(m)
	}
	return m
}

func (p *party[T]) push(e *entry[T]) {
	e.of = p
	p.entries.add(&e.place, e)
	for ; p.parent != nil; p = p.parent {
		if p.items == len(p.parent.longer) {
			p.parent.longer = append(p.parent.longer, 0)
		}
		p.parent.longer[p.items]++
		p.items++
	}
}

// next returns the entry whose turn it is. There must be one. Each step of the loop ends a turn and adds a quantum
// that the member will spend, so there are not more steps than quanta in the costs of the entries.
func (p *party[T]) next(quantum time.Duration) *entry[T] {
	if p.members == nil {
		return p.entries.head.of
	}
	for {
		m := p.round.head.of
		if !m.funded {
			m.budget += quantum
			m.funded = true
		}
		if e := m.next(quantum); e.cost <= m.budget {
			return e
		}
		p.pass(m)
	}
}

// first returns the first entry, in order of turns, that is able and whose owner and submitter satisfy the
// functions, nil if there is none.
func (p *party[T]) first(able func(T) bool, may ...func(name string) bool) *entry[T] {
	for at := p.entries.head; at != nil; at = at.next {
		if able(at.of.item) {
			return at.of
		}
	}
	for at := p.round.head; at != nil; at = at.next {
		if m := at.of; may[0](m.name) {
			if e := m.first(able, may[1:]...); e != nil {
				return e
			}
		}
	}
	return nil
}

// pass ends the turn of a member.
func (p *party[T]) pass(m *party[T]) {
	m.funded = false
	p.round.remove(&m.turn)
	p.queue(m)
}

// queue gives a member the last turn of the round.
func (p *party[T]) queue(m *party[T]) {
	p.round.add(&m.turn, m)
	p.turns++
	m.number = p.turns
}

// settle ends the turns of a submitter and of its owner if they have the turn and cannot pay for their next
// entries. Either may have none left.
func (p *party[T]) settle(quantum time.Duration) {
	for ; p.parent != nil; p = p.parent {
		if p.items > 0 && p.funded && p.next(quantum).cost > p.budget {
			p.parent.pass(p)
		}
	}
}

// position returns the place of e among all entries of the root, from 1, see [Queue.Position].
func (p *party[T]) position(e *entry[T]) int {
	predecessors := 0 // of the entry in p
	for at := e.place.prev; at != nil; at = at.prev {
		predecessors++
	}
	for ; p.parent != nil; p = p.parent {
		before := 0
		for _, n := range p.parent.longer[:predecessors] { // the items that leave in earlier rounds
			before += n
		}
		ahead := p.number - p.parent.round.head.of.number // members with an earlier turn in the round of the item
		predecessors = before + min(ahead, p.parent.longer[predecessors]-1)
	}
	return predecessors + 1
}

// remove removes an entry of a submitter, and each party that has none left.
func (p *party[T]) remove(e *entry[T]) {
	p.entries.remove(&e.place)
	for ; p.parent != nil; p = p.parent {
		p.items--
		longer := p.parent.longer
		longer[p.items]--
		if longer[len(longer)-1] == 0 {
			p.parent.longer = longer[:len(longer)-1]
		}
		if p.items == 0 {
			p.parent.round.remove(&p.turn)
			delete(p.parent.members, p.name)
		}
	}
}
