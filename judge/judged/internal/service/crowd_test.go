package service_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

// TestCrowd hands in 2,000 submissions at once: each is taken, and each gets its verdict.
func TestCrowd(t *testing.T) {
	tier.T2(t, "2,000 submissions at once")
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	work(t, st, &actor{name: "w", slots: 4})
	usable(t, s)
	const n = 2000
	ids := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			sub, _, err := s.Submit(t.Context(), request(i, "AC"))
			if err != nil {
				t.Error(err)
			}
			ids[i] = sub.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id == "" {
			continue
		}
		if j := await(t, s, id, ended).Counts(); j.Status != ledger.Done {
			t.Fatalf("%+v", j)
		}
	}
}

// TestOneBlocksNobody lets one submitter hand in many submissions, and then another one a single one: that
// is judged among the next ones, not behind all that waited before it.
func TestOneBlocksNobody(t *testing.T) {
	t.Parallel()
	st := open(t)
	s := start(t, st, service.Options{})
	var mu sync.Mutex
	var order []string
	gate := make(chan struct{})
	work(t, st, &actor{name: "w", slots: 1, play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
		if k.Name == "crowd.py" || k.Name == "single.py" {
			select {
			case <-gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			mu.Lock()
			order = append(order, k.Submission)
			mu.Unlock()
		}
		return verdictOf(k, source), nil
	}})
	usable(t, s)
	hand := func(i int, submitter, name string) string {
		r := request(i, "AC")
		r.Submitter, r.Name = submitter, name
		return submit(t, s, r)
	}
	const crowd = 200
	var ids []string
	for i := range crowd {
		ids = append(ids, hand(i, "crowd", "crowd.py"))
	}
	single := hand(crowd, "single", "single.py")
	if err := s.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(gate)
	for _, id := range append(ids, single) {
		await(t, s, id, ended)
	}
	mu.Lock()
	defer mu.Unlock()
	if place := slices.Index(order, single); place > crowd/4 {
		t.Errorf("the single submission was judged as number %d of %d", place+1, len(order))
	}
}

// TestLongJudgings lets a crowd hand in judgings that take longer than the test, and then others an
// interactive one each: none of them waits for the end of a long one. The crowd has as many places as its
// worker has slots, and one more, as long as it is the only one.
func TestLongJudgings(t *testing.T) {
	t.Parallel()
	same := func(name string) func(int) string { return func(int) string { return name } }
	for _, tt := range []struct {
		why      string
		slots    int
		priority ledger.Priority
		crowd    func(i int) string // the submitter of a long judging
		running  int                // long ones that are judged at a time
		others   []string           // who then hands in short ones, one after the other
	}{
		{"a submitter", 2, ledger.Interactive, same("a/crowd"), 3, []string{"a/other", "b", "b/other", "c"}},
		{"a submitter, and one slot", 1, ledger.Interactive, same("a/crowd"), 2, []string{"a/other", "b"}},
		{"a submitter, in a batch", 2, ledger.Batch, same("a/crowd"), 3, []string{"a/other", "b"}},
		{"an owner who names many submitters", 2, ledger.Interactive, func(i int) string { return fmt.Sprint("a/", i) }, 4, []string{"b", "c/x"}},
		{"an owner who names many, in a batch", 2, ledger.Batch, func(i int) string { return fmt.Sprint("a/", i) }, 3, []string{"a/other", "b"}},
		{"many owners, in a batch", 2, ledger.Batch, func(i int) string { return fmt.Sprint(i) }, 3, []string{"b", "c/x"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			st := open(t)
			s := start(t, st, service.Options{Tick: 10 * time.Millisecond})
			gate, begun, busy, most := make(chan struct{}), make(chan struct{}, 100), atomic.Int64{}, atomic.Int64{}
			work(t, st, &actor{name: "w", slots: tt.slots, play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
				if k.Name == "long.py" {
					most.Store(max(most.Load(), busy.Add(1)))
					begun <- struct{}{}
					select {
					case <-gate:
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					busy.Add(-1)
				}
				return verdictOf(k, source), nil
			}})
			usable(t, s)
			const crowd = 12
			var ids []string
			for i := range crowd {
				r := request(i, "AC")
				r.Submitter, r.Name, r.Priority = tt.crowd(i), "long.py", tt.priority
				ids = append(ids, submit(t, s, r))
			}
			for range tt.running {
				<-begun
			}
			for i, other := range tt.others {
				r := request(crowd+i, "AC")
				r.Submitter, r.Priority = other, ledger.Interactive
				await(t, s, submit(t, s, r), ended)
			}
			if got := most.Load(); got != int64(tt.running) {
				t.Errorf("%d long judgings at a time, want %d", got, tt.running)
			}
			close(gate)
			for _, id := range ids {
				await(t, s, id, ended)
			}
		})
	}
}
