package fair

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEqualShares checks that what two submitters with waiting items have got never differs by more
// than the bound of the paper, whatever their items cost.
func TestEqualShares(t *testing.T) {
	t.Parallel()
	const dearest = 5 * quantum
	costs := map[string]func(r *rand.Rand) time.Duration{
		"small": func(*rand.Rand) time.Duration { return quantum / 10 },
		"usual": func(*rand.Rand) time.Duration { return quantum },
		"large": func(*rand.Rand) time.Duration { return dearest },
		"mixed": func(r *rand.Rand) time.Duration {
			return quantum/16 + time.Duration(r.Int64N(int64(dearest-quantum/16)))
		},
		"erratic": func(r *rand.Rand) time.Duration { return []time.Duration{quantum / 16, dearest}[r.IntN(2)] },
	}
	r := rand.New(rand.NewPCG(1, 2))
	q, got := newQueue(), map[string]time.Duration{}
	for submitter, cost := range costs {
		got[submitter] = 0
		for range 3 {
			q.put(Batch, submitter, cost(r))
		}
	}
	for range 20_000 {
		p, _ := q.Pop()
		got[p.submitter] += p.cost
		q.put(Batch, p.submitter, costs[p.submitter](r))
		least, most := got[p.submitter], got[p.submitter]
		for _, time := range got {
			least, most = min(least, time), max(most, time)
		}
		if most-least > quantum+2*dearest {
			t.Fatalf("the shares differ by %v: %v", most-least, got)
		}
	}
}

// TestInventedSubmitters checks the shares of owners of whom one names a new submitter for every item, and
// the shares of the submitters of another.
func TestInventedSubmitters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		name func(i int) string // of the submitters of one owner
		want map[string]int     // items of each that leave, of 600
	}{
		{"as many owners as submitters", func(int) string { return "one/a" }, map[string]int{"one": 200, "two/a": 200, "three/a": 100, "three/b": 100}},
		{"a submitter for every item", func(i int) string { return fmt.Sprint("one/", i) }, map[string]int{"one": 200, "two/a": 200, "three/a": 100, "three/b": 100}},
		{"names of other owners' submitters", func(i int) string { return []string{"one/a", "one/b"}[i%2] }, map[string]int{"one": 200, "two/a": 200, "three/a": 100, "three/b": 100}},
	} {
		q := newQueue()
		for i := range 600 {
			q.put(Batch, tt.name(i), quantum)
			for _, other := range []string{"two/a", "three/a", "three/b"} {
				q.put(Batch, other, quantum)
			}
		}
		got := map[string]int{}
		for range 600 {
			p, _ := q.Pop()
			if strings.HasPrefix(p.submitter, "one/") {
				p.submitter = "one"
			}
			got[p.submitter]++
		}
		if !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v left, want %v", tt.why, got, tt.want)
		}
	}
}

// TestPopUrgent checks which item leaves if not every owner and not every submitter may have one, and that
// it is paid for.
func TestPopUrgent(t *testing.T) {
	t.Parallel()
	everyone := func(string) bool { return true }
	except := func(names ...string) func(string) bool {
		return func(name string) bool { return !slices.Contains(names, name) }
	}
	for _, tt := range []struct {
		why              string
		push             []piece
		owner, submitter func(string) bool
		want             string // who leaves; "" for none
		then             string // who leaves afterwards
	}{
		{"nothing waits", nil, everyone, everyone, "", ""},
		{"everyone may: the first one, whose turn that was", []piece{{"a", Interactive, quantum}, {"a", Interactive, quantum}, {"b", Interactive, quantum}}, everyone, everyone, "a", "b a"},
		{"an owner may not", []piece{{"a/x", Interactive, quantum}, {"a/y", Interactive, quantum}, {"b", Interactive, quantum}}, except("a"), everyone, "b", "a/x a/y"},
		{"a submitter may not, but another, who pays with the turn of the owner", []piece{{"a/x", Interactive, quantum}, {"a/y", Interactive, quantum}, {"b", Interactive, quantum}}, everyone, except("a/x"), "a/y", "b a/x"},
		{"no submitter of the first owner may", []piece{{"a/x", Interactive, quantum}, {"a/y", Interactive, quantum}, {"b", Interactive, quantum}}, everyone, except("a/x", "a/y"), "b", "a/x a/y"},
		{"none may", []piece{{"a", Interactive, quantum}}, except("a"), everyone, "", "a"},
		{"only what is interactive", []piece{{"a", Batch, quantum}, {"b", Rejudge, quantum}}, everyone, everyone, "", "a b"},
		{"what it cost is missing at the next turn", []piece{{"a", Interactive, quantum}, {"b", Interactive, 2 * quantum}, {"b", Interactive, quantum}, {"a", Interactive, quantum}, {"a", Interactive, quantum}, {"a", Interactive, quantum}}, except("a"), everyone, "b", "a a a b a"},
	} {
		q := newQueue()
		for _, p := range tt.push {
			q.put(p.priority, p.submitter, p.cost)
		}
		p, ok := q.PopUrgent(tt.owner, tt.submitter, func(piece) bool { return true })
		if p.submitter != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q left, %v, want %q", tt.why, p.submitter, ok, tt.want)
		}
		var then []string
		for q.Len() > 0 {
			p, _ := q.Pop()
			then = append(then, p.submitter)
		}
		if got := strings.Join(then, " "); got != tt.then {
			t.Errorf("%s: then %q left, want %q", tt.why, got, tt.then)
		}
	}
}

