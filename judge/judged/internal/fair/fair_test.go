package fair

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const quantum = time.Second

// piece is an item of the tests.
type piece struct {
	submitter string
	priority  Priority
	cost      time.Duration
}

// queue is a queue of pieces that numbers them.
type queue struct {
	*Queue[piece]
	pushed int
}

func newQueue() *queue { return &queue{Queue: New[piece](quantum)} }

// put pushes an item and returns its id. The owner is the part before a slash of the name of the
// submitter.
func (q *queue) put(p Priority, submitter string, cost time.Duration) string {
	q.pushed++
	id := fmt.Sprint(q.pushed)
	q.Push(p, ownerOf(submitter), submitter, cost, id, piece{submitter, p, cost})
	return id
}

func ownerOf(submitter string) string {
	owner, _, _ := strings.Cut(submitter, "/")
	return owner
}

// TestOrder checks the order in which small queues are served. Each item is named by its submitter,
// without the owner.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := quantum
	for _, tt := range []struct {
		why  string
		push []piece
		want string
	}{
		{"an empty queue", nil, ""},
		{"one submitter: in order of arrival", []piece{{"a", Batch, s}, {"a", Batch, s}}, "aa"},
		{"equal costs: by turns", []piece{{"a", Batch, s}, {"a", Batch, s}, {"a", Batch, s}, {"b", Batch, s}, {"c", Batch, s}, {"b", Batch, s}}, "abcaba"},
		{"two items of half a quantum leave in one turn", []piece{{"a", Batch, s / 2}, {"a", Batch, s / 2}, {"a", Batch, s / 2}, {"b", Batch, s}}, "aaba"},
		{"an item of two quanta waits for a second turn", []piece{{"a", Batch, 2 * s}, {"b", Batch, s}, {"b", Batch, s}}, "bab"},
		{"a free item is charged a sixteenth of a quantum", append(slices.Repeat([]piece{{"a", Batch, 0}}, 18), piece{"b", Batch, s}), "aaaaaaaaaaaaaaaabaa"},
		{"what is left of a turn is kept", []piece{{"a", Batch, s * 3 / 4}, {"a", Batch, s * 5 / 4}, {"b", Batch, s}, {"b", Batch, s}, {"b", Batch, s}}, "ababb"},
		{"a higher priority goes first", []piece{{"a", Rejudge, s}, {"b", Batch, s}, {"c", Interactive, s}}, "cba"},
		{"owners take turns, and then their submitters", []piece{{"o/a", Batch, s}, {"o/b", Batch, s}, {"o/c", Batch, s}, {"o/a", Batch, s}, {"p/x", Batch, s}, {"p/x", Batch, s}}, "axbxca"},
		{"a new submitter of an owner is behind those that it has", []piece{{"o/a", Batch, s}, {"o/b", Batch, s}, {"o/a", Batch, s}, {"o/c", Batch, s}}, "abca"},
		{"a dear item of one submitter makes its owner wait, but not the others of the owner", []piece{{"o/a", Batch, 3 * s}, {"o/b", Batch, s}, {"p/x", Batch, s}, {"p/x", Batch, s}, {"p/x", Batch, s}}, "bxxxa"},
		{"two owners have a submitter of the same name", []piece{{"o/a", Batch, s}, {"o/a", Batch, s}, {"p/a", Batch, s}, {"o/b", Batch, s}, {"p/c", Batch, s}}, "aabca"},
		{"a submitter has a turn in each priority", []piece{{"a", Batch, s}, {"a", Batch, s}, {"b", Batch, s}, {"a", Interactive, s}}, "aaba"},
	} {
		q := newQueue()
		for _, p := range tt.push {
			q.put(p.priority, p.submitter, p.cost)
		}
		got := ""
		for {
			p, ok := q.Pop()
			if !ok {
				break
			}
			_, name, has := strings.Cut(p.submitter, "/")
			if !has {
				name = p.submitter
			}
			got += name
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestPosition checks that an item that costs a quantum leaves at its position, if it is the first of
// its owner, and otherwise there or earlier in the same round.
func TestPosition(t *testing.T) {
	t.Parallel()
	type estimate struct {
		position int
		first    bool
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(4, seed))
		q := newQueue()
		owners, submitters := 1+r.IntN(6), 1+r.IntN(4)
		for range 100 + r.IntN(200) {
			q.put(Batch, fmt.Sprint(min(r.IntN(owners), r.IntN(owners)), "/", r.IntN(submitters)), quantum)
		}
		for range r.IntN(100) {
			q.Pop()
		}
		estimates := map[string]estimate{}
		for id, e := range q.entries {
			estimates[id] = estimate{q.Position(id), e.of.parent.next(quantum) == e}
		}
		for place := 1; q.Len() > 0; place++ {
			q.Pop()
			for id, e := range estimates {
				if q.Position(id) > 0 {
					continue
				}
				if place > e.position || place <= e.position-owners*submitters || e.first && place != e.position {
					t.Errorf("seed %d: item %s left as number %d, expected %+v", seed, id, place, e)
				}
				delete(estimates, id)
			}
			if len(estimates) != q.Len() {
				t.Fatalf("seed %d: %d items have a position, want %d", seed, len(estimates), q.Len())
			}
		}
	}
	q := newQueue()
	rejudge := q.put(Rejudge, "a", quantum)
	first, second, third := q.put(Batch, "a", quantum), q.put(Batch, "b", quantum), q.put(Batch, "a", quantum)
	for id, want := range map[string]int{first: 1, second: 2, third: 3, rejudge: 4, "none": 0} {
		if got := q.Position(id); got != want {
			t.Errorf("position of %s: %d, want %d", id, got, want)
		}
	}
}

// TestPushTwice checks that an id waits only once, and can wait again after it left.
func TestPushTwice(t *testing.T) {
	t.Parallel()
	q := New[string](quantum)
	if !q.Push(Batch, "a", "a", quantum, "id", "old") || q.Push(Interactive, "b", "b", quantum, "id", "new") || q.Len() != 1 || q.Oldest(Interactive) != 0 {
		t.Error("an id waits twice")
	}
	if item, ok := q.Remove("id"); item != "old" || !ok {
		t.Errorf("got %q, %v", item, ok)
	}
	if item, ok := q.Remove("id"); item != "" || ok {
		t.Errorf("got %q, %v of an empty queue", item, ok)
	}
	if !q.Push(Rejudge, "a", "a", quantum, "id", "again") || q.Len() != 1 {
		t.Error("an id cannot return")
	}
}

// TestPriorityNames checks the names of the priorities, which messages and measurements show.
func TestPriorityNames(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint([]Priority{Interactive, Batch, Rejudge}); got != "[interactive batch rejudge]" {
		t.Error(got)
	}
}

// TestOldest checks the age of the oldest item of each priority.
func TestOldest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		check := func(why string, want ...time.Duration) {
			t.Helper()
			for p, want := range want {
				if got := q.Oldest(Priority(p)); got != want {
					t.Errorf("%s: the oldest %v item waits for %v, want %v", why, Priority(p), got, want)
				}
			}
		}
		check("empty", 0, 0, 0)
		first := q.put(Batch, "a", quantum)
		time.Sleep(time.Minute)
		second := q.put(Batch, "b", quantum)
		q.put(Batch, "a", quantum)
		q.put(Rejudge, "a", quantum)
		time.Sleep(time.Second)
		check("two waiting priorities", 0, time.Minute+time.Second, time.Second)
		q.Remove(second)
		check("a younger one removed", 0, time.Minute+time.Second, time.Second)
		q.Remove(first)
		check("the oldest removed", 0, time.Second, time.Second)
		q.Pop()
		check("none left", 0, 0, time.Second)
	})
}

