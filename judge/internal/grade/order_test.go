package grade

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTaskOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		order []int
		want  string
	}{
		{"case order", nil, "[0 1 2 3 4]"},
		{"a permutation", []int{4, 3, 2, 1, 0}, "[4 3 2 1 0]"},
		{"some first", []int{3, 1}, "[3 1 0 2 4]"},
		{"said twice", []int{3, 3, 0, 3}, "[3 0 1 2 4]"},
	} {
		if got := fmt.Sprint(Task{Cases: numbered(5), Order: tt.order}.order()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestAtOnce judges one case at a time, on many slots: nothing runs beyond the failure.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for slots := range 5 {
		host := player(t, nil)
		task := newTask(numbered(5), submit(t, "AC AC WA AC AC"))
		task.AtOnce = 1
		gradeAll(t, newJudge(t, host, 1+slots, nil), task)
		if got := host.Runs(); got != 3 {
			t.Errorf("%d runs on %d slots, want 3", got, 1+slots)
		}
	}
}

// TestOrder grades cases in an order other than case order.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		order     []int
		all       bool
		told      string // the cases in the order of their events
		done      string
	}{
		{"all is well", "AC AC AC AC", []int{2}, false, "2 0 1 3", `AC "" 4/4/4`},
		{"the case in Order fails: the cases before it are still judged", "AC AC WA AC", []int{2}, false, "2 0 1", `WA "edge/case-2" 2/3/4`},
		{"an earlier case fails as well, and decides", "AC RTE WA AC", []int{2}, false, "2 0 1", `RTE "edge/case-1" 1/3/4`},
		{"a failure behind another one in both orders is not reported", "RTE WA AC AC", []int{3, 2, 0, 1}, false, "3 2 0", `RTE "edge/case-0" 2/3/4`},
		{"each failure is earlier in one of the orders", "WA WA WA WA", []int{3, 2, 1, 0}, false, "3 2 1 0", `WA "edge/case-0" 0/4/4`},
		{"all are asked for", "AC RTE WA AC", []int{2}, true, "2 0 1 3", `RTE "edge/case-1" 2/4/4`},
		{"a judge's failure decides like any other", "AC JE AC WA", []int{3, 2}, false, "3 2 0 1", `JE "edge/case-1" 2/4/4`},
	} {
		for slots := range 3 {
			j := newJudge(t, player(t, nil), 1+slots, nil)
			task := newTask(numbered(4), submit(t, tt.text))
			task.Order, task.All = tt.order, tt.all
			events := gradeAll(t, j, task)
			var cases []string
			for _, c := range caseEvents(events) {
				cases = append(cases, fmt.Sprint(c.Index))
				if c.Name != fmt.Sprint("edge/case-", c.Index) {
					t.Errorf("%s: case %d is %s", tt.why, c.Index, c.Name)
				}
			}
			if got := strings.Join(cases, " "); got != tt.told {
				t.Errorf("%s: reported cases %s, want %s", tt.why, got, tt.told)
			}
			if got := eventLines(events); !strings.Contains(got, "0 done "+tt.done+"\n") {
				t.Errorf("%s: got\n%swant %s", tt.why, got, tt.done)
			}
			checkProgress(t, tt.why, events, 4)
		}
	}
}

// TestOrderDoesNotDecide grades random submissions in random orders with random durations of runs.
// Which cases are reported must depend only on the order and the failures, and the verdict not even
// on the order.
func TestOrderDoesNotDecide(t *testing.T) {
	t.Parallel()
	words := []string{"AC", "AC", "AC", "AC", "WA", "RTE", "TLE", "JE"}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 5))
		n, slots := 1+random.IntN(9), 1+random.IntN(4)
		var text, want []string
		verdict := `AC ""`
		for i := range n {
			w := words[random.IntN(len(words))]
			if text = append(text, w); w != "AC" && verdict == `AC ""` {
				verdict = fmt.Sprintf("%s %q", w, fmt.Sprint("edge/case-", i))
			}
		}
		order := random.Perm(n)[:random.IntN(n+1)]
		whole := Task{Cases: numbered(n), Order: order}.order()
		for k, c := range whole {
			if !slices.ContainsFunc(whole[:k], func(before int) bool { return before < c && text[before] != "AC" }) {
				want = append(want, fmt.Sprintf("%d %s", c, text[c]))
			}
		}
		for range 2 {
			synctest.Test(t, func(t *testing.T) {
				j := newJudge(t, player(t, func(int) time.Duration {
					return time.Duration(rand.IntN(1000)) * time.Millisecond
				}), slots, nil)
				task := newTask(numbered(n), submit(t, strings.Join(text, " ")))
				task.Order = order
				events := gradeAll(t, j, task)
				var got []string
				for _, c := range caseEvents(events) {
					got = append(got, fmt.Sprintf("%d %v", c.Index, c.Verdict))
				}
				if !slices.Equal(got, want) {
					t.Errorf("seed %d: %v of %v in the order %v, want %v", seed, got, text, whole, want)
				}
				if done := eventLines(events); !strings.Contains(done, "0 done "+verdict+" ") {
					t.Errorf("seed %d: %v in the order %v: got\n%swant %s", seed, text, whole, done, verdict)
				}
				checkProgress(t, fmt.Sprint("seed ", seed), events, n)
			})
		}
	}
}
