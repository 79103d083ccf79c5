package fair

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// model is a queue in the plainest form, with slices and searches.
type model struct {
	quantum time.Duration
	classes [priorities]modelClass
}

type modelClass struct {
	modelParty // whose members are the owners
	credit     time.Duration
}

type modelParty struct {
	name    string
	members []*modelParty // in order of their turns
	items   []modelItem   // of a submitter
	turns   int
	budget  time.Duration
	funded  bool
	number  int // of its turn
}

type modelItem struct {
	id               string
	owner, submitter string
	cost             time.Duration
	arrival          int
	priority         Priority
}

// all returns the items of a party.
func (p *modelParty) all() []modelItem {
	items := slices.Clone(p.items)
	for _, m := range p.members {
		items = append(items, m.all()...)
	}
	return items
}

func (m *model) all() (items []modelItem) {
	for _, c := range m.classes {
		items = append(items, c.all()...)
	}
	return items
}

// find returns the item with an id, or false.
func (m *model) find(id string) (modelItem, bool) {
	items := m.all()
	i := slices.IndexFunc(items, func(e modelItem) bool { return e.id == id })
	if i < 0 {
		return modelItem{}, false
	}
	return items[i], true
}

// member returns the member with a name, or nil.
func (p *modelParty) member(name string) *modelParty {
	for _, m := range p.members {
		if m.name == name {
			return m
		}
	}
	return nil
}

// join returns the member with a name, which has the last turn if it is new.
func (p *modelParty) join(name string) *modelParty {
	if m := p.member(name); m != nil {
		return m
	}
	p.turns++
	m := &modelParty{name: name, number: p.turns}
	p.members = append(p.members, m)
	return m
}

// parties returns the owner and the submitter of an item.
func (m *model) parties(e modelItem) (owner, submitter *modelParty) {
	owner = m.classes[e.priority].member(e.owner)
	return owner, owner.member(e.submitter)
}

func (m *model) push(e modelItem) bool {
	if _, is := m.find(e.id); is {
		return false
	}
	e.cost = min(max(e.cost, m.quantum/16), 256*m.quantum)
	s := m.classes[e.priority].join(e.owner).join(e.submitter)
	s.items = append(s.items, e)
	return true
}

func (m *model) remove(e modelItem) {
	c := &m.classes[e.priority]
	owner, submitter := m.parties(e)
	submitter.items = slices.DeleteFunc(submitter.items, func(other modelItem) bool { return other.id == e.id })
	empty := func(p *modelParty) bool { return len(p.all()) == 0 }
	owner.members = slices.DeleteFunc(owner.members, empty)
	c.members = slices.DeleteFunc(c.members, empty)
	if len(c.members) == 0 && c.credit > 0 {
		c.credit = 0
	}
}

// cancel removes an item, and what was saved up for it.
func (m *model) cancel(id string) bool {
	e, is := m.find(id)
	if !is {
		return false
	}
	owner, submitter := m.parties(e)
	if submitter.items[0].id == id {
		owner.budget, submitter.budget = min(owner.budget, m.quantum), min(submitter.budget, m.quantum)
	}
	m.remove(e)
	return true
}

// pop takes each turn as the paper does, and then works out what every priority is owed.
func (m *model) pop() string {
	waiting := m.waiting()
	if len(waiting) == 0 {
		return ""
	}
	served := waiting[0]
	for _, p := range slices.Backward(waiting[1:]) {
		if m.classes[p].credit >= 15*m.quantum {
			served = p
		}
	}
	return m.take(m.classes[served].turn(m.quantum))
}

// popUrgent takes the first item of the first owner and submitter that may have one.
func (m *model) popUrgent(owner, submitter func(string) bool) string {
	for _, o := range m.classes[Interactive].members {
		for _, s := range o.members {
			if owner(o.name) && submitter(s.name) {
				return m.take(s.items[0])
			}
		}
	}
	return ""
}