// TestPopAble checks which item leaves to a worker that can only do items of some costs, that it is paid for, and
// that those passed over keep their turns.
func TestPopAble(t *testing.T) {
	t.Parallel()
	const can, not = quantum, 2 * quantum
	for _, tt := range []struct {
		why  string
		push []piece
		want string // who leaves; "" for none
		then string // who leaves afterwards
	}{
		{"nothing waits", nil, "", ""},
		{"the next one", []piece{{"a", Interactive, can}, {"b", Interactive, can}}, "a", "b"},
		{"behind another of the same submitter", []piece{{"a", Interactive, not}, {"a", Interactive, can}}, "a", "a"},
		{"of the next submitter", []piece{{"a/x", Interactive, not}, {"a/y", Interactive, can}, {"b", Interactive, can}}, "a/y", "b a/x"},
		{"of the next owner, and the first keeps its turn", []piece{{"a", Interactive, not}, {"b", Interactive, can}, {"a", Interactive, can}}, "b", "a a"},
		{"of a lower priority", []piece{{"a", Interactive, not}, {"b", Rejudge, can}, {"c", Batch, can}}, "c", "a b"},
		{"none", []piece{{"a", Interactive, not}, {"b", Batch, not}}, "", "a b"},
	} {
		q := newQueue()
		for _, p := range tt.push {
			q.put(p.priority, p.submitter, p.cost)
		}
		p, ok := q.PopAble(func(p piece) bool { return p.cost == can })
		if p.submitter != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q left, %v, want %q", tt.why, p.submitter, ok, tt.want)
		}
		var then []string
		for q.Len() > 0 {
			p, _ := q.Pop()
			then = append(then, p.submitter)
		}
		if got := strings.Join(then, " "); got != tt.then {
			t.Errorf("%s: then %q left, want %q", tt.why, got, tt.then)
		}
	}
}

// TestWait checks that an item waits for no more than the turns that its cost needs, of a quantum for
// each other submitter, however long their lines are.
func TestWait(t *testing.T) {
	t.Parallel()
	const dearest = 3 * quantum
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(3, seed))
		random := func() time.Duration { return quantum/16 + time.Duration(r.Int64N(int64(dearest-quantum/16))) }
		q := newQueue()
		others := 1 + r.IntN(8)
		for range 500 {
			q.put(Batch, fmt.Sprint(r.IntN(others)), random())
		}
		for range r.IntN(100) {
			q.Pop()
		}
		cost := random()
		turns := (cost + quantum - 1) / quantum
		bound := time.Duration(others) * (turns*quantum + dearest)
		q.put(Batch, "late", cost)
		waited := time.Duration(0)
		for {
			p, _ := q.Pop()
			if p.submitter == "late" {
				break
			}
			waited += p.cost
			q.put(Batch, p.submitter, random()) // the others never run out
		}
		if waited > bound {
			t.Errorf("seed %d: an item of %v waited for %v, but the bound is %v", seed, cost, waited, bound)
		}
	}
}

// TestBacklog checks how many items of a submitter with ten thousand leave before the only one of
// another, which came last.
func TestBacklog(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		theirs, own time.Duration
		most        int
	}{
		{"both cost a quantum", quantum, quantum, 1},
		{"theirs cost little", quantum / 10, quantum, 10},
		{"theirs cost nothing", 0, quantum, 16},
		{"theirs cost much", 100 * quantum, quantum, 0},
		{"its own costs three turns", quantum, 3 * quantum, 3},
	} {
		q := newQueue()
		for range 10_000 {
			q.put(Batch, "them", tt.theirs)
		}
		q.put(Batch, "late", tt.own)
		before := 0
		for {
			if p, _ := q.Pop(); p.submitter == "late" {
				break
			}
			before++
		}
		if before > tt.most {
			t.Errorf("%s: %d items went first, want at most %d", tt.why, before, tt.most)
		}
	}
}

