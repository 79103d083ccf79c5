package run

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls work for every i below n, starting in ascending order, as many at a time as the pool
// can run jobs that use cpus CPUs each. work runs any number of jobs through its worker. deliver
// gets the results in ascending order, one at a time, and no worker waits for it.
//
// Each returns the first error of work, deliver or the context. It then cancels the context of all
// work, and delivers nothing more.
func Each[T any](ctx context.Context, p *Pool, n, cpus int, work func(ctx context.Context, w *Worker, i int) (T, error), deliver func(i int, v T) error) error {
	return EachIn(ctx, p, n, cpus, func(at int) int { return at }, work, deliver)
}

// EachIn is like [Each], but starts the items in another order: first item(0), then item(1) and so on.
// item is a permutation of the numbers below n.
func EachIn[T any](ctx context.Context, p *Pool, n, cpus int, item func(at int) int, work func(ctx context.Context, w *Worker, i int) (T, error), deliver func(i int, v T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	done := results[T]{change: make(chan struct{}, 1), early: map[int]T{}}
	group.Go(func() error { return done.deliver(ctx, n, deliver) })
	var memos sync.Map // the memos that the jobs used
	defer memos.Range(func(m, _ any) bool { m.(*Memo).Flush(); return true })
	turns := newTurns(n)
	var next atomic.Int64
	for range min(p.slots/p.Width(cpus), n) {
		group.Go(func() error {
			for at := int(next.Add(1)) - 1; at < n && ctx.Err() == nil; at = int(next.Add(1)) - 1 {
				i := item(at)
				v, err := work(ctx, &Worker{pool: p, place: at, turns: turns, memos: &memos}, i)
				turns.pass(at)
				if err != nil {
					return err
				}
				if ctx.Err() != nil {
					break // v is incomplete, because work was cancelled
				}
				done.put(i, v)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// results holds results until it is their turn to be delivered.
type results[T any] struct {
	mu     sync.Mutex
	early  map[int]T
	change chan struct{} // receives a value after each put
}

func (r *results[T]) put(i int, v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.early[i] = v
	select {
	case r.change <- struct{}{}:
	default:
	}
}

func (r *results[T]) remove(i int) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.early[i]
	delete(r.early, i)
	return v, ok
}

// deliver delivers n results in ascending order.
func (r *results[T]) deliver(ctx context.Context, n int, deliver func(i int, v T) error) error {
	for i := range n {
		v, ok := r.remove(i)
		for ; !ok; v, ok = r.remove(i) {
			select {
			case <-r.change:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := deliver(i, v); err != nil {
			return err
		}
	}
	return nil
}

// Worker runs the jobs of one call of work by [Each]. It must not be used after that call.
type Worker struct {
	pool  *Pool
	place int // in the order of starting
	turns *turns
	memos *sync.Map
}

// Run is [Pool.Recall] for a job whose outcome may make those of later items unnecessary.
//
// If the memo knows the outcome of an earlier item, that may end ctx and make this run unnecessary.
// So a job that is not in the memo waits until the work on each earlier item has either ended or
// found its own job missing in the memo. It does not run at all if ctx has ended by then.
func (w *Worker) Run(ctx context.Context, job Job, memo *Memo) Outcome {
	if !memo.takes(&job) {
		w.turns.pass(w.place)
		return w.pool.Run(ctx, job)
	}
	w.memos.Store(memo, nil)
	return w.pool.recall(ctx, job, memo, func() {
		w.turns.pass(w.place)
		w.turns.await(w.place)
	})
}
