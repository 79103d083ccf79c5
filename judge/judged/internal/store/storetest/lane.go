package storetest

import (
	"errors"
	"testing"

	"tribunal/judge/judged/internal/store"
)

func (p place) lane(t *testing.T, name string) store.Queue {
	t.Helper()
	q, err := p.Work.Lane(Patient(t), name)
	must(t, err)
	return q
}

// lanes pushes to two lanes and to the one without a name. Each receiver gets what is in its lane, and an id is
// unique in all.
func lanes(t *testing.T, p place) {
	red, blue := p.lane(t, "red"), place{connect: p.connect, Store: p.connect()}.lane(t, "blue")
	for _, q := range []struct {
		of store.Queue
		id string
	}{{blue, "1.blue"}, {p.Work, "2.none"}, {red, "3.red"}, {blue, "4.blue"}} {
		push(t, q.of, q.id)
	}
	length(t, p.Work, 4)
	length(t, red, 4)
	for _, tt := range []struct {
		why string
		of  store.Queue
		id  string
		has bool
	}{
		{"the lane without a name has not", p.Work, "3.red", false},
		{"a lane has its own", red, "3.red", true},
		{"and not those of others", red, "1.blue", false},
		{"nor those of none", red, "2.none", false},
	} {
		if has, err := tt.of.Has(Patient(t), tt.id); has != tt.has || err != nil {
			t.Errorf("%s: Has says %v of %s, %v", tt.why, has, tt.id, err)
		}
	}
	for _, q := range []store.Queue{p.Work, red, blue} {
		if err := q.Push(Patient(t), "1.blue", nil); !errors.Is(err, store.ErrConflict) {
			t.Errorf("pushed again, in whichever lane: %v", err)
		}
	}
	must(t, p.Work.Tidy(Patient(t), []string{"red", "", "blue"}))
	length(t, p.Work, 4)
	m := pull(t, p.lane(t, "red"), "3.red", 1)
	must(t, m.Return(0))
	ack(t, p.Work, pull(t, red, "3.red", 2), 3)
	must(t, p.Work.Tidy(Patient(t), []string{"red", "", "blue"})) // what was acknowledged in one lane has nothing to do with what waits in another
	length(t, p.Work, 3)
	must(t, red.Remove(Patient(t), "1"))
	length(t, p.Work, 2)
	push(t, red, "1.blue")
	ack(t, p.Work, pull(t, blue, "4.blue", 1), 2)
	ack(t, p.Work, pull(t, red, "1.blue", 1), 1)
	ack(t, p.Work, pull(t, p.Work, "2.none", 1), 0)
	push(t, red, "5.red")
	push(t, blue, "6.blue")
	push(t, p.Work, "7.none")
	must(t, p.Work.Tidy(Patient(t), []string{"blue", ""}))
	length(t, p.Work, 2)
	must(t, p.Work.Tidy(Patient(t), []string{"blue"}))
	length(t, p.Work, 1)
	must(t, p.Work.Tidy(Patient(t), nil))
	ack(t, p.Work, pull(t, blue, "6.blue", 1), 0)
	for _, name := range []string{"", "two.words", "*", ">"} {
		if _, err := p.Work.Lane(Patient(t), name); err == nil {
			t.Errorf("a lane has the name %q", name)
		}
	}
}