// TestRemovedSavings checks that a submitter who removes a dear item, for which it saved up, gains
// nothing for the cheap items behind.
func TestRemovedSavings(t *testing.T) {
	t.Parallel()
	q := newQueue()
	dear := q.put(Batch, "a", 200*quantum)
	for range 100 {
		q.put(Batch, "a", quantum/2)
		q.put(Batch, "b", quantum)
		q.put(Batch, "b", quantum)
	}
	for range 100 {
		q.Pop()
	}
	q.Remove(dear)
	row := 0
	for range 100 {
		p, _ := q.Pop()
		if row++; p.submitter != "a" {
			row = 0
		}
		if row > 4 {
			t.Fatalf("%d items of a submitter left in a row", row)
		}
	}
}

// TestGuaranteedShare checks the shares of the time that the priorities get while all of them always
// have waiting items.
func TestGuaranteedShare(t *testing.T) {
	t.Parallel()
	sixteenth := 1.0 / 16
	for _, tt := range []struct {
		why   string
		costs map[Priority]time.Duration
		want  [priorities]float64
	}{
		{"a class alone", map[Priority]time.Duration{Batch: quantum}, [priorities]float64{0, 1, 0}},
		{"two classes", map[Priority]time.Duration{Interactive: quantum, Batch: quantum}, [priorities]float64{1 - sixteenth, sixteenth, 0}},
		{"the lower items are dear", map[Priority]time.Duration{Interactive: quantum / 4, Batch: 50 * quantum}, [priorities]float64{1 - sixteenth, sixteenth, 0}},
		{"the lower items are cheap", map[Priority]time.Duration{Interactive: 50 * quantum, Rejudge: quantum / 4}, [priorities]float64{1 - sixteenth, 0, sixteenth}},
		{"the lowest two", map[Priority]time.Duration{Batch: quantum, Rejudge: 3 * quantum}, [priorities]float64{0, 1 - sixteenth, sixteenth}},
		{"all three", map[Priority]time.Duration{Interactive: quantum, Batch: 20 * quantum, Rejudge: quantum / 3}, [priorities]float64{1 - 2*sixteenth, sixteenth, sixteenth}},
	} {
		q := newQueue()
		for p, cost := range tt.costs {
			q.put(p, "a", cost)
			q.put(p, "b", cost)
		}
		var got [priorities]float64
		total := 0.0
		for range 100_000 {
			p, _ := q.Pop()
			got[p.priority] += p.cost.Seconds()
			total += p.cost.Seconds()
			q.put(p.priority, p.submitter, p.cost)
		}
		for p := range got {
			if got[p] /= total; got[p] < tt.want[p]-0.002 || got[p] > tt.want[p]+0.002 {
				t.Errorf("%s: %v got %.4f of the time, want %.4f", tt.why, Priority(p), got[p], tt.want[p])
			}
		}
	}
}

// TestShareIsNotSaved checks how long the next batch item waits behind interactive ones, after
// different pasts of its priority.
func TestShareIsNotSaved(t *testing.T) {
	t.Parallel()
	// interactive serves n interactive items, each of a quantum.
	interactive := func(q *queue, n int) {
		for range n {
			q.put(Interactive, "a", quantum)
			q.Pop()
		}
	}
	for _, tt := range []struct {
		why  string
		past func(q *queue)
		want int // the interactive items that go first
	}{
		{"no past", func(*queue) {}, 15},
		{"nothing waited for long", func(q *queue) { interactive(q, 1000) }, 15},
		{"what waited was removed", func(q *queue) {
			id := q.put(Batch, "b", quantum)
			interactive(q, 14)
			q.Remove(id)
		}, 15},
		{"another item has waited", func(q *queue) {
			q.put(Batch, "b", quantum)
			interactive(q, 14)
		}, 1},
		{"a dear item went first", func(q *queue) {
			q.put(Batch, "b", 4*quantum)
			interactive(q, 15)
			q.put(Interactive, "a", quantum)
			q.Pop() // the batch item
			q.Pop() // the interactive one
		}, 4*15 - 1},
		{"a dear item went first when nothing else waited", func(q *queue) {
			q.put(Batch, "b", 4*quantum)
			q.Pop()
		}, 15},
		{"a debt is paid while nothing waits", func(q *queue) {
			q.put(Batch, "b", 4*quantum)
			interactive(q, 16)
			interactive(q, 100)
		}, 15},
	} {
		q := newQueue()
		tt.past(q)
		q.put(Batch, "b", quantum)
		got := 0
		for {
			q.put(Interactive, "a", quantum)
			if p, _ := q.Pop(); p.priority == Batch {
				break
			}
			got++
		}
		if got != tt.want {
			t.Errorf("%s: %d interactive items went first, want %d", tt.why, got, tt.want)
		}
	}
}