// TestNew checks which quanta New refuses.
func TestNew(t *testing.T) {
	t.Parallel()
	for quantum, fine := range map[time.Duration]bool{
		-time.Second: false, 0: false, time.Millisecond - 1: false, time.Millisecond: true, time.Hour: true, time.Hour + 1: false,
	} {
		func() {
			defer func() {
				if got := recover() == nil; got != fine {
					t.Errorf("a quantum of %v: accepted %v, want %v", quantum, got, fine)
				}
			}()
			New[int](quantum)
		}()
	}
}

// TestMemory checks what 100,000 items of 10,000 submitters take, with their ids and names. It is not
// parallel, because other tests would allocate meanwhile.
func TestMemory(t *testing.T) {
	used := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := used()
	q := New[*piece](quantum)
	for i := range 100_000 {
		q.Push(Priority(i%priorities), fmt.Sprint("owner-", i%100), fmt.Sprintf("submitter-%05d", i%10_000), quantum, fmt.Sprintf("judging-%018d", i), nil)
	}
	got := used() - before
	t.Logf("%.1f MB", float64(got)/1e6)
	if got > 30e6 {
		t.Errorf("the queue takes %d bytes, want at most 30 MB", got)
	}
	if q.Len() != 100_000 {
		t.Errorf("%d items", q.Len())
	}
}

// BenchmarkQueue pushes and pops an item of a queue with few and with many waiting submitters, whose
// items have different costs. The time per item should be about the same.
func BenchmarkQueue(b *testing.B) {
	for _, submitters := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprint(submitters), func(b *testing.B) {
			q := newQueue()
			for i := range submitters {
				q.put(Batch, fmt.Sprint(i), quantum/4*time.Duration(i%16))
			}
			for b.Loop() {
				p, _ := q.Pop()
				q.put(Batch, p.submitter, p.cost)
			}
		})
	}
}
