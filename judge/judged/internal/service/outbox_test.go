package service

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/task"
)

// TestOutbox compares an outbox with a map that says of each task whether it is pushed, and its places with
// those of the tasks.
func TestOutbox(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, submission := range []string{"a", "ab", "b", "check"} {
		for judging := range 2 {
			for _, part := range []string{"whole", "0", "1", "join"} {
				ids = append(ids, fmt.Sprintf("%s.%d.%s", submission, judging, part))
			}
		}
	}
	slices.Sort(ids)
	random := rand.New(rand.NewPCG(1, 2))
	o, model, lanes := newOutbox(), map[string]bool{}, []string{"", "one"}
	for range 5000 {
		id := ids[random.IntN(len(ids))]
		_, known := model[id]
		switch {
		case !known:
			o.add(id, &handed{task: &task.Task{Name: id}, lane: lanes[random.IntN(2)], at: place(random.IntN(int(kindsOfPlaces))), submitter: []string{"", "a", "a/x", "b/x"}[random.IntN(4)]})
			model[id] = false
		case random.IntN(9) == 0: // in the place of the same task
			o.add(id, &handed{task: &task.Task{Name: id}, submitter: "c"})
			model[id] = false
		case random.IntN(3) == 0:
			o.remove(id)
			delete(model, id)
		case model[id]:
			o.move(id, lanes[random.IntN(2)])
			model[id] = false
		default:
			o.pushed(id, time.Unix(1, 0))
			model[id] = true
		}
		want := func(holds func(id string, pushed bool) bool) (list []string) {
			for _, id := range ids {
				if pushed, known := model[id]; known && holds(id, pushed) {
					list = append(list, id)
				}
			}
			return list
		}
		begins := func(word string) func(string, bool) bool {
			return func(id string, _ bool) bool { return strings.HasPrefix(id, word+".") }
		}
		for what, pair := range map[string][2][]string{
			"unpushed": {want(func(_ string, pushed bool) bool { return !pushed }), idsOf(t, o.unpushed())},
			"waiting":  {want(func(_ string, pushed bool) bool { return pushed }), idsOf(t, o.waiting())},
			"of a":     {want(begins("a")), idsOf(t, o.of("a"))},
			"of a.1":   {want(begins("a.1")), idsOf(t, o.of("a.1"))},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", what, diff)
			}
		}
		held := map[string]*places{}
		for _, lane := range lanes {
			held[lane] = &places{owners: map[string]int{}, submitters: map[string]int{}}
			o.in(lane)
		}
		for id := range model {
			h := o.get(id)
			held[h.lane].tasks++
			held[h.lane].take(h.at, h.submitter)
		}
		if diff := cmp.Diff(held, o.lanes, cmp.AllowUnexported(places{})); diff != "" {
			t.Fatalf("the places (-want +got):\n%s", diff)
		}
		if got := o.get(id); len(idsOf(t, o.all())) != len(model) || (got != nil) != slices.Contains(idsOf(t, o.of(firstWord(id))), id) || o.has("a") != (len(want(begins("a"))) > 0) {
			t.Fatalf("%v, want %d tasks; get and has say %v, %v", idsOf(t, o.all()), len(model), got, o.has("a"))
		}
	}
}

// idsOf returns the ids of tasks, each of which must be the one that was added under the id.
func idsOf(t *testing.T, tasks iter.Seq2[string, *handed]) (list []string) {
	t.Helper()
	for id, h := range tasks {
		if h.task.Name != id {
			t.Fatalf("%s is %s", id, h.task.Name)
		}
		list = append(list, id)
	}
	return list
}

// TestOutboxChanges removes tasks while others are looked at.
func TestOutboxChanges(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	for _, id := range []string{"a.1.0", "a.1.1", "a.1.2"} {
		o.add(id, &handed{task: &task.Task{Name: id}})
	}
	var seen []string
	for id := range o.of("a.1") {
		seen = append(seen, id)
		o.remove("a.1.0")
		o.remove("a.1.1")
	}
	if diff := cmp.Diff([]string{"a.1.0", "a.1.2"}, seen); diff != "" {
		t.Error(diff)
	}
}