// waiting returns the priorities with waiting items.
func (m *model) waiting() (list []int) {
	for p := range m.classes {
		if len(m.classes[p].members) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// take removes an item, charges it, and ends the turns that it ends.
func (m *model) take(e modelItem) string {
	waiting := m.waiting()
	for p := range m.classes {
		c := &m.classes[p]
		switch {
		case p == waiting[0]:
		case p == int(e.priority):
			c.credit -= 15 * e.cost
		case len(c.members) > 0:
			c.credit += e.cost
		default:
			c.credit = min(0, c.credit+e.cost)
		}
	}
	owner, submitter := m.parties(e)
	owner.budget -= e.cost
	submitter.budget -= e.cost
	m.remove(e)
	if len(submitter.items) > 0 && submitter.funded && submitter.items[0].cost > submitter.budget {
		owner.rotate(submitter)
	}
	if len(owner.members) > 0 && owner.funded && owner.turn(m.quantum).cost > owner.budget {
		m.classes[e.priority].rotate(owner)
	}
	return e.id
}

// turn returns the item whose turn it is, after the turns of those who cannot pay.
func (p *modelParty) turn(quantum time.Duration) modelItem {
	if len(p.items) > 0 {
		return p.items[0]
	}
	for {
		first := p.members[0]
		if !first.funded {
			first.budget += quantum
		}
		first.funded = true
		if e := first.turn(quantum); e.cost <= first.budget {
			return e
		}
		p.rotate(first)
	}
}

// rotate gives a member the last turn.
func (p *modelParty) rotate(m *modelParty) {
	p.turns++
	m.funded, m.number = false, p.turns
	p.members = append(slices.DeleteFunc(p.members, func(other *modelParty) bool { return other == m }), m)
}

// position counts the items before one as the documentation of Position does.
func (m *model) position(id string) int {
	e, is := m.find(id)
	if !is {
		return 0
	}
	before := 0
	for _, c := range m.classes[:e.priority] {
		before += len(c.all())
	}
	owner, submitter := m.parties(e)
	own := slices.IndexFunc(submitter.items, func(other modelItem) bool { return other.id == id })
	return before + m.classes[e.priority].before(owner, owner.before(submitter, own)) + 1
}

// before counts the items of a party that leave before one of a member, before which the member itself has
// k others.
func (p *modelParty) before(member *modelParty, k int) (n int) {
	inRound := 0
	for _, other := range p.members {
		n += min(len(other.all()), k)
		if other != member && len(other.all()) > k {
			inRound++
		}
	}
	return n + min(member.number-p.members[0].number, inRound)
}

// FuzzQueue compares a queue with the model after each operation.
func FuzzQueue(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x06\x07"))
	f.Add([]byte("\x00\x11\x22\x33\x01\x0a\x13\x1c\x06\x06\x06\x06\x06\x06\x06\x07\x0f\x17"))
	var long []byte
	for i := range 200 {
		long = append(long, byte(i*i/7+i), byte(i*37))
	}
	f.Add(long)
	costs := []time.Duration{0, time.Millisecond, 16 * time.Millisecond, 7 * time.Millisecond, -time.Hour, 40 * time.Millisecond, 300 * time.Millisecond, time.Hour}
	f.Fuzz(func(t *testing.T, ops []byte) {
		const quantum = 16 * time.Millisecond
		ops = ops[:min(len(ops), 500)] // the model is slow
		q, m := New[string](quantum), &model{quantum: quantum}
		pushed := 0
		for len(ops) >= 2 {
			op, arg := ops[0]%8, int(ops[1])
			ops = ops[2:]
			switch op {
			case 0, 1, 2, 3: // push an item, sometimes one with the id of another
				e := modelItem{fmt.Sprint(pushed), fmt.Sprint(arg / 24 % 4), fmt.Sprint(arg / 48), costs[arg%8], pushed, Priority(arg / 8 % priorities)}
				if op == 3 && arg > 128 {
					e.id = fmt.Sprint(pushed / 2)
				}
				got, want := q.Push(e.priority, e.owner, e.submitter, e.cost, e.id, "item "+e.id), m.push(e)
				if got != want {
					t.Fatalf("push %s: %v, want %v", e.id, got, want)
				}
				pushed++
			case 6:
				owner, submitter := func(name string) bool { return name >= fmt.Sprint(arg%4) }, func(name string) bool { return name != fmt.Sprint(arg/48) }
				got, ok := q.PopUrgent(owner, submitter, func(string) bool { return true })
				if want := m.popUrgent(owner, submitter); ok != (want != "") || ok && got != "item "+want {
					t.Fatalf("pop what is urgent: %q, %v, want %q", got, ok, want)
				}
			case 4, 5:
				got, ok := q.Pop()
				if want := m.pop(); ok != (want != "") || ok && got != "item "+want {
					t.Fatalf("pop: %q, %v, want %q", got, ok, want)
				}
			case 7:
				id := fmt.Sprint(arg * pushed / 256)
				got, ok := q.Remove(id)
				if want := m.cancel(id); ok != want || ok && got != "item "+id {
					t.Fatalf("remove %s: %q, %v, want %v", id, got, ok, want)
				}
			}
			compare(t, q, m, arg)
		}
		for m.pop() != "" {
			q.Pop()
		}
		for p, c := range q.classes {
			if r := &c.root; len(q.entries)+len(r.members)+len(r.longer)+r.round.len+c.ages.len != 0 || r.round.head != nil || c.ages.head != nil {
				t.Errorf("%v: the empty queue still holds %+v", Priority(p), c)
			}
		}
	})
}

// compare compares all that a queue reports with the model: of one of the items and of all together.
func compare(t *testing.T, q *Queue[string], m *model, choice int) {
	t.Helper()
	items := m.all()
	if q.Len() != len(items) {
		t.Fatalf("%d items, want %d", q.Len(), len(items))
	}
	if len(items) > 0 {
		id := items[choice%len(items)].id
		if got, want := q.Position(id), m.position(id); got != want {
			t.Fatalf("position of %s: %d, want %d", id, got, want)
		}
	}
	for p := range q.classes {
		oldest := modelItem{arrival: -1}
		for _, e := range items {
			if e.priority == Priority(p) && (oldest.arrival < 0 || e.arrival < oldest.arrival) {
				oldest = e
			}
		}
		got := ""
		if head := q.classes[p].ages.head; head != nil {
			got = head.of.id
		}
		if got != oldest.id {
			t.Fatalf("the oldest %v item is %q, want %q", Priority(p), got, oldest.id)
		}
	}
}
