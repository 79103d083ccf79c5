package service

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/task"
)

// outbox holds the tasks that workers have or can take, by id. The id of a task begins with the id of its
// submission, a word, so that the tasks of a submission are found without looking at all others. Iterations go in
// the order of the ids, so that a simulation can be repeated, and allow changes.
type outbox struct {
	tasks map[string]map[string]*handed // by the first word of the id, and by the id
	next  map[string]*handed            // those that must be pushed
	lanes map[string]*places            // by the names of lanes
}

// handed is a task that was handed to the workers.
type handed struct {
	task      *task.Task
	lane      string // the name of its lane, or unplaced
	at        place
	submitter string    // whose judging it is; "" for a check
	pushed    time.Time // when the queue took it; zero before
	missing   time.Time // since when neither the queue has it nor the ledger its result; zero if unknown
}

func newOutbox() *outbox {
	return &outbox{tasks: map[string]map[string]*handed{}, next: map[string]*handed{}, lanes: map[string]*places{}}
}

func (o *outbox) in(lane string) *places {
	p := o.lanes[lane]
	if p == nil {
		p = &places{owners: map[string]int{}, submitters: map[string]int{}}
		o.lanes[lane] = p
	}
	return p
}

// move gives a task that must be pushed a place in another lane.
func (o *outbox) move(id, lane string) {
	h := o.get(id)
	o.count(h, -1)
	h.lane, h.missing = lane, time.Time{}
	o.count(h, +1)
	o.next[id] = h
}

// count adds a task to those of its lane, or takes it away.
func (o *outbox) count(h *handed, n int) {
	p := o.in(h.lane)
	p.tasks += n
	p.change(h.at, h.submitter, n)
}

func (o *outbox) get(id string) *handed { return o.tasks[firstWord(id)][id] }

// add adds a task that must be pushed, and takes its place.
func (o *outbox) add(id string, h *handed) {
	o.remove(id)
	word := firstWord(id)
	if o.tasks[word] == nil {
		o.tasks[word] = map[string]*handed{}
	}
	o.count(h, +1)
	o.tasks[word][id], o.next[id] = h, h
}

// remove forgets a task, if it is there, and gives its place back.
func (o *outbox) remove(id string) {
	word := firstWord(id)
	h := o.tasks[word][id]
	if h == nil {
		return
	}
	o.count(h, -1)
	delete(o.next, id)
	delete(o.tasks[word], id)
	if len(o.tasks[word]) == 0 {
		delete(o.tasks, word)
	}
}

// pushed notes that the queue has a task.
func (o *outbox) pushed(id string, now time.Time) {
	o.get(id).pushed = now
	delete(o.next, id)
}

// unpushed iterates over the tasks that must be pushed.
func (o *outbox) unpushed() iter.Seq2[string, *handed] { return sorted(o.next) }

// waiting iterates over the tasks that were pushed.
func (o *outbox) waiting() iter.Seq2[string, *handed] {
	all := map[string]*handed{}
	for _, tasks := range o.tasks {
		for id, h := range tasks {
			if o.next[id] == nil {
				all[id] = h
			}
		}
	}
	return sorted(all)
}

// all iterates over all tasks.
func (o *outbox) all() iter.Seq2[string, *handed] {
	all := map[string]*handed{}
	for _, tasks := range o.tasks {
		maps.Copy(all, tasks)
	}
	return sorted(all)
}

// of iterates over the tasks of a submission or of a judging.
func (o *outbox) of(id string) iter.Seq2[string, *handed] {
	return func(yield func(string, *handed) bool) {
		for key, h := range sorted(o.tasks[firstWord(id)]) {
			if strings.HasPrefix(key, id+".") && !yield(key, h) {
				return
			}
		}
	}
}

// has reports whether a task of a submission or of a judging is out.
func (o *outbox) has(id string) bool {
	for range o.of(id) {
		return true
	}
	return false
}

func firstWord(id string) string {
	word, _, _ := strings.Cut(id, ".")
	return word
}

// sorted iterates over the entries that a map has now.
func sorted(m map[string]*handed) iter.Seq2[string, *handed] {
	return func(yield func(string, *handed) bool) {
		for _, id := range slices.Sorted(maps.Keys(m)) {
			if h := m[id]; h != nil && !yield(id, h) {
				return
			}
		}
	}
}
